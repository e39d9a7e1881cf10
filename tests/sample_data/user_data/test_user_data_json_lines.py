"""Test JSON lines: one object per line, from programs and from untrusted files."""

import gzip
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sample_data.user_data import read
from sample_data.user_data.readers import json_lines_file
from tests.sample_data.user_data.test_user_data_fuzz import whole_way
from tests.sample_data.user_data.test_user_data_text import same
from tests.sample_data.user_data.user_data_files import FILES, flowers, zip_bytes
from treecore.errors import DataError
from treecore.messages import counted, listed

VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=4), inner, max_size=3)),
    max_leaves=8,
)


def table(*lines, **choices):
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    return read("\n".join(texts).encode(), "x.jsonl", **choices)


def refusal(content, name="x.jsonl"):
    with pytest.raises(DataError) as refused:
        read(content if isinstance(content, bytes) else content.encode(), name)
    return str(refused.value)


def test_every_row_has_its_values():
    found = table({"a": 1, "b": "x"}, {"b": "y", "c": 2.5}, {}, {"a": None, "c": -1e300, "d": True}).frame
    assert list(found.columns) == ["a", "b", "c", "d"]
    np.testing.assert_array_equal(found["a"], [1, np.nan, np.nan, np.nan])
    assert found["b"].tolist()[:2] == ["x", "y"]
    np.testing.assert_array_equal(found["c"], [np.nan, 2.5, np.nan, -1e300])
    assert found["d"].tolist()[3] == "true"
    assert found.isna().sum().tolist() == [3, 2, 2, 3]


def test_objects_in_objects_are_columns_and_lists_are_left_out():
    found = table({"a": {"b": {"c": 1}}, "a.b": 5, "t": [1]}, {"a": 3, "t": 4, "s": []}, {"a": {"b": 7}})
    assert list(found.frame.columns) == ["a.b.c", "a.b", "a", "a.b (2)"]
    assert found.frame["a.b.c"].tolist()[0] == 1
    assert found.frame["a.b (2)"].tolist()[2] == 7
    assert f"{counted(2, 'column')} of lists skipped: {listed(['s', 't'])}" in found.notes
    assert any("values of nested objects read as columns" in note for note in found.notes)


def test_values_of_several_kinds_are_texts_and_numbers_in_texts_are_numbers():
    found = table({"a": 1, "n": "1.5"}, {"a": "x", "n": "2"}, {"a": True, "n": ""}, {"a": 2.0, "n": 3}).frame
    assert found["a"].tolist() == ["1", "x", "true", "2"]
    np.testing.assert_array_equal(found["n"], [1.5, 2, np.nan, 3])


def test_large_whole_numbers_keep_their_digits():
    assert table({"id": 2**63 - 1}, {"id": 2**63 - 2}).frame["id"].tolist() == [str(2**63 - 1), str(2**63 - 2)]


def test_numbers_that_are_none_are_missing():
    found = table('{"a": NaN, "b": 1e999}', '{"a": Infinity, "b": 1}', '{"a": 1, "b": -1e999}').frame
    assert found.isna().sum().tolist() == [2, 2]


def test_dates_are_read_with_the_day_first_on_demand():
    lines = [{"d": "03/05/2020"}, {"d": "04/05/2020"}]
    assert table(*lines, day_first={"d": True}).frame["d"].dt.month.tolist() == [5, 5]
    assert table(*lines, day_first={"d": False}).frame["d"].dt.month.tolist() == [3, 4]
    assert table({"d": "2020-01-31T12:00:00Z"}).frame["d"].dt.day.tolist() == [31]


def test_rows_have_the_numbers_of_their_lines():
    found = table("", '{"a": 1}', " \t", '{"a": 2}\r', "")
    assert found.row_numbers.tolist() == [2, 4]


def test_the_format_is_found_by_its_content_and_in_archives():
    content = FILES["flowers.jsonl"]()
    for name in ("flowers.ndjson", "flowers.json", "flowers.csv", "flowers"):
        found = read(content, name)
        assert found.format == "JSON lines"
        same(found.frame, flowers())
    same(read(gzip.compress(content), "flowers.jsonl.gz").frame, flowers())
    same(read(zip_bytes({"flowers.jsonl": content}), "flowers.zip").frame, flowers())
    same(read(b"\xef\xbb\xbf" + content, "flowers.jsonl").frame, flowers())
    assert read(b"a,b\n{1},{2}\n", "x.csv").format == "CSV"
    for whole in (b'{\n "a": 1\n}\n', b'[{"a": 1},\n{"a": 2}]', b'{"a": 1}'):
        assert "looks like JSON" in refusal(whole, "x.json")
    assert read(b'{"a": 1}', "x.jsonl").n_rows == 1


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ('{"a": 1', "is not JSON"),
        ("{'a': 1}", "is not JSON"),
        ('{"a": 01}', "is not JSON"),
        ('{"a": 1} {"a": 2}', "is not JSON"),
        ('{"a": 1},', "is not JSON"),
        ("a,b", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ('{"a": NaN', "is not JSON"),
        ('{"a": "\0"}', "is not JSON"),
        ("[1, 2]", "contains a "),
        ("3", "contains a "),
        ('"x"', "contains a "),
        ("null", "contains a "),
        ("true", "contains a "),
        ('{"a":' * 900 + "1" + "}" * 900, "has objects nested more than"),
    ],
)
def test_a_line_that_is_no_object_is_named(line, code):
    found = refusal(f'{{"a": 1}}\n\n{line}\n{{"a": 2}}\n')
    assert "line 3 " in found
    assert code in found


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"\n \n", "has no rows."),
        (b"{}\n{}\n", "contains only lists, which are not supported"),
        (b'{"a": [1]}\n', "contains only lists, which are not supported"),
        (b'{"a": "\xff"}\n', "is not JSON"),
        ('{"a": 1}\n'.encode("utf-16"), "is not JSON"),
        (b'\x1f\x8b{"a": 1}\n', "is damaged and cannot be unpacked"),
    ],
)
def test_files_without_rows_or_of_other_bytes(content, code):
    assert code in refusal(content)


def test_sizes_beyond_the_limits_are_refused_before_they_cost(monkeypatch):
    many = json.dumps({f"c{k}": 1 for k in range(10_001)})
    assert "columns" in refusal(many + "\n" + many)
    monkeypatch.setattr(json_lines_file, "MAX_VALUES", 10)
    assert "x.jsonl has more than 10 values (the maximum for JSON)" in refusal('{"a": 1, "b": 2}\n' * 6)


def test_strange_names_are_names():
    found = table({"": 1, "a\nb": 2, "a b": 3, "\u202e": 4, "x" * 999: 5, "<script>": 6, "__proto__": 7}).frame
    assert len(set(found.columns)) == 7
    assert all(name.strip() and len(name) <= 200 for name in found.columns)


@given(st.lists(st.dictionaries(st.text(max_size=5), VALUES, max_size=4), min_size=1, max_size=6))
def test_any_objects(records):
    whole_way("\n".join(map(json.dumps, records)).encode(), "strange.jsonl")


@given(st.lists(st.one_of(VALUES.map(json.dumps), st.text(max_size=20)), max_size=6))
def test_any_lines(lines):
    whole_way("\n".join(lines).encode("utf-8", "replace"), "strange.jsonl")
