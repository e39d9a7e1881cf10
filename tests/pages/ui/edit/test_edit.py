"""Test the Edit page: reports of the stage, re-optimising, typed rules, stored trees, and invalid input."""

import json
import time
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.jobs import job_files
from pages.jobs.point import Point
from pages.ui.edit import edit_panel, edit_training
from pages.ui.session import data_sets, loaded_models
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.session.node_in_address import name_of
from tests.pages.conftest import wait_for_jobs
from tests.refusals import wording
from treecore import Model, TAOClassifier
from treecore.training.recording import record
from treecore.training.reoptimise import reoptimise, repairing
from treecore.tree.editing import edited_tree, tree_document

STAGE = "stage-edit"


def page(chosen):
    """Return a page on a given tree."""
    from pages.ui.edit import edit_panel

    edit_panel.edit_page(chosen)


@pytest.fixture(scope="module")
def iris():
    """Return a `ChosenTree` on iris with the parameters of a bivariate path."""
    data = data_sets.load("iris")
    rows = data_sets.rows("iris", 0)
    X, y = data.X[rows[0]], data.labels()[rows[0]]
    tree = TAOClassifier(split="bivariate", init="cart", lam=0.5).fit(X, y).tree_.with_names(data.feature_names)
    return ChosenTree("iris-by-hand", "Iris", Point(0, 0.5, tree, {}), data, rows, {"split": "bivariate"})


def opened(chosen):
    app = AppTest.from_function(page, args=(chosen,), default_timeout=60)
    return checked(app.run())


def checked(app):
    assert not app.exception
    return app


def reported(app, chosen, document, turn=1, ask="keep", **others):
    """Return the page after a report of the stage."""
    message = {"key": f"{chosen.name}-edit", "turn": turn, "ask": ask, "document": document} | others
    app.session_state[STAGE] = {"edited": message}
    return checked(app.run())


def now(app, chosen):
    return app.session_state["edits"][chosen.name]


def words(app):
    return "\n".join(str(block.value) for kind in ("markdown", "caption", "info", "error") for block in app.get(kind))


def test_a_report_is_taken_and_counted(iris):
    app = opened(iris)
    assert not app.metric  # the stage shows all metrics
    document = tree_document(iris.tree)
    leaf = next(node for node in document["nodes"] if node["left"] is None)
    leaf |= {"label": (leaf["label"] + 1) % 3, "locked": True}
    reported(app, iris, document)
    edit = now(app, iris)
    assert (edit.seen, edit.turn, edit.locked) == (1, 0, (leaf["id"],))
    X, y = iris.data.X[iris.rows[0]], iris.data.labels()[iris.rows[0]]
    tree = edited_tree(document, iris.tree, X, y)
    assert edit.tree == tree
    changed = np.count_nonzero(tree.predict(X) != iris.tree.predict(X))
    assert wording(f"**0 … rows** reach another leaf. {changed:,} have another prediction (now").search(words(app))
    assert "1 with another class (leaf 1 of 7)" in words(app)
    app.run()
    assert now(app, iris) is edit  # an old report has no effect
    reported(app, iris, tree_document(iris.tree), turn=1)
    assert now(app, iris) is edit


@pytest.mark.parametrize("whole", [True, False])
def test_metrics_are_shown_once_by_the_stage_or_from_all_rows_by_the_page(iris, monkeypatch, whole):
    content, _ = edit_panel._payload(iris)
    monkeypatch.setattr(edit_panel, "_payload", lambda _: (content, whole))
    app = opened(iris)
    document = tree_document(iris.tree)
    leaf = next(node for node in document["nodes"] if node["left"] is None)
    leaf["label"] = (leaf["label"] + 1) % 3
    reported(app, iris, document)
    assert not [button for button in app.button if button.label in ("Re-optimise the rest", "Reset")]
    assert (
        (
            "The data are too large for the browser, so the stage counts a sample of the rows. The metrics below use "
            "all rows."
        )
        in words(app)
    ) == (not whole)
    shown = {metric.label: metric for metric in app.metric}
    if whole:
        assert not shown
        return
    X, y = iris.data.X[iris.rows[0]], iris.data.labels()[iris.rows[0]]
    before, after = (np.mean(tree.predict(X) != y) for tree in (iris.tree, now(app, iris).tree))
    error = shown["Training error"]
    assert error.value == iris.target.error_text(after)
    assert error.delta == "+" + iris.target.error_text(after - before).replace(" %", " points")


