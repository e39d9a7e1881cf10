"""Test missing values: learnt sides against brute force, routing in all code, unsupported cases, and text columns."""

import threading

import numpy as np
import pandas
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.utils.estimator_checks import parametrize_with_checks

from tests import naive
from tests.budget import budget
from tests.refusals import refused
from tests.strategies import datasets
from treecore import DataError, ParameterError, TAOClassifier, TAORegressor, Tree, regularization_path
from treecore.data.training_data import TrainingData
from treecore.node_solvers.bivariate import BivariateSolver
from treecore.node_solvers.univariate import UnivariateSolver
from treecore.tree.split import constant_split


@st.composite
def holed_problems(draw):
    """Draw (X with NaN, signed gains), a reduced problem with missing values."""
    X, classes, weights = draw(datasets(max_rows=14, max_features=3))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    X = X.astype(np.float64)
    X[rng.random(X.shape) < draw(st.sampled_from([0.1, 0.4, 0.9]))] = np.nan
    signed = (classes - 1.0) * weights
    signed[0] = signed[0] or 1.0
    return X, signed


def gain_of(split, X, signed):
    """Return the signed weight that a split sends right, by plain loops."""
    total = 0.0
    for x, s in zip(X, signed, strict=True):
        margin = split.bias + sum(split.weights * x[split.features])
        total += s if margin >= 0 or (margin != margin and split.missing_right) else 0.0
    return total


def best_threshold_gain(X, signed):
    """Return the largest signed weight that a threshold sends right, with missing values on either side."""
    best = max(signed.sum(), 0.0)
    for column in X.T:
        missing = np.isnan(column)
        values = np.unique(column[~missing])
        for cut in [-np.inf, *((values[:-1] + values[1:]) / 2), np.inf]:
            for right in (column >= cut, column < cut):
                best = max(best, signed[right].sum() + max(signed[missing].sum(), 0.0))
    return best


@settings(max_examples=budget(30, 1500))
@given(holed_problems())
def test_thresholds_equal_brute_force(problem):
    X, signed = problem
    solver = UnivariateSolver(TrainingData(X, np.zeros(len(X), int), 1))
    split = solver.solve(0, len(X), signed, 0.0, constant_split(True))
    assert gain_of(split, X, signed) == pytest.approx(best_threshold_gain(X, signed))


@settings(max_examples=budget(30, 1500))
@given(holed_problems())
def test_lines_equal_brute_force(problem):
    X, signed = problem
    data = TrainingData(X, np.zeros(len(X), int), 1)
    split = BivariateSolver(data, 1.0, 60, "exact").solve(0, len(X), signed, 0.0, constant_split(True))
    best = best_threshold_gain(X, signed)
    for j in range(X.shape[1]):
        for k in range(j + 1, X.shape[1]):
            present = ~np.isnan(X[:, j]) & ~np.isnan(X[:, k])
            if np.count_nonzero(signed[present]):
                part = X[present][:, [j, k]], np.sign(signed[present]), np.abs(signed[present])
                wrong = naive.best_line(part[0][:, 0], part[0][:, 1], part[1], part[2])
                gain = signed[present & (signed > 0)].sum() - wrong
                best = max(best, gain + max(signed[~present].sum(), 0.0))
    assert gain_of(split, X, signed) == pytest.approx(best)


def holed(rng, n=400, share=0.2):
    """Return rows with informative missing values, most of them in one class."""
    X = rng.standard_normal((n, 4))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    X[(rng.random(n) < 2 * share) & (y == 1), 0] = np.nan
    X[rng.random(n) < share, 2] = np.nan
    return X, y


