"""Test the default of lambda: it follows units and weights, finds few splits in noise, and is the same in parts."""

import numpy as np
import pandas
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, make_classification
from sklearn.tree import DecisionTreeClassifier

from tests.refusals import refused
from treecore import ParameterError, TAOClassifier, TAORegressor, regularization_path

SPLIT = ["univariate", "bivariate", "oblique"]


@pytest.mark.parametrize("split", SPLIT)
def test_lambda_follows_the_units_of_weights_and_of_the_target(split):
    X, y = load_diabetes(return_X_y=True)
    first = TAORegressor(split).fit(X, y)
    again = TAORegressor(split).fit(X, 1024 * y - 7, np.full(y.size, 0.25))
    assert again.lam_ == pytest.approx(1024**2 / 4 * first.lam_, rel=1e-9)
    assert again.tree_.n_leaves == first.tree_.n_leaves > 1
    labels = y > 140
    first = TAOClassifier(split).fit(X, labels)
    again = TAOClassifier(split).fit(X, labels, np.full(y.size, 2.0**30))
    assert again.lam_ == pytest.approx(2.0**30 * first.lam_, rel=1e-12)
    assert again.tree_.predict(X).tolist() == first.tree_.predict(X).tolist()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("split", SPLIT)
def test_there_are_few_splits_in_noise(split, seed):
    rng = np.random.default_rng(seed)
    X, noise = rng.normal(size=(300, 4)), rng.normal(size=300)
    assert TAORegressor(split).fit(X, noise).tree_.n_leaves <= 10
    assert TAOClassifier(split).fit(X, rng.random(300) < 0.3).tree_.n_leaves <= 12


@pytest.mark.parametrize("split", SPLIT)
def test_a_target_without_noise_is_learnt(split):
    X = np.random.default_rng(0).normal(size=(400, 3))
    y = np.where(X[:, 0] > 0, 3.0, 0.0) + np.where(X[:, 1] > 0, 1.0, 0.0)
    assert TAORegressor(split).fit(X, y).score(X, y) > 0.98
    assert TAOClassifier(split).fit(X, y).score(X, y) > 0.98


def test_the_default_start_does_not_depend_on_the_seed():
    X, y = load_breast_cancer(return_X_y=True)
    for split in SPLIT:
        first, other = (TAOClassifier(split, random_state=seed).fit(X, y).tree_.to_json() for seed in (0, 1))
        assert first == other


@pytest.mark.parametrize("d", [100, 400])
def test_a_wide_noisy_table_is_not_worse_than_a_pruned_tree(d):
    X, y = make_classification(2000, d, n_informative=5, n_redundant=0, flip_y=0.1, random_state=d)
    rows, new = slice(0, 1000), slice(1000, None)
    path = DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(X[rows], y[rows])
    pruned = [DecisionTreeClassifier(random_state=0, ccp_alpha=max(a, 0)) for a in path.ccp_alphas[::8]]
    best = max(model.fit(X[rows], y[rows]).score(X[new], y[new]) for model in pruned)  # chosen by the test rows
    assert TAOClassifier().fit(X[rows], y[rows]).score(X[new], y[new]) >= best - 0.02


@pytest.mark.parametrize("kind", [TAOClassifier, TAORegressor])
def test_rows_in_parts_have_the_same_lambda(tmp_path, kind):
    X, y = load_diabetes(return_X_y=True)
    y = (y > 140).astype(float) if kind is TAOClassifier else y
    frame = pandas.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
    frame.assign(y=y).to_parquet(tmp_path / "rows.parquet", row_group_size=100)
    whole, parts = kind("univariate").fit(frame, y), kind("univariate").fit(str(tmp_path / "rows.parquet"), "y")
    assert parts.lam_ == pytest.approx(whole.lam_, rel=0.02)


def test_the_default_is_no_lambda_of_a_path_and_other_words_are_refused():
    X, y = load_breast_cancer(return_X_y=True)
    assert [point.lam for point in regularization_path(TAOClassifier("univariate"), X, y, [2.0, 8.0])] == [2.0, 8.0]
    critical = regularization_path(TAOClassifier("univariate", max_depth=3), X, y, "critical")
    assert critical[0].lam == 1.0
    with refused(ParameterError, "lam='automatic': expected 'auto', or a number"):
        TAOClassifier(lam="automatic").fit(X, y)
