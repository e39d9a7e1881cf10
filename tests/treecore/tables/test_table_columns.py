"""Test that rows of tables of every form become features."""

import json

import numpy as np
import pandas
import pytest

from tests.refusals import refused
from treecore import DataError
from treecore.tables.table_columns import TableColumn, TableColumns

COLUMNS = TableColumns(
    (TableColumn("age"), TableColumn("colour", "category", ("blue", "red")), TableColumn("joined", "date"))
)


def test_every_kind_of_column_becomes_features():
    frame = pandas.DataFrame(
        {"age": ["7", "x", None], "colour": ["red", "green", None], "joined": ["1970-01-03", "", "1969-12-31T12:00"]}
    )
    encoded = COLUMNS.encode(frame)
    assert COLUMNS.feature_names() == ("age", "colour = blue", "colour = red", "joined (days since 1970)")
    expected = [[7, 0, 1, 2], [np.nan, 0, 0, np.nan], [np.nan, np.nan, np.nan, -0.5]]
    np.testing.assert_array_equal(encoded.X, expected)
    assert [note for note in encoded.notes if "'x'" in note]
    assert [note for note in encoded.notes if "'green'" in note]


def test_absent_and_unknown_columns_are_noted():
    encoded = COLUMNS.encode(pandas.DataFrame({"Age": [1.0], "age": [2.0]}))
    assert encoded.X[0, 0] == 2
    assert np.isnan(encoded.X[0, 1:]).all()
    assert "'colour', 'joined'" in encoded.notes[0]
    assert "'Age'" in encoded.notes[1]
    with refused(DataError, "The table contains none of the columns"):
        COLUMNS.encode(pandas.DataFrame({"Age": [1.0]}))


def test_whole_numbers_are_the_same_category_in_any_dtype():
    columns = TableColumns((TableColumn("size", "category", ("1", "2")),))
    for values in ([1, 2, 1], [1.0, 2.0, 1.0], ["1", "2", "1"], pandas.Categorical([1, 2, 1])):
        np.testing.assert_array_equal(columns.encode(pandas.DataFrame({"size": values})).X[:, 0], [1, 0, 1])


def test_columns_go_through_json():
    assert TableColumns.from_dict(json.loads(json.dumps(COLUMNS.to_dict()))) == COLUMNS


@pytest.mark.parametrize(
    "value",
    [
        None,
        {},
        {"columns": []},
        {"columns": ["age"]},
        {"columns": [{"name": "a", "kind": "pickle", "categories": [], "others": []}]},
        {"columns": [{"name": 1, "kind": "number", "categories": [], "others": []}]},
        {"columns": [{"name": "a", "kind": "number", "categories": ["b"], "others": []}]},
        {"columns": [{"name": "a", "kind": "category", "categories": ["b"], "others": ["b"]}]},
        {"columns": [{"name": "a", "kind": "category", "categories": ["b"], "others": "c"}]},
        {"columns": [{"name": "a", "kind": "category", "categories": [], "others": []}]},
        {"columns": [{"name": "a", "kind": "number", "categories": [], "others": []}] * 2},
    ],
)
def test_a_damaged_description_is_refused(value):
    with pytest.raises(DataError):
        TableColumns.from_dict(value)


def test_only_values_that_training_did_not_have_are_noted():
    columns = TableColumns((TableColumn("flag", "category", ("yes",), ("no",)),))
    assert columns.encode(pandas.DataFrame({"flag": ["yes", "no", None]})).notes == ()
    assert "'maybe'" in columns.encode(pandas.DataFrame({"flag": ["yes", "maybe"]})).notes[0]


def test_a_difference_is_computed_from_its_columns_or_taken_as_it_is():
    joined, left = TableColumn("joined", "date"), TableColumn("left", "date", day_first=True, missing=("never",))
    known = TableColumns((TableColumn("stay", of=(left, joined)), TableColumn("age")))
    assert TableColumns.from_dict(json.loads(json.dumps(known.to_dict()))) == known
    assert (known.feature_names(), known.names()) == (("stay", "age"), ["left", "joined", "age"])
    assert known.day_first() == {"left": True}
    frame = pandas.DataFrame({"joined": ["2020-01-31", "2020-01-31", None], "left": ["03/02/2020", "never", "x"],
                              "stay": [7, 7, 7], "age": [1, 2, 3]})  # fmt: skip
    encoded = known.encode(frame)
    np.testing.assert_array_equal(encoded.X, [[3, 1], [np.nan, 2], [np.nan, 3]])
    assert [note for note in encoded.notes if "'x'" in note]
    own = known.encode(frame[["stay", "age", "left"]])
    np.testing.assert_array_equal(own.X, [[7, 1], [7, 2], [7, 3]])
    assert own.notes == ()
    absent = known.encode(frame[["left", "age"]])
    assert np.isnan(absent.X[:, 0]).all()
    assert "'joined'" in absent.notes[0]
    assert "'stay'" not in absent.notes[0]
    for parts in [(joined,), (joined, TableColumn("age")), (joined, known.columns[0])]:
        with refused(
            DataError, "Column 'stay': `of` must be two columns of numbers or of dates, and applies to numbers only"
        ):
            TableColumn("stay", of=parts)
    with refused(
        DataError, "Column 'stay': `of` must be two columns of numbers or of dates, and applies to numbers only"
    ):
        TableColumn("stay", "date", of=(joined, left))
    with refused(DataError, "Column 0: `of` must be a list of two columns of numbers or of dates"):
        TableColumns.from_dict({"columns": [known.to_dict()["columns"][0] | {"of": "x"}]})
