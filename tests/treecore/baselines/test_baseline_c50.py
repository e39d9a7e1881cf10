"""Test C5.0 against trees printed by the real program, pessimistic errors computed by hand, and on unusual data."""

import math
import warnings

import numpy as np
import pandas
import pytest
from sklearn.model_selection import train_test_split

from tests.fitted import check_predictions
from tests.refusals import refused, warned
from treecore import C50Classifier, DataError, DataWarning, ParameterError
from treecore.baselines.c50 import kernels
from treecore.baselines.c50.growth import best_feature
from treecore.baselines.c50.pruning import extra_errors

# Output of C5.0 (release 2.07) without pruning, as feature:threshold with the side x <= threshold first; a dot is a
# leaf.
BREAST_CANCER = """
27:0.1453 23:943.2 27:0.1108 10:0.5058 . 8:0.1735 . . 21:33.22 9:0.0564 . 23:768.9 . 0:14.29 . . . 1:18.49 . .
13:21.91 21:24.39 . . .
"""
DIGITS = """
36:0 42:3 21:6 . . 6:1 3:4 . 43:13 28:5 . . . 4:15 . . 21:0 42:8 5:1 38:0 19:12 34:4 . . 1:1 . . 60:4 . 44:8 .
. 22:7 . . 9:3 54:1 45:1 . 44:7 . 10:5 . 38:0 . . . . 33:3 61:0 19:10 53:3 37:0 30:3 1:1 50:6 . . . . 26:12 .
28:8 . 34:6 . . 41:1 17:1 18:5 . . . . 43:11 42:5 59:13 . . . 60:1 . 51:13 . . 43:3 42:9 29:13 3:3 . 10:0 .
26:8 28:8 . . 29:5 . 35:5 . . 63:3 59:5 12:13 . . . . 38:1 34:2 . . . 27:7 34:3 . 30:5 62:6 . . . 20:15 38:3
18:2 54:2 . . 36:7 3:14 . . . . 44:6 37:5 . . 46:1 52:9 . 22:0 . 21:14 . . . 26:9 3:4 5:11 . . . 27:14 6:4
13:14 . 21:11 . . 19:5 . . 9:2 20:12 . 38:7 . . .
"""
SEGMENT = """
1:155 10:26.33333 18:-1.877159 18:-2.246316 . 17:0.7703704 15:-14.44444 0:92 . . 0:118 13:-4.444445
13:-15.88889 . 1:121 . 15:-6.777778 . . 15:-4.222222 . 17:0.4837708 . 0:39 . . 9:24.33333 . 18:-2.169368 . .
18:-2.086914 1:132 . 10:0.4444444 7:0.2222223 7:0.05555556 . 8:0.02962963 . . . . 0:8 . . 15:-5 5:2.777779
15:-7 . 11:8.555555 . . 15:-13.55556 . . 12:13.77778 0:115 . . . 11:91.44444 18:-2.187242 . . . 14:9.888889 .
17:0.3864557 1:159 7:8.499999 . . . .
"""

# (data set, options): leaves and training errors printed by the real program
PRINTED = {
    "default": ({}, {"breast_cancer": (13, 1), "digits": (85, 43), "segment": (37, 16)}),
    "cf05": ({"confidence": 0.05}, {"breast_cancer": (10, 4), "digits": (82, 46), "segment": (33, 22)}),
    "min10": ({"min_cases": 10}, {"breast_cancer": (3, 18), "digits": (33, 161), "segment": (19, 60)}),
    "noprune": (
        {"confidence": 1.0, "global_pruning": False},
        {"breast_cancer": (13, 1), "digits": (85, 43), "segment": (38, 15)},
    ),
}


def training_part(X, y):
    """Return the rows on which the real program was trained."""
    X, _, y, _ = train_test_split(X.astype(np.float32), y, test_size=0.2, random_state=0, stratify=y)
    return X.astype(np.float64), y


