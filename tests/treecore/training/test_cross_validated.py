"""Test the cross-validated choice against a choice made by hand, with scikit-learn's checks and impossible settings."""

import numpy as np
import pandas
import pytest
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris
from sklearn.model_selection import KFold, LeaveOneGroupOut, PredefinedSplit
from sklearn.utils.estimator_checks import parametrize_with_checks

from tests.refusals import refused
from treecore import (
    DataError,
    ParameterError,
    TAOClassifier,
    TAOClassifierCV,
    TAORegressor,
    TAORegressorCV,
    regularization_path,
)
from treecore.training.cross_validated import chosen

X, Y = load_iris(return_X_y=True)
SMALL = TAOClassifier(split="bivariate", init="cart", max_depth=3, random_state=0)


@parametrize_with_checks(
    [
        TAOClassifierCV(TAOClassifier(max_depth=2, random_state=0), lams=2, cv=2),
        TAORegressorCV(TAORegressor(max_depth=2, init="cart", split="univariate", random_state=0), lams=2, cv=2),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_the_choice_is_that_of_paths_on_folds_by_hand():
    folds = KFold(3, shuffle=True, random_state=1)
    model = TAOClassifierCV(SMALL, lams=[4, 0.5, 30, 1], costs=(2.0, 1.0), inits=("cart", "random"), cv=folds).fit(X, Y)
    found = {}
    for init in ("cart", "random"):
        for cost in (1.0, 2.0):
            for fit, held in folds.split(X):
                one = TAOClassifier(split="bivariate", init=init, max_depth=3, random_state=0, bivariate_cost=cost)
                lams = np.array([0.5, 1, 4, 30]) * len(fit) / len(Y)
                for lam, tree in zip(
                    (0.5, 1, 4, 30), regularization_path(one, X[fit], Y[fit], lams).trees, strict=True
                ):
                    found.setdefault((init, cost, lam), []).append((np.mean(tree.predict(X[held]) != Y[held]), tree))
    results = pandas.DataFrame(model.cv_results_).set_index(["init", "bivariate_cost", "lam"])
    for (init, cost, lam), folds_of in found.items():
        if init == "cart":  # nothing is random
            errors = [error for error, _ in folds_of]
            row = results.loc[(init, cost, lam)]
            assert row["mean_error"] == pytest.approx(np.mean(errors))
            assert row["standard_error"] == pytest.approx(np.std(errors, ddof=1) / np.sqrt(3))
            assert row["mean_n_leaves"] == np.mean([tree.n_leaves for _, tree in folds_of])
            assert [row[f"split{k}_error"] for k in range(3)] == pytest.approx(errors)
    best = model.best_params_
    assert results.loc[(best["init"], best["bivariate_cost"], best["lam"]), "mean_error"] == results["mean_error"].min()
    refit = regularization_path(
        SMALL.set_params(init=best["init"], bivariate_cost=best["bivariate_cost"]), X, Y, [0.5, 1, 4, 30]
    )
    SMALL.set_params(init="cart", bivariate_cost=1.25)
    assert [tree.to_json() for tree in model.path_.trees] == [tree.to_json() for tree in refit.trees]
    assert model.tree_ is model.path_[model.best_index_].tree
    assert model.path_[model.best_index_].lam == best["lam"]


def test_rules():
    errors, spreads = np.array([0.2, 0.1, 0.1, 0.11, 0.3]), np.full(5, 0.02)
    leaves = np.array([1.0, 9.0, 7.0, 3.0, 2.0])
    assert chosen(errors, spreads, leaves, "min") == 2
    assert chosen(errors, spreads, leaves, "one_se") == 3
    assert chosen(errors, np.zeros(5), leaves, "one_se") == 2


def test_numbers_tables_and_groups():
    data = load_diabetes()
    base = TAORegressor(split="univariate", init="cart", max_depth=3, random_state=0)
    model = TAORegressorCV(base, lams=6, cv=3, rule="one_se").fit(data.data, data.target)
    assert model.tree_.n_leaves == model.path_[model.best_index_].n_leaves < 9
    assert model.best_error_ < data.target.std()
    table = pandas.DataFrame({"petal": X[:, 2], "colour": np.where(X[:, 3] > 1, "red", "blue")})
    names = np.array(["a", "b", "c"])[Y]
    grouped = TAOClassifierCV(SMALL, lams=3, cv=LeaveOneGroupOut()).fit(table, names, groups=np.arange(150) % 4)
    assert grouped.tree_.feature_names == ("petal", "colour = blue", "colour = red")
    assert grouped.score(table, names) > 0.9
    assert "split3_error" in grouped.cv_results_
    assert grouped.predict_proba(table).shape == (150, 3)


def test_shrinkage_is_chosen_along_the_same_paths():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 2))
    y = X[:, 0] + rng.normal(size=120)
    base = TAORegressor("univariate", init="cart", random_state=0, max_iter=3)
    parts, lams, amounts = (
        [(np.arange(60), np.arange(60, 120)), (np.arange(60, 120), np.arange(60))],
        [1.0, 8.0],
        [0, 9],
    )
    model = TAORegressorCV(base, lams, cv=parts, shrinkages=amounts).fit(X, y)
    seeds = np.random.RandomState(0).randint(np.iinfo(np.int32).max, size=2)
    for fold, (fit, held) in enumerate(parts):
        for amount in amounts:
            shrinking = clone(base).set_params(shrinkage=amount, random_state=int(seeds[fold]))
            trees = regularization_path(shrinking, X[fit], y[fit], np.array(lams) / 2).trees
            wanted = [np.sqrt(np.mean((tree.predict(X[held]) - y[held]) ** 2)) for tree in trees]
            rows = model.cv_results_["shrinkage"] == amount
            assert model.cv_results_[f"split{fold}_error"][rows] == pytest.approx(wanted)
    assert model.best_params_["shrinkage"] == 9
    again = regularization_path(clone(base).set_params(shrinkage=9), X, y, lams).trees
    assert model.tree_ == again[lams.index(model.best_params_["lam"])]
    with refused(ParameterError, "parameter.not_between", name="shrinkages", value=-1):
        TAORegressorCV(base, lams, shrinkages=[-1]).fit(X, y)
    with refused(ParameterError, "training.cross_validated.values", name="shrinkages"):
        TAORegressorCV(base, lams, shrinkages=[]).fit(X, y)
    with refused(ParameterError, "tree.linear.refused", name="shrinkage", what="shrinkage"):
        TAORegressorCV(clone(base).set_params(leaf="linear"), lams, shrinkages=[1]).fit(X, y)


