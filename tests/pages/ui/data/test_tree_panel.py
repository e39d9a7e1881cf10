"""Test that a tree of another program opens with its data, appears on every page, and can be improved by TAO."""

import json
import re
import time

import lightgbm
import numpy as np
import pandas
import pytest
import xgboost
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

import sample_data
from pages.jobs import user_store
from pages.ui.data import tree_panel
from pages.ui.session import loaded_models
from tests.pages.conftest import wait_for_jobs
from tests.refusals import wording
from tests.skops_content import skops_content
from tests.treecore.foreign.test_sources import lightgbm_chain
from tests.treecore.model.model_examples import small_model
from treecore import TAOClassifier, TreecoreError, export
from treecore.model.model import Model


@pytest.fixture(scope="module")
def iris():
    data = sample_data.load("iris")
    return pandas.DataFrame(data.X, columns=data.feature_names), data.labels()


def with_file(app, name, content):
    """Return the Data page after a file was dropped on the uploader for trees."""
    app.session_state["data_way"] = "tree"
    app.switch_page("pages/data.py").run()
    app.get("file_uploader")[0].set_value((name, content, "application/octet-stream")).run()
    assert not app.exception
    return app


def button(app, label):
    return next((one for one in app.button if one.label == label), None)


def values_of(app, kind):
    return " ".join(one.value for one in app.get(kind))