def in_print(tree, node=0):
    """Return (feature, threshold) for each decision node and None for each leaf, left before right."""
    if tree.is_leaf(node):
        return [None]
    features, weights, bias = tree.split(node)
    assert weights.tolist() == [1.0]
    threshold = float(np.nextafter(-bias, -np.inf))
    return [(int(features[0]), threshold), *in_print(tree, tree.left[node]), *in_print(tree, tree.right[node])]


@pytest.mark.parametrize(
    ("name", "printed", "rounded"),
    [("breast_cancer", BREAST_CANCER, 0), ("digits", DIGITS, 0), ("segment", SEGMENT, 1)],
)
def test_growth_is_that_of_the_real_program(bundled, name, printed, rounded):
    """In one node of `segment`, the midpoint of two values is itself a value, and its last decimal decides."""
    ours = in_print(C50Classifier(pruning=False).fit(*training_part(*bundled(name))).tree_)
    theirs = [None if text == "." else tuple(map(float, text.split(":"))) for text in printed.split()]
    assert [node and node[0] for node in ours] == [node and node[0] for node in theirs]
    pairs = [(a[1], b[1]) for a, b in zip(ours, theirs, strict=True) if a]
    assert sum(a != pytest.approx(b, rel=2e-6, abs=0) for a, b in pairs) <= rounded


@pytest.mark.parametrize("name", ["breast_cancer", "digits", "segment"])
@pytest.mark.parametrize("setting", PRINTED)
def test_pruning_gives_the_sizes_and_errors_of_the_real_program(bundled, name, setting):
    options, figures = PRINTED[setting]
    X, y = training_part(*bundled(name))
    model = C50Classifier(**options).fit(X, y)
    assert (model.tree_.n_leaves, int((model.predict(X) != y).sum())) == figures[name]


def test_pessimistic_errors_by_hand():
    # Without errors: N (1 - CF^(1/N)). Quinlan's book, chapter 4: U25%(0, 6) = 0.206, U25%(0, 9) = 0.143.
    assert extra_errors(6, 0, 0.25) / 6 == pytest.approx(0.206, abs=5e-4)
    assert extra_errors(9, 0, 0.25) / 9 == pytest.approx(0.143, abs=5e-4)
    assert extra_errors(1, 0, 0.25) == pytest.approx(0.75)
    # Quinlan's U25%(1, 16) = 0.157 and U25%(1, 168) = 0.016 come from the exact binomial, to which C5.0's formula is
    # close.
    assert (1 + extra_errors(16, 1, 0.25)) / 16 == pytest.approx(0.157, abs=5e-3)
    assert (1 + extra_errors(168, 1, 0.25)) / 168 == pytest.approx(0.016, abs=1e-3)
    # 0.84 is the deviation for CF = 0.2.
    z = 0.84**2
    wanted = (3.5 + z / 2 + math.sqrt(z * (3.5 * (1 - 3.5 / 20) + z / 4))) / (20 + z) * 20 - 3
    assert extra_errors(20, 3, 0.2) == pytest.approx(wanted)
    assert extra_errors(4, 4, 0.25) == 0.0
    assert extra_errors(4, 3.8, 0.25) == pytest.approx(0.67 * 0.2)
    assert extra_errors(0, 0, 0.25) == 0.0
    half = extra_errors(10, 0, 0.25) + 0.5 * (extra_errors(10, 1, 0.25) - extra_errors(10, 0, 0.25))
    assert extra_errors(10, 0.5, 0.25) == pytest.approx(half)


def test_a_smaller_confidence_expects_more_errors():
    for errors in (0, 0.4, 1, 5):
        extras = [extra_errors(30, errors, confidence) for confidence in (1.0, 0.5, 0.25, 0.1, 0.01, 0.001)]
        assert extras == sorted(extras)


def test_a_split_needs_the_average_gain():
    gain, information = np.array([0.5, 0.01, 0.4, 0.0]), np.array([1.0, 0.01, 0.7, 0.0])
    assert best_feature(gain, information, 10, 0.0) == 2
    assert best_feature(np.zeros(3), np.ones(3), 10, 0.0) == -1
    # In a large training set, the cost of choosing among three features, 0.9 log2(3) / cases, is enough.
    assert best_feature(gain, information, 200, 1.0) == 1
    assert best_feature(gain, information, 10, 1.0) == 2
    assert best_feature(gain, information, 2, 1.0) == -1


