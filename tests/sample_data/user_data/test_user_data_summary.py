"""Test columns: their content, their detected kind, and the first proposed recipe."""

import numpy as np
import pandas
import pytest

from sample_data.user_data import estimate, propose, read, summarise
from sample_data.user_data.messages import MESSAGES
from sample_data.user_data.table import Table
from tests.refusals import is_said, refused
from tests.sample_data.user_data.user_data_files import csv_bytes, flowers
from treecore.errors import DataError


def summary_of(values):
    return summarise(Table(pandas.DataFrame({"x": values}), "t", "CSV"))[0]


def table_of(columns):
    return read(csv_bytes(pandas.DataFrame(columns)), "t.csv")


def test_a_column_of_numbers():
    values = np.array([1.5, np.nan, -2.0, 4.0, 1.5])
    found = summary_of(values)
    assert (found.kind, found.n_missing, found.n_distinct) == ("number", 1, 3)
    assert (found.low, found.high, found.mean) == (-2.0, 4.0, 1.25)
    assert not found.whole
    assert found.examples == ("1.5", "-2", "4")
    assert summary_of([6.183333333333334, 69e6, 2e6]).examples == ("6.18333", "69000000", "2000000")


@pytest.mark.parametrize(
    "values",
    [
        np.arange(100) % 7,
        np.linspace(-1, 1, 500),
        np.full(9, 3.0),
        np.array([1e30, -1e30]),
        np.array([1e29]),
        np.array([1e29, 1e29 + 4e13]),
    ],
)
def test_a_histogram_counts_every_value(values):
    found = summary_of(values)
    assert sum(found.counts) == len(values)
    assert len(found.edges) == len(found.counts) + 1
    assert found.edges[0] <= values.min() <= values.max() <= found.edges[-1]


def test_few_whole_numbers_have_a_bar_each():
    found = summary_of(np.repeat([2, 3, 5], [4, 1, 2]))
    assert found.counts == (4, 1, 0, 2)
    assert found.edges == (1.5, 2.5, 3.5, 4.5, 5.5)


def test_a_column_of_categories():
    found = summary_of(pandas.Categorical(["b", "a", None, "b"], categories=["a", "b", "never"]))
    assert (found.kind, found.n_missing, found.n_distinct) == ("category", 1, 2)
    assert found.top == (("b", 2), ("a", 1))


def test_a_column_of_dates():
    found = summary_of(pandas.to_datetime(["2020-01-01", None, "2021-06-01 12:00"], format="mixed"))
    assert (found.kind, found.low, found.high) == ("date", "2020-01-01", "2021-06-01 12:00:00")
    assert sum(found.counts) == 2


def test_texts_empty_columns_and_numbers_of_rows():
    table = table_of(
        {
            "id": np.arange(50) + 1000,
            "note": [f"a long remark about number {k} that nobody else made in this way" for k in range(50)],
            "nothing": [None] * 50,
            "kind": ["a", "b"] * 25,
        }
    )
    summaries = summarise(table)
    assert [summary.kind for summary in summaries] == ["number", "text", "empty", "category"]
    recipe = propose(table, summaries)
    assert recipe.kinds == {"id": "number", "note": "ignore", "nothing": "ignore", "kind": "category"}


def test_a_sample_of_very_many_different_texts_is_counted():
    texts = pandas.array([f"name {k}" for k in range(250_000)], dtype="str")
    found = summary_of(texts)
    assert found.distinct_is_capped
    assert found.n_distinct > 10_000
    assert found.kind == "text"


@pytest.mark.parametrize(
    ("columns", "target"),
    [
        ({"Class": "ab", "v": [1, 2], "w": "xy"}, "Class"),
        ({"v": [1, 2], "Target": [0, 1], "w": "xy"}, "Target"),
        ({"v": [1.5, 2.5], "w": "xy", "u": [1.5, 3.5]}, "u"),
        ({"income": [1.5, 2.5], "w": "xy", "visits": [1.5, 3.5]}, "visits"),
        ({"income": [1.5, 2.5], "v": [1.5, 3.5], "party": "xy"}, "party"),
        ({"v": [1.5, 2.5], "w": "xy", "u": [0, 1]}, "u"),
        ({"v": [1.5, 2.5], "u": [7.5, 3.5]}, "u"),
        ({"Kunde_gekündigt": [0, 1], "v": [1.5, 2.5], "w": "xy"}, "Kunde_gekündigt"),
        ({"v": [1.5, 2.5], "isChurn": [0, 1], "w": "xy"}, "isChurn"),
        ({"x": [1.5, 2.5], "y": [3.5, 4.5], "w": "xy"}, "w"),
        ({"x": [1.5, 2.5], "y": [3.5, 4.5]}, "y"),
        ({"Kaufpreis": [1.5, 2.5], "garden": "xy"}, "Kaufpreis"),
        ({"energy class": "ab", "price EUR": [1.5, 2.5]}, "price EUR"),
        ({"energy class": "ab", "v": [1.5, 2.5]}, "energy class"),
        ({"target class": "ab", "price": [1.5, 2.5]}, "target class"),
    ],
)
def test_the_target_that_is_proposed(columns, target):
    table = table_of({name: list(values) * 20 for name, values in columns.items()})
    assert propose(table, summarise(table)).target == target


