"""Test that rows of the same subject are noticed and kept in the same set, and are split at random after one click."""

from dataclasses import replace

import numpy as np
import pandas
import pytest

from pages.jobs.user_counts import counts
from sample_data import split_rows
from sample_data.user_data import Recipe, make_data_set, problems, propose, summarise
from sample_data.user_data.subjects import by_group, group_columns
from sample_data.user_data.table import Table
from tests.refusals import refused
from treecore.errors import DataError
from treecore.messages import counted

N, EACH = 200, 5


def visits(name="patient_id", ids=None):
    rng = np.random.default_rng(0)
    of = np.repeat(np.arange(N // EACH), EACH) if ids is None else ids
    frame = pandas.DataFrame({name: of, "bp": rng.normal(120, 9, N).round(1)})
    return frame.assign(arm=np.where(rng.random(N // EACH)[of if ids is None else 0 * of] > 0.5, "a", "b"))


def looked(frame, recipe=None):
    table = Table(frame, "visits.csv", "CSV")
    summaries = summarise(table)
    recipe = recipe or propose(table, summaries, "arm")
    return table, recipe, {one.kind: one for one in problems(table, summaries, recipe)}


@pytest.mark.parametrize(
    "name", ["subject", "patient_id", "PatientID", "userId", "House", "Kundennummer", "Probandennr", "household no"]
)
def test_subjects_are_kept_together_by_their_name(name):
    table, recipe, found = looked(visits(name))
    assert (recipe.split, recipe.split_column, recipe.kinds[name]) == ("group", name, "ignore")
    assert name not in recipe.features()
    assert found["subjects"].severity == "info"
    data = make_data_set(table, recipe)
    assert data.feature_names == ("bp",)
    assert data.kept_apart_by == name
    train, _, test = split_rows(data, 0)
    assert not set(data.groups[train]) & set(data.groups[test])
    found_counts = counts(table, recipe)
    assert (found_counts.train, found_counts.validation, found_counts.test) == (120, 40, 40)
    assert Recipe.from_dict(recipe.to_dict()) == recipe
    _, random, found = looked(table.frame, found["subjects"].fix[1])
    assert random.split == "stratified"
    assert found["subjects"].severity == "warns"
    assert found["subjects"].fix[1].split_column == name


@pytest.mark.parametrize(
    "name",
    ["rooms", "house_type", "category_id", "score", "people in the house", "months_member", "Personas en el hogar"],
)
def test_other_columns_that_repeat_are_no_subjects(name):
    _, recipe, found = looked(visits(name))
    assert recipe.split == "stratified"
    assert "subjects" not in found


def test_a_panel_of_years_is_split_by_time():
    frame = visits("country").assign(year=lambda known: 2000 + known.groupby("country").cumcount())
    frame["country"] = "land " + frame["country"].astype(str)
    _, recipe, found = looked(frame[["country", "year", "bp", "arm"]])
    assert (recipe.split, recipe.split_column) == ("time", "year")
    assert found["order"].severity == "info"
    assert found["order"].fix[1].split == "stratified"


def test_unique_subjects_and_too_few_are_no_groups():
    assert looked(visits(ids=np.arange(N)))[1].split == "stratified"
    assert looked(visits(ids=np.arange(N) % 3))[1].split == "stratified"


def test_a_subject_that_is_a_class_cannot_test():
    table, recipe, _ = looked(visits())
    table.frame["arm"] = "of " + table.frame["patient_id"].astype(str)
    recipe = by_group(replace(recipe, split="stratified", split_column=None), "patient_id")
    with refused(DataError, "has … in …. No group can be used for testing, because each class needs a training group"):
        make_data_set(table, recipe)
    assert looked(table.frame)[1].split == "stratified"


def test_rows_without_a_subject_are_left_out():
    table, recipe, _ = looked(visits())
    table.frame["patient_id"] = table.frame["patient_id"].where(np.arange(N) % 10 > 0)
    data = make_data_set(table, recipe)
    assert data.n_rows == 180
    assert f"{counted(20, 'row')} without {'patient_id'!r} excluded" in data.description


def test_likely_columns_are_offered_first():
    frame = visits().assign(site=np.arange(N) % 7)[["site", "patient_id", "arm", "bp"]]
    assert [one.name for one in group_columns(summarise(Table(frame, "t", "CSV")))][:2] == ["patient_id", "site"]
