"""Test that delimiter, encoding, decimal sign, header and types of CSV and related formats are detected."""

import numpy as np
import pandas
import pytest

from sample_data.user_data import read
from tests.refusals import is_said
from tests.sample_data.user_data.user_data_files import csv_bytes, flowers


def frame_of(text, name="table.csv", **choices):
    content = text if isinstance(text, bytes) else text.encode("utf-8")
    return read(content, name, **choices).frame


def same(found, wanted):
    """Assert that two tables have equal values. Their types may differ."""
    assert list(found.columns) == list(wanted.columns)
    for name in wanted.columns:
        if pandas.api.types.is_numeric_dtype(wanted[name]):
            np.testing.assert_array_equal(found[name].astype(float), wanted[name].astype(float))
        else:
            assert found[name].astype(object).where(found[name].notna(), None).tolist() == (
                wanted[name].astype(object).where(wanted[name].notna(), None).tolist()
            )


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_delimiters_and_encodings(delimiter, encoding):
    wanted = flowers().rename(columns={"colour": "Größe é"})
    wanted.loc[7, "species"] = "Rübe – weiß"
    same(frame_of(csv_bytes(wanted, encoding, sep=delimiter)), wanted)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(end):
    same(frame_of(csv_bytes(lineterminator=end)), flowers())


def test_decimal_commas():
    table = read(csv_bytes(sep=";", decimal=","), "flowers.csv")
    same(table.frame, flowers())
    assert "decimal comma" in table.notes
    assert "delimiter semicolon" in table.notes


def test_a_file_on_disk_is_read_like_its_bytes(tmp_path):
    path = tmp_path / "flowers.csv"
    path.write_bytes(csv_bytes())
    same(read(path, "flowers.csv").frame, flowers())


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a;b\n1.234,5;1.000\n-1,5;2.000\n", {"a": [1234.5, -1.5], "b": [1000, 2000]}),
        ('a,b\n"1,234","x"\n"12,345,678","y"\n', {"a": [1234, 12345678], "b": ["x", "y"]}),
        ('a,b\n1.5,"2,5"\n2.5,"3,5"\n', {"a": [1.5, 2.5], "b": [2.5, 3.5]}),
        ("a b   c\n1 2 3\n 4  5   6\n", {"a": [1, 4], "b": [2, 5], "c": [3, 6]}),
        ("a, b\n1, x\n2, ?\n", {"a": [1, 2], "b": ["x", None]}),
        ('a, b\n1, "x, y"\n2, "z"\n', {"a": [1, 2], "b": ["x, y", "z"]}),
        ("1,2,3\n4,5,6\n", {"column 1": [1, 4], "column 2": [2, 5], "column 3": [3, 6]}),
        ("country;2019;2020\nFR;1;2\nDE;3;4\n", {"country": ["FR", "DE"], "2019": [1, 3], "2020": [2, 4]}),
        ("# made by\n\n#a,b\n1,2\n3,4\n", {"a": [1, 3], "b": [2, 4]}),
        ("a,b\n1,2\n# a note\n3,4\n\n5,6\n", {"a": [1, 3, 5], "b": [2, 4, 6]}),
        ("sep=;\na;b\n1;2\n", {"a": [1], "b": [2]}),
        ("a,b\nr1,1,2\nr2,3,4\n", {"row name": ["r1", "r2"], "a": [1, 3], "b": [2, 4]}),
        ("id,v\n007,1\n010,2\n", {"id": ["007", "010"], "v": [1, 2]}),
        ('a,b\n1,"x\ny"\n2,"say ""no"""\n', {"a": [1, 2], "b": ["x\ny", 'say "no"']}),
        ('a,b\n1,5"\n2,6\n', {"a": [1, 2], "b": ['5"', "6"]}),
        ("a,b\n+1,1e3\n-2,.5\n", {"a": [1, -2], "b": [1000, 0.5]}),
        ("a,b\n1,true\n2,false\n", {"a": [1, 2], "b": ["true", "false"]}),
        ("p,y\n$1.50,5%\n$-2,7.5 %\n", {"p": [1.5, -2], "y": [5, 7.5]}),
        ("x  y label\n  0.500  12 a\n  -1.500   3 b\n", {"x": [0.5, -1.5], "y": [12, 3], "label": ["a", "b"]}),
        ("name\nAnna\nBert\n", {"name": ["Anna", "Bert"]}),
    ],
)
def test_dialects(text, wanted):
    same(frame_of(text), pandas.DataFrame(wanted))


