"""How much work the trees of a data set are: what decides how gently they are trained."""

from sample_data import DataSet

FEW, MANY = 5e6, 2e7  # values of X (rows x features)
NUMBERS = 20  # values of a classification that one of a regression counts for: its first tree has a leaf for each row


def training_effort(data: DataSet) -> int:
    """Values of X of a `DataSet`, as those of a classification count."""
    return data.n_rows * data.n_features * (1 if data.target.values_are_groups else NUMBERS)


def is_large_regression(data: DataSet) -> bool:
    """Whether the first tree of a regression path would keep the visitor waiting."""
    return not data.target.values_are_groups and training_effort(data) >= FEW