@pytest.mark.parametrize("init", ["cart", "random"])
@pytest.mark.parametrize("split", ["univariate", "bivariate"])
def test_training_learns_the_side_and_every_router_agrees(split, init, rng):
    X, y = holed(rng)
    model = TAOClassifier(split=split, init=init, lam=1.0, max_depth=6, missing="learn", random_state=0).fit(X, y)
    tree = model.tree_
    assert tree.missing_right is not None
    assert model.score(X, y) > 0.9
    assert np.array_equal(tree.apply(X), naive.leaves(tree, X))
    assert tree.n_samples.tolist() == [len(rows) for rows in naive.visits(tree, X)]
    objectives = [model.initial_.objective, *(record.objective for record in model.trace_)]
    assert all(after <= before + 1e-9 for before, after in zip(objectives, objectives[1:], strict=False))
    again = Tree.from_json(tree.to_json())
    assert again == tree
    assert np.array_equal(again.predict(X), tree.predict(X))
    assert np.array_equal(tree.apply(X.astype(np.float32).astype(float)), tree.apply(X.astype(np.float32)))
    whole = np.nan_to_num(X)
    assert np.array_equal(
        TAOClassifier(split=split, init=tree, frozen=tree.origin, missing="learn").fit(X, y).apply(X), tree.apply(X)
    )
    assert tree.apply(whole).shape == (400,)


def test_missing_values_can_be_the_whole_question(rng):
    X = np.where(rng.random((200, 1)) < 0.4, np.nan, 3.0)
    y = np.isnan(X[:, 0]).astype(int)
    for init in ("cart", "random"):
        for split in ("univariate", "bivariate"):
            model = TAOClassifier(split=split, init=init, lam=0.5, missing="learn", random_state=0).fit(X, y)
            if init == "cart":
                assert model.score(X, y) == 1.0
    shifted = TAORegressor(split="univariate", init="cart", lam=0.5, missing="learn").fit(X, 10.0 * y)
    assert np.array_equal(shifted.predict(X), 10.0 * y)


def test_a_feature_without_any_value_is_never_used(rng):
    X, y = holed(rng)
    X = np.column_stack([X, np.full(len(X), np.nan)])
    model = TAOClassifier(split="bivariate", init="cart", missing="learn", random_state=0).fit(X, y)
    assert 4 not in model.tree_.features


def test_missing_values_are_refused_where_they_were_not_asked_for(rng):
    X, y = holed(rng)
    whole = np.nan_to_num(X)
    for split in ("univariate", "bivariate", "oblique"):
        with refused(
            DataError,
            (
                "contains NaN. Fill or remove these values, or use TAOClassifier or TAORegressor with "
                "missing='learn' and split='univariate' or 'bivariate'"
            ),
        ):
            TAOClassifier(split=split, missing="error").fit(X, y)
        model = TAOClassifier(split=split, max_depth=3).fit(whole, y)
        with refused(
            DataError,
            (
                "contains NaN. Fill or remove these values, or use TAOClassifier or TAORegressor with "
                "missing='learn' and split='univariate' or 'bivariate'"
            ),
        ):
            model.predict(X)
        with refused(DataError, "X contains NaN or infinite values"):
            model.tree_.predict(X)
    with refused(ParameterError, "missing=… has no effect with split=…. Use split=…, or missing="):
        TAOClassifier(split="oblique", missing="learn").fit(X, y)
    with refused(ParameterError, "missing='drop': expected one of"):
        TAOClassifier(missing="drop").fit(whole, y)
    with refused(DataError, "X contains infinite values"):
        TAOClassifier(split="univariate", missing="learn").fit(whole, y).tree_.predict(np.full((1, 4), np.inf))
    with pytest.raises(DataError, match="infinity"):
        TAOClassifier(split="univariate", missing="learn").fit(np.where(X > 2, np.inf, X), y)


def test_a_path_with_missing_values(rng):
    X, y = holed(rng)
    model = TAOClassifier(split="bivariate", init="cart", missing="learn", random_state=0)
    path = regularization_path(model, X[::2], y[::2], 6, X[1::2], y[1::2])
    assert path.best().validation_error < 0.2
    assert path[-1].n_decision == 0


@parametrize_with_checks([TAOClassifier("univariate", 1.0, init="cart", missing="learn")])
def test_the_conventions_of_scikit_learn_hold_with_missing_values(estimator, check):
    check(estimator)