def threshold_gains(column, y, weights, min_cases=1.0):
    out = np.zeros((1, 4))
    n = len(y)
    rows, weights = np.arange(n), np.array(weights, float)
    kernels.threshold_gains(np.array([column]), rows, weights, np.array(y), 2, min_cases, 0, 1, out)
    return out[0]


def test_gain_of_a_threshold_by_hand():
    gain, information, low, high = threshold_gains([1.0, 2, 3, 10], [0, 0, 1, 1], [1] * 4)
    # There are three candidates. The threshold is in one of (10 - 1) / (3 - 2) = 9 intervals, so log2(3) is cheaper.
    assert gain == pytest.approx(1 - math.log2(3) / 4)
    assert (information, low, high) == (1.0, 2.0, 3.0)
    # (10 - 1) / (10 - 3) intervals are cheaper than three candidates.
    gain, information, low, high = threshold_gains([1.0, 2, 3, 10], [0, 0, 0, 1], [1] * 4)
    entropy = -(0.25 * math.log2(0.25) + 0.75 * math.log2(0.75))
    assert gain == pytest.approx(entropy - math.log2(9 / 7) / 4)
    assert (low, high) == (3.0, 10.0)
    # A fifth row has no value. The gain counts for 4 of 5 rows, and "missing" is a third side.
    gain, information, *_ = threshold_gains([1.0, 2, 3, 10, np.nan], [0, 0, 1, 1, 1], [1] * 5)
    assert gain == pytest.approx(0.8 - math.log2(3) / 5)
    assert information == pytest.approx(-2 * 0.4 * math.log2(0.4) - 0.2 * math.log2(0.2))


def test_cases_without_a_value_are_divided():
    column, weights = np.array([1.0, 2, 5, np.nan]), np.array([1.0, 2, 1, 4])
    left, left_weights, right, right_weights, known_left, known_right = kernels.divide(
        column, 2.0, np.arange(4), weights
    )
    assert (left.tolist(), left_weights.tolist()) == ([0, 1, 3], [1.0, 2.0, 3.0])
    assert (right.tolist(), right_weights.tolist()) == ([2, 3], [1.0, 1.0])
    assert (known_left, known_right) == (3.0, 1.0)
    tiny = kernels.divide(np.array([1.0, 5, np.nan]), 2.0, np.arange(3), np.array([1000.0, 1.0, 0.5]))
    assert tiny[0].tolist() == [0, 2]
    assert tiny[1].sum() == 1000.5


def test_missing_values(rng):
    X = rng.standard_normal((600, 4))
    y = (X[:, 0] + 0.5 * X[:, 1] > 0).astype(int)
    X[rng.random(X.shape) < 0.2] = np.nan
    with refused(
        DataError,
        (
            "contains NaN. Fill or remove these values, or use TAOClassifier or TAORegressor with missing='learn' "
            "and split='univariate' or 'bivariate'"
        ),
    ):
        C50Classifier().fit(X, y)
    model = C50Classifier(missing="learn").fit(X, y)
    tree = model.tree_
    assert np.mean(tree.predict(X) == y) > 0.75
    check_predictions(model, X)
    root = int(tree.split(0)[0][0])
    right = np.nanmean(tree.margins(X, 0)[~np.isnan(X[:, root])] >= 0)
    assert bool(tree.missing_right[0]) == (right > 0.5)
    everywhere = np.column_stack([X[:, 0], np.full(600, np.nan)])
    assert C50Classifier(missing="learn").fit(everywhere, y).score(everywhere, y) > 0.6
    assert C50Classifier(missing="learn").fit(np.full((6, 2), np.nan), [0, 1, 1, 1, 0, 1]).tree_.n_leaves == 1


