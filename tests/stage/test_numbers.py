"""Test that the browser computes the same numbers as the engine: conditions, routes, margins, layout."""

import re

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score

from tests.browser.stage_examples import HOSTILE, made
from viz.tree.layout import layout

PLAIN = ["wine x", "iris univariate", "cancer univariate", "plane", "bivariate", "coarse"]  # features x0, x1 ...
TYPED = str.maketrans({"≥": ">=", "≤": "<=", "·": "*", "−": "-"})
COMPARE = {">=": np.greater_equal, "<=": np.less_equal, ">": np.greater, "<": np.less}
TERM = re.compile(r"([+-] |-)?(?:(\S+) \* )?(?:x(\d+)|(\S+))")


def goes_right(text, X):
    """Return which rows meet a condition, bool[n].

    The sum of the condition is computed in float64, starting with the bias, feature by feature.
    """
    if text.startswith("always"):
        return np.full(len(X), text == "always right")
    left, relation, right = re.fullmatch(r"(.*) (>=|<=|>|<) (.+)", text.translate(TYPED)).groups()
    terms, others = ([TERM.fullmatch(part).groups() for part in re.split(r" (?=[+-] )", one)] for one in (left, right))
    bound = sum(float((sign or "").strip() + alone) for sign, _, feature, alone in others if feature is None)
    opposite = {"-": "+ ", "+": "- "}
    terms += [(opposite[(sign or "+")[0]], size, at, None) for sign, size, at, _ in others if at is not None]
    sums = None
    for sign, size, feature, alone in sorted(terms, key=lambda term: -1 if term[2] is None else int(term[2])):
        value = float(alone) if feature is None else float(size or 1) * X[:, int(feature)].astype(np.float64)
        value = -value if sign and "-" in sign else value
        sums = value if sums is None else sums + value
    return COMPARE[relation](np.broadcast_to(sums, len(X)), bound)


def around_the_boundary(tree, node, X):
    """Return rows as near to a node's decision boundary as float64 allows, and the next values on both sides."""
    features, weights, bias = tree.split(node)
    rows = []
    for j, weight in zip(features, weights, strict=True):
        near = X[:40].astype(np.float64)
        rest = near[:, features] @ weights + bias - weight * near[:, j]
        near[:, j] = -rest / weight
        for steps in range(-3, 4):
            moved = near.copy()
            for _ in range(abs(steps)):
                moved[:, j] = np.nextafter(moved[:, j], np.inf * np.sign(steps))
            rows.append(moved)
    return np.concatenate(rows) if rows else X[:5].astype(np.float64)


@pytest.mark.parametrize("name", PLAIN)
def test_exact_conditions_decide_as_the_tree_does(ask, name):
    found = made(name)
    rng = np.random.default_rng(0)
    n_checked = 0
    for tree, conditions in zip(found.trees, ask("texts", found.payload, "exactCondition", True), strict=True):
        for node, text in enumerate(conditions):
            if text is None:
                continue
            X = found.data.X
            random = X[rng.integers(0, len(X), 200)] + rng.normal(0, 1, (200, X.shape[1])) * X.std(axis=0)
            points = np.concatenate([around_the_boundary(tree, node, X), X.astype(np.float64), random])
            expected = tree.margins(points, node) >= 0
            np.testing.assert_array_equal(goes_right(text, points), expected, err_msg=text)
            n_checked += len(points)
    assert n_checked > 1000


@pytest.mark.parametrize("name", PLAIN)
def test_exact_conditions_from_the_root_lead_to_the_leaf_of_the_tree(ask, name):
    found = made(name)
    X = found.data.X.astype(np.float64)
    for tree, conditions in zip(found.trees, ask("texts", found.payload, "exactCondition", True), strict=True):
        node = np.zeros(len(X), int)
        for parent in np.flatnonzero(tree.left >= 0):
            here = node == parent
            right = goes_right(conditions[parent], X[here])
            node[here] = np.where(right, tree.right[parent], tree.left[parent])
        np.testing.assert_array_equal(node, tree.apply(X))


@pytest.mark.parametrize("name", PLAIN)
def test_short_conditions_agree_on_the_sampled_rows(ask, name):
    """A condition on the screen that lists all its terms sends every sampled row of its node where the tree does."""
    found = made(name)
    sampled = np.concatenate([found.sampled(part) for part in range(len(found.sets))])
    X = found.data.X[sampled].astype(np.float64)
    for tree, conditions in zip(found.trees, ask("texts", found.payload, "condition"), strict=True):
        reached = nodes_on_the_way(tree, X)
        for node, text in enumerate(conditions):
            if text is None or "more" in text:
                continue
            rows = X[reached[:, node]]
            np.testing.assert_array_equal(
                goes_right(text, rows), tree.margins(rows, node) >= 0 if len(rows) else [], err_msg=text
            )


def nodes_on_the_way(tree, X):
    """Return which nodes each row visits, bool[n, nodes]."""
    visited = np.zeros((len(X), tree.n_nodes), bool)
    visited[np.arange(len(X)), tree.apply(X)] = True
    for node in range(tree.n_nodes - 1, 0, -1):
        visited[:, tree.parents[node]] |= visited[:, node]
    return visited


