"""Conversion of trees from other programs to a `Tree` with the same decisions, and the tree of a fitted model.

To add a program, write a function that returns a `ForeignModel` and add an entry to `treecore.foreign.sources.SOURCES`.
"""
