"""Test every page through the router, with real training on small data."""

import numpy as np
import pytest

from pages.jobs import settings
from pages.ui.session import data_sets, page_settings
from pages.ui.shell import stage
from pages.ui.shell.manager import manager
from tests.pages.conftest import open_menus, wait_for_path
from tests.refusals import wording

SMALL = {"data_set": "iris", "max_depth": "3", "n_lambdas": "6"}


def depth(app):
    return next(box for box in app.selectbox if box.label == "Maximum depth")


def metric(app, label):
    return next(m.value for m in app.metric if m.label == label)


def trained(query):
    """Return (job, points) of the path with these parameters."""
    chosen = page_settings.EXPLORE.text.read(query).path()
    job = manager().submit(chosen, data_sets.load(chosen.data_set).fingerprint)
    return job, manager().points(job)


def settle(app, query, tree, node=None):
    """Report a tree and a node as the browser does when the visitor stops there."""
    job, points = trained(query)
    app.session_state["stage"] = {"view": {"key": f"{job}-{len(points)}", "tree": tree, "node": node}}
    return app.run()


def data_set_box(app):
    """Return the select box of the data set, anywhere on the page."""
    return next(box for box in app.selectbox if box.label == "Data set")


def saved_tree(app):
    """Return the line above the files of the tree on the stage."""
    app.session_state["save-open"] = True
    lines = [line.value.replace("\u00a0", " ") for line in app.run().caption]
    return next(line for line in lines if ", λ = " in line)


def test_a_path_is_trained_without_a_click(open_app):
    app = wait_for_path(open_app(**SMALL))
    _, points = trained(SMALL)
    assert len(points) == 6
    assert saved_tree(app)
    assert "Path (6 trees)" in [group.label for group in app.expander]


def test_controls_say_in_every_run_what_is_chosen(open_app):
    """A browser that receives two runs at once shows the values of the second run.

    Where the second run sets no value, the browser shows that of the first run."""
    app = wait_for_path(open_app(**SMALL, class_weight="1-2-3"))
    for _ in range(2):
        kinds = ("selectbox", "slider", "select_slider", "toggle", "number_input")
        controls = [one for kind in kinds for one in getattr(app.run(), kind)]
        assert len(controls) > 6
        assert [one.label for one in controls if not one.proto.set_value] == []
    assert [one.proto.value for one in app.number_input if "class-weight" in str(one.key)] == [1, 2, 3]


def test_the_selection_in_the_browser_is_saved_and_shared(open_app):
    app = wait_for_path(open_app(**SMALL))
    _, points = trained(SMALL)
    for index in (5, 0):
        tree = points[index].tree
        node = int(tree.origin[0])
        app = settle(app, SMALL, index, node)
        assert f"λ = {points[index].lam:.3g}" in saved_tree(app)
        assert app.query_params["tree"] == str(index)
        assert app.query_params["node"] == ("leaf-1" if tree.n_nodes == 1 else "node-1")
    assert not app.exception


def test_a_link_opens_its_tree(open_app):
    for node in ("0", "leaf-1"):  # an id in an older link, and a name
        app = wait_for_path(open_app(**SMALL, tree="4", node=node))
        _, points = trained(SMALL)
        assert f"λ = {points[4].lam:.3g}" in saved_tree(app)
        assert not app.warning
    app = wait_for_path(open_app(**SMALL, tree="99999", node="-1"))
    assert not app.exception
    assert saved_tree(app)


def test_the_simplest_good_tree_opens_first(open_app):
    app = wait_for_path(open_app(**SMALL))
    _, points = trained(SMALL)
    errors = [point.figures["validation_error"] for point in points]
    n = points[0].figures["n_validation"]
    limit = min(errors) + (min(errors) * (1 - min(errors)) / n) ** 0.5
    index = max(i for i, error in enumerate(errors) if error <= limit + 1e-12)
    assert f"λ = {points[index].lam:.3g}" in saved_tree(app)


def test_reports_of_another_path_are_ignored(open_app):
    app = wait_for_path(open_app(**SMALL))
    before = saved_tree(app)
    app.session_state["stage"] = {"view": {"key": "another-30", "tree": 29, "node": 7}}
    app.run()
    assert not app.exception
    assert saved_tree(app) == before