@pytest.mark.parametrize(
    ("text", "b", "words"),
    [
        ("p;q;b\n1,5;2,5;48.123\n2,5;2,5;11.456\n", [48.123, 11.456], "48.123 read with a decimal point"),
        ("p;b\n1,5;0.123\n2,5;0.456\n", [0.123, 0.456], "decimal comma"),
        ("p;b\n1.5;0,123\n2.5;0,456\n", [0.123, 0.456], "decimal comma"),
        ("p;b\n1,5;950\n2,5;1.234\n", [950, 1234], "1.234 read as 1234"),
        ("p;b\n1,5;2019\n2,5;1.234\n", [2019, 1.234], "1.234 read with a decimal point"),
        ("p;b\n1,5;1.234\n2,5;2,5\n", [1234, 2.5], "1.234 read as 1234"),
        ("p;b\n1,5;1.234\n1.234,5;1.235\n", [1234, 1235], "thousands marked by points"),
        ("p;b\n1.5;1,234\n2.5;5,678\n", [1234, 5678], "1,234 read as 1234"),
    ],
)
def test_a_mark_before_three_digits(text, b, words):
    table = read(text.encode(), "table.csv")
    np.testing.assert_array_equal(table.frame["b"].astype(np.float32), np.array(b, np.float32))
    assert any(words in note for note in table.notes)


def test_the_decimal_comma_implies_points_for_thousands():
    frame = frame_of("p;b\n1,5;48.123\n2,5;11.456\n", decimal=",")
    assert frame["b"].tolist() == [48123, 11456]


@pytest.mark.parametrize("word", ["", "NA", "N/A", "n/a", "NaN", "null", "NULL", "?", "-", "#N/A"])
def test_marks_of_missing_values(word):
    frame = frame_of(f"a,b,c\n1,x,2020-01-01\n{word},{word},{word}\n3,y,2020-02-01\n")
    assert frame.isna().to_numpy().tolist() == [[False] * 3, [True] * 3, [False] * 3]
    assert [str(kind) for kind in frame.dtypes] == ["float32", "category", "datetime64[us]"]


def test_words_are_missing_values_among_numbers_only():
    table = read(b"a,b\n1,none\nunknown,mild\n3,none\n", "table.csv")
    assert table.frame["a"].isna().tolist() == [False, True, False]
    assert table.frame["b"].tolist() == ["none", "mild", "none"]
    assert any(is_said(note, "column 'a': … 'unknown' read as missing") for note in table.notes)


@pytest.mark.parametrize(
    ("texts", "days"),
    [
        (["2020-01-31", "2020-02-01"], ["2020-01-31", "2020-02-01"]),
        (["31.01.2020", "01.02.2020"], ["2020-01-31", "2020-02-01"]),
        (["1/31/2020", "2/1/2020"], ["2020-01-31", "2020-02-01"]),
        (["31/01/2020", "01/02/2020"], ["2020-01-31", "2020-02-01"]),
        (["2020-01-31 10:30", "2020-02-01 00:00"], ["2020-01-31T10:30", "2020-02-01T00:00"]),
        (["2020-01-31T12:30:00+02:00", "2020-02-01T00:00:00Z"], ["2020-01-31T10:30", "2020-02-01T00:00"]),
    ],
)
def test_dates(texts, days):
    found = frame_of("when,v\n" + "".join(f"{text},{k}\n" for k, text in enumerate(texts)))
    assert found["when"].to_numpy().tolist() == np.array(days, "datetime64[us]").tolist()


