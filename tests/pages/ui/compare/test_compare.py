"""Test the Compare page: results of the engine, failing methods, impossible settings, files, and trees side by side."""

import csv
import io
import json
import time

import numpy as np
import pytest

import sample_data
from pages.jobs import job_files, settings
from pages.jobs.kinds import comparison_cells
from pages.jobs.kinds.comparison_protocol import SHOWN_FOLD, plan
from pages.ui.compare import compare_panel
from pages.ui.session import data_sets, page_settings
from pages.ui.shell.manager import manager
from tests.pages.conftest import wait_for_jobs
from tests.refusals import wording
from tests.treecore.model.model_examples import small_model
from treecore import CARTClassifier, Model
from treecore.comparison import METHODS, compare
from treecore.comparison.comparison import comparison_of

PAGE = "pages/compare.py"
SMALL = {"data_set": "iris", "methods": "cart-c50-random_forest", "repeats": "3"}


def opened(open_app, seconds=300, **query):
    app = open_app(PAGE, **(SMALL | query))
    end = time.monotonic() + seconds
    while not any("Trees side by side" in m.value for m in app.markdown) and not app.error and time.monotonic() < end:
        wait_for_jobs()
        app.run()
    while (
        any(c.value == "The trees appear here when the comparison is done." for c in app.caption)
        and time.monotonic() < end
    ):
        wait_for_jobs()
        app.run()
    assert not app.exception
    return app


def found(query):
    """Return the comparison that the page has shown."""
    chosen = page_settings.COMPARE.text.read(SMALL | query)
    data = data_sets.load(chosen.data_set)
    planned = plan(chosen, data)
    job = manager().submit(chosen, data.fingerprint)
    return comparison_of(manager().points(job), planned.methods, planned.y, planned.folds, planned.target)


def table(app):
    return app.dataframe[0].value.set_index("method")


def test_the_table_is_the_engines(open_app):
    app = opened(open_app)
    data = data_sets.load("iris")
    wanted = (
        compare(data.X, data.labels(), ["cart", "c50", "random_forest"], cv=3, n_jobs=1).summary().set_index("title")
    )
    shown = table(app)
    assert set(shown.index) == set(wanted.index) == {"CART, 1-SE", "C5.0", "Random forest"}
    for title, row in wanted.iterrows():
        assert shown.loc[title, "test error %"] == pytest.approx(100 * row["test_error"], abs=0.005)
        assert shown.loc[title, "leaves"] == pytest.approx(row["n_leaves"], abs=0.05)
        assert shown.loc[title, "folds"] == 3
    assert shown["test error %"].is_monotonic_increasing
    for name in ("", "-Other tables", "-Other figures"):
        app.session_state[f"save-open{name}"] = True
    app.run()
    labels = [found.label for found in app.get("download_button")]
    assert {"Table (CSV)", "Table (LaTeX)", "Error against size (PDF)"} < set(labels)
    assert len(app.get("plotly_chart")) == 3


def test_the_size_is_a_choice_of_the_address(open_app):
    app = opened(open_app)
    app.segmented_control(key="compare_size_shown").set_value("depth").run()
    assert app.query_params["size"] in ("depth", ["depth"])
    app.segmented_control(key="compare_size_shown").set_value("n_leaves").run()
    assert "size" not in app.query_params  # a link without a size shows the first one
    app = opened(open_app, size="inference_cost")
    assert app.segmented_control(key="compare_size_shown").value == "inference_cost"
    app = opened(open_app, size="<b>weight</b>")
    assert wording("This link contains an unsupported size").search(app.warning[0].value)
    assert "\\<b\\>weight" in app.warning[0].value
    assert app.segmented_control(key="compare_size_shown").value == "n_leaves"


def test_over_one_parameter_there_are_curves_and_their_table(open_app):
    app = open_app(PAGE, **(SMALL | {"over": "max_depth", "methods": "cart-nearest_neighbours"}))
    end = time.monotonic() + 300
    failed = lambda: app.error or app.exception  # noqa: E731
    # Files appear when every fold is complete.
    while not (labels := {one.label for one in app.get("download_button")}) and not failed() and time.monotonic() < end:
        time.sleep(0.2)
        app.session_state["save-open"] = True
        app.run()
    assert {"Table (CSV)", "Test error over depth (SVG)"} <= labels
    assert not app.exception
    left_out = wording(" Left out (parameter does not apply to these data): Nearest neighbours")
    assert left_out.search("".join(one.value for one in app.caption))
    table, cells = app.dataframe[0].value, found({"over": "max_depth", "methods": "cart-nearest_neighbours"})
    assert table["depth"].tolist() == [2, 4, 6, 8, 10, 12]
    wanted = [100 * row for row in cells.summary()["test_error"]]
    assert table["test error %"].tolist() == pytest.approx(wanted)
    assert len(app.get("plotly_chart")) == 1


