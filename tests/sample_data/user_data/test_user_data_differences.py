"""Test that the difference of two columns can be a column, in the data and in new rows."""

import json
from dataclasses import replace

import numpy as np
import pandas
import pytest

from sample_data.user_data import Recipe, make_data_set, problems, propose, read, store, summarise
from sample_data.user_data.plan import plan
from tests.refusals import refused
from treecore import TAOClassifier
from treecore.errors import DataError
from treecore.messages import listed
from treecore.model.model import Model
from treecore.rules.rule_set import rules

NAME = "shipped - ordered (days)"


def orders(n=400):
    """Return orders that are late if they are shipped more than 3 days after the order, with some noise."""
    rng = np.random.default_rng(7)
    ordered = pandas.Timestamp("2024-01-01") + pandas.to_timedelta(rng.integers(0, 360, n), unit="D")
    days = rng.integers(0, 9, n)
    shipped = (ordered + pandas.to_timedelta(days, unit="D")).strftime("%d.%m.%Y").to_numpy(object)
    shipped[:5], shipped[5:8] = None, "k.A."
    late = np.where((days > 3) ^ (rng.random(n) < 0.03), "yes", "no")
    return pandas.DataFrame({"ordered": ordered.strftime("%Y-%m-%d"), "shipped": shipped,
                             "items": rng.integers(1, 90, n), "late": late})  # fmt: skip


def table_of(frame, name="orders.csv"):
    return read(frame.to_csv(index=False).encode(), name)


def opened(frame):
    """Return (table, summaries, recipe) with the target in the last column."""
    table = table_of(frame)
    summaries = summarise(table)
    return table, summaries, replace(propose(table, summaries), missing={"shipped": ("k.A.",)})


def offer_of(table, summaries, recipe):
    return next((one for one in problems(table, summaries, recipe) if one.kind == "difference"), None)


def test_the_days_between_two_dates_are_a_feature_of_data_and_new_rows(tmp_path):
    table, summaries, recipe = opened(orders())
    recipe = replace(recipe, kinds=recipe.kinds | {"shipped": "date"})
    offer = offer_of(table, summaries, recipe)
    assert (offer.severity, offer.fix[0], offer.wider) == ("info", f"Add column: {NAME}", None)
    added = Recipe.from_dict(json.loads(json.dumps(offer.fix[1].to_dict())))
    assert added == offer.fix[1]
    assert added.differences == {NAME: ("shipped", "ordered")}
    found = problems(table, summaries, added)
    assert "difference" not in [one.kind for one in found]
    remark = next(one for one in found if one.kind == "difference added")
    assert NAME not in remark.fix[1].features()
    data = make_data_set(table, added)
    assert data.feature_names[-1] == NAME
    shipped, ordered = data.X[:, 1], data.X[:, 0]
    np.testing.assert_array_equal(data.X[:, -1], shipped - ordered)
    assert np.isnan(data.X[:8, -1]).all()
    assert not np.isnan(data.X[8:, -1]).any()
    model = TAOClassifier(split="univariate", init="cart", missing="learn", lam=2.0, max_depth=3, random_state=0)
    tree = model.fit(data.X, data.y).tree_.with_names(data.feature_names)
    assert str(rules(tree, data.X)[0].conditions[0]).startswith(f'"{NAME}" < 3.5')
    store.save(data, tmp_path, added)
    assert store.load_recipe(data.name, tmp_path) == added
    kept = Model.of(tree, store.load(data.name, tmp_path))
    assert kept.column_names == ["ordered", "shipped", "items"]
    rows = pandas.DataFrame({"ordered": ["2025-03-01", "2025-03-01", "2025-03-01"],
                             "shipped": ["04.03.2025", "05.03.2025", None]})  # fmt: skip
    predicted = kept.predict_table(rows)
    assert predicted.prediction.tolist() == ["no", "yes", predicted.prediction[2]]
    assert not [note for note in predicted.notes if "shipped" in note]
    with refused(DataError, "The table contains none of the columns"):
        kept.predict_table(rows[["ordered"]])
    assert kept.predict_table(pandas.DataFrame({NAME: [1.0, 6.0]})).prediction.tolist() == ["no", "yes"]


