"""Test that a recorded run in the browser's model has the same steps as in the engine."""

import numpy as np
import pytest

from tests.browser.recorded_runs import run
from viz.payload.recording_payload import recording_payload


@pytest.mark.parametrize("name", ["random", "oblique", "wine"])
def test_objective_and_care_points_are_those_of_the_engine(ask, name):
    recording, data = run(name)
    found = ask("recording", recording_payload(recording, data))
    assert len(found) == len(recording.steps) > 6
    for shown, step in zip(found, recording.steps, strict=True):
        assert (shown["objective"], shown["loss"], shown["error"]) == (step.objective, step.loss, step.error)
        assert [node["origin"] for node in shown["nodes"]] == [node.origin for node in step.nodes]
        for one, node in zip(shown["nodes"], step.nodes, strict=True):
            order, expected = np.argsort(one["rows"]), np.argsort(node.rows)
            np.testing.assert_array_equal(np.array(one["rows"])[order], node.rows[expected])
            np.testing.assert_array_equal(np.array(one["sides"])[order], node.sides[expected])
            np.testing.assert_array_equal(np.array(one["weights"])[order], node.weights[expected])
            assert (one["before"], one["after"]) == (node.errors_before, node.errors_after)
        if step.nodes:
            most = max(node.rows.size for node in step.nodes)
            assert next(node.rows.size for node in step.nodes if node.origin == shown["most"]) == most
    trace = {}
    for step in recording.steps:
        if step.kind == "level":
            trace[step.iteration] = step.objective
    for record_ in recording.estimator.trace_[1:]:
        assert trace[record_.iteration] == pytest.approx(record_.objective, rel=1e-9)