def test_the_users_choices_come_first():
    assert list(frame_of("a;b,c\n1;2,3\n", delimiter=",").columns) == ["a;b", "c"]
    assert frame_of("a;b\n1,234;2\n2,345;3\n", decimal=".")["a"].tolist() == [1234, 2345]
    assert frame_of("a;b\n1,234;2\n2,345;3\n", decimal=",")["a"].tolist() == [1.234, 2.345]
    assert len(frame_of("1,2\n3,4\n", header=True)) == 1
    assert len(frame_of("a,b\n3,4\n", header=False)) == 2
    assert frame_of("a,b\n1,ж\n".encode("cp1251"), encoding="cp1251")["b"].tolist() == ["ж"]


def test_types_hold_beyond_the_rows_that_they_are_guessed_from():
    n_rows = 60_000
    lines = [f"{k},{k},{k % 7},2020-01-01,{k}" for k in range(n_rows)]
    lines[-1] = "x,0.5,300,yesterday,-"
    lines[-2] = "7,1e300,-70000,2020-01-02,1"
    frame = frame_of("a,b,c,d,e\n" + "\n".join(lines) + "\n")
    assert frame["a"].tolist()[-3:] == [str(n_rows - 3), "7", "x"]
    assert frame["b"].tolist()[-3:] == [n_rows - 3, 1e300, 0.5]
    assert frame["c"].tolist()[-2:] == [-70000, 300]
    assert frame["d"].tolist()[-2:] == ["2020-01-02", "yesterday"]
    assert np.isnan(frame["e"].iloc[-1])


def test_many_different_texts_are_kept_as_texts():
    lines = [f"word {k},{k % 2}" for k in range(30_000)]
    lines[100] = "NA,0"
    frame = frame_of("a,b\n" + "\n".join(lines) + "\n")
    assert str(frame["a"].dtype) == "str"
    assert frame["a"].isna().sum() == 1
    assert frame["a"].iloc[[0, 99, 101, 29_999]].tolist() == ["word 0", "word 99", "word 101", "word 29999"]


def test_days_that_the_calendar_has_not_are_texts():
    frame = frame_of("when,v\n" + "28.02.2020,1\n" * 3 + "31.02.2020,2\n")
    assert frame["when"].tolist() == ["28.02.2020"] * 3 + ["31.02.2020"]
    assert frame_of("when,v\n29 Feb 2020,1\nNA,3\n1 Mar 2020,2\n")["when"].isna().tolist() == [False, True, False]


def test_a_zero_in_front_makes_a_column_of_codes_wherever_it_stands():
    numbers = [str(20_000 + k) for k in range(1_200)]
    for last in ("07001", "12345678901234567", "9007199254740993"):
        frame = frame_of("zip,v\n" + "".join(f"{number},1\n" for number in [*numbers, "", last]))
        assert frame["zip"].dropna().tolist() == [*numbers, last]
    lines = [f"{20_000 + k % 9_000},abcdefgh" for k in range(100_000)]
    frame = frame_of("zip,v\n" + "\n".join([*lines, "07001,x"]) + "\n")
    assert frame["zip"].iloc[[0, -1]].tolist() == ["20000", "07001"]


def test_headers_are_corrected_and_the_correction_is_reported():
    table = read(b"a,,a,a (2),\n1,2,3,4,5\n", "table.csv")
    assert list(table.frame.columns) == ["a", "column 2", "a (3)", "a (2)", "column 5"]
    assert any("2 empty headers named 'column 2', 'column 5'" in note for note in table.notes)
    assert any("1 repeated header named 'a (3)'" in note for note in table.notes)


def test_every_line_counts_where_a_row_of_a_wide_table_is_longer_than_a_block():
    names = [f"column with a long name {k}" for k in range(4_000)]
    rows = ["9" * 300] * 4_000
    frame = frame_of(",".join(names) + "\n" + ",".join(rows) + "\n" + ",".join(["1"] * 4_000) + "\n")
    assert frame.shape == (2, 4_000)
    assert frame.iloc[1].astype(float).sum() == 4_000


def test_numbers_of_a_column_with_one_other_value_can_still_be_taken_as_numbers():
    table = read(b"price;other;name\n1.100,5;2,5;a\n2.107,0;3,5;b\nabc;1,5;c\n3,25;4,5;d\n", "prices.csv")
    assert table.frame["price"].tolist() == ["1100.5", "2107.0", "abc", "3.25"]
    assert table.frame["name"].tolist() == ["a", "b", "c", "d"]