def test_an_ignored_column_is_still_a_part_of_a_difference():
    table, _, recipe = opened(orders())
    added = replace(recipe, differences={NAME: ("shipped", "ordered")}, kinds={
        "ordered": "ignore", "shipped": "ignore", "items": "ignore", "late": "category", NAME: "category"})  # fmt: skip
    assert added.kinds[NAME] == "number"
    data = make_data_set(table, added)
    assert data.feature_names == (NAME,)
    assert data.columns.names() == ["shipped", "ordered"]
    assert sorted(np.unique(data.X[8:])) == list(range(9))


def sizes(n=200):
    rng = np.random.default_rng(1)
    length, start = rng.uniform(10, 90, n), rng.uniform(0, 50, n)
    return pandas.DataFrame({
        "length (cm)": length, "width (cm)": length - rng.uniform(1, 9, n), "weight (kg)": rng.uniform(1, 9, n),
        "price_eur": start + 9, "cost_eur": start + rng.uniform(0, 5, n), "start_x": start,
        "end_x": start + rng.uniform(0, 5, n), "low": start, "high": 1000 * start, "noise (cm)": rng.uniform(10, 90, n),
        "class": np.where(start > 20, "a", "b"),
    }).round(2)  # fmt: skip


def test_columns_of_one_unit_or_with_similar_names_are_offered():
    table, summaries, recipe = opened(sizes())
    recipe = replace(recipe, missing={})
    offer = offer_of(table, summaries, recipe)
    assert offer.wider[0] == "Add 3 columns"
    assert offer.wider[1].differences.keys() == {"length - width (cm)", "price_eur - cost_eur", "end_x - start_x"}
    data = make_data_set(table, offer.wider[1])
    X, names = data.X.astype(float), list(data.feature_names)
    for name, (first, second) in offer.wider[1].differences.items():
        np.testing.assert_array_equal(X[:, names.index(name)], X[:, names.index(first)] - X[:, names.index(second)])
        assert np.median(X[:, names.index(name)]) > 0
    assert offer_of(table, summaries, offer.wider[1]) is None
    few = sizes()[["length (cm)", "weight (kg)", "low", "high", "noise (cm)", "class"]]
    table, summaries, recipe = opened(few)
    assert offer_of(table, summaries, replace(recipe, missing={})) is None


@pytest.mark.parametrize("wrong", [
    [], {"x": ["a"]}, {"x": ["a", "a"]}, {"x": ["a", 1]}, {"x": ["x", "a"]}, {"": ["a", "b"]}, {"x": "ab"},
    {"x": ["a", "y"], "y": ["a", "b"]},
])  # fmt: skip
def test_a_wrong_recipe_is_refused(wrong):
    with refused(DataError, "differences: expected the names of two other columns for each added column"):
        Recipe.from_dict({"target": "t", "kinds": {"a": "number"}, "differences": wrong})


def test_differences_of_other_columns_are_problems():
    table, summaries, recipe = opened(orders())
    mixed = replace(recipe, differences={"x": ("shipped", "items")}, kinds=recipe.kinds | {"x": "number"})
    with refused(DataError, "Column … is the difference of"):
        plan(table, mixed)
    assert problems(table, summaries, mixed)[0].severity == "stops"
    absent = replace(mixed, differences={"x": ("shipped", "paid")})
    with refused(DataError, "The table has no column 'paid', so the recipe belongs to another file"):
        plan(table, absent)
    assert (
        problems(table, summaries, absent)[0].text
        == f"The table lacks these columns of the recipe: {listed(['paid'])}. The recipe may belong to another file."
    )
    texts = orders().assign(note="text")
    table, summaries, recipe = opened(texts)
    empty = replace(recipe, target="late", differences={"x": ("items", "note")}, kinds=recipe.kinds | {"x": "number"})
    assert "x" not in make_data_set(table, empty).feature_names


def test_a_recipe_follows_renamed_columns():
    recipe = Recipe("t", {"height": "number", "d": "number"}, differences={"d": ("height", "width")})
    renamed = recipe.for_columns(["t", "height (cm)", "width (cm)"])
    assert renamed.differences == {"d": ("height (cm)", "width (cm)")}
