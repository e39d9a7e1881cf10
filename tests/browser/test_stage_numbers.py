"""What the browser works out by itself is what the engine says: conditions, routes, counts, layout."""

import re

import numpy as np
import pytest

from tests.browser import stage_driver as driver
from tests.browser.stage_examples import made
from viz.tree.layout import layout

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser-2")]

PLAIN = ["wine x", "iris univariate", "cancer univariate", "plane", "bivariate", "coarse"]  # features named x0, x1 ...
CONDITIONS = """kind => stage.path.trees.map((tree) => Array.from(tree.left.keys(),
  (node) => tree.isLeaf(node) ? null : modules.condition_js[kind](tree, node)))"""
ERRORS = {"all rows": "Error", "train": "Training error", "validation": "Validation error", "test": "Test error"}
TERM = re.compile(r"(\S+) · x(\d+)")


def goes_right(text, X):
    """bool[n]: what an exact condition says of rows, computed as it is written, in float64."""
    X = X.astype(np.float64)
    simple = re.fullmatch(r"x(\d+) ([≥≤]) (\S+)", text)
    if simple:
        values, bound = X[:, int(simple[1])], float(simple[3])
        return values >= bound if simple[2] == "≥" else values <= bound
    if text.startswith("always"):
        return np.full(len(X), text == "always yes")
    left, bound = re.fullmatch(r"(.*) >= 0", text)[1], 0.0
    total, *terms = re.split(r" (?=[+-] )", left)
    sums = np.full(len(X), float(total))
    for term in terms:
        sign, size, feature = re.fullmatch(r"([+-]) (\S+) \* x(\d+)", term).groups()
        product = float(size) * X[:, int(feature)]
        sums = sums + product if sign == "+" else sums - product
    return sums >= bound


def around_the_boundary(tree, node, X):
    """Rows on the boundary of a node as nearly as float64 allows, and the next values on both sides of it."""
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
def test_exact_conditions_decide_as_the_tree_does(stage_to_ask, name):
    page = stage_to_ask(name)
    found = made(name)
    rng = np.random.default_rng(0)
    n_checked = 0
    for tree, conditions in zip(found.trees, page.evaluate(CONDITIONS, "exactCondition"), strict=True):
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
def test_exact_conditions_from_the_root_lead_to_the_leaf_of_the_tree(stage_to_ask, name):
    page = stage_to_ask(name)
    found = made(name)
    X = found.data.X.astype(np.float64)
    for tree, conditions in zip(found.trees, page.evaluate(CONDITIONS, "exactCondition"), strict=True):
        node = np.zeros(len(X), int)
        for parent in np.flatnonzero(tree.left >= 0):
            here = node == parent
            right = goes_right(conditions[parent], X[here])
            node[here] = np.where(right, tree.right[parent], tree.left[parent])
        np.testing.assert_array_equal(node, tree.apply(X))


@pytest.mark.parametrize("name", PLAIN)
def test_short_conditions_agree_on_the_sampled_rows(stage_to_ask, name):
    """A condition on screen that lists all its terms sends every sampled row of its node where the tree does."""
    page = stage_to_ask(name)
    found = made(name)
    sampled = np.concatenate([found.sampled(part) for part in range(len(found.sets))])
    X = found.data.X[sampled].astype(np.float64)
    for tree, conditions in zip(found.trees, page.evaluate(CONDITIONS, "condition"), strict=True):
        reached = nodes_on_the_way(tree, X)
        for node, text in enumerate(conditions):
            if text is None or "more" in text:
                continue
            rows = X[reached[:, node]]
            np.testing.assert_array_equal(
                short_goes_right(text, rows), tree.margins(rows, node) >= 0 if len(rows) else [], err_msg=text
            )


def nodes_on_the_way(tree, X):
    """bool[n, nodes]: which nodes each row visits."""
    visited = np.zeros((len(X), tree.n_nodes), bool)
    visited[np.arange(len(X)), tree.apply(X)] = True
    for node in range(tree.n_nodes - 1, 0, -1):
        visited[:, tree.parents[node]] |= visited[:, node]
    return visited


def short_goes_right(text, X):
    """bool[n]: what a condition on screen says of rows."""
    text = text.replace("−", "-")
    left, sign, bound = re.fullmatch(r"(.*) ([≥≤]) (\S+)", text).groups()
    if "·" not in left:
        values = X[:, int(left[1:])]
        return values >= float(bound) if sign == "≥" else values <= float(bound)
    sums = np.zeros(len(X))
    for size, feature in sorted(TERM.findall(left.replace("- ", "-")), key=lambda term: int(term[1])):
        sums += float(size.lstrip("+")) * X[:, int(feature)]
    return sums >= float(bound)


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
def test_thresholds_are_exact_to_the_last_bit(stage_to_ask, weight, bias):
    page = stage_to_ask("one leaf")
    bound = page.evaluate("([w, b]) => modules.condition_js.threshold(w, b)", [weight, bias])
    inside, outside = bound, np.nextafter(bound, -np.inf if weight > 0 else np.inf)
    assert bias + weight * inside >= 0
    assert bias + weight * outside < 0


