"""One protocol for all methods: the same folds, settings chosen by inner validation, honest errors and tests."""

from treecore.comparison.cell import Cell
from treecore.comparison.comparison import Comparison, compare
from treecore.comparison.method import Method, PathMethod
from treecore.comparison.methods import DEFAULT_METHODS, METHODS
from treecore.comparison.pareto import pareto_front
from treecore.comparison.significance import corrected_paired_test, rank_test

__all__ = [
    "Cell",
    "Comparison",
    "DEFAULT_METHODS",
    "METHODS",
    "Method",
    "PathMethod",
    "compare",
    "corrected_paired_test",
    "pareto_front",
    "rank_test",
]