def test_the_rest_is_reoptimised(iris):
    document = tree_document(iris.tree)
    document["nodes"][0] |= {"bias": document["nodes"][0]["bias"] - 0.4, "locked": True}
    root = document["nodes"][0]["id"]
    X, y = iris.data.X[iris.rows[0]], iris.data.labels()[iris.rows[0]]
    start = edited_tree(document, iris.tree, X, y)
    twin = reoptimise(start, [root], X, y, TAOClassifier(split="bivariate", lam=0.5)).tree
    app = reported(opened(iris), iris, document, ask="reoptimise")
    edit = now(app, iris)
    assert edit.tree == twin
    assert (edit.turn, edit.seen, edit.ask, edit.locked) == (1, 1, "reoptimise", (root,))
    assert "objective" in edit.note or wording("TAO found no better tree around the locked nodes (… s)").search(
        edit.note
    )
    assert edit.repair == (start, (root,))
    assert not edit.stopped
    gone = max(iris.tree.origin.tolist()) + 1  # a locked node in a dead branch that TAO pruned
    assert edit.with_tree(iris.tree, (root, gone), None).locked == (root,)
    checked(app.toggle(key="edit-watch").set_value(True).run())
    unfitted = edit_training.estimator(iris)
    run, rows, _ = repairing(start, (root,), X, y, unfitted)
    assert record(run, rows, y).tree.with_names(twin.feature_names) == twin
    reported(app, iris, tree_document(iris.tree), turn=2)
    assert not any(toggle.key == "edit-watch" for toggle in app.toggle)
    assert now(app, iris).tree == iris.tree


def visited(chosen):
    """Return the page on the given tree as the app draws it for an address."""
    import streamlit as st
    from streamlit.runtime.scriptrunner import get_script_run_ctx

    from pages.ui import frame
    from pages.ui.edit import edit_panel

    get_script_run_ctx().is_history_navigation = st.session_state.get("is_back", False)
    frame.begin_page("edit")
    edit_panel.edit_page(chosen)


def test_back_and_forward_show_the_tree_of_the_address(iris):
    app = checked(AppTest.from_function(visited, args=(iris,), default_timeout=60).run())
    documents = []
    for turn in (1, 2):
        document = tree_document(iris.tree)
        document["nodes"][0]["bias"] -= turn / 10
        documents.append(document)

    def moved_to(token):
        """Return the page after Back or Forward to an address."""
        app.query_params.clear()
        if token:
            app.query_params["edit"] = token
        app.session_state["is_back"] = True
        checked(app.run())
        app.session_state["is_back"] = False
        assert address_token() == token
        return now(app, iris)

    def address_token():
        return next(iter(np.ravel(app.query_params.get("edit", []))), None)

    reported(app, iris, documents[0])
    first = address_token()
    assert now(app, iris).document == documents[0]
    back = moved_to(None)
    assert back.tree == iris.tree
    assert (back.turn, back.seen) == (1, 1)  # the browser must adopt this tree
    assert now(checked(app.run()), iris) is back
    forward = moved_to(first)
    assert forward.document == documents[0]
    assert (forward.turn, forward.seen) == (2, 1)
    reported(app, iris, documents[1], turn=2)
    second = address_token()
    assert second not in (None, first)
    assert moved_to(first).document == documents[0]
    assert moved_to(second).document == documents[1]
    kept = now(app, iris)
    assert moved_to(second) is kept  # as after Back from another page


@pytest.mark.parametrize(
    ("asked", "weights"),
    [("balanced", "balanced"), ("1-50-2", {"setosa": 1, "versicolor": 50, "virginica": 2}), ("1-2", None), (7, None)],
)
def test_a_repair_counts_the_classes_as_the_training_did(iris, asked, weights):
    chosen = replace(iris, parameters=iris.parameters | {"class_weight": asked})
    assert edit_training.estimator(chosen).class_weight == weights


