"""Test that TAOClassifier is a scikit-learn classifier. Benchmark tests are marked `benchmark_data`."""

import inspect

import numpy as np
import pandas
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from tests.budget import budget
from treecore import TAOClassifier, Tree
from treecore.training.tao import IterationRecord

KINDS = [
    TAOClassifier("bivariate", 1.0, init="cart", random_state=0),
    TAOClassifier(lam=1.0, init="random", max_depth=2, max_iter=3, random_state=0, leaf="linear"),
    TAOClassifier(random_state=0),
    TAOClassifier(split="univariate", init="cart", random_state=0),
]


@pytest.mark.nightly
@parametrize_with_checks(budget(KINDS[:2], KINDS))
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_parameters_are_those_of_the_contract():
    wanted = {
        "split": "oblique", "lam": "auto", "bivariate_cost": 1.25, "init": "auto", "max_depth": None, "max_iter": 20,
        "tol": 0.0, "node_solver": "auto", "surrogate": "logistic", "n_orientations": 60, "scale": "standard",
        "frozen": (), "n_jobs": None, "random_state": None, "callback": None, "missing": "error", "exactness": "auto",
        "categories": "features", "refine": 0, "block": 1, "n_init": 1, "leaf": "constant", "node_tol": None,
        "max_inner": None,
        "min_samples_leaf": 1, "max_leaf_nodes": None, "feature_costs": None, "monotonic_cst": None,
        "interaction_cst": None, "class_weight": None, "cost_matrix": None,
    }  # fmt: skip
    assert TAOClassifier().get_params() == wanted
    assert list(inspect.signature(TAOClassifier).parameters) == list(wanted)


def test_attributes_after_fit(bundled):
    X, y = bundled("iris")
    model = TAOClassifier(max_depth=3, lam=0.1, random_state=0).fit(X, y)
    assert isinstance(model.tree_, Tree)
    assert model.classes_.tolist() == [0, 1, 2]
    assert model.n_features_in_ == 4
    assert not hasattr(model, "feature_names_in_")
    assert model.n_iter_ == len(model.trace_) >= 1
    assert [record.iteration for record in model.trace_] == list(range(1, model.n_iter_ + 1))
    assert model.initial_.iteration == 0
    for record in model.trace_:
        assert isinstance(record, IterationRecord)
        assert record.error == pytest.approx(record.loss / 150)
        assert record.objective >= record.loss
    assert (np.diff([record.seconds for record in model.trace_]) >= 0).all()


def test_pipeline_and_cross_validation(bundled):
    X, y = bundled("wine")
    model = make_pipeline(StandardScaler(), TAOClassifier(max_depth=3, lam=0.3, random_state=0))
    assert model.fit(X, y).score(X, y) > 0.95
    assert cross_val_score(model, X, y, cv=3).mean() > 0.85


def test_grid_search_over_every_kind_of_parameter(bundled):
    X, y = bundled("iris")
    grid = {"split": ["oblique", "univariate"], "lam": np.array([0.1, 30.0]), "max_depth": np.arange(2, 4)}
    search = GridSearchCV(TAOClassifier(random_state=0, max_iter=3), grid, cv=3).fit(X, y)
    assert search.best_score_ > 0.9
    assert search.best_params_["lam"] == 0.1


def test_clone_keeps_parameters_and_forgets_the_fit(bundled):
    X, y = bundled("iris")
    model = TAOClassifier(max_depth=3, lam=0.2, random_state=0, class_weight="balanced").fit(X, y)
    twin = clone(model)
    assert twin.get_params() == model.get_params()
    with pytest.raises(NotFittedError):
        twin.predict(X)
    assert twin.fit(X, y).tree_ == model.tree_
    warm = clone(TAOClassifier(init=model.tree_))
    assert warm.init == model.tree_
    assert warm.fit(X, y).tree_.n_features == 4


