"""Test notes about several labels in a cell, and about spellings of a value of a feature."""

import json

import numpy as np
import pandas
import pytest

from sample_data.user_data import make_data_set, problems, propose, read, summarise
from sample_data.user_data.checks.column_problems import labels_in
from sample_data.user_data.recipe import Recipe
from tests.refusals import is_said, refused
from treecore.errors import DataError
from treecore.tables.table_columns import TableColumns


def noted(column, name="tags", target="y"):
    frame = pandas.DataFrame({name: column, "x": np.arange(len(column)) % 7, "y": np.arange(len(column)) % 2})
    table = read(frame.to_csv(index=False).encode(), "t.csv")
    recipe = propose(table, summarise(table), target)
    return [one for one in problems(table, summarise(table), recipe) if one.columns == (name,)]


def tags(sign, n=120):
    rng, labels = np.random.default_rng(0), np.array(["red", "green", "blue", "round", "large"])
    return [sign.join(sorted(rng.choice(labels, rng.integers(1, 4), replace=False))) for _ in range(n)]


@pytest.mark.parametrize("sign", [";", "|", ", ", "; "])
def test_several_labels_in_a_cell_are_named(sign):
    assert any(
        is_said(one.text, "Cells of 'tags' contain several labels, such as '…' (5 labels)") for one in noted(tags(sign))
    )
    assert any(
        is_said(one.text, "Cells of the target 'tags' contain several labels, such as '…' (… labels)")
        for one in noted(tags(sign), target="tags")
    )


@pytest.mark.parametrize(
    "texts",
    [["red", "blue", "white, pale"], [f"Nr {k}, Main Street {k}" for k in range(50)], ["a", "b", "c"],
     [f"Smith{k}, Anna{k}" for k in range(40)], ["yes; sure", "no; never"], ["1,5", "2,5", "1,7"]],
)  # fmt: skip
def test_names_and_addresses_have_no_labels(texts):
    assert labels_in(texts) is None


def test_spellings_of_a_feature_are_named():
    found = noted(["Pos", "pos", "POS ", "neg"] * 30, "result")
    assert any(is_said(one.text, "Some values of 'result' differ only in their spelling") for one in found)
    assert not [one for one in noted(["pos", "neg", "none"] * 30, "result") if one.kind == "spellings of values"]


def looked_over(frame, recipe=None):
    table = read(frame.to_csv(index=False).encode(), "t.csv")
    summaries = summarise(table)
    recipe = recipe or propose(table, summaries, "y")
    return table, recipe, {one.kind: one for one in problems(table, summaries, recipe)}


def test_spellings_of_a_feature_are_combined_by_a_click_and_apart_again():
    rng = np.random.default_rng(0)
    result = rng.choice(["Pos", "pos", "p os", "neg", "low-dose", "low dose", "other"], 200)
    frame = pandas.DataFrame({"result": result, "x": rng.normal(size=200), "y": rng.integers(0, 2, 200)})
    table, recipe, found = looked_over(frame)
    changed = found["spellings of values"].fix[1]
    again = Recipe.from_dict(json.loads(json.dumps(changed.to_dict())))
    assert again == changed
    data = make_data_set(table, again)
    assert sum("result" in name for name in data.feature_names) == 5
    assert TableColumns.from_dict(json.loads(json.dumps(data.columns.to_dict()))) == data.columns
    encoded = data.columns.encode(frame)
    np.testing.assert_array_equal(encoded.X.astype(np.float32), data.X.astype(np.float32))
    assert not any("not seen" in note for note in encoded.notes)
    _, _, after = looked_over(frame, again)
    assert "spellings of values" not in after
    assert after["combined spellings"].fix[1] == recipe
    renamed = again.for_columns(["result (kg)", "x", "y"])
    assert list(renamed.variants) == ["result (kg)"]


def test_labels_become_yes_no_columns_by_a_click_and_one_column_again():
    rng = np.random.default_rng(0)
    frame = pandas.DataFrame({"tags": tags("; ", 200), "x": rng.normal(size=200)})
    frame["y"] = frame["tags"].str.contains("red").astype(int)
    frame.loc[:4, "tags"] = None
    table, _, found = looked_over(frame)
    label, changed = found["labels"].fix
    assert label == "Add 5 yes/no columns"
    again = Recipe.from_dict(json.loads(json.dumps(changed.to_dict())))
    data = make_data_set(table, again)
    assert [name for name in data.feature_names if name != "x"] == [
        f"tags: {one} = yes" for one in ("blue", "green", "large", "red", "round")
    ]
    red = data.X[:, data.feature_names.index("tags: red = yes")]
    assert np.isnan(red[:5]).all()
    assert red[5:].tolist() == frame["y"][5:].tolist()
    columns = TableColumns.from_dict(json.loads(json.dumps(data.columns.to_dict())))
    assert (columns, columns.names()) == (data.columns, ["x", "tags"])
    np.testing.assert_array_equal(columns.encode(frame).X.astype(np.float32), data.X.astype(np.float32))
    own = columns.encode(pandas.DataFrame({"x": [0.0], "tags: red": ["yes"]}))
    assert own.X[0, data.feature_names.index("tags: red = yes")] == 1
    _, _, after = looked_over(frame, again)
    assert "subjects" not in after
    assert after["label columns"].fix[1].features() == ["tags", "x"]


@pytest.mark.parametrize(
    ("field", "wrong"),
    [("label_columns", {"a: b": ["a", ";"]}), ("label_columns", {"a": ["a", ";", "b"]}), ("label_columns", [1]),
     ("variants", {"a": {"b": "c", "c": "d"}}), ("variants", {"a": ["b"]}), ("variants", 3)],
)  # fmt: skip
def test_damaged_fields_are_refused(field, wrong):
    with refused(DataError, f"{field}: expected"):
        Recipe.from_dict({"target": "t", "kinds": {"a": "category"}, field: wrong})
