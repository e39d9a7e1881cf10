"""Comparison of methods under one protocol: common folds, inner validation of settings, and statistical tests."""

from lazy_loader import attach_stub

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
