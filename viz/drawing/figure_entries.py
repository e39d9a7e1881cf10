"""Parameter entries that the docstrings of several figures share (see `treecore.docstrings.filled`)."""

FIGURE = """
tree : Tree
    The tree.
data : DataSet
    Data set that the trees were trained on.
format : {'svg', 'pdf', 'png'}
    File format.
size : tuple
    (width, height) in inches, 1 to 100. A height of None fits the content.
dpi : float
    Pixels per inch of a PNG, 20 to 2400.
theme : {'light', 'dark'}
    Colours.
title : str or None
    Title above the figure.
rows : int array or None
    Rows of the data to draw and count, None for all.
"""
