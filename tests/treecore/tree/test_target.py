"""Test the results of classification and regression targets for trees and rows against plain sums."""

import re
from pathlib import Path

import numpy as np
import pytest

from tests.in_node import in_node
from tests.refusals import refused
from tests.strategies import small_tree
from treecore import CARTClassifier, CARTRegressor
from treecore.errors import DataError
from treecore.tree.classes import Classes
from treecore.tree.metrics import error_of, training_error, training_loss
from treecore.tree.quantity import Quantity
from treecore.tree.tree import target_of


class Names:
    """Data with class names."""

    def __init__(self, *names, y=()):
        self.class_names, self.y = names, np.array(y)


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    return X, np.round(10 * X[:, 0] + rng.normal(size=200), 2)


def test_classes_find_the_codes_of_a_tree_by_name_or_by_number():
    tree = small_tree()
    assert Classes(("c", "x", "a", "b")).positions(tree).tolist() == [2, 3, 0]
    X, y = np.arange(6.0)[:, None], np.array([2, 2, 2, 0, 0, 0])
    coded = CARTClassifier().fit(X, y).tree_
    target = Classes(("no", "perhaps", "yes"))
    assert target.outputs(coded)[coded.apply(X)].tolist() == y.tolist()
    assert [target.text(value) for value in target.outputs(coded)[coded.apply(X)]] == ["yes"] * 3 + ["no"] * 3
    assert target.unknown_classes(coded) == []
    assert Classes(("a", "b")).unknown_classes(tree) == ["c"]


def test_a_tree_with_more_classes_than_its_data_names_keeps_its_own():
    assert target_of(small_tree(), Names("a", "b")).groups == ("a", "b", "c")


def test_errors_of_classes_are_shares(rows):
    X, y = rows
    y = np.digitize(y, [-5, 5])
    tree = CARTClassifier(cv=2).fit(X, y).tree_
    assert error_of(tree, X, y) == np.mean(tree.predict(X) != y) == pytest.approx(training_error(tree))
    assert training_loss(tree) == np.sum(tree.predict(X) != y)
    target = tree.target
    assert target.error_text(0.0821) == "8.2 %"
    assert target.format_losses(target.share_words, 1200, 2000) == "1,200 wrong (60.0 %)"
    assert target.format_losses(target.share_words, 0, 0) == "0 wrong (–)"


@pytest.mark.parametrize(
    "target", [Classes(("a", "b"), "kind"), Quantity(0.0, 10.0, 4.0, "km"), Quantity(0.0, 1.0, 1.0)]
)
def test_errors_have_the_same_text_in_the_browser(target):
    errors = [0.0, 1.0, 0.1742, 0.78135, 0.00049, 0.0005, 0.125, *np.random.default_rng(0).uniform(size=200).tolist()]
    code = (
        "const { Target } = await load('model/target.js');"
        "const target = new Target(value.target); return value.errors.map((error) => target.errorText(error));"
    )
    found = in_node(code, {"target": target.to_dict(), "errors": errors})
    assert found == [target.error_text(error) for error in errors]
    assert target.error_text(None) == "–"


def test_no_other_code_formats_shares():
    root = Path(__file__).parents[3]
    files = [path for folder in ("treecore", "viz", "pages", "sample_data") for path in (root / folder).rglob("*.py")]
    assert [path.name for path in files if re.search(r":\.\d%}", path.read_text(encoding="utf-8"))] == []


def test_errors_of_a_quantity_are_in_its_unit(rows):
    X, y = rows
    tree = CARTRegressor(cv=2).fit(X, y).tree_
    target = target_of(tree, Names(y=y))
    residuals = tree.predict(X) - y
    assert error_of(tree, X, y) == pytest.approx(np.sqrt(np.mean(residuals**2)))
    assert training_error(tree) == pytest.approx(np.sqrt(np.mean(residuals**2)))
    error, deviation = target.error_and_deviation(target.losses(tree.predict(X), y))
    assert error == pytest.approx(np.sqrt(np.mean(residuals**2)))
    assert 0 < deviation < error
    assert Quantity(0.0, 1.0, 1.0, "km").error_text(3.14159) == "3.142 km"
    assert Quantity(0.0, 1.0, 1.0, "km").text(-0.5) == "−0.5 km"
    assert target.format_losses(target.wrong_words, 32.0, 2) == "± 4.0"


def test_a_rise_of_the_loss_is_one_of_the_error():
    assert Quantity().error_rises(9.0, np.array([[7.0, 0.0, -9.0]])).tolist() == [[1.0, 0.0, -3.0]]
    assert Classes(("a", "b")).error_rises(0.1, np.array([[0.25]])).tolist() == [[25.0]]


@pytest.mark.parametrize(
    ("deviation", "value", "text"),
    [(77.0, 152.133, "152"), (6.9, 125, "125.0"), (6.9, -0.04, "0.0"), (3.2, -12.04, "−12.0"),
     (31000, 214321, "214000"), (121000, 158322, "158000"), (215000, 853600, "854000"),
     (1e9, 3.21e9, "3.21e9"), (2e5, 1.268e6, "1268000"),
     (2e-7, 1.2345e-6, "1.235e−6"), (0.0, 3.14159, "3.142")],
)  # fmt: skip
def test_a_mean_is_as_precise_as_its_deviation(deviation, value, text):
    assert Quantity(-9 * deviation, 9 * deviation, deviation).answer(value) == text


