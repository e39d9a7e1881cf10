"""One protocol for all methods: the same folds, settings chosen by inner validation, honest errors and tests."""

from treecore.lazy_names import lazy_names

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
