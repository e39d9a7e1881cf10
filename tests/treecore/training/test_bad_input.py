"""Test bad and degenerate input: a typed error that names the problem, or a sensible result."""

import numpy as np
import pandas
import pytest
import scipy.sparse

from tests.each import each
from tests.refusals import refused
from treecore import (
    CARTClassifier,
    DataError,
    ParameterError,
    TAOClassifier,
    TAOClassifierCV,
    TAORegressor,
    TAORegressorCV,
    TreecoreError,
    regularization_path,
)
from treecore.data import training_data

KINDS = {
    "oblique": {},
    "liblinear": {"node_solver": "liblinear"},
    "oblique from cart": {"init": "cart"},
    "univariate": {"split": "univariate"},
    "univariate from cart": {"split": "univariate", "init": "cart"},
    "bivariate": {"split": "bivariate"},
    "bivariate from cart": {"split": "bivariate", "init": "cart"},
}
X = np.array([[0.0, 5, 1], [1, 5, 0], [2, 5, 2], [3, 5, 1], [4, 5, 0], [5, 5, 2]])
y = np.array([0, 0, 0, 1, 1, 1])


@pytest.fixture(params=KINDS)
def model(request):
    return TAOClassifier(lam=0.01, max_depth=3, random_state=0, **KINDS[request.param])


def spoiled(value):
    return np.where(np.eye(6, 3) == 1, value, X)


@each("rows, labels, message", [
    (spoiled(np.nan), y, "NaN"),
    (spoiled(np.inf), y, "infinity"),
    (spoiled(-np.inf), y, "infinity"),
    (X[:, 0], y, "1D array"),
    (X.reshape(6, 3, 1), y, "dim 3"),
    (np.empty((0, 3)), [], "0 sample"),
    (np.empty((6, 0)), y, r"0 feature"),
    (X, y[:4], r"inconsistent|\[6, 4\]"),
    (X, y.reshape(-1, 1)[:, [0, 0]], "1d array"),
    (X, None, "y"),
    (X, [0, 1, 0, 1, None, 1], "label"),
    (X, [0, 1, 0, 1, np.nan, 1], "NaN"),
    (X, [0.5, 1.25, 2.125, 3.5, 4.75, 5.1], "continuous"),
    (X.astype(complex) + 1j, y, "omplex"),
    (X.astype(object).tolist()[:5] + [["one", "two", "three"]], y, "one|numeric|convert"),
    (pandas.DataFrame({"day": pandas.date_range("2020", periods=6), "colour": list("rgbrgb")}), y, "'day'.*dates"),
    (pandas.DataFrame({"size": [1, 2, 3, 4, 5, None]}), y, "NaN"),
    (scipy.sparse.csr_matrix(spoiled(np.nan)), y, "NaN"),
])  # fmt: skip
def test_bad_training_data_are_refused(model, rows, labels, message):
    with pytest.raises(DataError, match=message):
        model.fit(rows, labels)


@each("weights, message", [
    (-np.ones(6), "egative"), ([1, 1, 1, 1, 1, -1], "egative"), (np.zeros(6), "zero"), (np.ones(5), r"\(5,\)"),
    (np.full(6, np.nan), "NaN"), (np.full(6, np.inf), "infinity"), (np.ones((6, 2)), "1D|dimension"),
])  # fmt: skip
def test_bad_sample_weights_are_refused(model, weights, message):
    with pytest.raises(DataError, match=message):
        model.fit(X, y, sample_weight=weights)