def test_one_more_method_trains_only_that(open_app, monkeypatch):
    opened(open_app)
    chosen = page_settings.COMPARE.text.read(SMALL | {"methods": "cart-c50-random_forest-tao_univariate"})
    data = data_sets.load(chosen.data_set)
    known = comparison_cells.ComparisonCells(chosen, data.fingerprint).load(plan(chosen, data), data)
    assert {(cell.method, cell.fold) for cell in known} == {
        (method, fold) for method in ("cart", "c50", "random_forest") for fold in range(3)
    }
    app = opened(open_app, methods="cart-c50-random_forest-tao_univariate")
    assert "TAO, univariate" in table(app).index
    before = found({})
    for method in before.methods:
        assert [
            cell.fit_seconds for cell in found({"methods": "cart-c50-random_forest-tao_univariate"}).of(method)
        ] == [cell.fit_seconds for cell in before.of(method)]


def test_a_damaged_or_foreign_cell_is_trained_again(open_app):
    opened(open_app)
    chosen = page_settings.COMPARE.text.read(SMALL)
    data = data_sets.load("iris")
    store = comparison_cells.ComparisonCells(chosen, data.fingerprint)
    planned = plan(chosen, data)
    path = store._path("cart", 0)
    text = path.read_text()
    record = {name: value for name, value in json.loads(text).items() if name != "checksum"}
    wine = sample_data.load("wine")
    foreign = CARTClassifier().fit(wine.X, wine.y).tree_.to_json()
    for damaged in ("{", "{}", json.dumps(record), text.replace('"fold": 0', '"fold": 1')):
        path.write_text(damaged)
        assert ("cart", 0) not in {(cell.method, cell.fold) for cell in store.load(planned, data)}
    for changes in ({"tree": "{}"}, {"tree": foreign}, {"trees": [foreign]}, {"method": "c50"}, {"fold": 1}):
        job_files.write_json(path, record | changes)
        assert ("cart", 0) not in {(cell.method, cell.fold) for cell in store.load(planned, data)}
    job_files.write_json(path, record)
    assert path.read_text() == text
    assert ("cart", 0) in {(cell.method, cell.fold) for cell in store.load(planned, data)}
    other = comparison_cells.ComparisonCells(page_settings.COMPARE.text.read(SMALL | {"seed": "1"}), data.fingerprint)
    assert other.load(planned, data) == []


