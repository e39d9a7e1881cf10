"""Test training, opening and saving the trees for every λ and C on the Tree page."""

import io
import time

import numpy as np
import pandas
import pytest

from pages.jobs.row_split import split_rows
from pages.ui.session import data_sets, page_settings, trained_grid
from pages.ui.shell.manager import manager
from tests.pages.conftest import about_page, wait_for_jobs, wait_for_path
from treecore import TAOClassifier, phase_diagram
from viz.payload.grid_facts import readable_in_grid

COSTS = (1.0, 1.5, 5.0)
PATH = {"data_set": "iris", "n_lambdas": "5", "split": "bivariate", "init": "cart", "max_depth": "0"}
GRID = PATH | {"costs": "1-1.5-5"}


def opened(open_app, **query):
    return wait_for_path(open_app(**query))


def points_of(query):
    """Train the grid that a link describes, and return its points."""
    chosen = page_settings.EXPLORE.text.read(query).grid()
    return manager().points(manager().submit(chosen, data_sets.load(chosen.data_set).fingerprint))


def saved_tree(app):
    """Return the title of the tree in the open Save menu."""
    app.session_state["save-open"] = True
    lines = [caption.value.replace("\u00a0", " ") for caption in app.run().caption]
    return next(line for line in lines if "λ = " in line)


def test_the_trees_are_the_engines_and_one_that_can_be_read_opens(open_app):
    app = opened(open_app, **GRID)
    points = points_of(GRID)
    data = data_sets.load("iris")
    train, validation, _ = split_rows(data, 0)
    labels = data.labels()
    wanted = phase_diagram(
        TAOClassifier(split="bivariate", init="cart", random_state=0),
        data.X[train],
        labels[train],
        lams=5,
        costs=COSTS,
        X_val=data.X[validation],
        y_val=labels[validation],
    )
    assert [point.tree for point in points] == [point.tree for point in wanted]
    grid = trained_grid.trained_grid(points, COSTS, 5)
    np.testing.assert_array_equal(grid.diagram.grid("n_leaves"), wanted.grid("n_leaves"))
    np.testing.assert_allclose(grid.lams, wanted.lams)
    assert grid.best("one_se").index == wanted.best("one_se").index
    place = readable_in_grid(grid).index
    assert 2 < points[place].tree.n_leaves <= 10
    assert f"λ = {points[place].lam:.3g}" in saved_tree(app)
    assert not app.error


@pytest.mark.parametrize(("row", "column"), [(2, 1), (0, 3)])
def test_a_link_to_a_tree_of_the_map_opens_it(open_app, row, column):
    app = opened(open_app, **GRID, tree=str(5 * row + column))
    assert app.query_params["tree"] == str(5 * row + column)
    assert app.query_params["costs"] == "1-1.5-5"
    assert f"λ = {points_of(GRID)[5 * row + column].lam:.3g}, C = " in saved_tree(app)


def test_only_splits_with_lines_have_other_costs():
    assert page_settings.EXPLORE.text.read({"split": "oblique", "costs": "1-2"}).grid() is None


def test_the_stage_asks_for_every_c_and_stays_at_its_lambda(open_app):
    app = opened(open_app, **PATH)
    assert "costs" not in app.query_params
    app.session_state["stage"] = {"train": {"key": "any", "tree": 3, "node": None}}
    app.run()
    end = time.monotonic() + 90
    while "tree" not in app.query_params and time.monotonic() < end:
        wait_for_jobs()
        app.run()
    asked = PATH | {"costs": app.query_params["costs"]}
    assert asked["costs"] == "1-1.1-1.25-1.5-2-3-5"
    assert app.query_params["tree"] == str(2 * 5 + 3)  # C = 1.25, as before
    app = opened(open_app, **app.query_params)
    assert f"λ = {points_of(asked)[13].lam:.3g}, C = " in saved_tree(app)
    next(button for button in app.button if button.label == "Use a single C").click().run()
    assert "costs" not in app.query_params
    assert not app.exception


def test_other_pages_are_about_the_tree_of_that_c(open_app):
    opened(open_app, **GRID)
    app = open_app("pages/rules.py", **GRID, tree="12")
    assert f"λ = {points_of(GRID)[12].lam:.3g}, C = 5" in about_page(app)
    assert not app.error


def test_a_part_of_a_grid_is_shown_as_far_as_it_goes(monkeypatch):
    points = points_of(GRID)
    part = trained_grid.trained_grid(points[:7], COSTS, 5)
    assert part.costs.tolist() == [1.0, 1.5]
    row, place = part.row_of(6)
    assert [point.lam for point in row] == [point.lam for point in points[5:7]]
    assert ([point.index for point in row], place) == ([0, 1], 1)
    assert np.isnan(part.diagram.grid("n_leaves")).sum() == 3
    assert trained_grid.trained_grid(points[:4], COSTS, 5) is None
    most = sum(point.tree.n_nodes for point in points[:12])
    monkeypatch.setattr(trained_grid, "MOST_NODES", most)  # a browser receives complete rows only
    assert len(trained_grid.trained_grid(points, COSTS, 5).points) == 10
    monkeypatch.setattr(trained_grid, "MOST_NODES", 1)
    assert len(trained_grid.trained_grid(points, COSTS, 5).points) == 5


def test_the_table_has_every_figure():
    points = points_of(GRID)
    frame = pandas.read_csv(io.StringIO(trained_grid.trained_grid(points, COSTS, 5).to_frame().to_csv(index=False)))
    assert frame["cost"].tolist() == [1.0] * 5 + [1.5] * 5 + [5.0] * 5
    assert frame["test_error"].tolist() == [point.figures["test_error"] for point in points]


def test_oc1_starts_weighted_sums_only(open_app):
    app = opened(open_app, data_set="iris", n_lambdas="2", max_depth="3", init="oblique_cart")
    assert next(box for box in app.selectbox if box.label == "Initial tree").value == "oblique_cart"
    assert not app.error
    app = opened(open_app, **PATH | {"init": "oblique_cart"})
    box = next(box for box in app.selectbox if box.label == "Initial tree")
    assert box.value == "cart"
    assert "OC1 (oblique CART)" not in box.options
    assert any("OC1" in note.value for note in app.info)
