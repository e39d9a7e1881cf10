"""Estimate the training effort for a data set. The effort decides how exactly the trees are trained."""

from sample_data import DataSet

FEW, MANY = 5e6, 2e7  # bounds on the number of values in X (rows x features)
NUMBERS = 20  # factor for regression, because the first tree has one leaf per row


def training_effort(data: DataSet) -> int:
    """Return the number of values in X, multiplied by `NUMBERS` for regression."""
    return data.n_rows * data.n_features * (1 if data.target.values_are_groups else NUMBERS)


def is_large_regression(data: DataSet) -> bool:
    """Test whether training the first tree of a regression path takes noticeably long."""
    return not data.target.values_are_groups and training_effort(data) >= FEW
