"""Test conventions of every baseline: scikit-learn's checks, errors, labels, weights, unusual data, threads, seeds."""

from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
import pandas
import pytest
import scipy.sparse
from sklearn.base import clone, is_regressor
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks
from sklearn.utils.validation import has_fit_parameter

from tests.budget import budget
from tests.each import each
from tests.fitted import check_predictions, trees_of
from tests.refusals import refused
from treecore import (
    BiDTClassifier,
    BivariateCARTClassifier,
    BivariateCARTRegressor,
    BoundaryForestClassifier,
    C50Classifier,
    CARTClassifier,
    CARTRegressor,
    CO2Classifier,
    CO2ForestClassifier,
    CO2ForestRegressor,
    CO2Regressor,
    DataError,
    NonGreedyClassifier,
    NonGreedyRegressor,
    ObliqueCARTClassifier,
    ObliqueCARTRegressor,
    OptimalTreeClassifier,
    ParameterError,
    TAOForestClassifier,
    TAOForestRegressor,
    TwoProbeForestClassifier,
    TwoProbeForestRegressor,
)
from treecore.baselines.forest import BASES
from treecore.training.single_tree import SingleTree

# Reasons why one of scikit-learn's checks cannot pass.
ROWS_BY_CHANCE = {
    "check_sample_weight_equivalence_on_dense_data": "the order of the rows, or which of them are held out, share a "
    "fold or are drawn for a tree, is left to chance, so a weight is not the same as repeated rows"
}
PURE = {
    "check_class_weight_classifiers": "a leaf with points of one class only, as in a tree that is not pruned, predicts "
    "it, whatever its weight"
}
TIES = {
    "check_sample_weight_equivalence_on_dense_data": "several trees have the smallest objective, and the searches with "
    "equal and unequal weights may return different ones"
}


class Baseline(NamedTuple):
    """An estimator and its expected behaviour.

    fails : {check of scikit-learn: why it cannot pass}; by_chance : whether random_state changes the result; accuracy :
    smallest training accuracy on iris; cross_validated : smallest mean accuracy over three folds, or None to skip it.
    """

    estimator: Any
    fails: dict[str, str] = {}
    by_chance: bool = True
    accuracy: float = 0.93
    cross_validated: float | None = None


BASELINES = [
    Baseline(BiDTClassifier(validation_fraction=None), PURE, by_chance=False),
    Baseline(BiDTClassifier(validation_fraction=0.3, max_depth=3), ROWS_BY_CHANCE),
    Baseline(BivariateCARTClassifier(validation_fraction=None), PURE, by_chance=False),
    Baseline(BivariateCARTClassifier(validation_fraction=0.3), ROWS_BY_CHANCE, cross_validated=0.88),
    Baseline(BivariateCARTRegressor(validation_fraction=None), by_chance=False),
    Baseline(BoundaryForestClassifier(3, random_state=0)),
    Baseline(BoundaryForestClassifier(5, scale="standard")),
    Baseline(C50Classifier(), by_chance=False, cross_validated=0.9),
    Baseline(C50Classifier(pruning=False, min_cases=1), by_chance=False),
    Baseline(C50Classifier(missing="learn", confidence=0.05), by_chance=False),
    Baseline(C50Classifier(rules=True), by_chance=False),
    Baseline(C50Classifier(rules=True, missing="learn", min_cases=1), by_chance=False),
    Baseline(CARTClassifier()),
    Baseline(CARTClassifier(cv=None), PURE),
    Baseline(CARTRegressor()),
    Baseline(CARTRegressor(cv=None, missing="learn")),
    Baseline(CO2Classifier(), ROWS_BY_CHANCE | PURE, accuracy=1.0, cross_validated=0.88),
    Baseline(CO2Classifier(init="oc1", validation_fraction=0.3), ROWS_BY_CHANCE | PURE),
    *[Baseline(CO2ForestClassifier(3, base=base, random_state=0), ROWS_BY_CHANCE | PURE,
            cross_validated=0.88 if base == "co2" else None) for base in BASES],
    Baseline(TwoProbeForestClassifier(3, random_state=0), ROWS_BY_CHANCE | PURE),
    Baseline(TAOForestClassifier(3, max_depth=3, random_state=0), ROWS_BY_CHANCE),
    Baseline(NonGreedyClassifier(), ROWS_BY_CHANCE),
    Baseline(NonGreedyClassifier(stable=False, inference="exact", max_depth=3), ROWS_BY_CHANCE),
    Baseline(ObliqueCARTClassifier(validation_fraction=None), PURE),
    Baseline(ObliqueCARTClassifier(method="cart_lc", validation_fraction=None), PURE, by_chance=False),
    Baseline(ObliqueCARTClassifier(validation_fraction=0.3, n_restarts=1), ROWS_BY_CHANCE | PURE, cross_validated=0.88),
    Baseline(CO2Regressor()),
    *[Baseline(CO2ForestRegressor(3, base=base, random_state=0), ROWS_BY_CHANCE) for base in BASES],
    Baseline(TwoProbeForestRegressor(3, random_state=0), ROWS_BY_CHANCE),
    Baseline(TAOForestRegressor(3, max_depth=3, random_state=0), ROWS_BY_CHANCE),
    Baseline(NonGreedyRegressor(max_depth=3, init="cart")),
    Baseline(ObliqueCARTRegressor(validation_fraction=0.3, n_restarts=1), ROWS_BY_CHANCE),
]  # fmt: skip
if find_spec("pystreed"):  # an optional package, without which test_baseline_optimal.py is skipped
    BASELINES += [
        Baseline(OptimalTreeClassifier(), TIES, by_chance=False, cross_validated=0.88),
        Baseline(OptimalTreeClassifier(2, lam=0.0, n_thresholds=4), by_chance=False, accuracy=0.9),
    ]
