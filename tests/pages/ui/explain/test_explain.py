"""Test the Explain page: rows, sentences, counterfactuals, importance, hostile names, impossible requests."""

import re
import time
from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.jobs.point import Point
from pages.ui.explain import explain_change, explain_panel
from pages.ui.session import data_sets, page_settings
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.shell.manager import manager
from tests.each import each
from tests.pages.conftest import about_page, wait_for_jobs
from tests.refusals import wording
from treecore import TAOClassifier
from treecore.explain.counterfactuals import counterfactual
from treecore.explain.permutation_importance import permutation_importance
from treecore.tables.table_columns import TableColumn, TableColumns
from treecore.tree.feature_statistics import margin_units
from viz.charts.path_points import recommended

SMALL = {"data_set": "iris", "n_lambdas": "5"}
HOSTILE = ("<script>alert(1)</script>", "$x$ *bold* `code`", "c | d", "a, b -> c")


def opened(open_app, **query):
    app = open_app("pages/explain.py", **(SMALL | query))
    end = time.monotonic() + 300
    while not about_page(app) and time.monotonic() < end:
        wait_for_jobs()
        app.run()
    assert not app.exception
    return app


def shown_tree():
    """Return (data, tree) that the page shows first."""
    chosen = page_settings.EXPLORE.text.read(SMALL).path()
    data = data_sets.load("iris")
    job = manager().submit(chosen, data.fingerprint)
    points = manager().points(job)
    return data, points[recommended(points)["one_se"]].tree.with_names(data.feature_names)


def html(app):
    return "\n".join(block.proto.body for block in app.get("html"))


def words(app):
    return "\n".join(
        str(block.value) for kind in ("markdown", "caption", "info", "warning", "error") for block in app.get(kind)
    )


def page(chosen):
    """Return a page on a given tree."""
    from pages.ui.explain import explain_panel

    explain_panel.explain_page(chosen)


def chosen_of(tree, data, rows=None, **changes):
    """Return the `ChosenTree` of a tree and its data."""
    rows = rows or (np.arange(data.n_rows), np.empty(0, int), np.empty(0, int))
    point = Point(0, 1.0, tree, {})
    return ChosenTree(f"{data.fingerprint}-{tree.n_leaves}", "a $tree$", point, data, rows, {}, **changes)


def page_of(tree, data, rows=None, section="row", row=0, **changes):
    """Return the AppTest of the panel for a tree."""
    chosen = chosen_of(tree, data, rows, **changes)
    app = AppTest.from_function(page, args=(chosen,), default_timeout=60)
    app.session_state["explain_section"], app.session_state["explain_kept_row"] = section, row
    app.run()
    assert not app.exception
    return app


def test_a_row_is_explained_as_by_the_tree(open_app):
    app = opened(open_app, row="83")
    data, tree = shown_tree()
    text = html(app)
    assert app.number_input(key="explain_row").value == 83
    predicted = tree.predict(data.X[83:84].astype(float))[0]
    assert re.search(rf"petal \w+ \(cm\) \S+.*</bdi>: <b><bdi>{predicted}</bdi></b>", text)
    assert re.search(r"With <bdi>[^<]+</bdi> <b><bdi>[\d.]+</bdi></b> instead of <bdi>[\d.]+</bdi>", text)
    truth = data.class_names[data.y[83]]
    assert ("✓ correct" if truth == predicted else f"it is {truth}") in text
    assert text.count("margin ") == len(tree.path_of(data.X[83])) - 1
    margin = tree.margins(data.X[83:84], 0)[0] / margin_units(tree, data.X.std(axis=0))[0]
    assert f"margin {'+' if margin >= 0 else '−'}{abs(float(f'{margin:.3g}')):.3g} sd" in text


@each("row", range(0, 150, 7))
def test_the_fewest_changes_give_the_class_that_they_promise(iris, row):
    data, tree = iris
    chosen = chosen_of(tree, data)
    found = explain_change.fewest_changes(chosen, row, data.X[row])
    x = data.X[row].copy()
    for change in found.changes:
        x[data.feature_names.index(change.name)] = float(change.after)
    assert found.changes
    assert tree.predict(x[None])[0] == found.prediction != tree.predict(data.X[row : row + 1])[0]


@pytest.fixture(scope="module")
def iris():
    """Return (data, a tree on them) for iris."""
    data = data_sets.load("iris")
    return data, TAOClassifier(lam=3.0, max_depth=3, random_state=0).fit(data.X, data.labels()).tree_


