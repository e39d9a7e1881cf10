"""List the public names. No module may have the name of one of them, because the module would hide it."""

from treecore.comparison.cell import Cell as Cell
from treecore.comparison.comparison import Comparison as Comparison
from treecore.comparison.comparison import compare as compare
from treecore.comparison.method import Method as Method
from treecore.comparison.method import PathMethod as PathMethod
from treecore.comparison.methods import DEFAULT_METHODS as DEFAULT_METHODS
from treecore.comparison.methods import METHODS as METHODS
from treecore.comparison.pareto import pareto_front as pareto_front
from treecore.comparison.significance import corrected_interval as corrected_interval
from treecore.comparison.significance import corrected_paired_test as corrected_paired_test
from treecore.comparison.significance import holm as holm
from treecore.comparison.significance import rank_test as rank_test
