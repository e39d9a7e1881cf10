"""Test regression on every page: each number is correct, or the page shows why it does not support regression."""

import re
import time

import numpy as np
import pytest

from pages.ui.session import data_sets, page_settings
from pages.ui.shell.manager import manager
from tests.pages.conftest import wait_for_jobs
from tests.refusals import wording
from treecore.comparison import compare
from treecore.errors import NoCounterfactual
from treecore.explain.counterfactuals import counterfactual
from treecore.training.parameters import PARAMETERS
from treecore.tree.editing import edited_tree, tree_document

QUERY = {"data_set": "diabetes", "split": "univariate", "init": "cart", "n_lambdas": "6", "tree": "4"}


def opened(open_app, page, **query):
    """Return a page with the tree of `QUERY`, after its path is trained."""
    app, end = open_app(page, **QUERY | query), time.monotonic() + 300
    job = manager().submit(page_settings.EXPLORE.text.read(QUERY).path(), data_sets.load("diabetes").fingerprint)
    while manager().status(job)["state"] != "done" and time.monotonic() < end:
        wait_for_jobs()
    app.run()
    assert not app.exception
    return app, manager().points(job)


def words(app):
    """Return all text on the page."""
    kinds = (app.markdown, app.caption, app.info, app.text, app.error, app.code, app.get("html"))
    return "\n".join(str(getattr(one, "value", None) or one.proto) for kind in kinds for one in kind)


def test_the_tree_page_trains_a_path_of_numbers(open_app):
    app, points = opened(open_app, None, class_weight="balanced")
    data = data_sets.load("diabetes")
    assert len(points) == 6
    for point in points:
        test = data_sets.rows("diabetes", 0)[2]
        error = np.sqrt(np.mean((point.tree.predict(data.X[test]) - data.y[test]) ** 2))
        assert point.figures["test_error"] == pytest.approx(error)
    assert not app.error
    assert page_settings.EXPLORE.current is not None
    assert not [box for box in app.selectbox if box.label == PARAMETERS["class_weight"].words]


def test_rules_say_means_and_their_deviations(open_app):
    app, points = opened(open_app, "pages/rules.py", node=None)
    tree = points[4].tree
    leaf = int(np.flatnonzero(tree.left < 0)[0])
    app.session_state["rule-list"] = {
        "picked": {"key": app.session_state["rules_selected"]["name"], "node": int(tree.origin[leaf]), "time": 1}
    }
    app.run()
    assert not app.exception
    data = data_sets.load("diabetes")
    train = data_sets.rows("diabetes", 0)[0]
    y = data.y[train][tree.apply(data.X[train]) == leaf]
    target = data.target
    assert f"THEN {target.name} = {target.answer(y.mean())} ± {target.short_error(y.std())}" in words(app)


@pytest.mark.parametrize("part", ["row", "change", "features"])
def test_explain_shows_the_mean_along_the_decision_path(open_app, part):
    app, _ = opened(open_app, "pages/explain.py", part=part, row="3")
    assert not app.error


def test_explain_finds_the_nearest_row_above_or_below_a_number(open_app):
    app, points = opened(open_app, "pages/explain.py", part="change", row="3")
    data, tree = data_sets.load("diabetes"), points[4].tree
    scale, limits = data.X.std(axis=0), (data.X.min(axis=0), data.X.max(axis=0))
    whole = np.flatnonzero((np.rint(data.X) == data.X).all(axis=0))
    for side, limit in (("above", 200.0), ("below", 160.0), ("above", 1e6)):
        app.selectbox(key="explain_side_diabetes").select(side)
        app.number_input(key="explain_limit_diabetes").set_value(limit).run()
        assert not app.exception
        try:
            found = counterfactual(tree, data.X[3], scale=scale, bounds=limits, whole=whole, **{side: limit})
        except NoCounterfactual:
            told = f"No input is predicted {side} {data.target.text(limit)} within the ranges"
            assert told in app.warning[0].value.replace("\\", "")
            continue
        told = words(app).replace("\\", "")
        if found.distance:
            assert f"**{data.target.text(found.prediction)}** instead of" in told
            assert f"distance {found.distance:.4g} (standard deviations)" in told
        else:
            assert wording("This row is already predicted as …. Choose another number").search(told)