def test_arrows_walk_the_rows_that_are_wrong(iris):
    data, tree = iris
    app = page_of(tree, data)
    app.selectbox(key="explain_kind_iris").select(1).run()
    wrong = np.flatnonzero(tree.predict(data.X) != data.labels())[:3]
    for row in wrong:
        app.button(key="explain_Next").click().run()
        assert app.number_input(key="explain_row").value == row
    app.button(key="explain_Prev").click().run()
    assert app.number_input(key="explain_row").value == wrong[-2]


def test_a_row_is_found_by_its_name(iris):
    data, tree = iris
    assert not page_of(tree, data).text_input
    app = page_of(tree, replace(data, row_names=tuple(f"K-{1000 + k}" for k in range(data.n_rows))), row=3)
    assert (app.text_input[0].label, app.text_input[0].value) == ("Find by ID", "K-1003")
    app.text_input[0].set_value(" K-1083 ").run()
    assert (app.number_input(key="explain_row").value, app.text_input[0].value) == (83, "K-1083")
    app.text_input[0].set_value("K-9").run()
    assert app.info[0].value.replace("\\", "") == "No row is named K-9. The page still shows row 83 (K-1083)."
    assert app.number_input(key="explain_row").value == 83
    app.button(key="explain_Next").click().run()
    assert app.text_input[0].value == "K-1084"
    assert not app.info
    app.text_input[0].set_value("k-108").run()
    assert wording("this text, such as K-1080").search(app.info[0].value.replace("\\", ""))


def test_a_row_that_is_found_is_shown_among_the_rows_of_its_part(iris):
    data, tree = iris
    named = replace(data, row_names=tuple(f"K-{1000 + k}" for k in range(data.n_rows)))
    app = page_of(tree, named, rows=tuple(np.arange(data.n_rows)[part::3] for part in range(3)), row=2)
    assert app.selectbox(key="explain_part").value == "test"
    for row in (3, 10, 8, 6):
        app.text_input[0].set_value(f"K-{1000 + row}").run()
        assert app.selectbox(key="explain_part").value == ("training", "validation", "test")[row % 3]
        assert f"**K-{1000 + row}** · {row // 3 + 1} of 50" in words(app).replace("\\", "")
    app.selectbox(key="explain_part").select("all").run()
    app.text_input[0].set_value("K-1010").run()
    assert app.selectbox(key="explain_part").value == "all"


def test_the_counterfactual_is_the_engines(iris):
    data, tree = iris
    app = page_of(tree, data, section="change", row=83)
    scale, limits = data.X.std(axis=0), (data.X.min(axis=0), data.X.max(axis=0))
    found = counterfactual(tree, data.X[83], scale=scale, bounds=limits)
    assert f"**{found.prediction}** instead of **{found.before}**" in words(app)
    assert f"distance {found.distance:.4g} (standard deviations)" in words(app)
    table = app.dataframe[0].value
    assert set(table["feature"]) == {data.feature_names[feature] for feature, *_ in found.changes}
    app.button(key="explain_put").click().run()
    key, values, turn = app.session_state[explain_change.TRIED]
    assert (key[1], turn) == (83, 1)
    assert tree.predict(np.array([values]))[0] == found.prediction
    app.multiselect(key="explain_frozen_iris").set_value([0, 1, 2, 3]).run()
    assert wording(f"No input is predicted as {explain_change.ANY} …. …").search(words(app))
    assert f"with {4} features fixed" in words(app)
    app.selectbox(key="explain_target_iris").select(tree.classes.tolist().index(found.before)).run()
    assert "already" in words(app)
    assert not app.exception


def test_importance_is_the_engines(iris):
    data, tree = iris
    app = page_of(tree, data, (np.arange(100), np.empty(0, int), np.arange(100, 150)), "features")
    wanted = permutation_importance(tree, data.X[100:], data.labels()[100:], n_repeats=20)
    table = app.dataframe[0].value.set_index("feature")
    for (feature,), mean, nodes in zip(wanted.columns, wanted.mean, wanted.n_nodes, strict=True):
        name = data.feature_names[feature]
        assert (name in table.index) == (nodes > 0)
        if nodes:
            assert table.loc[name, "increase in error (percentage points)"] == pytest.approx(100 * mean)
            assert table.loc[name, "decision nodes"] == nodes
    assert [chart.key for chart in app.get("plotly_chart")] == ["importance", "effect"]


