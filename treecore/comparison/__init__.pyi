"""List the public names. No module may have the name of one of them, because the module would hide it."""

from .cell import Cell as Cell
from .comparison import Comparison as Comparison
from .comparison import compare as compare
from .method import Method as Method
from .method import PathMethod as PathMethod
from .methods import DEFAULT_METHODS as DEFAULT_METHODS
from .methods import METHODS as METHODS
from .pareto import pareto_front as pareto_front
from .significance import corrected_interval as corrected_interval
from .significance import corrected_paired_test as corrected_paired_test
from .significance import holm as holm
from .significance import rank_test as rank_test
