"""Test the cross-validated choice against a choice made by hand, with scikit-learn's checks and impossible settings."""

import numpy as np
import pandas
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    PredefinedSplit,
    StratifiedKFold,
    cross_validate,
)
from sklearn.utils.estimator_checks import parametrize_with_checks

from tests.budget import budget
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


KINDS = [
    TAOClassifierCV(TAOClassifier(max_depth=2, random_state=0), lams=2, cv=2),
    TAORegressorCV(TAORegressor(max_depth=2, init="cart", split="univariate", random_state=0), lams=2, cv=2),
]


@pytest.mark.nightly
@parametrize_with_checks(budget(KINDS[:1], KINDS))
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
    with refused(ParameterError, "shrinkages=-1: expected a finite number >= … and <="):
        TAORegressorCV(base, lams, shrinkages=[-1]).fit(X, y)
    with refused(ParameterError, "shrinkages=…: expected a list with at least one value, or None"):
        TAORegressorCV(base, lams, shrinkages=[]).fit(X, y)
    with refused(ParameterError, "shrinkage does not support linear leaves"):
        TAORegressorCV(clone(base).set_params(leaf="linear"), lams, shrinkages=[1]).fit(X, y)


def test_class_weights_count_in_the_errors():
    weights = {0: 1.0, 1: 1.0, 2: 50.0}
    one = TAOClassifierCV(SMALL, lams=[200], cv=PredefinedSplit(np.arange(150) % 3)).fit(X, Y)
    other = TAOClassifierCV(TAOClassifier(**SMALL.get_params() | {"class_weight": weights}), lams=[1e6], cv=3).fit(X, Y)
    assert one.best_error_ == pytest.approx(2 / 3, abs=0.05)
    assert other.best_error_ == pytest.approx(2 / 52, abs=0.01)


WEIGHED = [
    (
        TAOClassifierCV(
            TAOClassifier("univariate", init="cart", max_depth=3), lams=5, cv=3, rule="one_se", random_state=0
        ),
        Y,
    ),
    (
        TAORegressorCV(TAORegressor("univariate", init="cart", max_depth=3), lams=5, cv=3, random_state=0),
        X[:, 3] + np.random.default_rng(0).normal(scale=0.1, size=150),
    ),
]


def same_choice(one, other, table=X):
    """Return whether two estimators have the same errors of folds, parameters and predictions."""
    assert one.cv_results_.keys() == other.cv_results_.keys()
    for name, values in one.cv_results_.items():
        if name != "init":
            assert values == pytest.approx(other.cv_results_[name], abs=1e-12), name
    assert one.best_params_ == pytest.approx(other.best_params_)
    return np.allclose(one.predict(table), other.predict(table))


@pytest.mark.parametrize(("model", "y"), WEIGHED)
@pytest.mark.parametrize("groups", [None, np.arange(150) % 11])
def test_weights_of_0_equal_leaving_rows_out(model, y, groups, rng):
    weights = rng.choice([0.0, 0.5, 3.0], 150)
    used = weights > 0
    one = clone(model).fit(X, y, groups, sample_weight=weights)
    kept = clone(model).fit(X[used], y[used], None if groups is None else groups[used], weights[used])
    assert same_choice(one, kept)
    assert one.tree_.to_json() == kept.tree_.to_json()
    assert one.best_error_ != clone(model).fit(X[used], y[used], None if groups is None else groups[used]).best_error_


@pytest.mark.parametrize(("model", "y"), WEIGHED)
def test_whole_weights_equal_repeated_rows(model, y, rng):
    weights, groups = rng.integers(1, 5, 150), rng.integers(4, size=150)
    rows = np.repeat(np.arange(150), weights)
    table = X[:, :2] + rng.normal(scale=1e-3, size=(150, 2))  # without ties, which CART breaks at random
    one, repeated = (clone(model).set_params(cv=LeaveOneGroupOut()) for _ in range(2))
    one.fit(table, y, groups, weights)
    assert same_choice(one, repeated.fit(table[rows], y[rows], groups[rows]), table)
    assert same_choice(clone(one).fit(X, y, groups), clone(one).fit(X, y, groups, np.ones(150)))


def test_weights_count_in_the_folds_as_by_hand(rng):
    weights, classes = rng.uniform(0.1, 9, 150), np.array([1.0, 4.0, 2.0])
    base = TAOClassifier(**SMALL.get_params() | {"class_weight": dict(enumerate(classes))})
    folds, lams = KFold(3, shuffle=True, random_state=2), np.array([5.0, 40.0, 90.0])
    model = TAOClassifierCV(base, lams=lams, cv=folds).fit(X, Y, sample_weight=weights)
    found = []
    for fit, held in folds.split(X):
        share = weights[fit].sum() / weights.sum()
        path = regularization_path(base, X[fit], Y[fit], lams * share, sample_weight=weights[fit])
        alike = clone(base).set_params(lam=5.0 * share).fit(X[fit], Y[fit], weights[fit])
        assert path[0].tree == alike.tree_
        wrong = np.array([tree.predict(X[held]) != Y[held] for tree in path.trees])
        found.append(np.average(wrong, axis=1, weights=weights[held] * classes[Y[held]]))
    results = model.cv_results_
    assert [results[f"split{k}_error"].tolist() for k in range(3)] == [pytest.approx(errors) for errors in found]
    assert results["standard_error"] == pytest.approx(np.std(found, axis=0, ddof=1) / np.sqrt(3))


