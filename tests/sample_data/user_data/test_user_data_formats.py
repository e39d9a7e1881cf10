"""Test workbooks, Parquet, ARFF, .npz and archives."""

import gzip
import io

import numpy as np
import pandas
import pyarrow
import pyarrow.parquet
import pytest

from sample_data import DataSet
from sample_data.user_data import read, summarise
from tests.sample_data.user_data.test_user_data_text import same
from tests.sample_data.user_data.user_data_files import (
    FILES,
    csv_bytes,
    excel_bytes,
    flowers,
    image_zip_bytes,
    npz_bytes,
    parquet_bytes,
    picture,
    zip_bytes,
)
from treecore.messages import counted, plural


@pytest.mark.parametrize("name", [name for name in FILES if name.startswith("flowers") and not name.endswith("npz")])
def test_each_format_holds_the_same_table(name, tmp_path):
    content = FILES[name]()
    same(read(content, name).frame, flowers())
    path = tmp_path / "upload"
    path.write_bytes(content)
    table = read(path, name)
    same(table.frame, flowers())
    assert table.n_bytes == len(content)
    kinds = [summary.kind for summary in summarise(table)]
    assert kinds == ["number", "number", "category", "date", "category"]


def test_the_content_tells_the_format_and_not_the_name():
    same(read(excel_bytes(), "flowers.csv").frame, flowers())
    same(read(parquet_bytes(), "flowers").frame, flowers())
    same(read(csv_bytes(sep="\t"), "flowers.xls").frame, flowers())


def test_archives_of_one_table():
    same(read(gzip.compress(csv_bytes()), "flowers.csv.gz").frame, flowers())
    archive = zip_bytes({"data/flowers.csv": csv_bytes(), "__MACOSX/x": b"1", "readme.md": b"hello"})
    same(read(archive, "flowers.zip").frame, flowers())


def test_sheets():
    first, second = pandas.DataFrame(), flowers()
    content = excel_bytes({"Notes": first, "Data": second, "More": second.head(3)})
    table = read(content, "book.xlsx")
    same(table.frame, second)
    assert "sheet 'Data' of 3" in table.notes
    assert len(read(content, "book.xlsx", sheet="More").frame) == 3


def test_cells_of_a_workbook():
    cells = pandas.DataFrame(
        {
            "mixed": [1, "two", 3.0, None],
            "numbers as text": ["1,5", "2,5", "3", ""],
            "yes": [True, False, None, True],
            "error": [1.5, None, 2.5, 3.5],
            2020: [1, 2, 3, 4],
        }
    )
    frame = read(excel_bytes({"s": cells}), "cells.xlsx").frame
    assert list(frame.columns) == ["mixed", "numbers as text", "yes", "error", "2020"]
    assert frame["mixed"].tolist()[:3] == ["1", "two", "3"]
    assert frame["numbers as text"].tolist()[:3] == [1.5, 2.5, 3]
    assert frame["yes"].tolist()[:2] == ["true", "false"]
    assert frame.isna().sum().tolist() == [1, 1, 1, 1, 0]


def test_columns_of_parquet():
    wanted = pandas.DataFrame(
        {
            "flag": pandas.array([True, None, False], dtype="boolean"),
            "whole": pandas.array([1, None, 3], dtype="Int64"),
            "large": np.array([2**40, 1, 2], np.uint64),
            "kind": pandas.Categorical(["b", "a", None]),
            "zoned": pandas.to_datetime(["2020-01-01 12:00+02:00"] * 3, utc=True),
            "lists": [[1], [2], [3]],
        }
    )
    table = read(parquet_bytes(wanted), "t.parquet")
    assert list(table.frame.columns) == ["flag", "whole", "large", "kind", "zoned"]
    assert any("'lists'" in note for note in table.notes)
    assert table.frame["flag"].astype(object).where(table.frame["flag"].notna(), None).tolist() == [
        "true",
        None,
        "false",
    ]
    assert table.frame["large"].tolist() == [2**40, 1, 2]
    assert table.frame["kind"].tolist()[:2] == ["b", "a"]
    assert str(table.frame["zoned"][0]) == "2020-01-01 10:00:00"