def test_partial_results_are_not_taken_for_the_finished_path(open_app):
    wait_for_path(open_app(**SMALL))
    job, points = trained(SMALL)
    data = data_sets.load("iris")
    rows = data_sets.rows("iris", 0)
    early = stage.payload(job, False, points, data, rows)
    assert stage.payload(job, True, points, data, rows) != early


def test_state_survives_moving_between_pages(open_app):
    app = settle(wait_for_path(open_app(**SMALL)), SMALL, 1)
    app.switch_page("pages/data.py").run()
    assert data_set_box(app).value == "iris"
    app.switch_page("pages/about.py").run()
    assert "regularisation path" in app.markdown[0].value
    app = wait_for_path(open_menus(app.switch_page("pages/explore.py")).run())
    _, points = trained(SMALL)
    assert f"λ = {points[1].lam:.3g}" in saved_tree(app)
    assert depth(app).value == 3


@pytest.mark.parametrize(("name", "split"), [("wine", "oblique"), ("segment", "bivariate"), ("digits", "oblique")])
def test_a_data_set_opens_with_its_own_split_type(open_app, name, split):
    app = open_app(data_set=name)
    assert {box.label: box.value for box in app.selectbox}["Split type"] == split


def test_a_visit_without_a_link_opens_digits_without_training(open_app):
    app = open_app()
    chosen = {box.label: box.value for box in app.selectbox}
    assert (chosen["Data set"], chosen["Split type"]) == ("digits", "oblique")
    assert not app.get("progress")


