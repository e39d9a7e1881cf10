"""The user's own data: files and pasted text become a table, a table and a recipe become a `DataSet`.

table = read(content, "flowers.csv")              # or a DataSet, from .npz and zips of images
summaries = summarise(table)
recipe = propose(table, summaries)
for problem in problems(table, summaries, recipe): ...
data_set = make_data_set(table, recipe)
"""

from sample_data.user_data.checks.problem import Problem
from sample_data.user_data.checks.problems import problems
from sample_data.user_data.estimate import Estimate, estimate
from sample_data.user_data.make_data_set import make_data_set
from sample_data.user_data.propose import propose
from sample_data.user_data.readers.read import read
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.summary import ColumnSummary, summarise
from sample_data.user_data.table import Table

__all__ = [
    "ColumnSummary",
    "Estimate",
    "Problem",
    "Recipe",
    "Table",
    "estimate",
    "make_data_set",
    "problems",
    "propose",
    "read",
    "summarise",
]
