"""Test splits of rows that form groups or time series, and their transfer from file to worker."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

from pages.jobs import row_split
from pages.jobs.kinds.comparison_protocol import plan as comparison_plan
from pages.jobs.kinds.tasks import folds
from pages.jobs.settings import ComparisonSettings
from sample_data import DataSet, split_rows
from sample_data.data_set import split_words
from sample_data.painted import two_columns
from sample_data.user_data import store
from tests.refusals import is_said, refused
from treecore.errors import DataError

N = 200
GROUPS = np.repeat(np.arange(40), 5)


def visits(**fields):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N, 3))
    y = (X[:, 0] > 0).astype(int)
    return DataSet("own-visits", "Visits", X, y, ("a", "b", "c"), ("no", "yes"), **fields)


def by_group():
    return visits(groups=GROUPS, kept_apart_by="patient")


def by_time():
    return visits(times=np.random.default_rng(1).permutation(N), kept_apart_by="day")


@pytest.mark.parametrize("rows", ["standard", "pooled"])
@pytest.mark.parametrize("seed", range(3))
def test_groups_are_in_one_part(rows, seed):
    data = by_group()
    parts = row_split.split_rows(data, seed, rows)
    of_parts = [set(GROUPS[part]) for part in parts]
    assert sum(map(len, of_parts)) == len(set.union(*of_parts)) == 40
    assert np.array_equal(np.sort(np.concatenate(parts)), np.arange(N))
    assert [len(part) for part in parts] == ([120, 40, 40] if rows == "standard" else [150, 20, 30])
    assert not np.array_equal(parts[2], row_split.split_rows(data, seed + 1, rows)[2])


@pytest.mark.parametrize("rows", ["standard", "pooled"])
def test_the_oldest_rows_train_and_the_newest_test(rows):
    data = by_time()
    train, validation, test = row_split.split_rows(data, 0, rows)
    assert data.times[train].max() < data.times[validation].min()
    assert data.times[validation].max() < data.times[test].min()
    assert len(test) == (40 if rows == "standard" else 30)
    assert np.array_equal(test, row_split.split_rows(data, 5, rows)[2])


def test_a_published_test_part_stays_and_groups_validate():
    split = np.where(GROUPS < 8, 1, 0)
    train, validation, test = split_rows(replace(by_group(), split=split), 0)
    assert np.array_equal(test, np.flatnonzero(split))
    assert not set(GROUPS[train]) & set(GROUPS[validation])
    assert len(validation) > 0


@pytest.mark.parametrize("make", [by_group, by_time])
def test_they_go_through_files_and_to_workers(make, tmp_path):
    data = make()
    store.save(data, tmp_path)
    for found in (store.load(data.name, tmp_path), pickle.loads(pickle.dumps(data))):
        assert found.fingerprint == data.fingerprint
        assert found.kept_apart_by == data.kept_apart_by
        assert np.array_equal(split_rows(found, 3)[2], split_rows(data, 3)[2])
    assert data.fingerprint != visits().fingerprint
    if data.groups is not None:
        assert data.fingerprint != replace(data, groups=GROUPS[::-1]).fingerprint
    assert len(split_rows(two_columns(data, ("a", "b")), 0)[2]) == 40
    with refused(DataError, "rows can be split by groups or by times, not by both"):
        replace(data, groups=GROUPS, times=np.arange(N))


def test_folds_that_choose_the_tree_and_a_comparison_keep_them():
    data = by_group()
    for fit, held in folds(data.target, data.labels(), 5, 0, data.dependence):
        assert not set(GROUPS[fit]) & set(GROUPS[held])
    for protocol in ("folds", "splits"):
        planned = comparison_plan(ComparisonSettings("own-visits", ("cart",), protocol=protocol, repeats=4), data)
        assert len(planned.folds) == 4
        assert all(not set(GROUPS[fold.train]) & set(GROUPS[fold.test]) for fold in planned.folds)
    data = by_time()
    for fit, held in folds(data.target, data.labels(), 5, 0, data.dependence):
        assert data.times[fit].max() < data.times[held].min()
    for protocol in ("folds", "splits"):
        planned = comparison_plan(ComparisonSettings("own-visits", ("cart",), protocol=protocol, repeats=4), data)
        assert all(data.times[fold.train].max() < data.times[fold.test].min() for fold in planned.folds)


def test_few_groups_are_refused_in_words():
    data = visits(groups=np.repeat([0, 1, 2], [70, 70, 60]))
    with refused(DataError, "5 folds by group need 5 groups, but there are 3"):
        folds(data.target, data.labels(), 5, 0, data.dependence)


def test_words_say_what_tests():
    data = by_group()
    words = split_words(data, split_rows(data, 0)[2])
    assert all(one in words for one in ("8", "40", "patient", "20 %"))
    data = by_time()
    assert is_said(split_words(data, split_rows(data, 0)[2]), "Test rows: the newest 20 % by 'day'")
    assert split_words(visits(), split_rows(visits(), 0)[2]) == ""