def test_data_frames_give_names(bundled):
    X, y = bundled("iris")
    names = ["sepal length", "sepal width", "petal <length>", "é"]
    frame = pandas.DataFrame(X, columns=names)
    model = TAOClassifier(max_depth=3, random_state=0).fit(frame, pandas.Series(y))
    assert model.feature_names_in_.tolist() == names
    assert model.tree_.feature_names == tuple(names)
    assert np.array_equal(model.predict(frame), model.tree_.predict(X))
    assert Tree.from_json(model.tree_.to_json()).feature_names == tuple(names)
    mixed = frame.assign(**{"é": (10 * frame["é"]).astype(int)})
    assert model.fit(mixed, y).score(mixed, y) > 0.9


def test_categorical_and_nullable_labels(bundled):
    X, y = bundled("iris")
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    wanted = TAOClassifier(max_depth=3, random_state=0).fit(X, names).predict(X)
    for labels in (names.astype(object), names.tolist(), pandas.Series(names), pandas.Series(names, dtype="category")):
        model = TAOClassifier(max_depth=3, random_state=0).fit(X, labels)
        assert model.classes_.tolist() == ["setosa", "versicolor", "virginica"]
        assert np.array_equal(model.predict(X), wanted)
        assert model.tree_.classes.tolist() == model.classes_.tolist()


@pytest.mark.parametrize("labels", [[False, True], [-1, 1], [2.0, 7.0], ["no", "yes"], [0, 255]])
def test_labels_of_every_kind_come_back(labels):
    X = np.array([[0.0], [1], [2], [3]])
    y = np.array(labels)[[0, 0, 1, 1]]
    model = TAOClassifier(split="univariate", lam=0.1, random_state=0).fit(X, y)
    assert model.predict(X).tolist() == y.tolist()
    assert model.predict(X).dtype == y.dtype
    again = Tree.from_json(model.tree_.to_json())
    assert again == model.tree_
    assert again.predict(X).dtype == y.dtype


def test_probabilities_are_shares_and_apply_names_leaves(bundled):
    X, y = bundled("iris")
    model = TAOClassifier(max_depth=2, lam=5.0, random_state=0).fit(X, y)
    shares, leaves = model.predict_proba(X), model.apply(X)
    for leaf in np.unique(leaves):
        assert model.tree_.is_leaf(leaf)
        wanted = np.bincount(y[leaves == leaf], minlength=3) / np.sum(leaves == leaf)
        np.testing.assert_allclose(shares[leaves == leaf], np.tile(wanted, (np.sum(leaves == leaf), 1)))
    assert np.array_equal(shares.argmax(axis=1), model.predict(X))


@pytest.mark.parametrize("options", [
    {}, {"surrogate": "squared_hinge"}, {"node_solver": "cd"}, {"node_solver": "liblinear"}, {"init": "cart"},
    {"node_solver": "liblinear", "surrogate": "squared_hinge"}, {"scale": "minmax"}, {"scale": None},
    {"split": "univariate"}, {"split": "univariate", "init": "cart"}, {"split": "bivariate", "init": "cart"},
], ids=str)  # fmt: skip
def test_every_kind_of_tree_learns(bundled, options):
    for name, least in (("iris", 0.95), ("wine", 0.93)):
        X, y = bundled(name)
        assert TAOClassifier(max_depth=4, lam=0.1, random_state=0, **options).fit(X, y).score(X, y) >= least


@pytest.mark.benchmark_data
def test_letter_reaches_its_known_error(benchmark_set):
    data = benchmark_set("letter")
    model = TAOClassifier(lam=0.3, init="random", max_depth=11, scale="standard", random_state=0).fit(
        data["X_train"], data["y_train"]
    )
    assert 1 - model.score(data["X_test"], data["y_test"]) <= 0.096


@pytest.mark.benchmark_data
def test_oblique_nodes_beat_cart_on_images(benchmark_set):
    data = benchmark_set("mnist")
    X, y = data["X_train"][:12_000], data["y_train"][:12_000]
    test = data["X_test"], data["y_test"]
    oblique = TAOClassifier(max_depth=8, random_state=0, max_iter=5).fit(X, y).score(*test)
    assert oblique > DecisionTreeClassifier(random_state=0).fit(X, y).score(*test) + 0.05
