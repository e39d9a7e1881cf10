"""List the public names. No module may have the name of one of them, because the module would hide it."""

from sample_data.user_data.checks.problem import Problem as Problem
from sample_data.user_data.checks.problems import problems as problems
from sample_data.user_data.make_data_set_of_table import make_data_set as make_data_set
from sample_data.user_data.proposal import propose as propose
from sample_data.user_data.readers.read import read as read
from sample_data.user_data.reading_estimate import Estimate as Estimate
from sample_data.user_data.reading_estimate import estimate as estimate
from sample_data.user_data.recipe import Recipe as Recipe
from sample_data.user_data.summary import ColumnSummary as ColumnSummary
from sample_data.user_data.summary import summarise as summarise
from sample_data.user_data.table import Table as Table