def until(app, condition, seconds=300):
    """Run the app repeatedly until a condition holds."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        wait_for_jobs()
        app.run()
    assert not app.exception
    assert condition()


def test_a_tree_of_another_program_is_opened_used_improved_and_kept(open_app, iris):
    X, y = iris
    model = DecisionTreeClassifier(random_state=0).fit(X.assign(noise=0.0)[list(X)[::-1] + ["noise"]], y)
    app = with_file(open_app(data_set="iris"), "mine.skops", skops_content(model))
    assert f"scikit-learn · 1 tree · {model.get_n_leaves()} leaves" in values_of(app, "caption")
    button(app, "Open this tree").click().run()
    assert app.query_params == {"source": "model-mine"}
    kept = app.session_state[loaded_models.MODELS]["mine"]
    assert (kept.tree.predict(X.to_numpy()) == y).all()
    for page in ("rules", "explain", "predict", "edit"):
        app.switch_page(f"pages/{page}.py").run()
        assert not app.exception
        assert not app.error
        assert [one.value for one in app.selectbox if one.label == "Tree"] == ["model-mine"]
    app.switch_page("pages/explore.py").run()
    assert re.fullmatch("mine: Iris flowers, .*scikit-learn", values_of(app, "text"))
    button(app, "Improve tree").click().run()
    until(app, lambda: button(app, "Save the TAO tree"))
    assert f"Your tree: {model.get_n_leaves()} leaves" in values_of(app, "info") + values_of(app, "success")
    assert f"CART tree with {model.get_n_leaves()} leaves" in values_of(app, "caption")
    button(app, "Save the TAO tree").click().run()
    assert app.query_params == {"source": "model-mine after TAO"}
    assert "mine after TAO" in values_of(app, "text")
    better = app.session_state[loaded_models.MODELS]["mine after TAO"]
    assert better.tree.n_leaves < model.get_n_leaves()
    assert better.parameters["start"] == "mine"


def test_an_onnx_file_of_ours_is_opened_again(open_app):
    data = sample_data.load("iris")
    tree = TAOClassifier("bivariate", lam=1.0, random_state=0).fit(data.X, data.labels()).tree_
    tree = tree.with_names(data.feature_names)
    app = with_file(open_app(data_set="iris"), "mine.onnx", export.onnx(tree))
    assert f"treecore · 1 tree · {tree.n_leaves} leaves" in values_of(app, "caption")
    assert not app.warning
    button(app, "Open this tree").click().run()
    kept = app.session_state[loaded_models.MODELS]["mine"]
    assert np.array_equal(kept.tree.predict(data.X), tree.predict(data.X))


def test_an_assumption_of_the_import_is_shown(open_app):
    rng = np.random.default_rng(0)
    table = pandas.DataFrame({"flag": rng.integers(0, 2, 200), "kind": pandas.Categorical(rng.choice(["p", "q"], 200))})
    model = lightgbm.LGBMRegressor(n_estimators=1, verbose=-1, n_jobs=1).fit(table, table.flag + (table.kind == "q"))
    app = with_file(open_app(data_set="iris"), "kinds.txt", model.booster_.model_to_string().encode())
    assert wording(
        "The file contains categories, but not their columns. They are assumed to belong to the columns kind, "
        "which is right unless the model was trained with categorical_feature"
    ).search(values_of(app, "warning").replace("\\", ""))


def test_a_tree_of_ours_comes_with_its_data(open_app):
    app = with_file(open_app(data_set="iris"), "small.json", small_model().to_json().encode())
    assert app.query_params == {"source": "model-small"}
    assert "small" in values_of(app, "text")
    assert "TAO needs the training data of this tree. Open these data on the Data page first." in values_of(
        app, "caption"
    )  # without data, TAO cannot start


@pytest.mark.long
def test_a_tree_with_linear_leaves_is_on_every_page_or_says_why_not(open_app):
    data = sample_data.load("iris")
    tree = TAOClassifier(leaf="linear", max_depth=1, lam=0.5, max_iter=2, random_state=0).fit(data.X, data.labels())
    model = Model.of(tree.tree_, data, {}, (), {}, np.arange(data.n_rows))
    app = with_file(open_app(data_set="iris"), "linear.json", model.to_json().encode())
    assert app.query_params == {"source": "model-linear"}
    for page in ("explore", "rules", "explain", "predict", "edit"):
        app.switch_page(f"pages/{page}.py").run()
        assert not app.exception
        assert not app.error
        words = {
            "explore": ("caption", wording("TAO cannot start from a tree with linear leaves")),
            "edit": (
                "info",
                wording("Trees with linear leaves cannot be edited, because a linear leaf has no single prediction"),
            ),
        }.get(page)
        assert words is None or words[1].search(values_of(app, words[0]))
        assert page != "explore" or button(app, "Improve tree") is None


def test_a_link_to_a_missing_tree_is_reported(open_app):
    app = open_app(data_set="iris", source="model-gone")
    assert "model-gone" in values_of(app, "warning")


def test_one_tree_of_a_boosted_model_is_marked_as_meaningless_alone(open_app, iris):
    X, y = iris
    model = xgboost.XGBClassifier(n_estimators=3).fit(X, (y == y[0]).astype(int))
    app = with_file(open_app(data_set="iris"), "boosted.json", bytes(model.get_booster().save_raw("json")))
    assert wording("The … sums the leaf values of its 3 trees, so a single tree predicts a margin").search(
        values_of(app, "warning").replace("\\", "")
    )
    assert wording("The tree is a regression tree, but the target of Iris flowers has classes").search(
        values_of(app, "error").replace("\\", "")
    )
    assert button(app, "Open this tree") is None
    app.number_input(key="tree_number").set_value(2).run()
    assert not app.exception


def test_a_tree_of_a_forest_is_chosen_from_its_strip(open_app, iris):
    X, y = iris
    model = RandomForestClassifier(60, max_depth=3, random_state=0).fit(X, y)
    app = with_file(open_app(data_set="iris"), "forest.skops", skops_content(model))
    assert wording("The … combines the predictions of all its trees").search(values_of(app, "warning"))
    assert button(app, "Previous 50").disabled
    button(app, "Next 10").click().run()
    assert app.number_input(key="tree_number").value == 50
    assert button(app, "Next 50").disabled
    app.number_input(key="tree_number").set_value(57).run()
    leaves = model.estimators_[57].get_n_leaves()
    assert f"60 trees · {leaves} leaves" in values_of(app, "caption")
    button(app, "Open this tree").click().run()
    assert app.query_params == {"source": "model-forest"}
    kept = app.session_state[loaded_models.MODELS]["forest"]
    assert 57 in kept.parameters.values()
    assert kept.tree.n_leaves == leaves


def test_data_that_do_not_fit_are_named_and_others_chosen(open_app, iris):
    X, y = iris
    model = DecisionTreeClassifier(max_depth=2).fit(X, y)
    app = with_file(open_app(data_set="wine"), "mine.skops", skops_content(model))
    assert "does not have" in values_of(app, "error")
    assert button(app, "Open this tree") is None
    app.selectbox(key="tree_data").set_value("iris").run()
    assert not app.error
    assert button(app, "Open this tree")


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("model.pkl.json", b"\x80\x04\x95", ".joblib"),
        ("model.json", b'{"learner": ', "not JSON"),
        ("model.json", b"{L\x00\x00\x00\x00\x00\x00\x00\x02", "UBJSON"),
        ("model.json", json.dumps({"version": [99, 0, 0], "learner": {}}).encode(), "version 99"),
        ("model.onnx", b"\x08\x08", "Model (JSON) from this app"),
    ],
)
def test_files_without_a_tree_are_refused_and_nothing_is_lost(open_app, name, content, words):
    app = open_app(data_set="iris")
    app.session_state[loaded_models.MODELS] = {"kept": small_model()}
    app = with_file(app, name, content)
    assert words in values_of(app, "error")
    assert f"{name} was not opened" in values_of(app, "error")
    assert list(app.session_state[loaded_models.MODELS]) == ["kept"]
    assert tree_panel.FILE not in app.session_state


def test_a_tree_in_the_place_for_data_is_known(open_app, iris):
    app = open_app(data_set="iris")
    app.session_state["data_way"] = "file"
    app.switch_page("pages/data.py").run()
    content = skops_content(DecisionTreeClassifier(max_depth=2).fit(*iris))
    app.get("file_uploader")[0].set_value(("mine.skops", content, "application/octet-stream")).run()
    until(app, lambda: wording("is a tree (…), not a table").search(values_of(app, "error").replace("\\", "")))


def test_a_chain_of_two_thousand_levels_is_refused_in_words(open_app):
    app = with_file(open_app(data_set="iris"), "deep.txt", lightgbm_chain())
    assert wording("The tree has depth 2,000; the maximum is").search(values_of(app, "error").replace("\\", ""))


def test_a_file_that_cannot_be_stored_is_reported(open_app, monkeypatch):
    def refuse(content, owner, host):
        raise TreecoreError("The file cannot be kept on the server: No space left on device.")

    monkeypatch.setattr(user_store, "keep_upload", refuse)
    app = with_file(open_app(data_set="iris"), "mine.skops", b"PK")
    assert "No space left" in values_of(app, "error")