def test_a_typed_rule_takes_the_place_of_a_node_or_splits_a_leaf(iris):
    app = opened(iris)
    leaf = int(iris.tree.origin[np.flatnonzero(iris.tree.left < 0)[0]])
    app.session_state[STAGE] = {"view": {"key": f"{iris.name}-edit", "tree": 0, "node": leaf, "turn": 0}}
    app.run()
    at = next(box for box in app.selectbox if box.label == "Node")
    assert at.value == leaf
    assert at.options[0] == "Node 1"
    app.text_input(key="edit_rule_text").set_value("sepal width < 3.1 go left")
    checked(next(button for button in app.button if button.label == "Apply rule").click().run())
    edit = now(app, iris)
    assert edit.tree.n_leaves == iris.tree.n_leaves + 1
    assert edit.locked == (leaf,)
    node = edit.tree.origin.tolist().index(leaf)
    assert edit.tree.split(node)[2] == -3.1
    for text, why in (("sepal widht < 3 go left", "Did you mean"), ("__import__('os')", "Unknown feature"),
                      ("", "rule is empty"),
                      ("<script>alert(1)</script>", "Expected")):  # fmt: skip
        app.text_input(key="edit_rule_text").set_value(text)
        checked(next(button for button in app.button if button.label == "Apply rule").click().run())
        assert why in app.error[0].value
        assert "<script>" not in app.error[0].value
        assert now(app, iris).tree == edit.tree
    app.text_input(key="edit_rule_text").set_value("sepal width >= 1e9, right")
    checked(next(button for button in app.button if button.label == "Apply rule").click().run())
    why = ", because sepal width (cm) is between 2 and 4.4"
    assert wording(f"The rule separates no rows: … go left{why}.").search(app.warning[0].value.replace("\\", ""))
    app.text_input(key="edit_rule_text").set_value("sepal width < 3.1 go left")
    assert not checked(next(button for button in app.button if button.label == "Apply rule").click().run()).warning


GARBAGE = [
    None, 3, "x", [], {}, {"nodes": []}, {"nodes": [{}]}, {"nodes": [None] * 6000},
    {"nodes": [{"id": 0, "left": 0, "right": 0, "features": [], "weights": [], "bias": 0, "label": 0}]},
    {"nodes": [{"id": "<b>", "left": None, "right": None, "features": [], "weights": [], "bias": 0, "label": 0}]},
]  # fmt: skip


def test_garbage_from_the_browser_changes_nothing(iris):
    app = opened(iris)
    for turn, document in enumerate(GARBAGE, start=1):
        reported(app, iris, document, turn, ask="reoptimise" if turn % 2 else "keep")
        assert wording("The change was not applied; the tree is unchanged").search(app.error[0].value)
        assert "<b>" not in app.error[0].value
        edit = now(app, iris)
        assert edit.tree == iris.tree
        assert (edit.seen, edit.turn) == (turn, turn)
    for message in (7, {"edited": 7}, {"edited": {"key": [], "turn": 99}}, {"edited": {"key": "other", "turn": 99}}):
        app.session_state[STAGE] = message if isinstance(message, dict) else {"edited": message}
        checked(app.run())
    for turn in (True, "99", None, -1, 2**60, 1.5):
        reported(app, iris, tree_document(iris.tree), turn)
    assert now(app, iris) is edit


def test_an_edited_tree_is_kept_as_a_model(iris):
    app = opened(iris)
    document = tree_document(iris.tree)
    document["nodes"][0]["bias"] -= 0.3
    reported(app, iris, document)
    app.text_input(key=f"edit-name-{iris.name}").set_value("Mine <i>").run()
    checked(app.button(key="edit-keep").click().run())
    assert "Mine \\<i\\>" in app.success[0].value
    model = app.session_state[loaded_models.MODELS]["Mine <i>"]
    again = Model.from_json(model.to_json())
    assert again == model
    assert again.tree == now(app, iris).tree
    assert again.parameters["edited"] == "nodes: 1 changed, 0 new, 0 removed"
    assert again.data.fingerprint == iris.data.fingerprint
    checked(app.toggle(key="edit-sides").set_value(True).run())


def test_each_tree_has_its_own_changes_in_the_address(iris):
    tokens = []
    for chosen in (iris, replace(iris, name="another-by-hand")):
        app = AppTest.from_function(page, args=(chosen,), default_timeout=60)
        app.session_state["edit_own"] = dict(zip([iris.name], tokens, strict=False))
        document = tree_document(iris.tree)
        document["nodes"][0]["bias"] -= 0.3
        reported(checked(app.run()), chosen, document)
        tokens.append(app.session_state["edit_own"][chosen.name])
        assert app.query_params["edit"] in (tokens[-1], [tokens[-1]])
    assert tokens[0] != tokens[1]
    assert app.session_state["edit_own"] == {iris.name: tokens[0], "another-by-hand": tokens[1]}


