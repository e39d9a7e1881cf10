"""Test the rounds of a job that trains a tree of each size, its folds, and its place in an address."""

import json
from dataclasses import asdict

import numpy as np
import pytest

import sample_data
from pages.jobs.kinds import tasks
from pages.jobs.kinds.plans import PathPlan
from pages.jobs.kinds.tasks import FoldsTask, PathTask, folds
from pages.jobs.point import Point
from pages.jobs.row_split import split_rows
from pages.jobs.settings import CrossValidation, Settings
from pages.ui.session.shown_path import placed
from pages.ui.session.with_folds import with_folds
from pages.ui.shell.stage import View
from treecore import TAOClassifier, size_path
from treecore.training.size_path import usual_sizes
from treecore.tree.metrics import error_of, training_loss

CHOSEN = Settings("wine", split="univariate", init="cart", sweep="size")


@pytest.fixture
def rounds(monkeypatch):
    """Return the plan, and the records of a job with a round after each step of the search."""
    monkeypatch.setattr(tasks, "SHORTEST", 0.0)
    monkeypatch.setattr(tasks, "GROWTH", 0.0)
    plan = PathPlan(CHOSEN)
    return plan, pieces(plan, {})


def pieces(plan, done):
    """Return the records of a job from its first piece to its last one, each with a round."""
    task, done, found = PathTask(json.loads(json.dumps(asdict(CHOSEN))), sample_data.load("wine")), {**done}, []
    while not found or len(done) != found[-1]["total"]:
        piece = list(task.results(plan.arguments(0, done)))
        assert len({record["round"] for record in piece}) == 1
        assert len(piece) == piece[0]["round_size"]
        done |= {record["index"]: plan.result(record) for record in piece}
        found += piece
    return found


def test_each_round_replaces_the_one_before_it_and_is_not_worse(rounds):
    plan, records = rounds
    done, seen = {}, []
    for record in records:
        assert record["index"] == len(done)
        done[record["index"]] = plan.result(record)
        seen.append(plan.visible(done))
    assert len({record["round"] for record in records}) > 3
    assert records[-1]["total"] == len(records)  # then the job is done
    assert [record["total"] for record in records if record["round"] < records[-1]["round"]].count(0) > 3
    before = {}
    for points in seen:
        leaves = [point.tree.n_leaves for point in points]
        assert leaves == sorted(set(leaves), reverse=True)
        assert [point.index for point in points] == list(range(len(points)))
        for size in range(2, 33) if points else ():
            loss = min((training_loss(p.tree) for p in points if p.tree.n_leaves <= size), default=np.inf)
            assert loss <= before.get(size, np.inf) + 1e-9
            before[size] = loss


def test_a_job_that_lost_its_worker_begins_a_new_round(rounds):
    plan, records = rounds
    first = sum(record["round"] == 0 for record in records)
    for kept in (first, first + 2):
        done = {record["index"]: plan.result(record) for record in records[:kept]}
        again = pieces(plan, done)
        assert again[0]["index"] == kept
        done |= {record["index"]: plan.result(record) for record in again}
        assert len(done) == again[-1]["total"]
        last = [record["tree"] for record in records if record["round"] == records[-1]["round"]]
        assert [point.tree.to_json() for point in plan.visible(done)] == last


def test_a_piece_ends_with_its_round_so_that_its_trees_do_not_wait_for_the_next_one():
    task, seen = PathTask(asdict(CHOSEN), sample_data.load("wine")), []
    task.on_step = lambda step: seen.append(step)
    assert list(task.results({"done": 0, "next": 0}))
    assert not seen  # TAO has not begun


@pytest.mark.parametrize(
    ("n_classes", "most", "end"), [(0, None, 32), (2, None, 32), (16, None, 32), (60, None, 120), (900, None, 200),
                                   (60, 40, 38), (2, 5, 5)],
)  # fmt: skip
def test_the_sizes_end_where_many_classes_have_leaves(n_classes, most, end):
    found = usual_sizes(n_classes, most)
    assert found == sorted(set(found))
    assert (found[0], found[-1]) == (1, end)
    assert len(found) <= 60


def test_a_view_keeps_its_number_of_leaves(rounds):
    plan, records = rounds
    points = plan.visible({record["index"]: plan.result(record) for record in records})
    leaves = [point.tree.n_leaves for point in points]
    for size in (1, 2, 3, leaves[0], 500):
        view = placed(View(0, size=size), points)
        assert points[view.tree].tree.n_leaves == max((n for n in leaves if n <= size), default=leaves[-1])
    assert placed(View(1), points) == View(1)
    assert placed(None, points) is None


def test_folds_of_sizes_are_those_by_hand():
    sizes = (2.0, 3.0, 5.0)
    chosen = CrossValidation(CHOSEN, sizes, 3)
    data = sample_data.load("wine")
    task = FoldsTask(asdict(chosen), data)
    train, validation, _ = split_rows(data, 0)
    rows, labels = np.concatenate([train, validation]), data.labels()
    fit, held = (rows[part] for part in folds(data.target, labels[rows], 3, 0)[1])
    points = [Point.from_record(record) for record in task.results({"fold": 1, "column": 0, "last": None})]
    path = size_path(
        TAOClassifier(split="univariate", init="cart", random_state=0), data.X[fit], labels[fit], [2, 3, 5]
    )
    assert [point.index for point in points] == [3, 4, 5]
    assert [point.figures["fold_lam"] for point in points] == [*sizes]
    expected = [error_of(one.tree, data.X[held], labels[held]) for one in path]
    assert [point.figures["validation_error"] for point in points] == expected
    rest = [record["index"] for record in task.results({"fold": 1, "column": 1, "last": points[0].tree.to_json()})]
    assert rest == [4, 5]
    assert with_folds("", points) == points
