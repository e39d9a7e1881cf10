"""Test tables with many columns: a second reader gives the same table, even if all names are equal."""

import random
import time

import numpy as np
import pandas
import pytest

from sample_data.user_data import read
from sample_data.user_data.readers import csv_file
from sample_data.user_data.table import repair_names
from sample_data.user_data.table_file import load_table, save_table
from tests.budget import budget
from tests.refusals import refused
from tests.sample_data.user_data.user_data_files import FILES, csv_bytes, flowers
from treecore.errors import DataError

TEXTS = {
    "flowers": csv_bytes(),
    "semicolons": csv_bytes(sep=";", decimal=","),
    "western": csv_bytes(encoding="cp1252"),
    "wide characters": csv_bytes(encoding="utf-16"),
    "comments": b"# made by hand\n\na,b,class\n1,2,x\n# here too\n3,,y\n\n5,NA,y\n",
    "quotes": b'a,"b, c",class\n1,"two\nlines",x\n2,"said ""no""",y\n3,"NA",x\n',
    "blanks": b"a, b, class\n1, 2, x\n3, 4 , y\n",
    "tabs": b"a\tb\tclass\n1\t\tx\n 2\t3\ty\n",
    "no header": b"1,2,3\n4,5,6\n7,8,9\n",
    "changes": b"a,b\n" + b"1,2020-01-01\n" * 3000 + b"x,2021-01-01\n1.5,today\n",
    "ends with a delimiter": b"a,b,c,\n1,2,3,\n4,5,6,\n",
    "returns": b"a,b\r\n1,x\r\n2,y\r\n",
    "one row": b"a,b\n1,2",
}


@pytest.mark.parametrize("name", TEXTS)
def test_both_readers_make_the_same_table(name, monkeypatch):
    plain = read(TEXTS[name], "t.csv")
    monkeypatch.setattr(csv_file, "_WIDE", 0)
    monkeypatch.setattr(csv_file, "_WIDE_CELLS", 50)
    wide = read(TEXTS[name], "t.csv")
    pandas.testing.assert_frame_equal(plain.frame, wide.frame)
    assert plain.notes == wide.notes


@pytest.mark.parametrize("text", [b"a,b,c\n1,2,3\n4,5\n6,7,8\n", b"a,b,c\n1,2,3\n4,5,6,7\n", b"a,b,c\n"])
def test_both_readers_refuse_the_same_rows(text, monkeypatch):
    with pytest.raises(DataError) as plain:
        read(text, "t.csv")
    monkeypatch.setattr(csv_file, "_WIDE", 0)
    with pytest.raises(DataError) as wide:
        read(text, "t.csv")
    assert str(plain.value) == str(wide.value)


def test_thousands_of_equal_names_are_corrected_quickly():
    begin = time.process_time()
    names, notes = repair_names(["x"] * 9000 + ["x (3)"] + ["x" * 300] * 900)
    assert time.process_time() - begin < 5
    assert len(set(names)) == len(names)
    assert names[:3] == ["x", "x (2)", "x (4)"]
    assert any("repeated header" in note for note in notes)


def frames():
    yield from (
        table.frame for table in (read(make(), name) for name, make in FILES.items()) if hasattr(table, "frame")
    )
    yield read(b"text,class\n" + b"".join(b"word %d,%d\n" % (k, k % 2) for k in range(25_000)) + b",1\n", "t.csv").frame
    yield pandas.DataFrame({"a": np.array([1.5, np.nan, np.inf]), "b": np.array(["NaT", "2020-01-01", "1970-01-02"],
                            "datetime64[us]"), "c": np.array([1, 2, 3], np.int8)})  # fmt: skip


def test_a_table_in_a_file_comes_back_as_it_was(tmp_path):
    table = read(csv_bytes(flowers()), "flowers.csv")
    for k, frame in enumerate(frames()):
        path = tmp_path / f"{k}.arrow"
        save_table(type(table)(frame, "näme", "CSV", ("a note",), 12, {"seen": True}), path)
        back = load_table(path)
        pandas.testing.assert_frame_equal(back.frame, frame)
        assert (back.name, back.format, back.notes, back.n_bytes, back.day_first) == (
            "näme", "CSV", ("a note",), 12, {"seen": True})  # fmt: skip


@pytest.mark.nightly
def test_no_damage_to_the_file_of_a_table_goes_unseen(tmp_path):
    path, draw = tmp_path / "t.arrow", random.Random(0)
    save_table(read(csv_bytes(flowers()), "flowers.csv"), path)
    content = path.read_bytes()
    for _ in range(budget(30, 3000)):
        place = draw.randrange(len(content))
        damaged = draw.choice(
            [
                content[:place],
                content[:place] + bytes([content[place] ^ (1 << draw.randrange(8))]) + content[place + 1 :],
                content[:place] + bytes(len(content) - place),
                content + b"\0",
            ]
        )
        path.write_bytes(damaged)
        if damaged != content:
            with refused(DataError, "The stored table is damaged"):
                load_table(path)
    path.unlink()
    with pytest.raises(FileNotFoundError):
        load_table(path)