@each("parameters, message", [
    ({"lam": -1.0}, "lam=-1.0.*>= 0"),
    ({"lam": np.nan}, "lam=nan"),
    ({"lam": np.inf}, "lam=inf"),
    ({"lam": "1"}, "lam='1'"),
    ({"lam": None}, "lam=None"),
    ({"lam": True}, "lam=True"),
    ({"tol": -0.1}, "tol=-0.1"),
    ({"max_depth": 0}, "max_depth=0.*>= 1"),
    ({"max_depth": -3}, "max_depth=-3"),
    ({"max_depth": 2.5}, "max_depth=2.5"),
    ({"max_iter": -1}, "max_iter=-1"),
    ({"max_iter": 1.5}, "max_iter=1.5"),
    ({"bivariate_cost": 0.5}, "bivariate_cost=0.5.*>= 1"),
    ({"n_orientations": 0}, "n_orientations=0"),
    ({"split": "cubic"}, "split='cubic'.*'oblique', 'bivariate', 'univariate'"),
    ({"split": None}, "split=None"),
    ({"init": "oak"}, "init='oak'.*'random', 'cart'.*Tree"),
    ({"init": None}, "init=None"),
    ({"init": ["cart"]}, r"init=\['cart'\]"),
    ({"split": "oblique", "node_solver": "simplex"}, "node_solver='simplex'.*'cd', 'liblinear'"),
    ({"node_solver": ["cd"]}, r"node_solver=\['cd'\]"),
    ({"surrogate": "hinge"}, "surrogate='hinge'.*'logistic', 'squared_hinge'"),
    ({"exactness": "very"}, "exactness='very'.*'auto', 'screened', 'exact'"),
    ({"exactness": True}, "exactness=True"),
    ({"node_tol": 0.0}, "node_tol=0.0.*>= 1e-12"),
    ({"node_tol": "small"}, "node_tol='small'"),
    ({"max_inner": 0}, "max_inner=0.*>= 1"),
    ({"refine": -1}, "refine=-1"),
    ({"refine": True, "split": "bivariate"}, "refine=True"),
    ({"refine": 1.5}, "refine=1.5"),
    ({"refine": 2}, "refine=2.*split='univariate' or 'bivariate'"),
    ({"scale": "robust"}, "scale='robust'.*'standard', 'minmax'"),
    ({"n_jobs": 0}, "n_jobs=0"),
    ({"n_jobs": 1.5}, "n_jobs=1.5"),
    ({"frozen": (1,)}, "needs init=Tree"),
    ({"frozen": 1}, "frozen=1"),
    ({"class_weight": "heavy"}, "class_weight|heavy"),
    ({"class_weight": {0: -1.0}}, "negative|class_weight"),
    ({"random_state": "dice"}, "dice"),
], ids=str)  # fmt: skip
def test_bad_parameters_are_refused(parameters, message):
    with pytest.raises(ParameterError, match=message):
        TAOClassifier(**parameters).fit(X, y)


def test_parameters_of_numpy_types_are_welcome():
    model = TAOClassifier(lam=np.float32(0.5), max_depth=np.int64(2), max_iter=np.int32(3), random_state=np.int64(1))
    plain = TAOClassifier(lam=0.5, max_depth=2, max_iter=3, random_state=1)
    assert model.fit(X, y).tree_ == plain.fit(X, y).tree_
    assert model.set_params(n_jobs=np.int64(1)).fit(X, y).tree_ == plain.tree_


@each("rows, message", [
    (X[:, :2], "2 features"), (np.ones((2, 4)), "4 features"), (X[0], "1D array"), (spoiled(np.nan), "NaN"),
    (spoiled(np.inf), "infinity"), ([["a", "b", "c"]], "convert|numeric"), (np.empty((0, 3)), "0 sample"),
])  # fmt: skip
def test_bad_rows_to_predict_are_refused(model, rows, message):
    model.fit(X, y)
    for method in (model.predict, model.predict_proba, model.apply):
        with pytest.raises(DataError, match=message):
            method(rows)


def test_one_class_gives_one_leaf(model):
    tree = model.fit(X, np.full(6, "all")).tree_
    assert tree.n_nodes == 1
    assert model.predict(X).tolist() == ["all"] * 6
    assert model.predict_proba(X).tolist() == [[1.0]] * 6


def test_one_row_gives_one_leaf(model):
    assert model.fit(X[:1], ["a"]).tree_.n_nodes == 1
    assert model.predict(X).tolist() == ["a"] * 6


def test_one_class_left_after_zero_weights(model):
    model.fit(X, y, sample_weight=y)
    assert model.classes_.tolist() == [0, 1]
    assert model.predict(X).tolist() == [1] * 6
    assert model.predict_proba(X).tolist() == [[0, 1]] * 6


def test_constant_columns_are_never_used(model):
    assert model.fit(X, y).score(X, y) == 1
    assert 1 not in model.tree_.features
    constant = model.fit(np.ones((6, 3)), [0, 1, 1, 1, 0, 0][:6])
    assert constant.tree_.n_nodes == 1


def test_duplicate_columns_and_rows_are_fine(model):
    assert model.fit(np.hstack([X, X, X]), y).score(np.hstack([X, X, X]), y) == 1
    assert model.fit(np.vstack([X, X]), np.tile(y, 2)).score(X, y) == 1


def test_the_same_point_with_two_labels_cannot_be_separated(model):
    rows, labels = np.repeat(X[:3], 3, axis=0), np.tile([0, 1, 1], 3)
    assert model.fit(rows, labels).tree_.n_nodes == 1
    assert model.predict(rows).tolist() == [1] * 9


def test_more_classes_than_leaves(model):
    rows, labels = np.arange(80.0).reshape(-1, 1), np.arange(80) // 2
    model.fit(rows, labels)
    assert model.tree_.values.shape[1] == 40
    assert 0.05 < model.score(rows, labels) <= 8 / 40