def test_a_rare_class_is_reported_and_can_be_balanced(open_app, tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    y = (rng.random(1500) < 0.02).astype(int)
    X = rng.normal(size=(1500, 3)) + 1.6 * y[:, None]
    np.savez(tmp_path / "imbalanced.npz", X=X, y=y, class_names=["fine", "*fraud*"])
    monkeypatch.setenv("TREECORE_DATA", str(tmp_path))
    data_sets.catalogue.clear()
    query = {"data_set": "imbalanced", "split": "univariate", "init": "cart", "max_depth": "3", "n_lambdas": "4"}
    app = wait_for_path(open_app(**query))
    assert wording(
        "Only … of the rows are *\\*fraud\\**, so a tree that never predicts it has an error of just"
    ).search(app.info[0].value)
    next(button for button in app.button if button.label == "Balance class weights").click().run()
    app = wait_for_path(app)
    assert app.query_params["class_weight"] == "balanced"
    assert not app.info
    _, points = trained(query | {"class_weight": "balanced"})
    assert points[0].tree.n_decision > 0
    next(box for box in app.selectbox if box.label == "Class weights").set_value("1-37").run()
    app = wait_for_path(app)
    assert app.query_params["class_weight"] == "1-37"
    for number, said in ((0.0, "A weight of 0 would remove the class"), (1e9, "Unsupported weight")):
        app.number_input(key="class-weight-1").set_value(number).run()
        assert wording(said).search(app.error[0].value)
        assert "\\*fraud\\* stays 37" in app.error[0].value
        assert app.number_input(key="class-weight-1").value == 37
    app.number_input(key="class-weight-1").set_value(20.0).run()
    app = wait_for_path(app)
    assert app.query_params["class_weight"] == "1-20"
    assert not app.error
    data_set_box(app).set_value("iris").run()
    assert "class_weight" not in app.query_params
    data_sets.catalogue.clear()


def test_one_data_set_stays_through_the_pages(open_app):
    app = open_app(**SMALL)
    for page in ("compare", "data"):
        app.switch_page(f"pages/{page}.py").run()
        assert data_set_box(app).value == "iris"
    app.switch_page("pages/compare.py").run()
    data_set_box(app).set_value("wine").run()
    app.switch_page("pages/explore.py").run()
    assert data_set_box(app).value == "wine"
    assert app.query_params["data_set"] == "wine"


def test_settings_of_one_data_set_do_not_reach_another(open_app):
    special = {"lam": "2.5", "class_weight": "balanced"}
    app = wait_for_path(open_app(**SMALL, **special))
    assert special.keys() <= set(app.query_params)
    data_set_box(app).set_value("wine").run()
    app = wait_for_path(app)
    assert not special.keys() & set(app.query_params)
    assert app.query_params["max_depth"] == SMALL["max_depth"]


def test_data_page_leads_to_the_explorer(open_app):
    app = open_app(**SMALL)
    app.switch_page("pages/data.py").run()
    data_set_box(app).set_value("moons").run()
    assert metric(app, "Rows") == "1,000"
    assert not app.exception


@pytest.mark.parametrize("name", ["mnist-5k", "wine", "clouds"])
def test_data_page_shows_every_kind(open_app, name):
    app = open_app(**SMALL)
    app.switch_page("pages/data.py").run()
    data_set_box(app).set_value(name).run()
    assert not app.exception
    assert not app.error


def test_an_unknown_data_set_is_reported_and_keeps_the_side_bar(open_app):
    app = open_app(data_set="no-such-<b>set</b>")
    assert "no-such" in app.error[0].value
    assert data_set_box(app).label == "Data set"
    data_set_box(app).set_value("iris").run()
    assert not app.error


def test_unknown_or_absurd_parameters_are_ignored():
    query = {
        "max_depth": "99999999999",
        "n_lambdas": "-3",
        "split": "evil",
        "init": "cart",
        "seed": "1e9",
        "other": "x",
    }
    assert page_settings.EXPLORE.text.read(query) == settings.PathSettings(init="cart")
    assert page_settings.EXPLORE.text.read({"max_depth": "٣"}) == settings.PathSettings()  # digits of other scripts


def test_a_link_can_have_the_lambda_of_large_squared_errors():
    assert page_settings.EXPLORE.text.invalid_names({"lam": "6058514168153.908"}) == []


def test_settings_survive_the_url():
    chosen = settings.PathSettings(
        "wine", split="univariate", init="cart", max_depth=5, n_lambdas=7, node_solver="liblinear",
        surrogate="squared_hinge", bivariate_cost=2.0, seed=3, rows="pooled", min_samples_leaf=5, tol=1e-3,
        scale="minmax", max_inner=7,
    )  # fmt: skip
    assert page_settings.EXPLORE.text.read(page_settings.EXPLORE.text.write(chosen)) == chosen
    assert page_settings.EXPLORE.text.write(settings.PathSettings()) == {}


def test_a_changed_control_trains_another_path(open_app):
    app = wait_for_path(open_app(**SMALL))
    depth(app).set_value(2).run()
    app = wait_for_path(app)
    assert app.query_params["max_depth"] == "2"
    _, points = trained({**SMALL, "max_depth": "2"})
    assert max(point.tree.depth for point in points) <= 2


def test_another_kind_of_node_brings_the_initial_tree_that_suits_it(open_app):
    app = wait_for_path(open_app(**SMALL))
    boxes = {box.label: box for box in app.selectbox}
    boxes["Split type"].set_value("bivariate").run()
    app = wait_for_path(app)
    assert {box.label: box.value for box in app.selectbox}["Initial tree"] == "cart"
    assert app.query_params["split"] == "bivariate"
    assert app.query_params["init"] == "cart"
    _, points = trained({**SMALL, "split": "bivariate", "init": "cart"})
    assert max(np.diff(point.tree.indptr).max() for point in points) <= 2
    {box.label: box for box in app.selectbox}["Initial tree"].set_value("random").run()
    assert not app.exception
    assert "init" not in app.query_params


def test_cancel_on_the_page_stops_training_without_other_viewers(open_app):
    long = {"data_set": "mnist-5k", "n_lambdas": "60", "seed": "19"}
    app = open_app(**long)
    job, _ = trained(long)
    manager().status(job, session="somebody else")
    app.button(key="cancel").click().run()
    assert app.toast[0].value == "Training continues, because another visitor is watching it."
    manager().cancel(job, "somebody else")
    app.button(key="cancel").click().run()
    assert wording("Training cancelled after … of").search(app.warning[0].value)
    assert not app.exception


def test_every_choice_of_data_has_its_own_label(tmp_path, monkeypatch):
    np.savez(
        tmp_path / "other.npz", X=np.eye(6), y=np.arange(6) % 2, feature_names=list("abcdef"), class_names=["a", "b"],
        title="Iris flowers",
    )  # fmt: skip
    monkeypatch.setenv("TREECORE_DATA", str(tmp_path))
    data_sets.catalogue.clear()
    labels = list(map(data_sets.labels(), data_sets.entries()))
    assert len(set(labels)) == len(labels)
    data_sets.catalogue.clear()