KINDS = list({type(baseline.estimator): type(baseline.estimator) for baseline in BASELINES})
# `make test` runs one baseline for each code path of the checks: its own, wrapped trees, forests, planes.
BY_DAY = [
    next(baseline for baseline in BASELINES if type(baseline.estimator) is kind)
    for kind in (C50Classifier, CARTRegressor, CO2ForestClassifier, ObliqueCARTClassifier)
]
# One invalid value of each parameter that several baselines share, and the message.
BAD_VALUES = {
    "n_estimators": (0, "n_estimators=0"), "max_depth": (0, "max_depth=0"),
    "min_samples_split": (1, "min_samples_split=1"), "n_candidate_features": (0, "n_candidate_features=0"),
    "validation_fraction": (1.0, "validation_fraction=1.0"), "missing": ("drop", "missing='drop'"),
    "scale": ("log", "scale='log'"), "class_weight": ("odd", "class_weight.*odd"), "n_jobs": (0, "n_jobs=0"),
    "random_state": ("dice", "dice"),
}  # fmt: skip
# Parameters of a tree without pruning.
UNPRUNED = {"validation_fraction": None, "cv": None, "pruning": False, "min_cases": 1}

FAR, TWO_OF_SIX = np.array([[0.0, 1.0]] * 3 + [[1e12, 1.0]] * 3), np.eye(6)[:, :2]
# name : (X, codes of the labels, leaves of a tree without pruning, or None if they depend on the method)
DEGENERATE = {
    "one class": (np.arange(8.0).reshape(4, 2), [0] * 4, 1),
    "two rows": (np.array([[0.0, 1.0], [1.0, 0.0]]), [0, 1], 2),
    "constant": (np.ones((6, 2)), [0, 1] * 3, 1),
    "constant, in order": (np.ones((6, 2)), [0] * 3 + [1] * 3, 1),
    "constant, one class": (np.ones((6, 2)), [1] * 6, 1),
    "constant, three classes": (np.ones((6, 2)), [0, 1, 2] * 2, 1),
    "one constant feature": (np.array([[1.0, 0.0]] * 3 + [[1.0, 1.0]] * 3), [0] * 3 + [1] * 3, 2),
    "one feature": (np.arange(6.0)[:, None], [0] * 3 + [1] * 3, 2),
    "far apart": (FAR, [0] * 3 + [1] * 3, 2),
    "far apart, one class": (FAR, [1] * 6, 1),
    "far apart, three classes": (FAR, [0, 1, 2] * 2, None),
    "mostly zero": (TWO_OF_SIX, [0] * 3 + [1] * 3, None),
    "mostly zero, one class": (TWO_OF_SIX, [1] * 6, 1),
    "mostly zero, three classes": (TWO_OF_SIX, [0, 1, 2] * 2, None),
    "one feature, mostly zero": (TWO_OF_SIX[:, :1], [0] * 3 + [1] * 3, None),
    "one feature, mostly zero, one class": (TWO_OF_SIX[:, :1], [1] * 6, 1),
    "one feature, mostly zero, three classes": (TWO_OF_SIX[:, :1], [0, 1, 2] * 2, None),
}