def test_columns_of_parquet_with_the_same_name_and_below_each_other():
    columns = [pyarrow.array(values) for values in ([1, 2], ["x", "y"], [[3], [4]], [5, 6], [7, 8])]
    out = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_arrays(columns, names=["a", "a", "b.c", "b", "d.e"]), out)
    table = read(out.getvalue(), "t.parquet")
    assert table.frame.to_dict("list") == {"a": [1, 2], "a (2)": ["x", "y"], "d.e": [7, 8]}
    assert any("'b.c', 'b'" in note for note in table.notes)


def test_numbers_that_floats_cannot_tell_apart_are_texts():
    numbers = pandas.array([2**53 + 1, 2**53, None], dtype="Int64")
    frame = read(parquet_bytes(pandas.DataFrame({"account": numbers})), "t.parquet").frame
    assert frame["account"].tolist()[:2] == ["9007199254740993", "9007199254740992"]
    cells = pandas.DataFrame({"account": [2**53 + 4, 1]})
    assert read(excel_bytes({"s": cells}), "t.xlsx").frame["account"].tolist() == ["9007199254740996", "1"]


def test_arff_details():
    text = (
        "@RELATION x\n@ATTRIBUTE 'the size' numeric\n@ATTRIBUTE s {small, 'not so', \"it's\"}\n@ATTRIBUTE z string\n"
        "@DATA\n% note\n1,small,'a, b'\n?,'not so',?\n3,\"it's\",'it\\'s'\n"
    )
    table = read(text.encode(), "x.arff")
    assert table.format == "ARFF"
    assert list(table.frame.columns) == ["the size", "s", "z"]
    assert table.frame["s"].tolist() == ["small", "not so", "it's"]
    assert table.frame["s"].cat.categories.tolist() == ["small", "not so", "it's"]
    assert table.frame["z"].tolist()[::2] == ["a, b", "it's"]
    assert table.frame.isna().sum().tolist() == [1, 0, 1]


def test_numeric_attributes_of_arff_stay_numeric():
    frame = read(b"@relation x\n@attribute a numeric\n@data\n007\n12\n?\n", "x.arff").frame
    assert frame["a"].tolist()[:2] == [7, 12]


def test_arrays_with_class_names_are_a_data_set():
    data_set = read(npz_bytes(), "odd numbers.npz")
    assert isinstance(data_set, DataSet)
    assert data_set.name == f"own-{data_set.name[4:]}"
    assert data_set.class_names == ("even", "odd")
    assert data_set.source.endswith(" odd numbers.npz")


def test_arrays_without_class_names_are_a_table():
    table = read(npz_bytes(X=np.arange(12.0).reshape(6, 2), y=np.array(["b", "a"] * 3)), "t.npz")
    assert table.frame.columns.tolist() == ["feature 1", "feature 2", "y"]
    assert table.frame["y"].tolist() == ["b", "a"] * 3


def test_pictures_by_class():
    data_set = read(image_zip_bytes(), "my pets.zip")
    assert data_set.class_names == ("cat", "dog")
    assert data_set.image_shape == (4, 6)
    assert data_set.X.dtype == np.uint8
    assert data_set.X[:, 0].tolist() == [0, 40, 80] * 2
    assert data_set.title == "my pets"
    assert data_set.split is None


def test_pictures_of_other_sizes_modes_and_a_split():
    members = {
        "train/a/1.png": picture(100),
        "train/a/2.png": picture((0, 0, 0, 0), mode="RGBA"),
        "train/b/1.jpg": picture(200, kind="JPEG"),
        "test/a/1.png": picture(50, size=(3, 3)),
        "test/b/1.PNG": picture((10, 10, 10), mode="RGB"),
        "test/b/deep.png": picture(256 * 90, mode="I;16"),
        "test/b/Thumbs.db": b"x",
        "notes.txt": b"x",
    }
    data_set = read(zip_bytes(members), "pictures.zip")
    assert data_set.split.tolist() == [0, 0, 0, 1, 1, 1]
    assert data_set.X[:, 0].tolist() == [100, 255, 200, 50, 10, 90]
    assert f"{counted(1, 'image')} had a different size and {plural(1, 'was', 'were')} resized." in data_set.description