def test_an_outlier_does_not_make_means_coarse(rows):
    y = np.append(rows[1], 1e6)
    assert Quantity.of(y).answer(1.234) == Quantity.of(rows[1]).answer(1.234) == "1.2"


@pytest.mark.parametrize("outlier", [1e6, -1e6, 1e29])
def test_outliers_do_not_flatten_the_ranges(rows, outlier):
    y = rows[1]
    target = Quantity.of(np.append(y, [outlier, np.median(y)]))
    assert target.has_tails
    assert target.groups[0].startswith("below")
    assert target.groups[-1].endswith("or more")
    assert np.unique(target.group_of(y)).size > 6
    assert target.group_of(np.array([outlier]))[0] == (0 if outlier < 0 else len(target.groups) - 1)


@pytest.mark.parametrize("values", [[5.0, 5.0], [0.0, 0.0], [0.0, 1e-300], [1e15, 1e15 + 1], [-1e30, 1e30], [0.0, 1.0]])
def test_ranges_of_any_numbers_rise(values):
    edges = Quantity.of(np.array(values)).edges
    assert (np.diff(edges) > 0).all()
    assert 2 <= edges.size <= 19
    room = 1e-9 * (1 + max(map(abs, values)))
    assert edges[0] <= min(values) + room
    assert edges[-1] >= max(values) - room


def test_ranges_of_a_quantity_hold_all_numbers_in_order(rows):
    y = rows[1]
    target = Quantity.of(y)
    groups = target.group_of(np.sort(y))
    assert (np.diff(groups) >= 0).all()
    assert set(groups.tolist()) == set(range(len(target.groups)))
    assert Quantity.of(np.zeros(3)).group_of(np.zeros(2)).tolist() == [0, 0]


def test_stored_statistics_equal_those_of_the_training_rows(rows):
    X, y = rows
    tree = CARTRegressor(cv=2).fit(X, y).tree_
    counts, losses = tree.target.leaf_counts(tree)
    leaves = np.flatnonzero(tree.left < 0)
    reached = tree.apply(X)
    expected = [np.sum((y[reached == leaf] - y[reached == leaf].mean()) ** 2) for leaf in leaves]
    np.testing.assert_allclose(losses, expected, atol=1e-9)
    np.testing.assert_array_equal(counts.sum(axis=1), tree.n_samples[leaves])


def test_a_row_of_a_quantity_is_wrong_beyond_the_standard_deviation():
    target = Quantity(0.0, 10.0, 2.0)
    assert target.is_wrong(np.array([1.0, 1.0]), np.array([2.9, 3.1])).tolist() == [False, True]


ROOT = Path(__file__).resolve().parents[3]
# Only the tree, and code that relies on scikit-learn's declaration, may test the kind of target.
KIND = re.compile(
    r"\bis_regression\b|\bis_(?:classifier|regressor)\(|\bis_squared\b|"
    r"isinstance\([^\n]*\b(?:Classes|Quantity|Classification|Regression)\b|type\(\w*target\) is"
)
MAY_ASK_KIND = {
    "treecore/tree/tree.py", "treecore/tree/tree_arrays.py", "treecore/data/losses.py",
    "treecore/data/feature_encoder.py", "treecore/training/training_run.py",
    "treecore/training/cross_validated.py", "treecore/training/size_path.py", "treecore/foreign/from_sklearn.py",
    # sums over rows in parts: class weights, or moments
    "treecore/training/partitions/histogram_cart.py", "treecore/training/partitions/histogram_search.py",
    "treecore/training/partitions/learning_curve.py",
    "treecore/training/partitions/partitioned_run.py", "treecore/training/partitions/partitioned_tao.py",
    "treecore/training/partitions/shard.py", "treecore/training/partitions/sources/row_checks.py",
    "treecore/training/partitions/survey.py", "treecore/baselines/partitioned_cart.py",
}  # fmt: skip
SPLIT = re.compile(r"""\bsplit (?:==|!=) ["'](?:univariate|bivariate|oblique)["']""")


@pytest.mark.parametrize(("question", "may_ask"), [(KIND, MAY_ASK_KIND), (SPLIT, set())])
def test_no_other_code_tests_the_kind_of_target_or_the_name_of_a_split(question, may_ask):
    paths = (path for layer in ("treecore", "viz", "pages", "sample_data") for path in (ROOT / layer).rglob("*.py"))
    asking = {path.relative_to(ROOT).as_posix() for path in paths if question.search(path.read_text(encoding="utf-8"))}
    assert asking == may_ask


def test_refusals_use_the_words_of_the_target(rows):
    X, y = rows
    tree = CARTRegressor(cv=2).fit(X, y).tree_
    for feature, words in Quantity.refusals.items():
        Classes.require(feature)
        with refused(DataError, words):
            tree.target.require(feature)
    with refused(DataError, "A regression tree has no class probabilities"):
        tree.predict_proba(X)
