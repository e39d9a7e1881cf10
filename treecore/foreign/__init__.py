"""Trees that other programs have grown, as a `Tree` that decides as they do; and the tree of whatever was fitted.

A new source is a file with a function that gives a `ForeignModel` and an entry in `treecore.foreign.sources.SOURCES`.
"""
