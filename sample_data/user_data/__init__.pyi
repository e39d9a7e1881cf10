"""List the public names. No module may have the name of one of them, because the module would hide it."""

from .checks.problem import Problem as Problem
from .checks.problems import problems as problems
from .make_data_set_of_table import make_data_set as make_data_set
from .proposal import propose as propose
from .readers.read import read as read
from .reading_estimate import Estimate as Estimate
from .reading_estimate import estimate as estimate
from .recipe import Recipe as Recipe
from .summary import ColumnSummary as ColumnSummary
from .summary import summarise as summarise
from .table import Table as Table
