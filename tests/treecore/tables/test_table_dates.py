"""Test that dates are read in the order of training, and that ambiguous dates are reported."""

import json

import numpy as np
import pandas
import pytest

from sample_data import user_data
from tests.refusals import is_said, refused
from treecore import DataError
from treecore.tables.table_columns import TableColumn, TableColumns
from treecore.tables.table_dates import days, order_of

MAY, MARCH = 18385.0, 18326.0  # 2020-05-03 and 2020-03-05


def joined(values, day_first=None):
    return TableColumns((TableColumn("joined", "date", day_first=day_first),)).encode(pandas.DataFrame(values))


@pytest.mark.parametrize(
    ("day_first", "text", "expected"),
    [
        (True, "03/05/2020", MAY),
        (False, "03/05/2020", MARCH),
        (True, "3.5.20", MAY),
        (True, "2020-05-03", MAY),
        (True, "03/05/2020 12:00", MAY + 0.5),
        (False, "13/05/2020", np.nan),
        (True, "05/13/2020", np.nan),
    ],
)
def test_an_order_that_is_known_is_kept(day_first, text, expected):
    encoded = joined({"joined": [text]}, day_first)
    np.testing.assert_array_equal(encoded.X, [[expected]])
    assert any("in the format of training" in note for note in encoded.notes) == np.isnan(expected)


def test_an_unknown_order_is_that_of_the_column_and_marked_as_guessed():
    assert days(pandas.Series(["13/05/2020", "03/05/2020", None]))[1:].tolist()[0] == MAY
    assert order_of(pandas.Series(["13/05/2020", "03/05/2020"])) == (True, None)
    (note,) = joined({"joined": ["03/05/2020"]}).notes
    assert is_said(note, "Column 'joined': dates such as '03/05/2020' are read as month/day")
    assert joined({"joined": ["2020-03-05"]}).notes == ()


@pytest.mark.parametrize("values", [[20201305, 2020], [1.5, None], [True], pandas.Categorical([2020])])
def test_other_numbers_than_20200305_are_no_dates(values):
    encoded = joined({"joined": values})
    assert np.isnan(encoded.X).all()
    assert "not a date" in encoded.notes[0]


@pytest.mark.parametrize("values", [[20200305, 2020], [20200305.0, None], pandas.Categorical([20200305, 7])])
def test_numbers_such_as_20200305_are_dates(values):
    days_found = days(pandas.Series(values))
    assert days_found[0] == days(pandas.Series(["2020-03-05"]))[0]
    assert np.isnan(days_found[1])


def test_dates_are_no_numbers():
    encoded = TableColumns((TableColumn("age"),)).encode(pandas.DataFrame({"age": pandas.to_datetime(["2020-01-01"])}))
    assert np.isnan(encoded.X).all()
    assert "not a number" in encoded.notes[0]


def test_the_order_goes_from_the_file_of_training_through_the_model_to_new_rows():
    lines = [f"{10 + i}/05/2020,{'ab'[i % 2]}" for i in range(8)] + ["03/05/2020,a"]
    table = user_data.read("\n".join(["joined,y", *lines]).encode(), "t.csv")
    recipe = user_data.propose(table, user_data.summarise(table))
    columns = user_data.make_data_set(table, recipe).columns
    assert recipe.target == "y"
    columns = TableColumns.from_dict(json.loads(json.dumps(columns.to_dict())))
    assert columns.day_first() == {"joined": True}
    new = user_data.read(b"joined,z\n03/05/2020,1\n", "new.csv", day_first=columns.day_first())
    assert columns.encode(new.frame).X.tolist() == [[MAY]]
    other = user_data.read(b"joined,z\n05/13/2020,1\n05/14/2020,2\n", "new.csv", day_first=columns.day_first())
    assert is_said(columns.encode(other.frame).notes[1], "not a date in the format of training (day/month)")


@pytest.mark.parametrize(("kind", "day_first"), [("date", 1), ("date", "yes"), ("number", True)])
def test_a_damaged_order_is_refused(kind, day_first):
    record = {"name": "a", "kind": kind, "categories": [], "others": [], "day_first": day_first}
    with refused(DataError, "Column 'a': `day_first` must be true, false or absent, and applies to dates only"):
        TableColumns.from_dict({"columns": [record]})