def test_predict_compares_with_true_numbers(open_app):
    app, points = opened(open_app, "pages/predict.py", part="good")
    assert not app.error
    data, test = data_sets.load("diabetes"), data_sets.rows("diabetes", 0)[2]
    rest = points[4].tree.predict(data.X[test]) - data.y[test]
    figures = {metric.label: metric.value for metric in app.metric}
    assert figures["RMSE"] == data.target.error_text(np.sqrt((rest**2).mean()))
    assert figures["Mean absolute error"] == data.target.error_text(np.abs(rest).mean())
    assert float(figures["R²"]) == pytest.approx(1 - (rest**2).sum() / (data.y[test].var() * test.size), abs=6e-4)


def test_a_tree_of_numbers_is_edited_and_reoptimised_on_the_squared_error(open_app):
    app, points = opened(open_app, "pages/edit.py")
    assert not app.error
    data, train = data_sets.load("diabetes"), data_sets.rows("diabetes", 0)[0]
    X, y, tree = data.X[train], data.y[train], points[4].tree.with_names(data.feature_names)
    name = next(iter(app.session_state["edits"]))
    document = tree_document(tree)
    document["nodes"][0] |= {"bias": document["nodes"][0]["bias"] - 0.2, "locked": True}
    changed = edited_tree(document, tree, X, y)
    for turn, ask in ((1, "keep"), (2, "reoptimise")):
        message = {"key": f"{name}-edit", "turn": turn, "ask": ask, "document": document}
        app.session_state["stage-edit"] = {"edited": message}
        app.run()
        assert not app.exception
        now = app.session_state["edits"][name]
        if ask == "keep":
            assert now.tree == changed
    assert "squared training errors" in now.note or wording("TAO found no better tree (… s)").search(now.note)
    assert now.tree.split(0)[2] == document["nodes"][0]["bias"]
    app.text_input(key="edit_rule_text").set_value("body mass index < 27 go left")
    next(button for button in app.button if button.label == "Apply rule").click().run()
    assert not app.exception
    assert app.session_state["edits"][name].tree.split(0)[2] == -27


@pytest.mark.parametrize(
    "query",
    [{"beside": "1"}, {"split": "bivariate", "columns": "all"}, {"init": "oblique_cart", "split": "oblique"},
     {"init": "drawn"}],
)  # fmt: skip
def test_a_run_of_numbers_is_recorded(open_app, query):
    known = {"data_set": "airfoil", "split": "univariate", "init": "cart", "max_depth": "2", "n_points": "200"}
    app = open_app("pages/learn.py", **known | query)
    assert not app.exception
    assert not app.error
    if "init" not in query:
        assert re.search(r"TAO ends with \d+ leaves and RMSE [\d.]+ dB on 200 points", words(app))
    assert ("CART ends with" in words(app)) == ("beside" in query)


def test_methods_are_compared_by_the_root_mean_squared_error(open_app):
    app, end = open_app("pages/compare.py", **QUERY | {"methods": "cart-c50", "repeats": "2"}), time.monotonic() + 300
    while not app.get("plotly_chart") and not app.error and time.monotonic() < end:
        wait_for_jobs()
        app.run()
    assert not app.error
    assert not app.exception
    assert " Left out (requires classes): C5.0.".strip() in words(app)
    assert app.sidebar.multiselect[0].value == ["cart"]
    data = data_sets.load("diabetes")
    wanted = compare(data.X, data.y, ["cart"], cv=2, n_jobs=1, target=data.target).summary().iloc[0]
    while (shown := app.dataframe[0].value.iloc[0])["folds"] != 2 and time.monotonic() < end:
        wait_for_jobs()
        app.run()
    name = f"test {data.target.short_axis_title}"
    for column, value in ((name, wanted.test_error), ("R²", wanted["R²"]), ("MAE", wanted["MAE"])):
        assert shown[column] == pytest.approx(value, rel=1e-3)


def test_the_data_page_shows_numbers(open_app):
    app, _ = opened(open_app, "pages/data.py")
    assert "25 to 346" in [metric.value for metric in app.metric]