def in_words(baseline):
    return " ".join(repr(baseline.estimator).split())


every_baseline = pytest.mark.parametrize("baseline", BASELINES, ids=in_words)
every_classifier = pytest.mark.parametrize(
    "baseline", [baseline for baseline in BASELINES if not is_regressor(baseline.estimator)], ids=in_words
)
every_kind = pytest.mark.parametrize("kind", KINDS)


def fresh(baseline, **options):
    """Return an unfitted estimator of a baseline, with random_state 0 and one thread by default."""
    options = {"random_state": 0, "n_jobs": 1} | options
    known = baseline.estimator.get_params()
    return clone(baseline.estimator).set_params(**{name: value for name, value in options.items() if name in known})


@pytest.mark.nightly
@parametrize_with_checks(
    [baseline.estimator for baseline in budget(BY_DAY, BASELINES)],
    expected_failed_checks=lambda estimator: next(r.fails for r in BASELINES if r.estimator is estimator),
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@every_kind
def test_bad_data_are_refused(bundled, kind):
    X, y = bundled("iris")
    with refused(
        DataError,
        (
            "contains NaN. Fill or remove these values, or use TAOClassifier or TAORegressor with missing='learn' "
            "and split='univariate' or 'bivariate'"
        ),
    ) as found:
        kind().fit(np.where(X > 7, np.nan, X), y)
    assert "sklearn" not in str(found.value)  # scikit-learn's own message would advise another method
    with refused(DataError, "has …. Leave out these rows, or pass X.filled(numpy.nan) with missing='learn'"):
        kind().fit(np.ma.masked_greater(X, 7), y)
    if not issubclass(kind, SingleTree):
        with refused(DataError, "does not support sparse X"):
            kind().fit(scipy.sparse.csr_matrix(X), y)
    if not is_regressor(kind()):
        with pytest.raises(DataError, match="continuous"):
            kind().fit(X, y + 0.5)
    with pytest.raises(DataError, match="4 features"):
        kind().fit(X, y).predict(X[:, :2])
    with refused(DataError, "has …. Leave out these rows, or pass X.filled(numpy.nan) with missing='learn'"):
        kind().fit(X, y).predict(np.ma.masked_greater(X, 7))


@every_baseline
def test_sparse_rows_give_the_tree_of_dense_rows(bundled, baseline):
    X, y = bundled("iris")
    X = np.where(X < 1, 0.0, X)
    if not isinstance(baseline.estimator, SingleTree):
        return
    dense, sparse = (fresh(baseline, random_state=0).fit(form, y) for form in (X, scipy.sparse.csc_array(X)))
    assert sparse.tree_ == dense.tree_
    assert sparse.predict(scipy.sparse.csr_matrix(X)).tolist() == dense.predict(X).tolist()


@each("kind, name", [(kind, name) for kind in KINDS for name in BAD_VALUES if name in kind().get_params()])
def test_bad_parameters_are_refused(bundled, kind, name):
    value, message = BAD_VALUES[name]
    with pytest.raises(ParameterError, match=message):
        kind(**{name: value}).fit(*bundled("iris"))


@every_baseline
def test_predictions_are_those_of_the_trees(bundled, baseline):
    X, y = bundled("iris")
    model = fresh(baseline).fit(X, y)
    check_predictions(model, X)
    if hasattr(model, "estimators_"):
        assert len(model.estimators_) == baseline.estimator.n_estimators


@every_classifier
def test_labels_frames_and_weights(bundled, baseline):
    X, y = bundled("iris")
    names = np.array(["setosa", "versicolor", "virginica"], object)[y]
    frame = pandas.DataFrame(X, columns=list("abcd"))
    model = fresh(baseline).fit(frame, names)
    assert model.encoder_.feature_names == ("a", "b", "c", "d")
    for tree in trees_of(model):
        assert tree.feature_names == ("a", "b", "c", "d")
        assert tree.classes.tolist() == ["setosa", "versicolor", "virginica"]
    assert model.score(frame, names) >= baseline.accuracy
    assert clone(model).get_params() == model.get_params()
    if baseline.cross_validated is not None:
        assert cross_val_score(fresh(baseline), X, names, cv=3).mean() > baseline.cross_validated
    if has_fit_parameter(model, "sample_weight"):
        only_two = fresh(baseline).fit(X, names, np.where(y == 0, 0.0, 1.0))
        assert only_two.classes_.size == 3
        assert "setosa" not in only_two.predict(X)
        if hasattr(model, "tree_") and not model.get_params().get("validation_fraction"):
            assert only_two.tree_.values[0].tolist() == [0, 50, 50]


@pytest.mark.parametrize(
    "baseline", [r for r in BASELINES if {"class_weight", "max_depth"} <= set(r.estimator.get_params())], ids=in_words
)
def test_a_heavy_class_is_predicted(bundled, baseline):
    X, y = bundled("iris")
    names = np.array(["setosa", "versicolor", "virginica"], object)[y]
    heavy = fresh(baseline, max_depth=1, class_weight={"virginica": 50.0}).fit(X[50:], names[50:])
    assert np.mean(heavy.predict(X[100:]) == "virginica") > (0.97 if hasattr(heavy, "tree_") else 0.95)


@every_baseline
@each("case", DEGENERATE)
def test_degenerate_data(baseline, case):
    X, codes, leaves = DEGENERATE[case]
    y = np.array(codes, float) if is_regressor(baseline.estimator) else np.array(list("abc"))[codes]
    model = fresh(baseline).fit(X, y)
    predicted, trees = model.predict(X), trees_of(model)
    if is_regressor(model):
        assert ((predicted >= y.min()) & (predicted <= y.max())).all()
    else:
        assert set(predicted) <= set(y)
        assert model.predict_proba(X).sum(axis=1) == pytest.approx(1)
    assert all(np.isfinite(tree.weights).all() for tree in trees)
    if leaves == 1:
        assert {tree.n_leaves for tree in trees} <= {1}
    if len(set(y)) == 1:
        assert set(model.predict(X + 9)) == set(y)
    parameters = model.get_params()
    if hasattr(model, "tree_") and "validation_fraction" not in parameters:
        assert model.tree_.n_samples[0] == len(y)
    if set(UNPRUNED) & set(parameters) and all(
        parameters.get(name, value) == value for name, value in UNPRUNED.items()
    ):
        check_whole_tree(model, X, y, leaves)


@each("baseline", [r for r in BASELINES if r.estimator.get_params().get("validation_fraction")], ids=in_words)
@each("case", DEGENERATE)
def test_without_validation_all_rows_grow_the_tree(baseline, case):
    X, codes, leaves = DEGENERATE[case]
    check_whole_tree(fresh(baseline, validation_fraction=None).fit(X, codes), X, codes, leaves)


def check_whole_tree(model, X, y, leaves):
    """Assert that the tree uses every row, and separates all rows that its splits can separate."""
    assert model.tree_.n_samples[0] == len(y)
    if leaves is not None:
        assert model.tree_.n_leaves == leaves
    if leaves is not None and leaves >= len(set(y)):
        assert model.predict(X).tolist() == list(y)


@every_baseline
def test_neither_threads_nor_what_is_not_left_to_chance_changes_anything(bundled, monkeypatch, baseline):
    X, y = bundled("wine")
    for module in ("initial.bivariate_cart", "baselines.c50.growth"):
        monkeypatch.setattr(f"treecore.{module}.LARGE", 100)
    one, *others = (fresh(baseline, random_state=1, n_jobs=jobs).fit(X, y) for jobs in (1, 2, 3))
    for other in others:
        assert trees_of(other) == trees_of(one)
        assert np.array_equal(other.apply(X), one.apply(X))
        assert np.array_equal(other.predict(X), one.predict(X))
    if trees_of(one):
        assert (trees_of(fresh(baseline, random_state=2).fit(X, y)) != trees_of(one)) == baseline.by_chance
    if len(trees_of(one)) > 1:
        assert one.estimators_[0] != one.estimators_[1]