@pytest.mark.long
def test_a_method_out_of_time_leaves_the_others_and_says_why(open_app):
    app = opened(open_app, data_set="digits", methods="nearest_neighbours-bidt", repeats="2", limit="5")
    shown = table(app)
    assert shown.loc["Nearest neighbours", "folds"] == 2
    assert np.isfinite(shown.loc["Nearest neighbours", "test error %"])
    assert shown.loc["BiDT", "folds"] == 0
    assert f"The method exceeded its time limit of {5:g} s." in shown.loc["BiDT", "remark"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Provide data sets that cannot be cross-validated, or not with this protocol."""
    X = np.arange(24.0).reshape(12, 2)
    names = {"feature_names": ["p", "q"], "class_names": ["a", "b"]}
    np.savez(tmp_path / "two-rows.npz", X=X[:2], y=np.array([0, 1]), **names)
    np.savez(tmp_path / "one-class.npz", X=X, y=np.zeros(12, int), **names)
    np.savez(tmp_path / "rare.npz", X=X, y=np.array([0] * 9 + [1] * 3), **names)
    monkeypatch.setenv("TREECORE_DATA", str(tmp_path))
    data_sets.catalogue.clear()
    yield tmp_path
    data_sets.catalogue.clear()


@pytest.mark.parametrize(
    ("name", "words"),
    [("two-rows", "2 rows"), ("one-class", "single class"), ("rare", "5 folds need 5 rows of every class")],
)
def test_impossible_comparisons_are_reported_before_training(open_app, folder, name, words):
    before = set(manager().folder.iterdir())
    app = open_app(PAGE, data_set=name, repeats="5")
    assert not app.exception
    assert words in app.error[0].value
    assert not app.dataframe
    assert set(manager().folder.iterdir()) == before


def test_no_method_is_refused_and_keeps_the_comparison(open_app):
    app = opened(open_app)
    app.sidebar.multiselect[0].set_value([]).run()
    assert len(app.sidebar.multiselect[0].value) == 3
    assert set(table(app).index) == {"CART, 1-SE", "C5.0", "Random forest"}


def test_garbage_in_the_address_gives_the_defaults(open_app):
    chosen = page_settings.COMPARE.text.read(
        {"methods": "<script>-cart-cart-", "protocol": "x", "repeats": "1", "inner": "99", "limit": "-1", "seed": "a"}
    )
    assert chosen == settings.ComparisonSettings(methods=("cart",))
    assert page_settings.COMPARE.text.read({"methods": "nothing"}).methods == settings.ComparisonSettings().methods
    assert page_settings.COMPARE.text.write(chosen) == {"methods": "cart"}


def test_the_files_hold_the_table(open_app):
    app = opened(open_app)
    del app
    from treecore.comparison.tables import header, table_rows
    from treecore.tables.text_tables import to_csv

    rows, names = table_rows(found({}), "cart"), header(found({}).target)
    read = list(csv.reader(io.StringIO(to_csv(names, rows))))
    assert read[0] == list(names)
    assert [row[0] for row in read[1:]] == ["CART, 1-SE", "C5.0", "Random forest"]


def test_trees_side_by_side_are_those_of_the_cells(open_app):
    query = {"methods": "tao_univariate-cart-random_forest"}
    app = opened(open_app, **query)
    data = data_sets.load("iris")
    cells = {
        cell.method: cell for name in found(query).methods for cell in found(query).of(name) if cell.fold == SHOWN_FOLD
    }
    forest = cells["random_forest"]
    assert forest.tree is None
    number, sides = next(one for one in app.number_input if one.label.startswith("Tree number")), len(forest.trees)
    assert (sides, number.max) == (30, 29)
    number.set_value(7).run()
    next(one for one in app.button if one.label == "Save tree").click().run()
    assert not app.exception
    assert (
        "Random forest, tree 7"
        in next(one for one in app.main.multiselect if one.key.startswith("side-methods")).options
    )
    next(one for one in app.button if one.label == "Show tree 7").click().run()
    assert app.query_params == {"source": "model-Random forest, tree 7"}
    kept = app.session_state["loaded_models"]["Random forest, tree 7"]
    assert [one.value for one in app.text] == [
        f"Random forest, tree 7: {data.title}, from {kept.parameters['program']}"
    ]
    assert np.array_equal(kept.tree.predict(data.X), forest.trees[7].predict(data.X))
    for name in ("tao_univariate", "cart"):
        cell, points = cells[name], compare_panel.points(cells[name])
        assert [point.lam for point in points] == sorted(point.lam for point in points)
        test = plan(page_settings.COMPARE.text.read(SMALL | query), data).folds[SHOWN_FOLD].test
        for point in points:
            assert point.test_error == pytest.approx(np.mean(point.tree.predict(data.X[test]) != data.labels()[test]))
        chosen = points[compare_panel.place_of_selected(cell)].tree
        assert chosen.n_leaves == cell.tree.n_leaves


def test_opened_and_kept_trees_are_listed_with_the_methods(open_app):
    data = data_sets.load("iris")
    tree = CARTClassifier(max_depth=2).fit(data.X, data.y).tree_
    app = opened(open_app)
    app.session_state["loaded_models"] = {"mine": Model.of(tree, data), "other": small_model()}
    app.run()
    (sides,) = (one for one in app.main.multiselect if one.key.startswith("side-methods"))
    assert "mine" in sides.options
    assert "other" not in sides.options  # this tree belongs to other data
    sides.set_value(["cart", f"model-{Model.of(tree, data).checksum[:12]}"]).run()
    assert not app.exception
    assert any(
        " Trees that you opened or saved may have been trained on the test rows." in one.value for one in app.caption
    )


def test_published_split_and_random_splits(open_app):
    data = data_sets.load("iris")
    chosen = page_settings.COMPARE.text.read(SMALL | {"protocol": "splits", "repeats": "4"})
    folds = plan(chosen, data).folds
    assert len(folds) == 4
    assert all(len(fold.test) == 30 for fold in folds)
    chosen = page_settings.COMPARE.text.read(SMALL | {"data_set": "mnist-5k", "protocol": "published"})
    mnist = data_sets.load("mnist-5k")
    if mnist.split is not None:
        (fold,) = plan(chosen, mnist).folds
        assert (mnist.split[fold.test] == 1).all()
    assert plan(chosen, mnist).methods[0].name in METHODS


@pytest.mark.long
def test_another_choice_ends_what_it_replaces(open_app):
    parameters = {"data_set": "digits", "methods": "tao_forest", "repeats": "3"}
    app = open_app(PAGE, **parameters)
    old = manager().submit(page_settings.COMPARE.text.read(parameters), data_sets.load("digits").fingerprint)
    assert manager().status(old)["state"] in job_files.RUNNING_STATES
    store = app.sidebar.multiselect[0]
    store.set_value(["cart"]).run()
    assert manager().status(old)["state"] == "cancelled"
    opened(open_app, data_set="digits", methods="cart", repeats="3")


def test_early_results_of_other_comparisons_are_shown_at_once(open_app):
    opened(open_app)
    parameters = SMALL | {"methods": "cart-c50-random_forest-tao_forest"}
    app = open_app(PAGE, **parameters)
    assert {"CART, 1-SE", "C5.0", "Random forest"} <= set(table(app).index)
    job = manager().submit(
        page_settings.COMPARE.text.read(parameters), data_sets.load(parameters["data_set"]).fingerprint
    )
    manager().cancel(job, None)
