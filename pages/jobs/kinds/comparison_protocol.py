"""What a comparison's settings mean: its methods, the rows and the folds."""

from dataclasses import dataclass

import numpy as np
from sklearn.model_selection import StratifiedShuffleSplit

from sample_data.data_set import TEST
from treecore.comparison.folds import inner_folds, outer_folds
from treecore.comparison.methods import chosen_methods

TEST_SHARE = 0.2
SHOWN_FOLD = 0  # whose trees are side by side


@dataclass(frozen=True, eq=False)
class Plan:
    """Methods, labels and `Fold`s of a comparison; cv and `methods` are arguments of `treecore.comparison.compare`."""

    methods: list
    y: np.ndarray
    cv: object
    folds: list


def plan(chosen, data):
    """`Plan` of `settings.ComparisonSettings` for a DataSet. Raises TreecoreError before anything trains."""
    data.target.require("comparison")
    methods = [method.for_pixels() if data.image_shape else method for method in chosen_methods(chosen.methods)]
    y, cv = data.labels(), chosen.repeats
    if chosen.protocol == "splits":
        cv = StratifiedShuffleSplit(chosen.repeats, test_size=TEST_SHARE, random_state=chosen.seed)
    elif chosen.protocol == "published" and data.split is not None:
        cv = [(np.flatnonzero(data.split != TEST), np.flatnonzero(data.split == TEST))]
    folds = outer_folds(data.X, y, cv, chosen.seed)
    inner_folds(y, chosen.inner, chosen.seed)
    return Plan(methods, y, cv, folds)
