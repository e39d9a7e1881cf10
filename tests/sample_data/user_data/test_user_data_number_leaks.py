"""Test that copies of a numeric target are found in every form, but strong predictors and time columns are not."""

from dataclasses import replace

import numpy as np
import pandas
import pytest

import sample_data
from sample_data.user_data import make_data_set, problems, propose, summarise
from sample_data.user_data.table import Table

N = 120
CODES = ("low", "middle", "high", "top")
FORMS = {
    "unit": lambda y: 0.92 * y + 3,
    "rounded": lambda y: (y / 5).round(),
    "logarithm": lambda y: np.log(y).round(3),
    "ranges": lambda y: np.digitize(y, [30, 45, 60]),
    "negative": lambda y: -np.sqrt(y),
    "with gaps": lambda y: y.where(np.arange(N) % 4 > 0) * 2,
    "texts": lambda y: y.map(lambda number: f"{number:g} EUR"),
}


def frame():
    rng = np.random.default_rng(3)
    area, age = rng.uniform(20, 150, N).round(1), rng.integers(1, 90, N)
    price = (5 + 0.4 * area + rng.normal(0, 2, N)).round(0)
    return pandas.DataFrame({"area": area, "age": age, "price": price})


def leaks(table):
    table = Table(table, "prices.csv", "CSV")
    summaries = summarise(table)
    recipe = propose(table, summaries)
    recipe = replace(recipe, target="price", numbers=True, bins=None, kinds={**recipe.kinds, "price": "number"})
    return table, recipe, [one for one in problems(table, summaries, recipe) if one.kind == "leak"]


@pytest.mark.parametrize("form", FORMS)
def test_a_copy_of_the_number_is_pointed_out(form):
    table = frame().assign(copy=lambda known: FORMS[form](known["price"]))
    table, _, found = leaks(table)
    assert [one.columns for one in found] == [("copy",)]
    assert found[0].severity == "warns"
    label, mended = found[0].fix
    assert label == "Ignore column"
    assert make_data_set(table, mended).feature_names == ("area", "age")
    if form == "unit":
        assert "price = 1.087 × copy - 3.261" in found[0].text


PAIRS = {
    "sum": ("their sum", lambda a, b: a + b),
    "difference": ("their difference", lambda a, b: a - b),
    "product": ("their product", lambda a, b: a * b),
    "quotient": ("their quotient", lambda a, b: a / b),
    "weighted": ("a weighted sum", lambda a, b: 3 * a + 0.5 * b),
}


@pytest.mark.parametrize("kind", PAIRS)
def test_two_columns_that_give_the_number_are_pointed_out(kind):
    words, computed = PAIRS[kind]
    table = frame().assign(price=lambda known: computed(known["area"] + 200, known["age"]).round(2))
    table["area"] += 200
    table["rooms"] = np.random.default_rng(0).integers(1, 9, N)
    _, recipe, found = leaks(table)
    assert [one.columns for one in found] == [("area", "age")]
    assert words in found[0].text
    assert found[0].fix[1].features() == ["rooms"]
    assert "rooms" in recipe.features()


@pytest.mark.parametrize("name", ["diabetes", "airfoil", "abalone", "hill"])
def test_honest_predictors_are_no_copies(name):
    data = sample_data.load(name)
    table = pandas.DataFrame(data.X, columns=list(data.feature_names)).assign(price=data.y)
    assert leaks(table)[2] == []


def test_a_strong_predictor_and_a_column_of_time_are_no_copies():
    table = frame()
    assert np.corrcoef(table["area"], table["price"])[0, 1] > 0.98
    assert leaks(table)[2] == []
    table["price"] = table["price"].cumsum()  # a cumulative sum grows with time
    table["year"] = 1900 + np.arange(N)
    assert leaks(table)[2] == []
    assert leaks(table[["area", "price"]])[2] == []


def test_many_copies_are_one_question():
    table = frame()
    for place in range(9):
        table[f"copy {place}"] = table["price"] * (place + 2)
    _, recipe, found = leaks(table)
    assert len(found) == 1
    assert len(found[0].columns) == 9
    assert set(recipe.features()) - set(found[0].fix[1].features()) == set(found[0].columns)


def test_an_exact_sum_is_found_in_few_rows():
    rng = np.random.default_rng(0)
    part, rest = rng.integers(0, 50, (2, 20))
    few = pandas.DataFrame({"area": part, "age": rest, "more": rng.normal(size=20), "price": part + rest})
    assert {name for one in leaks(few)[2] for name in one.columns} == {"area", "age"}
    assert leaks(few.assign(price=rng.integers(0, 100, 20)))[2] == []
