"""Test that for any bytes under any name, the readers return a valid table or raise DataError.

`make nightly` runs these tests with thousands of new examples.
"""

import functools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sample_data import DataSet
from sample_data.user_data import Recipe, Table, make_data_set, problems, propose, read, summarise
from tests.budget import budget
from tests.sample_data.user_data.user_data_files import FILES
from treecore.errors import DataError

ENDINGS = (
    ".csv",
    ".tsv",
    ".txt",
    ".xlsx",
    ".parquet",
    ".feather",
    ".arff",
    ".jsonl",
    ".npz",
    ".zip",
    ".csv.gz",
    ".xls",
    "",
)
DAMAGE = st.lists(st.tuples(st.integers(0, 10**6), st.binary(max_size=6)), max_size=4)
PIECES = st.sampled_from(
    [
        ",",
        ";",
        "\t",
        "|",
        " ",
        '"',
        "'",
        "\n",
        "\r\n",
        "\r",
        "#",
        "a",
        "class",
        "1",
        "2.5",
        "3,5",
        "1.000,5",
        "-",
        "NA",
        "?",
    ]
    + [
        "2020-01-02",
        "31.12.2020",
        "true",
        "é",
        "日",
        "\0",
        "\ufeff",
        "\u2028",
        "\x85",
        "=cmd|' /C calc'!A0",
        "<script>",
    ]
    + ["@relation r\n", "@attribute a numeric\n", "@data\n", "{", "}", "%", "\\", "sep=;\n", "inf", "1e999", "9" * 30]
    + ["@attribute '" + r"\a" * 30, '@attribute "' + r"\a" * 30, "@attribute {" * 30]
    + ["0.123", "48.123", "1,234", "31.02.2020", "07001", "9007199254740993"]
)


@functools.cache
def valid(name):
    return FILES[name]()


def whole_way(content, name, **choices):
    """Read, summarise, propose, look for problems, and make the data set. Only DataError is allowed."""
    try:
        table = read(content, name, **choices)
    except DataError:
        return
    if isinstance(table, DataSet):
        assert table.name.startswith("own-")
        return
    assert isinstance(table, Table)
    assert table.n_rows > 0
    assert len(set(table.frame.columns)) == table.n_columns
    assert all(isinstance(column, str) and column.strip() for column in table.frame.columns)
    summaries = summarise(table)
    assert [summary.name for summary in summaries] == list(table.frame.columns)
    try:
        recipe = propose(table, summaries)
    except DataError:
        assert all(summary.kind == "empty" for summary in summaries)
        return
    assert Recipe.from_dict(recipe.to_dict()) == recipe
    found = problems(table, summaries, recipe)
    try:
        data_set = make_data_set(table, recipe)
    except DataError:
        assert "stops" in {problem.severity for problem in found}
        return
    assert not [problem for problem in found if problem.severity == "stops"]
    assert data_set.n_rows <= table.n_rows


@given(st.binary(max_size=400), st.sampled_from(ENDINGS))
def test_any_bytes(content, ending):
    whole_way(content, "strange" + ending)


@given(
    st.lists(PIECES, max_size=60).map("".join),
    st.sampled_from(ENDINGS),
    st.sampled_from(["utf-8", "utf-16", "utf-16-le"]),
)
def test_texts_of_the_signs_that_tables_are_made_of(text, ending, encoding):
    whole_way(text.encode(encoding), "strange" + ending)


@given(
    st.lists(st.lists(PIECES, min_size=1, max_size=4), min_size=1, max_size=12),
    st.sampled_from([None, ",", ";", " ", "\t", "x", "é", '"', "\n"]),
    st.sampled_from([None, ".", ",", "!"]),
    st.sampled_from([None, "utf-8", "utf-16", "cp1252", "zip", "no such one"]),
    st.sampled_from([None, True, False]),
)
def test_any_choices(rows, delimiter, decimal, encoding, header):
    content = "\n".join(",".join(row) for row in rows).encode("utf-8")
    whole_way(content, "strange.csv", delimiter=delimiter, decimal=decimal, encoding=encoding, header=header)


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=budget(15, 1500))
@given(DAMAGE, st.one_of(st.none(), st.integers(0, 10**6)))
def test_damaged_files(name, damage, end):
    content = bytearray(valid(name))
    for place, piece in damage:
        place %= len(content)
        content[place : place + len(piece)] = piece
    if end is not None:
        content = content[: end % len(content)]
    whole_way(bytes(content), name)