def with_categories():
    """Return a table with a hostile category column, and a tree on it."""
    rng = np.random.default_rng(0)
    columns = TableColumns(
        (TableColumn(HOSTILE[0], "category", HOSTILE[1:]), TableColumn("day", "date"), TableColumn(HOSTILE[1]))
    )
    codes = rng.integers(3, size=90)
    X = np.column_stack([np.eye(3)[codes], rng.integers(9000, 9100, 90), rng.standard_normal(90)])
    iris = data_sets.load("iris")
    data = replace(
        iris, name="hostile", X=X, y=((codes == 1) ^ (X[:, 4] > 1)).astype(np.int64), class_names=HOSTILE[:2],
        feature_names=columns.feature_names(), columns=columns,
    )  # fmt: skip
    tree = TAOClassifier(split="univariate", init="cart", lam=1.0, random_state=0).fit(X, data.labels()).tree_
    return data, tree


@pytest.mark.parametrize("section", ["row", "change", "features"])
def test_categories_change_as_a_whole_and_names_are_only_shown(section):
    data, tree = with_categories()
    app = page_of(tree, data, section=section)
    assert "<script>" not in html(app)
    assert "*bold*" not in words(app).replace("\\*", "")
    if section == "change":
        row = app.dataframe[0].value.iloc[0]
        assert row["feature"] in (HOSTILE[0], HOSTILE[1])
        if row["feature"] == HOSTILE[0]:
            assert row["counterfactual"] in HOSTILE[1:]
    if section == "features":
        assert HOSTILE[0] in set(app.dataframe[0].value["feature"])


def test_whole_numbers_and_days_stay_whole():
    data, _ = with_categories()
    X = data.X.copy()
    X[:, 4] = np.rint(10 * X[:, 4])
    y = (X[:, 3] - 9050 + 3.3 * X[:, 4] > 0.4).astype(np.int64)
    data = replace(data, name="whole", X=X, y=y)
    tree = TAOClassifier(lam=0.1, max_depth=2, random_state=0).fit(X, data.labels()).tree_
    app = page_of(tree, data, section="change")
    app.button(key="explain_put").click().run()
    point = np.array(app.session_state[explain_change.TRIED][1])
    assert (point[3:] == np.rint(point[3:])).all()
    assert tree.predict(point[None])[0] != tree.predict(X[:1])[0]
    assert ". Integers, dates and categories keep their type." in words(app)


def test_missing_values_and_trees_without_data():
    data, _ = with_categories()
    X = data.X.copy()
    X[0, 4] = np.nan
    data = replace(data, X=X, name="with missing")
    tree = TAOClassifier(split="univariate", init="cart", lam=1.0, missing="learn").fit(X, data.labels()).tree_
    app = page_of(tree, data, section="change")
    assert wording("1 missing value cannot change").search(words(app))
    assert "right" not in html(page_of(tree, data, has_data=False)).split("</div>")[1]
    assert "This section needs the training data of the tree. Load these data first." in words(
        page_of(tree, data, section="features", has_data=False)
    )


def test_a_single_leaf_says_that_nothing_can_change():
    data, _ = with_categories()
    tree = TAOClassifier(split="univariate", init="cart", lam=1e6).fit(data.X, data.labels()).tree_
    assert tree.n_leaves == 1
    assert wording("This tree predicts … for every input").search(words(page_of(tree, data, section="change")))
    assert "uses 0 of 3 columns" in words(page_of(tree, data, section="features"))


def test_the_decision_path_as_a_waterfall_and_the_effect_of_one_column(open_app):
    app = opened(open_app)
    assert "share of" in " ".join(chart.proto.alt for chart in app.get("plotly_chart")).lower()
    app = opened(open_app, part="features")
    texts = [chart.proto.alt for chart in app.get("plotly_chart")]
    assert any("when only petal" in text for text in texts)
    app.selectbox(key="explain_effect_class_iris").select(0).run()
    assert any(text.startswith("share of setosa") for text in (chart.proto.alt for chart in app.get("plotly_chart")))


def file_rows():
    """Draw a page with the field for the row number. The file of the data contains rows that are left out."""
    from types import SimpleNamespace

    import numpy as np
    import streamlit as st

    from pages.ui.explain import explain_panel

    st.session_state.setdefault(explain_panel.ROW, 0)
    st.write(explain_panel._number(SimpleNamespace(n_rows=4, row_numbers=np.array([2, 3, 7, 9], np.int32))))


def test_rows_are_asked_for_by_their_number_in_the_file():
    app = AppTest.from_function(file_rows, default_timeout=120).run()
    box = app.number_input[0]
    assert (box.min, box.max, box.value) == (2, 9, 2)
    for asked, place, shown in ((3, 1, 3), (4, 2, 7), (6, 1, 3), (9, 3, 9)):  # the next row, in either direction
        app.number_input[0].set_value(asked).run()
        assert (app.session_state[explain_panel.ROW], app.number_input[0].value) == (place, shown)
    assert not app.exception
