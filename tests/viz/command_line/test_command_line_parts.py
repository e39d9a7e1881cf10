"""Test commands on folders of files that are read in parts."""

import argparse
import errno
import json
import re
from decimal import Decimal

import numpy as np
import pandas
import pytest

from treecore import Model
from treecore.training.partitions.sources import file_source
from viz.command_line import main
from viz.command_line.row_parts import memory_size

pytest.importorskip("pyarrow")


@pytest.fixture
def folder(tmp_path, rng):
    (tmp_path / "rows").mkdir()
    for i in range(3):
        frame = pandas.DataFrame(rng.integers(0, 20, (500, 2)).astype(float), columns=["a", "b"])
        frame["colour"] = rng.choice(["red", "blue"], 500)
        frame["y"] = np.where((frame.a > 9) ^ (frame.colour == "red"), "yes", "no")
        frame.to_parquet(tmp_path / "rows" / f"p{i}.parquet", index=False)
    return tmp_path / "rows"


def test_a_folder_is_fitted_and_predicted_in_parts(folder, tmp_path, capsys):
    model, out = tmp_path / "model.json", tmp_path / "out"
    pattern = str(folder / "*.parquet")
    assert main(["fit", pattern, "--target", "y", "--ignore", "b", "--memory", "1GB", "--lam", "4", "--json",
                 "--out", str(model)]) == 0  # fmt: skip
    figures = json.loads(capsys.readouterr().out)
    assert figures["n_train"] + figures["n_validation"] + figures["n_test"] == 1500
    assert (figures["n_leaves"], figures["test_error"], figures["train_error"]) == (4, 0, 0)
    saved = Model.from_json(model.read_text())
    assert saved.column_names == ["a", "colour"]
    assert saved.sample is not None
    assert main(["rules", str(model)]) == 0
    assert "colour = blue" in capsys.readouterr().out
    assert main(["predict", str(model), str(folder), "--out", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"n_rows": 1500, "n_refused": 0, "n": 1500, "error": 0}
    for i in range(3):
        written = pandas.read_parquet(out / f"p{i}.parquet")
        assert (written.prediction == pandas.read_parquet(folder / f"p{i}.parquet").y).all()
    assert main(["predict", str(model), str(folder), "--out", str(out)]) == 2


def test_a_path_of_a_folder(folder, tmp_path):
    best, table = tmp_path / "best.json", tmp_path / "path.csv"
    assert main(["path", str(folder), "--target", "y", "--lams", "3", "--model", str(best), "--out", str(table)]) == 0
    assert len(pandas.read_csv(table)) == 3
    assert Model.from_json(best.read_text()).tree.n_leaves == 4


def test_options_that_need_a_table_are_refused(folder, capsys):
    assert main(["fit", str(folder), "--target", "y", "--group", "a"]) == 2
    assert "--group requires a table in memory" in capsys.readouterr().err
    assert main(["fit", str(folder)]) == 2
    assert "The columns are 'a', 'b', 'colour', 'y'" in capsys.readouterr().err


def test_columns_of_unsupported_types_can_be_ignored(folder, capsys):
    for path in folder.iterdir():
        pandas.read_parquet(path).assign(day=pandas.Timestamp("2025-01-01")).to_parquet(path)
    assert main(["fit", str(folder), "--target", "y"]) == 2
    assert "column 'day' has the type timestamp" in capsys.readouterr().err
    assert main(["fit", str(folder), "--target", "y", "--ignore", "day", "--ignore", "b"]) == 0


def test_regression_of_a_text_column_names_the_file(folder, capsys):
    assert main(["fit", str(folder), "--target", "y", "--regression"]) == 2
    assert re.search(r"p\d.parquet, rows 0 to 499: the target has the type text", capsys.readouterr().err)


def test_files_of_two_formats_with_the_same_name_are_predicted_apart(folder, tmp_path):
    model, out = tmp_path / "model.json", tmp_path / "out"
    assert main(["fit", str(folder), "--target", "y", "--out", str(model)]) == 0
    pandas.read_parquet(folder / "p0.parquet").head(10).to_feather(folder / "p0.feather")
    assert main(["predict", str(model), str(folder), "--out", str(out)]) == 0
    assert len(pandas.read_parquet(out / "p0.parquet")) == 500
    assert len(pandas.read_parquet(out / "p0.feather.parquet")) == 10


def test_predictions_that_cannot_be_written_leave_no_part_of_a_file(folder, tmp_path, monkeypatch, capsys):
    parquet = pytest.importorskip("pyarrow.parquet")
    model, out = tmp_path / "model.json", tmp_path / "out"
    assert main(["fit", str(folder), "--target", "y", "--out", str(model)]) == 0

    def full(writer, table):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(parquet.ParquetWriter, "write_table", full)
    assert main(["predict", str(model), str(folder), "--out", str(out)]) == 2
    assert "p0.parquet' cannot be written: No space left on device." in capsys.readouterr().err
    assert not list(out.iterdir())


def test_predictions_keep_the_types_of_the_columns(folder, tmp_path, monkeypatch):
    parquet = pytest.importorskip("pyarrow.parquet")
    model, out = tmp_path / "model.json", tmp_path / "out"
    assert main(["fit", str(folder), "--target", "y", "--out", str(model)]) == 0
    table = pandas.read_parquet(folder / "p0.parquet")
    table["price"] = [Decimal("1.5")] * 250 + [Decimal("12345.25")] * 250
    table["count"] = pandas.array([2**60 + 1, None] * 250, "Int64")
    table["prediction"] = pandas.Timestamp("2025-01-01")
    table.to_parquet(folder / "p0.parquet", row_group_size=100)
    monkeypatch.setattr(file_source, "MOST_ROWS", 200)
    assert main(["predict", str(model), str(folder), "--out", str(out)]) == 0
    given, written = (parquet.read_table(one / "p0.parquet") for one in (folder, out))
    assert written["price"].equals(given["price"])
    assert written["count"].equals(given["count"])
    assert written["prediction (table)"].equals(given["prediction"])


@pytest.mark.parametrize(("text", "size"), [("2GB", 2 * 10**9), ("500 mb", 5 * 10**8), ("1000", 1000), ("1.5k", 1500)])
def test_sizes_of_memory(text, size):
    assert memory_size(text) == size


@pytest.mark.parametrize("text", ["", "2x", "-1GB", "0", "120%"])
def test_invalid_sizes_of_memory(text):
    with pytest.raises(argparse.ArgumentTypeError, match="expected a size"):
        memory_size(text)


def test_a_learning_curve_of_a_folder_and_of_a_table(folder, tmp_path, capsys):
    table = tmp_path / "rows.csv"
    pandas.read_parquet(folder).to_csv(table, index=False)
    for rows in (folder, table):
        assert main(["curve", str(rows), "--target", "y", "--validation", "0.1", "--test", "0.1", "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert len(found["points"]) == 3
        assert found["points"][0]["gain"] is None
        assert found["points"][-1]["error"] < 0.1
        assert not found["needs_all_rows"]
