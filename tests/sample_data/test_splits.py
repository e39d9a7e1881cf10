"""Test that row splits are disjoint, complete, stratified, deterministic, and valid for tiny sets."""

import numpy as np
import pytest

import sample_data
from sample_data import DataSet, split_rows
from tests.refusals import refused
from treecore.errors import ParameterError


def of_classes(y, split=None):
    y = np.asarray(y)
    names = tuple(f"class {k}" for k in range(y.max() + 1))
    return DataSet("set", "Set", np.arange(len(y))[:, None], y, ("row",), names, split=split)


def check_parts(data_set, parts):
    for rows in parts:
        assert rows.dtype == np.int64
        assert np.all(np.diff(rows) > 0)
    assert np.array_equal(np.sort(np.concatenate(parts)), np.arange(data_set.n_rows))
    assert len(parts[0]) > 0


@pytest.mark.parametrize("name", ["digits", "iris", "clouds", "breast-cancer"])
def test_shares_hold_in_every_class(name):
    data_set = sample_data.load(name)
    parts = split_rows(data_set, seed=0)
    check_parts(data_set, parts)
    for rows, share in zip(parts, (0.6, 0.2, 0.2), strict=True):
        assert abs(len(rows) - share * data_set.n_rows) <= 1
        counts = np.bincount(data_set.y[rows], minlength=data_set.n_classes)
        assert np.abs(counts - share * np.bincount(data_set.y)).max() < 2


def test_the_seed_decides():
    data_set = sample_data.load("iris")
    one, two, other = split_rows(data_set, 1), split_rows(data_set, 1), split_rows(data_set, 2)
    assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))
    assert not np.array_equal(one[2], other[2])


@pytest.mark.parametrize("seed", range(5))
def test_tiny_and_uneven_classes(seed):
    rng = np.random.default_rng(seed)
    for n in range(1, 40):
        data_set = of_classes(rng.integers(0, 6, n) if n > 1 else [0])
        parts = split_rows(data_set, seed)
        check_parts(data_set, parts)
        assert set(data_set.y[parts[0]]) == set(data_set.y)


def test_three_rows():
    assert [len(rows) for rows in split_rows(of_classes([0, 0, 0]), 0)] == [1, 1, 1]
    assert [len(rows) for rows in split_rows(of_classes([0, 0, 1]), 0)] == [2, 0, 1]
    assert [len(rows) for rows in split_rows(of_classes([0, 1, 2]), 0)] == [3, 0, 0]


def test_many_classes_of_two_rows_still_give_a_test_part():
    parts = split_rows(of_classes(np.repeat(np.arange(10), 2)), 0)
    assert [len(rows) for rows in parts] == [12, 4, 4]


def test_a_single_row_of_a_class_trains():
    y = np.zeros(50, dtype=np.int64)
    y[17] = 1
    assert all(17 in split_rows(of_classes(y), seed)[0] for seed in range(10))


def test_the_published_test_rows_are_used():
    y = np.arange(100) % 2
    split = (np.arange(100) >= 70).astype(np.int8)
    data_set = of_classes(y, split)
    parts = split_rows(data_set, 0, validation=0.2, test=0.5)
    check_parts(data_set, parts)
    assert [len(rows) for rows in parts] == [56, 14, 30]
    assert np.array_equal(parts[2], np.arange(70, 100))


def test_a_class_that_only_the_published_test_part_has():
    data_set = of_classes([0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 1])
    parts = split_rows(data_set, 0)
    check_parts(data_set, parts)
    assert parts[2].tolist() == [5]


def test_no_shares_means_all_rows_train():
    parts = split_rows(of_classes([0, 1, 1]), 0, validation=0.0, test=0.0)
    assert [len(rows) for rows in parts] == [3, 0, 0]


@pytest.mark.parametrize(
    ("arguments", "code", "values"),
    [
        ({"validation": -0.1}, "=…: expected a share >= 0 and < 1", {"name": "validation", "share": -0.1}),
        ({"test": 1.0}, "=…: expected a share >= 0 and < 1", {"name": "test", "share": 1.0}),
        ({"test": float("nan")}, "=…: expected a share >= 0 and < 1", {"name": "test"}),
        ({"validation": 0.5, "test": 0.5}, "validation + test is", {"sum": 1.0}),
        ({"seed": None}, "seed=…: expected an integer >= 0", {"seed": None}),
        ({"seed": -1}, "seed=…: expected an integer >= 0", {"seed": -1}),
    ],
)
def test_bad_arguments(arguments, code, values):
    with refused(ParameterError, code, **values):
        split_rows(of_classes([0, 1, 1]), **{"seed": 0, **arguments})


def test_rows_marked_for_validation_stay_there():
    split = np.array([0, 2, 1, 0, 2, 0, 1, 1], np.int8)
    marked = DataSet("marked", "Marked", np.arange(8.0)[:, None], np.arange(8) % 2, ["a"], ["no", "yes"], split=split)
    assert [part.tolist() for part in split_rows(marked, seed=3)] == [[0, 3, 5], [1, 4], [2, 6, 7]]
