"""Comparison of methods under one protocol: the same folds, inner validation for settings, and tests."""

from treecore.lazy_names import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
