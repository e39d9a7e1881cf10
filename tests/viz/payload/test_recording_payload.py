"""Test that the payload of a recorded run equals the recording, and that sentences describe it."""

import re
from types import SimpleNamespace

import numpy as np
import pytest

import sample_data
from tests.decoded_payload import decoded
from tests.refusals import refused
from treecore import CARTClassifier, TAOClassifier
from treecore.training.recording import RecordedNode, RecordedStep, grow, record
from treecore.tree.split import Split, constant_split
from viz.payload.recording_payload import MAX_OTHER_ROWS, recording_payload
from viz.words.sentences import node_sentence, step_sentence

FEATURES, CLASSES = ("width", "height", "depth", "age"), ("red", "blue")


def rows_of(data, n):
    order = np.random.default_rng(0).permutation(data.n_rows)
    return np.sort(order[:n]), np.empty(0, np.int64), np.sort(order[n:])


@pytest.fixture(scope="module", params=["univariate", "bivariate", "oblique"])
def recorded(request):
    data = sample_data.load("xor")
    rows = rows_of(data, 150)
    model = TAOClassifier(request.param, init="random", max_depth=4, lam=0.5, max_iter=6, random_state=0)
    return record(model, data.X[rows[0]], data.y[rows[0]]), data, rows


def test_steps_are_trees_and_care_points_are_rows_of_the_sample(recorded):
    recording, data, rows = recorded
    payload = decoded(recording_payload(recording, data, rows, "TAO", 1.25))
    header = payload.header["recording"]
    assert (header["title"], header["cost"], header["lam"]) == ("TAO", 1.25, 0.5)
    assert payload.n_trees == len(recording.steps) == len(header["steps"])
    assert set(rows[0]) <= set(payload["sample_rows"].tolist())
    first = 0
    for k, (step, sent) in enumerate(zip(recording.steps, header["steps"], strict=True)):
        tree = payload.tree(k)
        assert tree["origin"].tolist() == step.tree.origin.tolist()
        assert tree["bias"].tolist() == step.tree.bias.tolist()
        assert tree["label"].tolist() == step.tree.labels.tolist()
        facts = [sent[name] for name in ("kind", "iteration", "depth", "objective", "loss", "error")]
        assert facts == [step.kind, step.iteration, step.depth, step.objective, step.loss, step.error]
        predicted = step.tree.predict(data.X[rows[2]])
        assert sent["test_error"] == pytest.approx(np.mean(predicted != data.y[rows[2]]))
        assert sent["skipped"] == {str(origin): reason for origin, reason in step.skipped.items()}
        for i, (node, sentence) in enumerate(zip(step.nodes, sent["nodes"], strict=True), first):
            part = slice(payload["care_start"][i], payload["care_stop"][i])
            assert payload["sample_rows"][payload["care_row"][part]].tolist() == rows[0][node.rows].tolist()
            assert payload["care_side"][part].tolist() == node.sides.tolist()
            assert payload["care_weight"][part].tolist() == node.weights.tolist()
            found = [payload[f"optimised{name}"][i] for name in ("", "_n", "_before", "_after")]
            assert found == [node.origin, node.n, node.errors_before, node.errors_after]
            assert str(node.origin) in sentence
        first += len(step.nodes)
    assert first == payload["optimised"].size


def test_care_points_that_occur_again_are_stored_once():
    data = sample_data.load("xor")
    recording = record(TAOClassifier("bivariate", 0.5, init="random", random_state=0), data.X[::2], data.y[::2])
    solved = [node for step in recording.steps for node in step.nodes]
    different = {(node.rows.tobytes(), node.sides.tobytes(), node.weights.tobytes()): node for node in solved}
    rows = np.arange(data.n_rows)[::2], np.empty(0, np.int64), np.arange(data.n_rows)[1::2]
    payload = decoded(recording_payload(recording, data, rows))
    size = sum(node.rows.size for node in different.values())
    assert payload["care_row"].size == size < sum(node.rows.size for node in solved)


def test_a_growth_is_a_recording_too():
    data = sample_data.load("iris")
    recording = grow(CARTClassifier(cv=None, random_state=0).fit(data.X, data.labels()).tree_)
    header = decoded(recording_payload(recording, data, title="CART")).header["recording"]
    assert [step["kind"] for step in header["steps"]] == ["start"] + ["split"] * (len(recording.steps) - 1)
    assert all(step["test_error"] is None for step in header["steps"])
    assert header["steps"][-1]["loss"] == 0


def test_many_rows_are_shown_to_a_limit():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(8000, 2)), rng.integers(0, 2, 8000)
    data = sample_data.DataSet("many", "Many", X, y, ("a", "b"), ("0", "1"))
    rows = np.arange(5000), np.empty(0, np.int64), np.arange(5000, 8000)
    recording = record(TAOClassifier("univariate", 1.0, init="random", max_depth=2, max_iter=1), X[:5000], y[:5000])
    payload = decoded(recording_payload(recording, data, rows))
    assert payload["sample_rows"].size == 5000 + MAX_OTHER_ROWS
    with refused(ValueError, "training rows are too many to show (maximum 5000)"):
        recording_payload(recording, data)


