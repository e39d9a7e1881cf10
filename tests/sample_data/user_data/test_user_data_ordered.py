"""Test columns with ordered values, whose order comes from the file or from the user."""

import io
from dataclasses import replace

import numpy as np
import pandas

from sample_data.user_data import Recipe, Table, make_data_set, propose, read, summarise
from sample_data.user_data.known_orders import column_levels
from sample_data.user_data.table_file import load_table, save_table
from tests.refusals import refused, wording
from treecore.errors import DataError
from treecore.tables.table_columns import TableColumn

LEVELS = ("tiny", "small", "large", "huge")
NAME = "size (ordered: tiny < small < large < huge)"


def frame(n=80):
    draw = np.random.default_rng(0)
    codes = draw.integers(-1, 3, n)  # no row has the level "huge"
    size = pandas.Categorical.from_codes(codes, LEVELS, ordered=True)
    return pandas.DataFrame({"size": size, "x": draw.normal(size=n), "kind": np.where(codes > 0, "yes", "no")})


def parquet():
    stream = io.BytesIO()
    frame().to_parquet(stream, row_group_size=30)
    return read(stream.getvalue(), "sizes.parquet")


def test_an_order_of_a_file_becomes_one_feature(tmp_path):
    save_table(parquet(), tmp_path / "kept")
    table = load_table(tmp_path / "kept")
    summaries = summarise(table)
    assert (summaries[0].low, summaries[0].high, [name for name, _ in summaries[0].top]) == (
        "tiny",
        "large",
        list(LEVELS[:3]),
    )
    recipe = propose(table, summaries, "kind")
    assert recipe.kinds == {"size": "ordered", "x": "number", "kind": "category"}
    data = make_data_set(table, recipe)
    assert data.feature_names == (NAME, "x")
    assert data.columns.columns[0] == TableColumn("size", "ordered", LEVELS)
    np.testing.assert_array_equal(data.X[:, 0], np.where((codes := frame()["size"].cat.codes) < 0, np.nan, codes))
    without = make_data_set(table, replace(recipe, missing={"size": ("small",)}))
    assert without.columns.columns[0] == TableColumn("size", "ordered", ("tiny", "large", "huge"), missing=("small",))


def test_its_owner_says_the_order_of_texts():
    table = Table(frame().astype({"size": str}), "sizes.csv", "CSV")
    plain = Recipe("kind", {"size": "ordered", "kind": "category"})
    assert make_data_set(table, plain).feature_names == ("size (ordered: tiny < small < large)",)
    said = Recipe.from_dict(replace(plain, levels={"size": ["small", "tiny"], "kind": ["a", "b"]}).to_dict())
    assert said.levels == {"size": ("small", "tiny")}
    data = make_data_set(table, said)
    assert data.feature_names == ("size (ordered: small < tiny)",)
    assert wording("'size': … outside the levels treated as missing").search(data.description)
    assert said.with_kinds({"size": "category"}).levels == {}
    with refused(DataError, "levels: expected 2 to 50 different strings, from low to high, for an ordered column"):
        replace(plain, levels={"size": ("small", "small")})
    with refused(DataError, "Column … has 80 different values, but an ordered column needs 2 to 50"):
        column_levels(table.frame["x"])
    with refused(DataError, "Column … has 0 different values, but an ordered column needs 2 to"):
        column_levels(pandas.Series([None, None], dtype=object))