def test_class_weights_count_in_the_errors():
    weights = {0: 1.0, 1: 1.0, 2: 50.0}
    one = TAOClassifierCV(SMALL, lams=[200], cv=PredefinedSplit(np.arange(150) % 3)).fit(X, Y)
    other = TAOClassifierCV(TAOClassifier(**SMALL.get_params() | {"class_weight": weights}), lams=[1e6], cv=3).fit(X, Y)
    assert one.best_error_ == pytest.approx(2 / 3, abs=0.05)
    assert other.best_error_ == pytest.approx(2 / 52, abs=0.01)


def test_a_class_that_a_fold_does_not_train_on_is_an_error_there():
    held = np.full(150, -1)
    held[Y == 2], held[:10] = 0, 1
    model = TAOClassifierCV(SMALL, lams=[0.1], cv=PredefinedSplit(held)).fit(X, Y)
    assert model.cv_results_["split0_error"].tolist() == [1.0]
    assert model.cv_results_["split1_error"].tolist() == [0.0]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"cv": 1}, "cv"),
        ({"cv": 60}, "has 50 rows"),
        ({"cv": "three"}, "cv"),
        ({"rule": "best"}, "rule='best'"),
        ({"lams": []}, "lams is empty"),
        ({"lams": "critical"}, "critical"),
        ({"lams": [-1.0]}, r"lams=\[-1.0\]"),
        ({"costs": ()}, "costs="),
        ({"costs": [0.5]}, "bivariate_cost"),
        ({"inits": "cart"}, "inits='cart'"),
        ({"inits": []}, "inits="),
        ({"inits": ["elm"]}, "elm"),
        ({"estimator": TAORegressor()}, "expected a TAOClassifier"),
        ({"estimator": TAOClassifier(), "costs": [1, 2]}, "Remove costs"),
    ],
)
def test_impossible_settings_are_reported(options, words):
    with pytest.raises((ParameterError, DataError), match=words):
        TAOClassifierCV(**{"estimator": SMALL, "lams": 3, "cv": 3} | options).fit(X, Y)


def test_an_unknown_start_is_refused_before_any_path_is_trained(monkeypatch):
    monkeypatch.setattr("treecore.training.cross_validated._fold", None)
    with refused(ParameterError, "parameter.not_a_choice", name="inits", value="elm"):
        TAOClassifierCV(SMALL, lams=3, inits=["cart", "elm"], cv=3).fit(X, Y)


def test_too_few_rows_for_the_folds_of_numbers():
    with refused(DataError, "training.cross_validated.few_rows", n_rows=4):
        TAORegressorCV(lams=2).fit(X[:4], np.arange(4.0))


@pytest.mark.parametrize("kind", [TAOClassifierCV, TAORegressorCV])
def test_a_seed_decides_all_of_a_choice_by_default(kind):
    """The default trees start at random. scikit-learn's checks make them repeatable with this parameter."""
    first, again, other = (kind(lams=2, random_state=seed).fit(X, Y) for seed in (0, 0, 1))
    assert first.tree_.to_json() == again.tree_.to_json() != other.tree_.to_json()
    own = kind(first._kind(random_state=0), lams=2).fit(X, Y)
    assert own.tree_.to_json() == first.tree_.to_json()


def test_folds_are_as_many_as_the_rarest_class_allows_unless_they_are_given():
    rows = np.r_[:20, 50:70, 100:103]
    found = TAOClassifierCV(SMALL, lams=2).fit(X[rows], Y[rows]).cv_results_
    assert [name for name in found if name.startswith("split")] == ["split0_error", "split1_error", "split2_error"]
    with refused(DataError, "training.cross_validated.rare_class", n=3):
        TAOClassifierCV(SMALL, lams=2, cv=5).fit(X[rows], Y[rows])
    with refused(DataError, "training.cross_validated.rare_class", n=1):
        TAOClassifierCV(SMALL, lams=2).fit(X[rows[:-2]], Y[rows[:-2]])


@pytest.mark.long
@parametrize_with_checks([TAOClassifierCV(), TAORegressorCV()])
def test_the_defaults_pass_scikit_learn_s_checks(estimator, check):
    check(estimator)
