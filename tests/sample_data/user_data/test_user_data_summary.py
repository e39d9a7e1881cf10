"""Test columns: their content, their detected kind, and the first proposed recipe."""

import numpy as np
import pandas
import pytest

from sample_data.user_data import Recipe, estimate, propose, read, summarise
from sample_data.user_data.table import Table
from sample_data.user_data.target_choice import is_sure
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


NUMBERS, WORDS, CODES = (lambda rng: rng.normal(size=80).round(3)), (lambda rng: rng.choice(["u", "v"], 80)), (
    lambda rng: rng.integers(0, 2, 80))  # fmt: skip


@pytest.mark.parametrize(
    ("columns", "target"),
    [
        ({"Class": WORDS, "v": NUMBERS, "w": WORDS}, "Class"),
        ({"v": NUMBERS, "Target": CODES, "w": WORDS}, "Target"),
        ({"age": NUMBERS, "sex": WORDS, "visits": NUMBERS}, "visits"),
        ({"age": NUMBERS, "income": NUMBERS, "party": WORDS}, "party"),
        ({"Kunde_gekündigt": CODES, "v": NUMBERS, "w": WORDS}, "Kunde_gekündigt"),
        ({"v": NUMBERS, "isChurn": CODES, "w": WORDS}, "isChurn"),
        ({"Kaufpreis": NUMBERS, "garden": WORDS}, "Kaufpreis"),
        ({"region": WORDS, "price EUR": NUMBERS}, "price EUR"),
        ({"sexe": WORDS, "âge": NUMBERS, "résultat": WORDS}, "résultat"),
        ({"edad": NUMBERS, "provincia": WORDS, "salario": NUMBERS}, "salario"),
        ({"eta": NUMBERS, "esito": WORDS, "regione": WORDS}, "esito"),
        ({"yield": NUMBERS, "block": WORDS, "variety": WORDS}, "yield"),
        ({"lat": NUMBERS, "charges": NUMBERS, "lon": NUMBERS}, "charges"),
        ({"time": lambda rng: rng.exponential(9, 80), "status": CODES, "sex": WORDS}, "status"),
    ],
)
def test_the_target_that_is_proposed(columns, target):
    rng = np.random.default_rng(0)
    table = table_of({name: values(rng) for name, values in columns.items()})
    assert propose(table, summarise(table)).target == target


def test_candidates_are_ranked_with_reasons_and_the_doubtful_ones_are_not_sure():
    rng = np.random.default_rng(0)
    sure = table_of({"age": rng.normal(size=80), "sex": WORDS(rng), "survived": CODES(rng)})
    found = propose(sure, summarise(sure)).candidates
    assert [one.name for one in found] == ["survived", *(one.name for one in found[1:])]
    assert is_sure(found)
    assert "outcome" in found[0].why
    assert sum(one.score for one in found) <= 1
    doubtful = table_of({name: rng.normal(size=80) for name in ("a", "b", "c", "d")})
    assert not is_sure(propose(doubtful, summarise(doubtful)).candidates)


def test_a_chosen_target_is_kept_with_the_candidates_beside_it():
    rng = np.random.default_rng(0)
    table = table_of({"age": rng.normal(size=80), "sex": WORDS(rng), "survived": CODES(rng)})
    recipe = propose(table, summarise(table), "sex")
    assert recipe.target == "sex"
    assert recipe.candidates[0].name == "survived"
    assert Recipe.from_dict(recipe.to_dict()) == recipe


@pytest.mark.parametrize("order", ["shuffled", "reversed"])
def test_the_order_of_rows_of_a_table_without_order_does_not_change_the_choice(order):
    rng = np.random.default_rng(1)
    columns = {"age": rng.normal(size=300), "sex": rng.choice(["u", "v"], 300), "survived": rng.integers(0, 2, 300)}
    rows = rng.permutation(300) if order == "shuffled" else np.arange(300)[::-1]
    tables = [table_of(columns), table_of({name: values[rows] for name, values in columns.items()})]
    first, second = ([c.name for c in propose(table, summarise(table)).candidates] for table in tables)
    assert first == second


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
    recipe = propose(table, summarise(table), name)
    assert (recipe.target, recipe.bins, recipe.kinds[name]) == (name, None, "category" if is_classes else "number")
    assert recipe.numbers == (not is_classes)


def test_a_target_of_quantities_is_predicted_as_numbers_and_one_of_dates_is_cut():
    table = table_of({"a": np.sqrt(np.arange(60)), "price": np.linspace(0, 1, 60)})
    recipe = propose(table, summarise(table))
    assert (recipe.target, recipe.bins, recipe.numbers) == ("price", None, True)
    table = table_of({"a": np.sqrt(np.arange(60)), "target": np.datetime64("2020-01-01") + np.arange(60)})
    recipe = propose(table, summarise(table), "target")
    assert (recipe.target, recipe.bins, recipe.numbers) == ("target", 3, False)


def test_a_column_of_parts_becomes_the_split():
    frame = flowers()
    frame["Set"] = np.array(["Train", "test", "validation"])[np.arange(len(frame)) % 3]
    table = read(csv_bytes(frame), "my_flowers.csv")
    recipe = propose(table, summarise(table), "species")
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
    with refused(DataError, "t has no values."):
        propose(table, summarise(table))


def test_the_cost_of_reading_is_estimated():
    small, large = estimate(1000, "CSV"), estimate(200_000_000, "CSV")
    assert is_said(small.text, "0.0 MB (less than one second, up to … MB of memory)")
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
