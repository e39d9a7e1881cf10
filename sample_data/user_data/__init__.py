"""Read the user's own data: files and pasted text become a table; a table and a recipe become a `DataSet`.

table = read(content, "flowers.csv")              # or a DataSet, from .npz and zips of images
summaries = summarise(table)
recipe = propose(table, summaries)
for problem in problems(table, summaries, recipe): ...
data_set = make_data_set(table, recipe)
"""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