def test_a_class_that_no_training_row_has():
    data = sample_data.load("iris")
    rows = np.flatnonzero(data.y != 1), np.empty(0, np.int64), np.flatnonzero(data.y == 1)
    recording = record(
        TAOClassifier(lam=1.0, init="random", max_depth=2, max_iter=2, random_state=0), data.X[rows[0]], data.y[rows[0]]
    )
    payload = decoded(recording_payload(recording, data, rows))
    assert payload.header["recording"]["steps"][-1]["test_error"] == 1.0
    assert set(payload["label"].tolist()) <= {0, 2}


def test_step_sentences_carry_the_figures(recorded):
    recording, *_ = recorded
    before = None
    for step in recording.steps:
        text = step_sentence(step, before)
        assert text.endswith(".")
        changed = sum(node.changed for node in step.nodes)
        if step.kind == "level" and changed:
            assert f"Pass {step.iteration}, depth {step.depth}" in text
            assert f"{len(step.nodes)} node" in text
            assert f"{changed} change" in text
        if step.kind == "prune":
            assert ("removes" in text) == bool(step.skipped)
            assert f"{step.tree.n_leaves} " in text
        before = step


def test_pruning_says_as_before_only_when_it_is():
    def sentence(before, after, leaves):
        tree = SimpleNamespace(n_leaves=leaves)
        step = RecordedStep("prune", 3, None, tree, 0.0, after, after / 100, (), {5: "dead"})
        return step_sentence(step, RecordedStep("level", 3, 1, tree, 0.0, before, before / 100))

    same, better = sentence(48, 48, 3), sentence(48, 44, 1)
    assert re.findall(r"[\d.]+\b", same) == ["1", "3", "48", "48.0"]
    assert re.findall(r"[\d.]+\b", better) == ["1", "1", "48", "44"]
    assert ("as before" in same, "as before" in better) == (True, False)


def line(features, weights, bias):
    return Split(np.array(features, np.int32), np.array(weights, float), bias, 1.0)


MOTIONS = [
    (line([0], [1], -0.5), line([0], [1], -0.7), "the threshold moved."),
    (line([0], [1], -0.5), line([0], [-1], 0.5), "the threshold swapped its sides."),
    (line([0], [1], -0.5), line([0], [2], -1.0), "moved a little."),
    (line([0], [1], -0.5), line([1], [1], -0.5), "a threshold on height instead of width."),
    (line([0], [1], -0.5), line([0, 1], [1, 1], -0.5), "it now also uses height."),
    (line([0, 1], [1, 1], -0.5), line([0], [1], -0.5), "it no longer uses height."),
    (line([0, 1], [1, 0.0], 0.0), line([0, 1], [1, 1], 0.0), "the line turned by 45°."),
    (line([0, 1], [1, 0.0], 0.0), line([0, 1], [-1, -1], 0.0), "the line turned by 45° and swapped its sides."),
    (line([0, 1], [1, 0.0], 0.0), line([0, 1], [1, 1], 0.9), "the line moved and turned by 45°."),
    (line([0], [1], -0.5), constant_split(True), "it became constant and sends every point right."),
    (constant_split(False), constant_split(False), "it still sends every point left."),
    (constant_split(False), line([1], [1], 0), "a threshold on height instead of a constant."),
    (line([0], [1], -0.5), line([0], [1], -0.5), "the threshold is unchanged."),
    (line([0, 1, 2, 3], [1, 1, 1, 1], 0), constant_split(True), "became constant"),
    (line([0, 2], [1, 1], 0), line([1, 3], [1, 1], 0), "a line on 2 features instead of 2, including 2 new."),
    (constant_split(True), line([0, 1, 2, 3], [1, 1, 1, 1], 0), "a weighted sum on 4 features"),
]


@pytest.mark.parametrize(("old", "new", "said"), MOTIONS)
@pytest.mark.parametrize("n_care", [0, 1, 41])
def test_the_step_of_a_node(old, new, said, n_care):
    node = RecordedNode(7, 90, np.arange(n_care), np.ones(n_care, np.int8), np.ones(n_care), 12.0, 5.0, old, new)
    text = node_sentence(node, FEATURES, CLASSES.__getitem__, np.zeros(4), np.ones(4))
    assert text.startswith("Node 7: ")
    assert said in text
    care = {0: "no care points", 1: "1 care point,", 41: "41 care points,"}[n_care]
    assert care in text
    if n_care and node.changed:
        assert "errors 12 to 5" in text


def test_the_step_of_a_leaf():
    nothing = np.empty(0)
    changed = RecordedNode(9, 1234, nothing, nothing, nothing, 900.5, 1.0, old_label=0, new_label=1)
    text = node_sentence(changed, FEATURES, CLASSES.__getitem__, np.zeros(4), np.ones(4))
    assert re.findall(r"[\d.,]+\b|'.*?'", text) == ["9", "1,234", "900.5", "1", "'red'", "'blue'"]
    same = RecordedNode(9, 1, nothing, nothing, nothing, 1.0, 1.0, old_label=1, new_label=1)
    assert (
        node_sentence(same, FEATURES, CLASSES.__getitem__, 0, 1)
        == "Leaf 9: 1 point, 1 error; the prediction stays 'blue'."
    )
