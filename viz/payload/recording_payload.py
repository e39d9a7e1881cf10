"""A recorded run as one block of bytes for the stage: a path whose trees are the steps, with the changes in each step.

In addition to the fields of `stage_payload`, it has "recording", facts of the nodes of all steps, and three fields that
concatenate their care points: care_row (index in the sample), care_side (-1 left, +1 right) and care_weight. Nodes with
the same care points share them.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from treecore.errors import ParameterError
from treecore.training.recording import Recording
from treecore.tree.data_set_like import DataSetLike
from treecore.tree.tree import Tree, target_of
from viz.payload.compressed import compressed
from viz.payload.shared_nodes import SharedNodes
from viz.payload.stage_payload import stage_values
from viz.words.sentences import node_sentence, step_sentence

MAX_TRAINING_ROWS = 5000
MAX_OTHER_ROWS = 1000  # maximum number of validation rows, and of test rows, in the sample


class _Shown(NamedTuple):
    tree: Tree
    lam: float


def recording_payload(
    recording: Recording, data: DataSetLike, rows: Sequence | None = None, title: str = "TAO", cost: float | None = None
) -> bytes:
    """Return bytes that the stage decodes.

    The sample contains every training row. Raise ParameterError for more than 5000 training rows, or if the arguments
    do not belong together.

    recording : `treecore.training.recording.Recording` of the rows ``rows[0]`` of `data`
    data : DataSet
    rows : (training, validation, test) row numbers, None if all rows were used for training
    title : name of the run
    cost : bivariate cost C, or None
    """
    rows = (np.arange(data.n_rows), *(np.empty(0, np.int64),) * 2) if rows is None else rows
    rows = tuple(np.asarray(part, np.int64) for part in rows)
    if rows[0].size > MAX_TRAINING_ROWS:
        raise ParameterError(
            f"{rows[0].size} training rows are too many to show (maximum {MAX_TRAINING_ROWS}). Use fewer rows."
        )
    sample = np.concatenate([rows[0], *(_thin(part) for part in rows[1:])])
    shown = [_Shown(step.tree, recording.lam) for step in recording.steps]
    trees = [step.tree for step in recording.steps]
    nodes = SharedNodes(trees, data.X, target_of(trees[0], data))
    values = stage_values(shown, data, rows, recommended={}, sample=sample, by_category=False, nodes=nodes)
    place = np.zeros(data.n_rows, np.int64)
    place[values["sample_rows"]] = np.arange(values["sample_rows"].size)
    solved = [node for step in recording.steps for node in step.nodes]
    start, stop, care = _care_points(solved)
    values |= {
        "recording": {
            "steps": _steps(recording, data, rows, [nodes.leaves[i] for i in nodes.which]),
            "lam": recording.lam,
            "cost": cost,
            "title": title,
        },
        "optimised": np.array([node.origin for node in solved], np.int64),
        "optimised_n": np.array([node.n for node in solved], np.int64),
        "optimised_before": [node.errors_before for node in solved],
        "optimised_after": [node.errors_after for node in solved],
        "care_start": start,
        "care_stop": stop,
        "care_row": place[rows[0][_join([node.rows for node in care], np.int64)]],
        "care_side": _join([node.sides for node in care], np.int8),
        "care_weight": _join([node.weights for node in care], np.float64),
    }
    return compressed(values)


def _care_points(solved):
    """Return (start, stop, nodes): for each node, the range of its care points among those of the returned nodes.

    Most problems of a converged tree occur again.
    """
    known, ranges, care, end = {}, [], [], 0
    for node in solved:
        own = known.setdefault((node.rows.tobytes(), node.sides.tobytes(), node.weights.tobytes()), end)
        if own == end:
            care.append(node)
            end += node.rows.size
        ranges.append((own, own + node.rows.size))
    return *np.array(ranges, np.int64).reshape(-1, 2).T, care


def _steps(recording, data, rows, reached):
    """Return the steps as dicts for JSON, with the sentences about their nodes.

    reached : leaf of each row of `data`, for every step
    """
    X, test = data.X[rows[0]], rows[2]
    middle = np.nanmean(X, axis=0)
    deviation = np.maximum(np.nanstd(X, axis=0), 1e-300)
    target = target_of(recording.tree, data)
    places = target.positions(recording.tree)
    say = target.answer if places is None else lambda code: target.text(places[int(code)])
    errors = _Error(test, data.y[test], target)
    steps, before = [], None
    for step, leaf in zip(recording.steps, reached, strict=True):
        facts = {name: getattr(step, name) for name in ("kind", "iteration", "depth", "objective", "loss", "error")}
        facts |= {
            "test_error": errors.of(step.tree, leaf),
            "sentence": step_sentence(step, before, target),
            "nodes": [node_sentence(node, data.feature_names, say, middle, deviation, target) for node in step.nodes],
            "skipped": {str(origin): reason for origin, reason in step.skipped.items()},
        }
        steps.append(facts)
        before = step
    return steps


class _Error:
    """Compute the error on some rows, and cache it for the last tree."""

    def __init__(self, rows, y, target):
        self.rows, self.y, self.target = rows, y, target
        self.tree, self.value = None, None

    def of(self, tree, leaf):
        if tree is not self.tree and self.y.size:
            predicted = self.target.outputs(tree)[leaf[self.rows]]
            self.value = self.target.error(self.target.losses(predicted, self.y).mean())
        self.tree = tree
        return self.value


def _thin(part):
    """Return at most as many rows as are drawn, evenly spaced."""
    if part.size <= MAX_OTHER_ROWS:
        return part
    return part[(np.arange(MAX_OTHER_ROWS) * part.size) // MAX_OTHER_ROWS]


def _join(parts, dtype):
    return np.concatenate([np.empty(0, dtype), *parts])