@pytest.mark.parametrize("name", ["digits", "wine", "plane", "bivariate", "coarse", "not square", "one leaf"])
def test_the_browser_routes_the_sample_as_the_engine_does(stage_to_ask, name):
    page = stage_to_ask(name)
    found = made(name)
    routes = page.evaluate("""() => stage.path.trees.map((tree) => stage.path.sets.map((_, s) =>
      Array.from(tree.route(s).leaf).filter((leaf) => leaf >= 0)))""")
    for tree, route in zip(found.trees, routes, strict=True):
        for part, leaves in enumerate(route):
            rows = found.sampled(part)
            np.testing.assert_array_equal(leaves, tree.apply(found.data.X[rows]))


@pytest.mark.parametrize("name", ["digits", "wine x", "plane"])
def test_margins_of_the_browser_are_those_of_the_engine(stage_to_ask, name):
    page = stage_to_ask(name)
    found = made(name)
    for index, tree in enumerate(found.trees):
        node = int(np.flatnonzero(tree.left >= 0)[-1]) if tree.n_decision else None
        if node is None:
            continue
        rows, margins = page.evaluate(
            "([k, node]) => { const { rows, margins } = stage.path.trees[k].reaching(0, node);"
            " return [Array.from(rows, (row) => stage.path.sample.rows[row]), Array.from(margins)]; }",
            [index, node],
        )
        np.testing.assert_array_equal(margins, tree.margins(found.data.X[rows], node))


@pytest.mark.parametrize("name", ["digits", "wine", "images 199", "table 1001"])
def test_closed_up_places_are_those_of_the_static_picture(stage_to_ask, name):
    page = stage_to_ask(name)
    found = page.evaluate("""() => stage.path.trees.map((tree) => {
      const { x, nSlots } = modules.tidy_js.tidy(0, (node) => tree.children(node));
      return [Array.from({ length: tree.n }, (_, node) => x.get(node)), nSlots];
    })""")
    for tree, (x, n_slots) in zip(made(name).trees, found, strict=True):
        expected = layout(tree)
        np.testing.assert_allclose(x, expected.x, atol=1e-9)
        assert n_slots == pytest.approx(expected.n_slots)


@pytest.mark.parametrize("name", ["digits", "wine", "one leaf"])
def test_the_table_lists_every_node_with_the_counts_of_the_chosen_set(open_stage, name):
    page = open_stage(name)
    found = made(name)
    k = 1 if len(found.trees) > 1 else 0
    driver.step(page, k)
    driver.set_state(page, table=True)
    tree = found.trees[k]
    for part, (title, rows) in enumerate(found.sets):
        if len(found.sets) > 1:
            page.get_by_role("button", name=title, exact=True).click()
            driver.rest(page)
        counts, wrong = expected_counts(tree, found.data, rows)
        cells = [re.split(r"\t", line) for line in driver.texts(page.locator(".twin tbody tr"))]
        assert [int(cell[0]) for cell in cells] == tree.origin.tolist()
        assert [driver.as_number(cell[5]) for cell in cells] == counts.tolist()
        assert [driver.as_number(cell[7]) for cell in cells] == wrong.tolist()
        assert page.evaluate("() => stage.state.set") == part
    page.get_by_test_id("stage-view").click()
    page.get_by_label("table instead of the picture").uncheck()
    driver.rest(page)
    assert page.locator(".twin").is_hidden()


def expected_counts(tree, data, rows):
    """(rows that reach each node, those of them that the tree gets wrong)."""
    visited = nodes_on_the_way(tree, data.X[rows])
    wrong = tree.predict(data.X[rows]) != data.labels()[rows]
    return visited.sum(axis=0), visited[wrong].sum(axis=0)


def test_the_inspector_counts_the_chosen_set(open_stage):
    page = open_stage("digits")
    found = made("digits")
    driver.step(page, 1)
    tree = found.trees[1]
    for title, rows in found.sets:
        page.get_by_role("button", name=title, exact=True).click()
        counts, wrong = expected_counts(tree, found.data, rows)
        for node in (0, 1, tree.n_nodes - 1):
            driver.select(page, int(tree.origin[node]))
            text = page.locator(".body").inner_text()
            assert f"of the {title} rows: {counts[node]:,} of {len(rows):,}; {wrong[node]:,} wrong" in text


@pytest.mark.parametrize("name", ["digits", "wine", "one leaf"])
def test_key_figures_are_those_of_the_tree(open_stage, name):
    page = open_stage(name)
    found = made(name)
    k = 1 if len(found.trees) > 1 else 0
    driver.step(page, k)
    driver.rest(page)
    tree = found.trees[k]
    shown = dict(zip(driver.texts(page.locator(".figures dt")), driver.texts(page.locator(".figures dd")), strict=True))
    for title, rows in found.sets:
        name_of_error = ERRORS[title]
        error = np.mean(tree.predict(found.data.X[rows]) != found.data.labels()[rows])
        assert as_share(shown[name_of_error]) == pytest.approx(error, abs=0.00051)
    assert shown["Leaves"] == f"{tree.n_leaves:,}"
    assert shown["Depth"] == str(tree.depth)
    unit = "Pixels / node" if found.data.image_shape else "Features / node"
    assert float(shown[unit]) == pytest.approx(tree.features_per_node, abs=0.051)
    rows = found.sets[0][1]
    visited = nodes_on_the_way(tree, found.data.X[rows]).sum(axis=0)[tree.left >= 0] / len(rows)
    assert float(shown["Decisions / row"]) == pytest.approx(visited.sum(), abs=0.051)
    products = visited @ np.diff(tree.indptr)[tree.left >= 0]
    assert driver.as_number(shown["Products / row"]) == pytest.approx(products, abs=0.51)


def as_share(text):
    return driver.as_number(text.removesuffix("%")) / 100
