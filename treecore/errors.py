"""Typed errors. Each message says what is wrong (with the value), what is allowed and what to do."""


class TreecoreError(ValueError):
    """Base of every error that treecore raises on purpose."""


class DataError(TreecoreError):
    """The training or prediction data cannot be used as given."""


class NoCounterfactual(DataError):
    """No input within the bounds is predicted as wanted."""


class ParameterError(TreecoreError):
    """A parameter is outside its range."""


class TreeFormatError(TreecoreError):
    """A stored tree is damaged, unsafe or not a tree."""


class DataSetNotFound(TreecoreError):
    """A named data set is not in the catalogue or cannot be had right now."""