def test_a_model_of_a_few_rows_is_marked(iris):
    data = iris.data
    model = Model.of(iris.tree, data, {"split": "nonsense", "bivariate_cost": "x"}, rows=np.arange(0, 150, 5))
    X, y = model.sample.X, model.sample.y
    few = type(data)("few", "Few rows", X, y, data.feature_names, data.class_names)
    empty = np.empty(0, np.int64)
    chosen = ChosenTree(
        "few", "Few", iris.point, few, (np.arange(len(y)), empty, empty), model.parameters, False, model
    )
    app = opened(chosen)
    assert (
        "The data of this model are not available. All counts use the few rows in the model file, and TAO would "
        "optimise the tree for these rows only."
    ) in words(app)
    reported(app, chosen, tree_document(iris.tree), ask="reoptimise")
    assert not app.error


def test_the_page_opens_with_a_tree_and_finds_changes_again(open_app):
    query = {"data_set": "iris", "n_lambdas": "5"}
    app = open_app("pages/edit.py", **query)
    end = time.monotonic() + 300
    while "edits" not in app.session_state and time.monotonic() < end:
        wait_for_jobs()
        app.run()
    checked(app)
    ((name, edit),) = app.session_state["edits"].items()
    root, leaf = (int(edit.tree.origin[place]) for place in (0, -1))
    for turn, node in enumerate((leaf, root)):  # the stage reports its selection; the default is the root
        app.session_state[STAGE] = {"view": {"key": f"{name}-edit", "tree": 0, "node": node, "turn": 0}}
        assert [name_of(edit.tree, leaf)][turn:] == [*np.ravel(checked(app.run()).query_params.get("node", []))]
    for text in (str(leaf), name_of(edit.tree, leaf)):  # an id in an older link, and a name
        linked = checked(open_app("pages/edit.py", node=text, **query))
        assert linked.session_state["edit_selected"][0] == leaf
        assert not linked.warning
    lost = checked(open_app("pages/edit.py", node="424242", **query))
    assert "The node in this link does not exist in this tree. The root is selected." in lost.warning[0].value
    document = json.loads(json.dumps(edit.document))
    document["nodes"][0] |= {"bias": document["nodes"][0]["bias"] + 0.25, "locked": True}
    app.session_state[STAGE] = {"edited": {"key": f"{name}-edit", "turn": 1, "ask": "keep", "document": document}}
    checked(app.run())
    token = app.query_params["edit"]
    token = token[0] if isinstance(token, list) else token
    again = checked(open_app("pages/edit.py", edit=token, **query))
    assert again.session_state["edits"][name].document == document
    assert again.session_state["edits"][name].locked == (document["nodes"][0]["id"],)
    path = next((job_files.jobs_folder() / job_files.EDITS).glob(f"*/{token}.json"))
    kept, theirs = path.read_bytes(), json.loads(json.dumps(document))
    theirs["nodes"][0]["bias"] += 0.25
    again.session_state[STAGE] = {"edited": {"key": f"{name}-edit", "turn": 2, "ask": "keep", "document": theirs}}
    checked(again.run())
    assert path.read_bytes() == kept  # a link's file is only read
    assert again.query_params["edit"] not in (token, [token])
    for wanted in ("../../etc/passwd", "0" * 32, "x" * 500):
        other = checked(open_app("pages/edit.py", edit=wanted, **query))
        assert other.session_state["edits"][name].tree == edit.tree
    job_files.write_json(path, {"name": name, "document": {"nodes": [{"id": 0}]}})
    damaged = checked(open_app("pages/edit.py", edit=token, **query))
    assert damaged.session_state["edits"][name].tree == edit.tree


@pytest.mark.parametrize("has_locks", [False, True])
def test_locked_nodes_are_named_only_if_there_are_some(iris, has_locks):
    note = edit_training._gain(SimpleNamespace(trace=[None]), None, iris.tree, iris.tree, 0.5, iris.target, has_locks)
    assert ("locked" in note) == has_locks
