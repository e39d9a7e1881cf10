"""Test that a λ far too small or too large for the data gives one warning."""

import warnings

import numpy as np
import pytest

from tests.refusals import warned
from treecore import PenaltyWarning, TAOClassifier, TAORegressor
from viz.command_line import main

X = np.arange(120.0)[:, None]
NOISE = 1000 * np.random.default_rng(0).normal(size=120)
CLASSES = np.arange(120) // 60
SETTINGS = {"split": "univariate", "init": "cart", "n_jobs": 1}


def test_a_regression_with_a_leaf_for_few_rows_is_warned_of_once():
    with warned(PenaltyWarning, "training.warning.small_lambda", lam=1.0, n_rows=120) as noted:
        TAORegressor(**SETTINGS).fit(X, NOISE)
    assert [one.filename for one in noted] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        TAORegressor(**SETTINGS).fit(X[:100], NOISE[:100])
        TAORegressor(**SETTINGS, lam=10 * NOISE.var()).fit(X, NOISE)


@pytest.mark.parametrize(
    ("model", "y"),
    [
        (TAOClassifier(n_jobs=1, random_state=0), CLASSES),
        (TAOClassifier(**SETTINGS), CLASSES),
        (TAORegressor(**SETTINGS), CLASSES),
    ],
)
def test_weights_with_a_sum_that_allows_one_leaf_only_are_warned_of(model, y):
    with warned(PenaltyWarning, "training.warning.large_lambda", n_rows=120) as noted:
        model.fit(X, y, np.full(120, 1 / 120))
    (values,) = (one.message.args[0].values for one in noted)
    assert (values["total"], values["factor"]) == pytest.approx((1, 120))
    assert model.tree_.n_leaves == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert model.fit(X, y).tree_.n_leaves == 2


def test_a_large_lambda_alone_is_no_fault_of_the_weights():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = TAOClassifier(**SETTINGS, lam=1e4).fit(X, CLASSES, np.full(120, 0.9))
    assert model.tree_.n_leaves == 1


def test_the_default_lambda_of_a_regression_fits_the_unit_of_its_target(tmp_path, capsys):
    path = tmp_path / "noise.csv"
    path.write_text("x,y\n" + "".join(f"{i % 150},{y}\n" for i, y in enumerate(np.tile(NOISE, 3))))
    given = ["fit", str(path), "--target", "y", "--regression", "--split", "univariate", "--json"]
    assert main(given) == 0
    output = capsys.readouterr()
    assert "10 times the variance" in output.err
    assert " path'" in output.err
    assert int(output.out.partition('"n_leaves": ')[2].partition(",")[0]) < 20
    assert main([*given, "--lam", "1"]) == 0
    assert "lam=1 is small" in capsys.readouterr().err
