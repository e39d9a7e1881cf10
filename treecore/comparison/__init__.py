"""Comparison of methods under one protocol: common folds, inner validation of settings, and statistical tests."""

from treecore.lazy_names import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