def test_folds_without_weight_are_left_out():
    held = np.arange(150) % 3
    given = TAOClassifierCV(SMALL, lams=[1.0], cv=PredefinedSplit(held))
    model = clone(given).fit(X, Y, sample_weight=(held != 1).astype(float))
    assert [name for name in model.cv_results_ if name.startswith("split")] == ["split0_error", "split1_error"]
    with refused(ParameterError, "cv: no fold has training rows and held-out rows with a weight above 0"):
        given.fit(X, Y, sample_weight=(held == 1).astype(float))
    for weights in (np.zeros(150), np.full(150, -1.0), np.ones(149), np.full(150, np.nan)):
        with pytest.raises(DataError):
            clone(given).fit(X, Y, sample_weight=weights)
    with refused(DataError, "Class … has 1 row, but cv=… folds need … rows of each class"):
        clone(given).set_params(cv=2).fit(X, Y, sample_weight=np.r_[np.ones(101), np.zeros(49)])


@pytest.fixture
def routing():
    with config_context(enable_metadata_routing=True):
        yield {"sample_weight": np.arange(150) % 4 + 0.5, "groups": np.arange(150) % 10}


def test_weights_and_groups_are_routed_to_each_fit(routing):
    model = TAOClassifierCV(SMALL, lams=4, cv=2, random_state=0).set_fit_request(sample_weight=True, groups=True)
    model.set_score_request(sample_weight=True)
    outer = StratifiedKFold(2)
    found = cross_validate(model, X, Y, cv=outer, params=routing, return_estimator=True)
    for (fit, held), fitted, score in zip(outer.split(X, Y), found["estimator"], found["test_score"], strict=True):
        direct = clone(model).fit(X[fit], Y[fit], **{name: values[fit] for name, values in routing.items()})
        assert same_choice(fitted, direct)
        unweighted = clone(model).fit(X[fit], Y[fit])
        assert not np.array_equal(direct.cv_results_["mean_error"], unweighted.cv_results_["mean_error"])
        assert score == direct.score(X[held], Y[held], routing["sample_weight"][held])
    search = GridSearchCV(model, {"rule": ["min", "one_se"]}, cv=outer).fit(X, Y, **routing)
    direct = clone(model).set_params(**search.best_params_).fit(X, Y, **routing)
    assert same_choice(search.best_estimator_, direct)


def test_groups_that_the_splitter_requests_reach_the_fit(routing):
    groups = {"groups": routing["groups"]}
    model = TAOClassifierCV(SMALL, lams=2, cv=GroupKFold(5))
    found = cross_validate(model, X, Y, cv=2, params=groups, return_estimator=True)["estimator"]
    assert all("split4_error" in one.cv_results_ for one in found)
    with pytest.raises(UnsetMetadataPassedError, match="groups"):
        cross_validate(clone(model).set_params(cv=3), X, Y, cv=2, params=groups)
    refusing = clone(model).set_fit_request(groups=False)
    assert refusing.get_metadata_routing().fit.requests["groups"] is False
    renamed = clone(model).set_fit_request(groups="patients")
    assert cross_validate(renamed, X, Y, cv=2, params={"patients": routing["groups"]})["test_score"].mean() > 0.5


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
    with refused(ParameterError, "inits='elm': expected one of"):
        TAOClassifierCV(SMALL, lams=3, inits=["cart", "elm"], cv=3).fit(X, Y)


def test_too_few_rows_for_the_folds_of_numbers():
    with refused(DataError, "n_samples=4 is too small for cv=… folds"):
        TAORegressorCV(lams=2).fit(X[:4], np.arange(4.0))


@pytest.mark.parametrize("kind", [TAOClassifierCV, TAORegressorCV])
def test_a_seed_decides_all_of_a_choice_by_default(kind):
    """scikit-learn's checks make random trees repeatable with this parameter."""
    start = kind._kind(init="random")
    first, again, other = (kind(start, lams=2, random_state=seed).fit(X, Y) for seed in (0, 0, 1))
    assert first.tree_.to_json() == again.tree_.to_json() != other.tree_.to_json()
    own = kind(first._kind(init="random", random_state=0), lams=2).fit(X, Y)
    assert own.tree_.to_json() == first.tree_.to_json()


def test_folds_are_as_many_as_the_rarest_class_allows_unless_they_are_given():
    rows = np.r_[:20, 50:70, 100:103]
    found = TAOClassifierCV(SMALL, lams=2).fit(X[rows], Y[rows]).cv_results_
    assert [name for name in found if name.startswith("split")] == ["split0_error", "split1_error", "split2_error"]
    with refused(DataError, "Class … has 3 rows, but cv=… folds need … rows of each class"):
        TAOClassifierCV(SMALL, lams=2, cv=5).fit(X[rows], Y[rows])
    with refused(DataError, "Class … has 1 row, but cv=… folds need … rows of each class"):
        TAOClassifierCV(SMALL, lams=2).fit(X[rows[:-2]], Y[rows[:-2]])


@pytest.mark.long
@parametrize_with_checks([TAOClassifierCV(), TAORegressorCV()])
def test_the_defaults_pass_scikit_learn_s_checks(estimator, check):
    check(estimator)
