"""Test that the counts and metrics in the panels equal the engine's."""

import re

import numpy as np
import pytest

from tests.browser import stage_driver as driver
from tests.browser.stage_examples import made
from tests.stage.test_numbers import nodes_on_the_way
from treecore.tree.text_tree import node_names

pytestmark = pytest.mark.browser

SETS = {"train": "training"}
ERRORS = {"all rows": "Error", "train": "Training error", "validation": "Validation error", "test": "Test error"}


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
            page.get_by_role("button", name=SETS.get(title, title), exact=True).click()
            driver.rest(page)
        counts, wrong = expected_counts(tree, found.data, rows)
        cells = [re.split(r"\t", line) for line in driver.texts(page.locator(".node-table tbody tr"))]
        has_shares = "training share" in page.locator(".node-table thead").inner_text()
        assert [cell[0] for cell in cells] == node_names(tree)
        assert [driver.as_number(cell[5]) for cell in cells] == counts.tolist()
        assert [driver.as_number(cell[7 + has_shares]) for cell in cells] == wrong.tolist()
        assert page.evaluate("() => stage.state.set") == part
    page.get_by_test_id("stage-view").click()
    page.get_by_label("Show as table").uncheck()
    driver.rest(page)
    assert page.locator(".node-table").is_hidden()


def expected_counts(tree, data, rows):
    """Return (rows that reach each node, misclassified rows among them)."""
    visited = nodes_on_the_way(tree, data.X[rows])
    wrong = tree.predict(data.X[rows]) != data.labels()[rows]
    return visited.sum(axis=0), visited[wrong].sum(axis=0)


def test_the_inspector_counts_the_chosen_set(open_stage):
    page = open_stage("digits")
    found = made("digits")
    driver.step(page, 1)
    tree = found.trees[1]
    for title, rows in found.sets:
        page.get_by_role("button", name=SETS.get(title, title), exact=True).click()
        counts, wrong = expected_counts(tree, found.data, rows)
        for node in (0, 1, tree.n_nodes - 1):
            driver.select(page, int(tree.origin[node]))
            text = page.locator(".body").inner_text()
            assert f"of the {SETS.get(title, title)} rows: {counts[node]:,} of {len(rows):,}; " in text
            assert f"; {wrong[node]:,} wrong" in text


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
    unit = "Pixels per node" if found.data.image_shape else "Features per node"
    assert float(shown[unit]) == pytest.approx(tree.features_per_node, abs=0.051)
    rows = found.sets[0][1]
    visited = nodes_on_the_way(tree, found.data.X[rows]).sum(axis=0)[tree.left >= 0] / len(rows)
    assert float(shown["Mean path length"]) == pytest.approx(visited.sum(), abs=0.051)
    products = visited @ np.diff(tree.indptr)[tree.left >= 0]
    assert driver.as_number(shown["Multiplications per row"]) == pytest.approx(products, abs=0.51)


def as_share(text):
    return driver.as_number(text.removesuffix("%")) / 100
