"""Test that a λ far too small or too large for the data gives one warning."""

import re
import warnings

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.ensemble import AdaBoostClassifier

from tests.refusals import warned
from treecore import PenaltyWarning, TAOClassifier, TAORegressor
from viz.command_line import main

X = np.arange(120.0)[:, None]
NOISE = 1000 * np.random.default_rng(0).normal(size=120)
CLASSES = np.arange(120) // 60
SETTINGS = {"split": "univariate", "init": "cart", "n_jobs": 1}


def allowed_in(noted):
    return float(re.search(r"Use lam=(\S+) or less", str(noted[0].message))[1])


def test_a_regression_with_a_leaf_for_few_rows_is_warned_of_once():
    with warned(
        PenaltyWarning, "lam=1 is small compared with the variance … of the target: the tree has … leaves for 120 rows"
    ) as noted:
        TAORegressor(**SETTINGS, lam=1.0).fit(X, NOISE)
    assert [one.filename for one in noted] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        TAORegressor(**SETTINGS, lam=1.0).fit(X[:100], NOISE[:100])
        TAORegressor(**SETTINGS).fit(X, NOISE)
        TAORegressor(**SETTINGS, lam=3 * NOISE.var()).fit(X, NOISE)


ROWS = np.random.default_rng(1).normal(size=(120, 3))
TARGETS = {TAOClassifier: (ROWS[:, 0] + ROWS[:, 1] > 0).astype(int), TAORegressor: 1e3 * (ROWS[:, 0] + ROWS[:, 1])}


@pytest.mark.parametrize("split", ["univariate", "bivariate"])
def test_an_optimal_initial_tree_of_one_leaf_is_warned_of_too(split):
    pytest.importorskip("pystreed")
    model = TAOClassifier(split, lam=1e6, init="optimal", max_depth=2, random_state=0)
    with warnings.catch_warnings(record=True) as noted:
        warnings.simplefilter("always")
        assert model.fit(ROWS, TARGETS[TAOClassifier]).tree_.n_leaves == 1
    (note,) = noted
    assert note.category is PenaltyWarning
    allowed = float(re.search(r"Use lam=(\S+) or less", str(note.message))[1])
    assert model.set_params(lam=allowed).fit(ROWS, TARGETS[TAOClassifier]).tree_.n_leaves > 1


@pytest.mark.parametrize("weight", [1.0, 1 / 120])
@pytest.mark.parametrize("leaf", ["constant", "linear"])
@pytest.mark.parametrize("init", ["cart", "random"])
@pytest.mark.parametrize("split", ["univariate", "bivariate", "oblique"])
@pytest.mark.parametrize("kind", [TAOClassifier, TAORegressor])
def test_a_lambda_that_allows_no_split_is_warned_of_once_with_one_that_does(kind, split, init, leaf, weight):
    model = kind(split, lam=1e12, init=init, leaf=leaf, max_depth=3, max_iter=4, random_state=0, n_jobs=1)
    y, weights = TARGETS[kind], np.full(120, weight)
    with warned(
        PenaltyWarning,
        (
            "lam=1e+12 is so large that the tree is a single leaf. Use lam=… or less for a larger tree. The sample "
            "weights of the 120 rows sum to …, and lam does not depend on this sum"
        ),
    ) as noted:
        model.fit(ROWS, y, weights)
    assert model.tree_.n_leaves == 1
    assert [one.filename for one in noted] == [__file__]
    allowed = allowed_in(noted)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = model.set_params(lam=allowed).fit(ROWS, y, weights)
    assert again.tree_.n_leaves > 1 or (leaf == "linear" and again.tree_.leaf_model.features.size)


def test_rows_in_parts_are_warned_of_too(tmp_path):
    import pandas

    pandas.DataFrame(ROWS, columns=list("abc")).assign(y=TARGETS[TAOClassifier]).to_parquet(tmp_path / "rows.parquet")
    model = TAOClassifier(**SETTINGS, lam=1e12)
    with warned(PenaltyWarning, "lam=1e+12 is so large that the tree is a single leaf") as noted:
        model.fit(str(tmp_path / "rows.parquet"), "y")
    model.set_params(lam=allowed_in(noted)).fit(str(tmp_path / "rows.parquet"), "y")
    assert model.tree_.n_leaves > 1


def test_boosting_with_weights_that_sum_to_one_is_warned_of():
    iris = load_iris(return_X_y=True)
    with warned(
        PenaltyWarning,
        (
            "lam=0.5 is so large that the tree is a single leaf. Use lam=… or less for a larger tree. The sample "
            "weights of the 150 rows sum to …, and lam does not depend on this sum"
        ),
    ) as noted:
        AdaBoostClassifier(TAOClassifier(**SETTINGS, lam=0.5, max_depth=3), n_estimators=3, random_state=0).fit(*iris)
    model = TAOClassifier(**SETTINGS, lam=allowed_in(noted) / 10, max_depth=3)
    assert AdaBoostClassifier(model, n_estimators=3, random_state=0).fit(*iris).score(*iris) > 0.9


@pytest.mark.parametrize("y", [np.zeros(120, int), CLASSES])
def test_a_single_leaf_for_another_reason_is_not_warned_of(y):
    constant = np.ones((120, 2))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert TAOClassifier(**SETTINGS, lam=1e6).fit(X if y.max() == 0 else constant, y).tree_.n_leaves == 1


def test_the_default_lambda_of_a_regression_fits_the_unit_of_its_target(tmp_path, capsys):
    path = tmp_path / "noise.csv"
    path.write_text("x,y\n" + "".join(f"{i % 150},{y}\n" for i, y in enumerate(np.tile(NOISE, 3))))
    given = ["fit", str(path), "--target", "y", "--regression", "--split", "univariate", "--json"]
    given += ["--validation", "0"]  # otherwise, the validation rows select a size
    assert main(given) == 0
    output = capsys.readouterr()
    assert "suitable for these rows; set another value with --lam" in output.err
    assert int(output.out.partition('"n_leaves": ')[2].partition(",")[0]) < 20
    assert main([*given, "--lam", "1"]) == 0
    assert "lam=1 is small" in capsys.readouterr().err