@pytest.mark.parametrize(
    ("others", "target"),
    [
        ({"segment": list("abc")}, "segment"),
        ({"ok": [0, 1, 1]}, "ok"),
        ({"worth": [1.5, 2.5, 7.25]}, "rare"),
        ({}, "rare"),
    ],
)
def test_a_mark_of_few_rows_is_the_target_only_where_nothing_is_likelier(others, target):
    columns = {name: values * 200 for name, values in others.items()} | {"rare": [1] + [0] * 599}
    table = table_of(columns)
    assert propose(table, summarise(table)).target == target


def test_a_mark_of_few_rows_in_the_middle_gives_way_to_the_quantity_that_comes_last():
    table = table_of({"rare": [1] + [0] * 599, "worth": np.sqrt(np.arange(600))})
    assert propose(table, summarise(table)).target == "worth"


@pytest.mark.parametrize(
    ("name", "values", "is_classes"),
    [
        ("code", np.arange(21), True),  # 21 codes are classes
        ("code", np.arange(1, 51), True),
        ("code", np.arange(51), False),  # more codes are a quantity, unless the name of the column suggests classes
        ("class", np.arange(60), True),
        ("class", np.arange(60) * 7, False),
        ("age", np.arange(18, 60), False),
        ("code", np.arange(20) * 1000, True),
        ("code", np.arange(21) + 0.5, False),
    ],
)
def test_whole_codes_are_classes_and_quantities_are_numbers(name, values, is_classes):
    table = table_of({"a": np.sqrt(np.arange(10 * len(values))), name: np.tile(values, 10)})
    recipe = propose(table, summarise(table))
    assert (recipe.target, recipe.bins, recipe.kinds[name]) == (name, None, "category" if is_classes else "number")
    assert recipe.numbers == (not is_classes)


def test_a_target_of_quantities_is_predicted_as_numbers_and_one_of_dates_is_cut():
    table = table_of({"a": np.sqrt(np.arange(60)), "price": np.linspace(0, 1, 60)})
    recipe = propose(table, summarise(table))
    assert (recipe.target, recipe.bins, recipe.numbers) == ("price", None, True)
    table = table_of({"a": np.sqrt(np.arange(60)), "target": np.datetime64("2020-01-01") + np.arange(60)})
    recipe = propose(table, summarise(table))
    assert (recipe.target, recipe.bins, recipe.numbers) == ("target", 3, False)


def test_a_column_of_parts_becomes_the_split():
    frame = flowers()
    frame["Set"] = np.array(["Train", "test", "validation"])[np.arange(len(frame)) % 3]
    table = read(csv_bytes(frame), "my_flowers.csv")
    recipe = propose(table, summarise(table))
    assert (recipe.target, recipe.split, recipe.split_column, recipe.title) == (
        "species",
        "column",
        "Set",
        "my flowers",
    )
    assert recipe.split_values == {"Train": "train", "test": "test", "validation": "validation"}
    assert recipe.kinds["Set"] == "ignore"


def test_a_table_without_any_value():
    table = Table(pandas.DataFrame({"x": [np.nan, np.nan]}), "t", "CSV")
    with refused(DataError, "user_data.table.no_value", name="t"):
        propose(table, summarise(table))


def test_the_cost_of_reading_is_estimated():
    small, large = estimate(1000, "CSV"), estimate(200_000_000, "CSV")
    assert is_said(small.text, "user_data.reading.estimate", size=0.001, time=MESSAGES("reading.fast"))
    assert large.seconds > small.seconds
    assert large.megabytes < 4 * 200
    assert estimate(10_000_000, "xlsx").seconds > estimate(10_000_000, "parquet").seconds


@pytest.mark.parametrize(
    ("name", "rows", "are_numbers"),
    [
        ("crashes", (148, 108, 41, 3), True),
        ("goals", (16, 25, 10, 7, 2), True),
        ("num", (9, 20, 18, 18, 15), False),
        ("stage", (60, 40, 30, 20), False),
    ],
)
def test_whole_numbers_with_a_thin_tail_are_counts(name, rows, are_numbers):
    values = [value for value, n in enumerate(rows) for _ in range(n)]
    table = table_of({"v": [k / 7 for k in range(len(values))], name: values})
    recipe = propose(table, summarise(table))
    assert (recipe.target, recipe.numbers) == (name, are_numbers)
