"""Test words such as NA that are read as missing: they are named, and one click or option makes them values."""

import io
import json
from dataclasses import replace

import numpy as np
import pandas
import pytest

from sample_data.user_data import make_data_set, problems, propose, read, summarise
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.table_file import load_table, save_table
from tests.refusals import is_said, refused
from treecore.errors import DataError
from treecore.messages import listed
from treecore.model.model import Model
from viz.command_line.__main__ import main

N_ROWS = 120


def table_of(mark, n_marks, ending="csv"):
    """Return a table whose target has two classes and `n_marks` cells with a mark."""
    rng = np.random.default_rng(0)
    y = np.array(["low"] * 60 + ["high"] * (60 - n_marks) + [mark] * n_marks, object)
    frame = pandas.DataFrame(
        {"x": rng.normal(size=N_ROWS).round(3), "colour": rng.choice(["red", "blue", mark, "tan"], N_ROWS), "y": y}
    )
    frame = frame.sample(frac=1, random_state=0)
    stream = io.BytesIO()
    if ending == "xlsx":
        frame.to_excel(stream, index=False)
    else:
        text = frame.to_csv(index=False) if ending == "csv" else frame.to_json(orient="records", lines=True)
        stream.write(text.encode())
    return read(stream.getvalue(), f"t.{ending}")


def asked(table, recipe, column):
    return next(
        one for one in problems(table, summarise(table), recipe) if column in one.columns and one.kind == "marked"
    )


@pytest.mark.parametrize("ending", ["csv", "xlsx", "jsonl"])
@pytest.mark.parametrize("mark", ["NA", "?", "n/a", "null", "--"])
def test_a_class_that_was_read_as_missing_is_asked_about(mark, ending):
    table = table_of(mark, 12, ending)
    recipe = propose(table, summarise(table), "y")
    assert make_data_set(table, recipe).n_rows == N_ROWS - 12
    question = asked(table, recipe, "y")
    assert is_said(
        question.text,
        f"12 rows (…) with {listed([mark])} in '…' are excluded, because this usually means a missing value",
    )
    data = make_data_set(table, question.fix[1])
    assert data.n_rows == N_ROWS
    assert set(data.class_names) == {"low", "high", mark}
    assert f"{mark!r} is a value of 'y'" in data.description
    assert Recipe.from_dict(json.loads(json.dumps(question.fix[1].to_dict()))) == question.fix[1]


def test_a_text_as_frequent_as_the_classes_is_a_class():
    table = table_of("NA", 30)
    recipe = propose(table, summarise(table), "y")
    assert recipe.values == {"y": ("NA",)}
    assert len(make_data_set(table, recipe).class_names) == 3
    back = next(one for one in problems(table, summarise(table), recipe) if one.kind == "missing marker")
    assert make_data_set(table, back.fix[1]).class_names == ("high", "low")
    assert make_data_set(table, asked(table, back.fix[1], "y").fix[1]).n_rows == N_ROWS


def test_texts_of_features_are_asked_about_together():
    table = table_of("NA", 12)
    recipe = propose(table, summarise(table), "y")
    question = asked(table, recipe, "colour")
    data = make_data_set(table, question.fix[1])
    assert "colour = NA" in data.feature_names
    assert not np.isnan(data.X).any()
    rows = read(b"x,colour\n1,NA\n2,\n", "new.csv", values=data.columns.marker_values()).frame
    encoded = dict(zip(data.feature_names, data.columns.encode(rows).X.T, strict=True))["colour = NA"]
    assert encoded[0] == 1
    assert np.isnan(encoded[1])


def test_a_stored_table_keeps_its_marks(tmp_path):
    table = table_of("NA", 12)
    save_table(table, tmp_path / "t.arrow")
    again = load_table(tmp_path / "t.arrow")
    assert again.frame.columns.tolist() == table.frame.columns.tolist()
    recipe = replace(propose(table, summarise(table), "y"), values={"y": ("NA",)})
    assert make_data_set(again, recipe).fingerprint == make_data_set(table, recipe).fingerprint


def test_a_last_row_of_totals_has_no_mark():
    rows = "".join(f"{k},{'NA' if k % 4 == 0 else 'ab'[k % 2]},{k}\n" for k in range(40))
    table = read(f"n,y,z\n{rows}Total,,7\n".encode(), "t.csv")
    assert len(table.marks["y"]) == table.n_rows == 40


@pytest.mark.parametrize("values", [{"y": "NA"}, {"y": [""]}, ["NA"], {"y": [1]}])
def test_wrong_values_of_a_recipe_are_refused(values):
    with refused(DataError, "values: expected 1 to … strings of at most … characters for each column"):
        Recipe("y", {"y": "category"}, values=values)


@pytest.mark.parametrize(
    ("options", "n_classes"), [([], 2), (["--value-text", "NA"], 3), (["--missing-text", "NA"], 2)]
)
def test_an_option_makes_a_text_a_class(options, n_classes, tmp_path, capsys):
    lines = [f"{k % 7},{'NA' if k % 9 == 0 else ['low', 'high'][k % 2]}" for k in range(90)]
    path, model = tmp_path / "t.csv", tmp_path / "model.json"
    path.write_text("x,y\n" + "\n".join(lines) + "\n")
    main(["fit", str(path), "--target", "y", "--split", "univariate", "--lam", "1", "--out", str(model), *options])
    told = capsys.readouterr().err
    assert ("--value-text TEXT" in told) == (n_classes == 2)
    assert len(Model.from_json(model.read_text()).tree.classes) == n_classes


def test_the_option_works_with_a_target_of_numbers(tmp_path, capsys):
    lines = [f"{'NA' if k % 9 == 0 else ['low', 'high'][k % 2]},{k if k % 5 else ''}" for k in range(90)]
    path, model = tmp_path / "t.csv", tmp_path / "model.json"
    path.write_text("level,y\n" + "\n".join(lines) + "\n")
    main(["fit", str(path), "--target", "y", "--regression", "--split", "univariate", "--lam", "1", "--out", str(model),
          "--value-text", "NA"])  # fmt: skip
    capsys.readouterr()
    assert "level = NA" in Model.from_json(model.read_text()).tree.feature_names
