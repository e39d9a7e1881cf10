"""Trees of other programs as a `Tree` with the same decisions; and the tree of a fitted model.

A new source is a file with a function that returns a `ForeignModel` and an entry in `treecore.foreign.sources.SOURCES`.
"""