def test_text_columns(rng):
    frame = pandas.DataFrame({"colour": rng.choice(["red", "green", "blue"], 300), "size": rng.standard_normal(300)})
    y = np.where((frame["colour"] == "red") | (frame["size"] > 1), "yes", "no")
    model = C50Classifier().fit(frame, y)
    assert model.score(frame, y) > 0.98
    assert "colour = red" in model.tree_.feature_names
    check_predictions(model, frame)


def test_weights_are_repeated_rows(bundled, rng):
    X, y = bundled("breast_cancer")
    weights = rng.integers(0, 4, len(y))
    weighted = C50Classifier().fit(X, y, weights).tree_
    repeated = C50Classifier().fit(np.repeat(X, weights, axis=0), np.repeat(y, weights)).tree_
    assert weighted.n_nodes == repeated.n_nodes
    assert np.array_equal(weighted.bias, repeated.bias)
    assert np.array_equal(weighted.values, repeated.values)
    heavy = C50Classifier(class_weight={1: 100.0}).fit(X, y)
    assert np.mean(heavy.predict(X)[y == 1] == 1) >= np.mean(C50Classifier().fit(X, y).predict(X)[y == 1] == 1)


@pytest.mark.parametrize("options", [{}, {"pruning": False, "min_cases": 1}])
def test_thresholds_between_huge_and_between_adjacent_numbers(options):
    model = C50Classifier(**options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        big = model.fit(np.array([[1e30], [-1e30], [1e30], [-1e30], [1e30], [-1e30]]), [0, 1] * 3).tree_
        assert big.n_leaves == 2
        close = np.array([1.0, np.nextafter(1.0, 2)] * 5)[:, None]
        assert model.fit(close, [0, 1] * 5).score(close, [0, 1] * 5) == 1.0


def test_options_do_what_they_say(bundled):
    X, y = bundled("digits")
    assert C50Classifier(max_depth=3).fit(X, y).tree_.depth == 3
    grown = C50Classifier(pruning=False, min_cases=20).fit(X, y).tree_
    assert grown.n_samples.min() >= 20
    sizes = [C50Classifier(confidence=c).fit(X, y).tree_.n_leaves for c in (0.9, 0.25, 0.01)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[-1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pruning": False, "confidence": 0.1}, "confidence=0.1 has no effect with pruning=False"),
        ({"confidence": 0}, "confidence=0: expected a finite number >= … and <="),
        ({"confidence": 1.5}, "=…: expected a finite number >= … and <= 1"),
        ({"min_cases": 0}, "min_cases=0: expected a finite number >="),
        ({"pruning": "yes"}, "=…: expected True or False"),
        ({"global_pruning": None}, "=…: expected True or False"),
    ],
)
def test_bad_parameters_are_refused(bundled, options, message):
    with refused(ParameterError, message):
        C50Classifier(**options).fit(*bundled("iris"))


@pytest.mark.benchmark_data
def test_sizes_are_those_of_the_real_program_where_classes_are_large_and_branches_rise(benchmark_set):
    """Compare the first C5.0 trees on the splits of ``benchmarks.c50``; spambase is compared before pruning."""
    for seed, n_leaves in enumerate((167, 177, 181)):
        assert leaves_of(benchmark_set("pendigits"), seed) == n_leaves
    assert leaves_of(benchmark_set("spambase"), 0, confidence=1.0, global_pruning=False) == 72


def leaves_of(data, seed, **options):
    X, y = (
        np.concatenate([data[f"{one}_train"], data[f"{one}_test"]]) if f"{one}_train" in data else data[one]
        for one in "Xy"
    )
    X_train, _, y_train, _ = train_test_split(X.astype(float), y, test_size=0.2, random_state=seed, stratify=y)
    return C50Classifier(**options).fit(X_train, y_train).tree_.n_leaves


def test_weights_too_small_for_any_split_are_warned_of(bundled):
    X, y = bundled("iris")
    with warned(
        DataWarning,
        (
            "The sample weights of 150 rows sum to …, and each side of a split needs min_cases=2 of them, so the "
            "tree is a single leaf"
        ),
    ):
        C50Classifier().fit(X, y, np.full(150, 1 / 150))
