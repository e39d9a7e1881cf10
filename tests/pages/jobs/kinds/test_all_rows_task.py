"""Test the tasks of training on all rows of a sample's source, and of its learning curve."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pyarrow
import pytest
from pyarrow import parquet

from pages.jobs.kinds.optimality import SHARES, SampleAdvice
from pages.jobs.kinds.plans import PLANS
from pages.jobs.kinds.tasks import AllRowsTask, SampleCurveTask, TrainingTask
from pages.jobs.point import Point
from pages.jobs.settings import AllRows, SampleCurve, Settings
from sample_data.data_folder import entries, source
from sample_data.data_folder.entries import find_entry
from sample_data.data_folder.source import source_of
from sample_data.user_data import make_data_set, propose, read, summarise
from tests.refusals import refused
from treecore.errors import DataError, ParameterError, TreeFormatError
from treecore.tree.metrics import error_of
from treecore.tree.tree import Tree

N = 6000


@pytest.fixture(params=["classes", "numbers"])
def sampled(request, tmp_path, monkeypatch):
    """Return (function that makes a request for settings, data set of a sample of 1500 of 6000 rows)."""
    monkeypatch.setattr(entries, "MOST_ROWS", 1500)
    rng = np.random.default_rng(0)
    x, z = rng.integers(0, 40, N).astype(float), rng.normal(size=N)
    x[::50] = np.nan
    numbers = 3.0 * (np.nan_to_num(x) > 20) + (z > 0) + 0.1 * rng.normal(size=N)
    names = np.where(numbers > 2, "b", np.where(numbers > 0.5, "a10", "a9"))  # text order is not the natural order
    y = numbers if request.param == "numbers" else names
    folder = tmp_path / "data"
    (folder / "rows").mkdir(parents=True)
    for k in range(3):
        table = pyarrow.table({"x": x[k::3], "z": z[k::3], "y": y[k::3]})
        parquet.write_table(table, folder / "rows" / f"{k}.parquet", row_group_size=700)
    entry = find_entry(folder, "rows/")
    source.write_sample(entry, tmp_path / "sample", lambda *_: None)
    table = read(tmp_path / "sample", "rows")
    is_number = request.param == "numbers"
    recipe = replace(propose(table, summarise(table)), target="y", kinds={"x": "number", "z": "number"},
                     numbers=is_number, bins=None)  # fmt: skip
    data = make_data_set(table, recipe)
    known = source_of(entry, table.frame)._asdict() | {"recipe": recipe.to_dict()}

    def wanted(**changes):
        path = Settings(data_set=data.name, split="univariate", init="cart", max_depth=0)
        return AllRows(replace(path, **changes), 4.0, str(folder), json.dumps(known))

    return wanted, data


def records(task, done=0, last=None):
    return list(task.results({"done": done, "last": last}))


def test_trees_are_trained_on_all_rows_but_the_held_out_ones(sampled):
    wanted, data = sampled
    task = AllRowsTask(asdict(wanted()), data)
    steps = []
    task.on_step = steps.append
    found = records(task)
    assert [one["index"] for one in found] == [0, 1, 2]
    n_train = N - data.n_rows + len(task.train_rows[1])
    points = [Point.from_record(one) for one in found]
    assert {int(point.tree.n_samples[0]) for point in points} == {n_train}
    assert {point.figures["n_all_rows"] for point in points} == {n_train}
    assert [point.lam for point in points] == pytest.approx([4 * one * n_train / 900 for one in SHARES])
    assert steps[0].iteration == 1
    assert steps[0].error >= 0
    for point in points:
        assert point.figures["test_error"] == pytest.approx(error_of(point.tree, *task.test))
        assert point.figures["validation_error"] == pytest.approx(error_of(point.tree, *task.validating.values()))
    assert points[0].tree.n_leaves >= points[-1].tree.n_leaves >= 3
    assert points[-1].figures["test_error"] < 0.3
    assert points[-1].tree.classes.tolist() == sorted(data.class_names)


def test_another_worker_goes_on_from_the_last_tree(sampled):
    wanted, data = sampled
    first = records(AllRowsTask(asdict(wanted()), data))
    others = records(AllRowsTask(asdict(wanted()), data), done=1, last=first[0]["tree"])
    trees = [[Tree.from_json(one["tree"]) for one in found] for found in (first[1:], others)]
    for one, other in zip(*trees, strict=True):
        assert abs(one.n_leaves - other.n_leaves) <= 2


def test_class_weights_and_refused_settings(sampled):
    wanted, data = sampled
    if data.class_names:
        found = records(AllRowsTask(asdict(wanted(class_weight="1-5-1")), data))
        assert {one["is_weighted"] for one in found} == {1}
    with refused(ParameterError, "min_samples_leaf=…: rows that are read in parts require min_samples_leaf="):
        records(AllRowsTask(asdict(wanted(min_samples_leaf=5)), data))


def test_other_split_types_are_trained_on_all_rows(sampled):
    wanted, data = sampled
    found = records(AllRowsTask(asdict(wanted(split="bivariate", max_depth=3)), data))
    assert found[-1]["test_error"] < 0.3
    if data.class_names:
        with pytest.raises(DataError, match="missing"):
            records(AllRowsTask(asdict(wanted(split="oblique", init="random", max_depth=2)), data))


def test_a_folder_that_is_gone_is_an_error_in_words(sampled):
    wanted, data = sampled
    gone = replace(wanted(), folder="/nowhere")
    with refused(DataError, "is not a folder. Restart the app with an existing folder"):
        records(AllRowsTask(asdict(gone), data))


def test_the_plan_has_one_piece_for_each_value_of_lambda(sampled, monkeypatch):
    wanted, data = sampled
    monkeypatch.setattr("pages.jobs.kinds.plans.task_data", lambda name: data)
    plan = PLANS["all_rows"](wanted())
    assert (plan.total, plan.ready({}, []), plan.ready({}, [0])) == (len(SHARES), [0], [])
    point = Point.from_record(records(AllRowsTask(asdict(wanted()), data))[0])
    assert plan.ready({0: point}, []) == [1]
    assert plan.arguments(1, {0: point}) == {"done": 1, "last": point.tree.to_json()}


def test_the_learning_curve_names_all_rows(sampled):
    wanted, data = sampled
    task = SampleCurveTask(asdict(SampleCurve(wanted().path, N)), data)
    assert isinstance(task, TrainingTask)
    (record,) = task.results({})
    found = SampleAdvice.from_record(json.loads(json.dumps(record)))
    assert len(found.sizes) == len(found.errors) == 3
    assert found.sizes[-1] == 900
    assert not found.needs_all_rows or f"{N:,}" in found.text
    with refused(TreeFormatError, "The record of a learning curve is damaged"):
        SampleAdvice.from_record(record | {"errors": None})


def test_each_part_that_has_been_read_is_reported(sampled, monkeypatch):
    wanted, data = sampled
    monkeypatch.setattr(source, "MOST_ROWS", 700)
    task, places = AllRowsTask(asdict(wanted()), data), []
    task.on_part = lambda *place: places.append(place)
    records(task)
    n_parts = places[0][1]
    assert n_parts > 3
    assert [part for part, _ in places[:n_parts]] == [*range(1, n_parts + 1)]


def test_a_file_removed_during_training_is_an_error_in_words_that_keeps_a_tree(sampled):
    wanted, data = sampled
    task = AllRowsTask(asdict(wanted()), data)
    path = Path(wanted().folder) / "rows" / "1.parquet"
    task.on_step = lambda step: path.unlink(missing_ok=True)
    training = task.results({"done": 0, "last": None})
    found = next(training)
    with pytest.raises(DataError, match=r"1\.parquet"):
        next(training)
    assert Tree.from_json(found["tree"]).n_leaves > 2


def test_columns_left_out_are_not_used(sampled):
    wanted, data = sampled
    left_out = data.feature_names.index("x")
    found = records(AllRowsTask(asdict(wanted(left_out=(left_out,))), data))
    used = [Tree.from_json(one["tree"]).features.tolist() for one in found]
    assert any(used)
    assert not any(left_out in features for features in used)
