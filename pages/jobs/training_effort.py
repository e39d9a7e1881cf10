"""Estimate the training effort of a data set, which decides how exactly its trees are trained."""

from sample_data import DataSet

FEW, MANY = 5e6, 2e7  # values of X (rows x features)
NUMBERS = 20  # factor for regression, whose first tree has a leaf for each row


def training_effort(data: DataSet) -> int:
    """Return the number of values of X, multiplied by `NUMBERS` for regression."""
    return data.n_rows * data.n_features * (1 if data.target.values_are_groups else NUMBERS)


def is_large_regression(data: DataSet) -> bool:
    """Test whether the first tree of a regression path would take noticeably long."""
    return not data.target.values_are_groups and training_effort(data) >= FEW