class TestTextColumns:
    frame = pandas.DataFrame(
        {
            "colour": ["red", "green", "blue", "red", "green", "blue"] * 20,
            "size": np.arange(120) % 7,
            "shape": pandas.Categorical(["round", "flat"] * 60),
            "known": [True, False, True] * 40,
        }
    )
    y = np.where(np.isin(frame["colour"], ["red", "blue"]) & (frame["size"] > 2), "yes", "no")

    @pytest.mark.parametrize("split", ["univariate", "bivariate", "oblique"])
    def test_values_become_named_features(self, split):
        init = "random" if split == "oblique" else "cart"
        model = TAOClassifier(split=split, init=init, lam=0.1, random_state=0).fit(self.frame, self.y)
        assert model.tree_.feature_names == (
            "colour = blue", "colour = green", "colour = red", "size", "shape = flat", "shape = round", "known",
        )  # fmt: skip
        assert model.feature_names_in_.tolist() == list(self.frame.columns)
        assert model.n_features_in_ == 4
        assert model.score(self.frame, self.y) > 0.98

    def test_new_and_missing_categories(self):
        model = TAOClassifier(split="univariate", init="cart", lam=0.1, missing="learn").fit(self.frame, self.y)
        strange = self.frame.iloc[:4].assign(colour=["violet", None, "red", np.nan])
        assert model.predict(strange).shape == (4,)
        assert model.predict(strange)[2] == model.predict(self.frame)[2]
        strict = TAOClassifier(split="univariate", init="cart", lam=0.1).fit(self.frame, self.y)
        with refused(DataError, "Column 'colour' has 2 missing values"):
            strict.predict(strange)

    def test_wrong_frames_are_refused(self):
        model = TAOClassifier(split="univariate", init="cart").fit(self.frame, self.y)
        with refused(DataError, "X is not a DataFrame, but the model was fitted on a DataFrame with text columns"):
            model.predict(np.zeros((2, 4)))
        with pytest.raises(DataError, match="feature names"):
            model.predict(self.frame[["size", "colour", "shape", "known"]])
        with refused(DataError, "Column 'size' contained numbers in training, but now does not"):
            model.predict(self.frame.assign(size="large"))
        with refused(DataError, "Column 'shape' has no values"):
            model.fit(self.frame.assign(shape=pandas.Series([None] * 120, dtype="string")), self.y)

    def test_the_same_as_encoding_by_hand(self):
        by_hand = pandas.get_dummies(self.frame[["colour"]]).to_numpy(float)
        one = TAOClassifier(split="bivariate", init="cart", lam=0.1, random_state=0).fit(self.frame[["colour"]], self.y)
        two = TAOClassifier(split="bivariate", init="cart", lam=0.1, random_state=0).fit(by_hand, self.y)
        assert np.array_equal(one.tree_.apply(by_hand), two.apply(by_hand))

    def test_whole_numbers_are_the_same_category_in_every_dtype(self):
        frame = pandas.DataFrame({"code": pandas.Categorical([1, 2, 3] * 20), "text": ["a", "b"] * 30})
        y = np.array([0, 1, 1] * 20)
        model = TAOClassifier(split="univariate", init="cart", lam=0.1).fit(frame, y)
        assert model.score(frame.assign(code=[1.0, 2.0, 3.0] * 20), y) == 1.0

    def test_object_columns_of_numbers_work_with_text_columns(self):
        frame = self.frame.assign(size=self.frame["size"].astype(object), known=self.frame["known"].astype(object))
        model = TAOClassifier(split="univariate", init="cart", lam=0.1).fit(frame, self.y)
        assert "size" in model.tree_.feature_names
        assert model.score(frame, self.y) > 0.98
        assert TAOClassifier(split="univariate", init="cart", missing="learn").fit(
            self.frame.assign(known=[True, None, False] * 40), self.y
        )

    def test_numbered_columns(self):
        frame = pandas.DataFrame({0: ["a", "b"] * 10, 1: np.arange(20.0)})
        model = TAOClassifier(split="univariate", init="cart").fit(frame, [0, 1] * 10)
        assert model.tree_.feature_names == ("0 = a", "0 = b", "1")
        with refused(DataError, "X is not a DataFrame, but the model was fitted on a DataFrame with text columns"):
            model.predict(np.zeros((2, 2)))


def test_a_callback_is_not_copied():
    class Watcher:
        def __init__(self):
            self.lock, self.steps = threading.Lock(), 0

        def seen(self, step):
            self.steps += 1

    watcher = Watcher()
    X, y = np.arange(40.0)[:, None] % 7, np.arange(40) % 2
    model = TAOClassifier(split="univariate", init="cart", callback=watcher.seen)
    assert len(regularization_path(model, X, y, 3)) == 3
    assert watcher.steps > 3