@pytest.mark.parametrize(
    ("weight", "bias"),
    [
        (1.0, -0.1),
        (3.0, -1.0),
        (-7.0, 0.3),
        (0.1, -0.3),
        (1e-8, 1.0),
        (-1e12, 1.0),
        (1.5, 0.0),
        (1e-300, 1e-300),
        (1e-300, 0.0),
    ],
)
def test_thresholds_are_exact_to_the_last_bit(ask, weight, bias):
    bound = ask("threshold", None, weight, bias)
    inside, outside = bound, np.nextafter(bound, -np.inf if weight > 0 else np.inf)
    assert bias + weight * inside >= 0
    assert bias + weight * outside < 0


@pytest.mark.parametrize("name", ["digits", "wine", "plane", "bivariate", "coarse", "not square", "one leaf"])
def test_the_browser_routes_the_sample_as_the_engine_does(ask, name):
    found = made(name)
    routes = ask("routes", found.payload)
    for tree, route in zip(found.trees, routes, strict=True):
        for part, leaves in enumerate(route):
            rows = found.sampled(part)
            np.testing.assert_array_equal(leaves, tree.apply(found.data.X[rows]))


@pytest.mark.parametrize("name", ["digits", "wine x", "plane"])
def test_margins_of_the_browser_are_those_of_the_engine(ask, name):
    found = made(name)
    for index, tree in enumerate(found.trees):
        node = int(np.flatnonzero(tree.left >= 0)[-1]) if tree.n_decision else None
        if node is None:
            continue
        rows, margins = ask("margins", found.payload, index, node)
        np.testing.assert_array_equal(margins, tree.margins(found.data.X[rows], node))


@pytest.mark.parametrize("name", ["digits", "wine", "images 199", "table 1001"])
def test_closed_up_places_are_those_of_the_static_picture(ask, name):
    found = made(name)
    for tree, (x, n_slots) in zip(found.trees, ask("places", found.payload), strict=True):
        expected = layout(tree)
        np.testing.assert_allclose(x, expected.x, atol=1e-9)
        assert n_slots == pytest.approx(expected.n_slots)


@pytest.mark.parametrize("name", ["missing", "missing plane"])
def test_rows_without_a_value_go_where_their_tree_says(ask, name):
    found = made(name)
    for tree, route in zip(found.trees, ask("routes", found.payload), strict=True):
        elsewhere = 0
        for part, leaves in enumerate(route):
            X = found.data.X[found.sampled(part)]
            assert np.isnan(X).any()
            np.testing.assert_array_equal(leaves, tree.apply(X))
            elsewhere += np.count_nonzero(tree.apply(X) != tree.tree.apply(np.nan_to_num(X)))
        assert elsewhere > 0  # with zeros instead, rows would go elsewhere


@pytest.mark.parametrize("name", ["missing", "wine"])
def test_the_decision_path_of_a_row_is_its_route(ask, name):
    assert ask("waysAreRoutes", made(name).payload)


def test_names_from_right_to_left_do_not_move_the_numbers_next_to_them(ask):
    name = next(name for name in HOSTILE if "שלום" in name)
    texts = [text for text in ask("texts", made("hostile").payload, "condition", 9)[0] if text is not None]
    assert any(name in text for text in texts)
    for text in texts:
        assert text.count(name) == text.count(f"\u2068{name}\u2069")


def test_a_longer_path_of_the_same_data_keeps_the_selected_rows(ask):
    found = made("bivariate")
    rows = sorted(found.sampled(0)[3:90:7].tolist())
    assert sorted(ask("carried", found.payload, rows)) == rows


@pytest.mark.parametrize("name", ["wine x", "iris univariate", "bivariate"])
def test_the_balanced_error_is_scikit_learns(ask, name):
    found = made(name)
    rows = found.rows[0]
    X, labels = found.data.X[rows], found.data.labels()[rows]
    wanted = [1 - balanced_accuracy_score(labels, tree.predict(X)) for tree in found.trees]
    assert ask("balancedErrors", found.payload) == pytest.approx(wanted, abs=1e-12)


def test_the_text_of_a_value_stays_on_its_side_of_a_threshold(ask):
    found = made("iris univariate")
    n_longer = 0
    for place, tree in enumerate(found.trees):
        for node in np.flatnonzero(tree.left >= 0):
            (feature,), (weight,), bias = tree.split(node)
            bound = -bias / weight
            values = [bound, *np.nextafter(bound, [-np.inf, np.inf]), bound * (1 - 1e-9), bound + 0.2]
            answers = ask("writtenValues", found.payload, place, int(feature), [float(value) for value in values], 4)
            for value, (written, is_same) in zip(values, answers, strict=True):
                assert is_same
                assert abs(written - value) <= 2e-3 * abs(value)
                n_longer += len(repr(written)) > 6
    assert n_longer < 5 * sum(tree.n_nodes // 2 for tree in found.trees)  # most values have few digits