@each("size", [1e-310, 1e-30, 1e30, 1e39, 1e300])
@each("scale", ["standard", "minmax", None])
def test_very_small_and_very_large_values_train_or_are_refused(model, size, scale):
    """Warnings are errors here, so that no step overflows silently."""
    model.set_params(scale=scale)
    try:
        predicted = model.fit(X * size, y).predict(X * size)
    except TreecoreError:
        return
    assert set(predicted.tolist()) <= {0, 1}


@pytest.mark.parametrize("split", ["univariate", "bivariate"])
def test_sparse_rows_that_cannot_become_dense_are_refused_with_the_remedy(split, monkeypatch):
    model, rows = TAOClassifier(split, missing="learn"), scipy.sparse.csr_matrix(X)
    with refused(DataError, "Input X contains NaN, which sparse rows do not support. Pass X.toarray()"):
        model.fit(scipy.sparse.csr_matrix(spoiled(np.nan)), y)
    monkeypatch.setattr(training_data, "MOST_DENSE", X.size - 1)
    with refused(DataError, "…makes sparse rows dense, which would take … GB (maximum … GB). Use split='oblique'"):
        model.fit(rows, y)


@pytest.mark.parametrize("value", [0.0, 1.0, -0.1, 1.5, np.nan, True, "1", None, 0])
def test_numbers_and_shares_of_rows_outside_their_range_are_refused(value):
    for kind in (TAOClassifier, CARTClassifier):
        with refused(ParameterError, "min_samples_leaf=…: expected a whole number >= 1"):
            kind(min_samples_leaf=value).fit(X, y)


def test_only_the_first_four_parameters_have_a_position():
    assert TAOClassifier("bivariate", 2.0, 1.5, "cart").get_params()["init"] == "cart"
    for kind in (TAOClassifier, TAORegressor, TAOClassifierCV, TAORegressorCV):
        with pytest.raises(TypeError, match="positional"):
            kind(None, None, None, None, None)


def test_a_failed_fit_keeps_the_previous_tree(model):
    tree = model.fit(X, y).tree_
    with pytest.raises(DataError):
        model.fit(spoiled(np.nan), y)
    assert model.tree_ is tree


def test_odd_columns_and_scales_are_refused_with_words():
    y = np.arange(40) % 2
    ids = pandas.DataFrame({"a": np.arange(60), "b": [f"customer {i}" for i in range(60)]})
    dates = pandas.DataFrame({"a": pandas.date_range("2026-01-01", periods=40)})
    with refused(DataError, "Column 'b' has 60 different strings, such as …, with fewer than two rows each on average"):
        TAOClassifier(max_depth=2).fit(ids, np.arange(60) % 2)
    for X in (dates,):
        with pytest.raises(TreecoreError):
            TAOClassifier(max_depth=2).fit(X, y)
    X = np.random.default_rng(0).normal(size=(40, 2))
    with refused(ParameterError, "lam=…: expected a finite number >= … and <="):
        TAOClassifier(lam=1e40).fit(X, y)
    with refused(DataError, "A sample or class weight is … (maximum …)"):
        TAOClassifier().fit(X, y, sample_weight=np.full(40, 1e39))
    with refused(ParameterError, "frozen=…: expected a list of origin ids (whole numbers)"):
        TAOClassifier(frozen=(i for i in [0])).fit(X, y)
    with refused(DataError, "No label of y_val, such as …, is a class of y (… ...)"):
        regularization_path(TAOClassifier(max_depth=2), X, y.astype(str), 3, X, y)


@pytest.mark.parametrize("factor", [1e-20, 1e-5, 1e5, 1e20])
def test_the_size_of_float32_features_does_not_matter(factor):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4)).astype(np.float32)
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    plain = TAOClassifier(max_depth=2, lam=0.5, random_state=0).fit(X, y)
    scaled = TAOClassifier(max_depth=2, lam=0.5, random_state=0).fit(X * np.float32(factor), y)
    assert scaled.score(X * np.float32(factor), y) > plain.score(X, y) - 0.02


def test_an_oblique_tree_cannot_start_a_univariate_one():
    X = np.random.default_rng(0).normal(size=(80, 3))
    y = (X @ [1.0, 2.0, -1.0] > 0).astype(int)
    oblique = TAOClassifier(max_depth=2, lam=0.1, random_state=0).fit(X, y).tree_
    with refused(ParameterError, "init has splits on more than …, which split='univariate' does not support"):
        TAOClassifier(split="univariate", init=oblique).fit(X, y)
