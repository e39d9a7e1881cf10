"""Test rows in the words of their table, sentences as HTML without scripts, and images of rows."""

import io
from dataclasses import replace

import numpy as np
from PIL import Image

import sample_data
from tests.strategies import small_tree
from treecore.explain.explanation import explain
from treecore.tables.table_columns import TableColumn, TableColumns
from treecore.tree.classes import Classes
from viz.images.pixel_image import ink_image, signed_image
from viz.nodes.category_columns import category_columns
from viz.page.explanation_html import shares_html, verdict_html, way_html
from viz.payload.feature_kinds import category_groups, feature_facts
from viz.words.row_words import category_features, changed_values, open_categories, row_values

COLUMNS = TableColumns(
    (TableColumn("colour", "category", ("red", "blue")), TableColumn("day", "date"), TableColumn("size"))
)


def table():
    X = np.array([[1, 0, 0, 2.5], [0, 1, 18628.5, np.nan], [0, 0, 1, 3]])
    iris = sample_data.load("iris")
    return replace(iris, X=X, y=np.array([0, 1, 2]), feature_names=COLUMNS.feature_names(), columns=COLUMNS)


def test_values_are_those_of_the_table():
    data = table()
    assert [value.text for value in row_values(data, data.X[0])] == ["red", "1970-01-01", "2.5"]
    assert [value.text for value in row_values(data, data.X[1])] == ["blue", "2021-01-01 12:00", "missing"]
    assert row_values(data, data.X[2])[0].text == "another category"
    assert category_features(data) == [range(2)]


def test_one_of_two_values_has_a_feature_and_the_other_its_name():
    columns = TableColumns((TableColumn("sex", "category", ("m",), ("f",)), TableColumn("dish", "category", ("a", "b"),
                            ("c", "d")), TableColumn("size", "category", ("s", "t"))))  # fmt: skip
    iris = sample_data.load("iris")
    X = np.array([[1, 0, 0, 1, 0], [0, 1, 0, 0, 1], [0, 0, 1, 1, 0.0]])
    data = replace(iris, X=X, y=np.arange(3), feature_names=columns.feature_names(), columns=columns)
    assert [value.text for value in row_values(data, data.X[0])] == ["m", "another category", "s"]
    assert row_values(data, data.X[1])[0].text == "f"
    assert open_categories(data) == [0, 1]
    groups = category_groups(columns, np.arange(5))
    assert [(group["others"], group["rest"]) for group in groups] == [(True, ["f"]), (True, ["c", "d"]), (False, [])]
    assert category_columns(data).rest == {range(1): ("f",), range(1, 3): ("c", "d"), range(3, 5): ()}
    grouped = TableColumns(
        (*columns.columns[::2], TableColumn("dish", "category", ("a", "other"), ("c", "d"), grouped=True))
    )
    data = replace(data, feature_names=grouped.feature_names(), columns=grouped)
    # the group has all other values, as on the stage
    assert category_columns(data).rest == {range(1): ("f",), range(1, 3): (), range(3, 5): ()}
    assert [group["others"] for group in category_groups(grouped, np.arange(5))] == [True, False, False]


def test_a_category_is_one_change():
    data = table()
    colour, day, size = changed_values(data, data.X[0], np.array([0, 1, 3.0, 2.0]))
    assert (colour.name, colour.before, colour.after, colour.difference) == ("colour", "red", "blue", "")
    assert (day.after, day.difference) == ("1970-01-04", "+3 days")
    assert size.difference == "−0.5"
    assert changed_values(data, data.X[1], data.X[1]) == []


def test_the_browser_learns_ranges_and_groups():
    data = table()
    facts = feature_facts(data.X)
    assert facts["low"].tolist() == [0, 0, 0, 2.5]
    assert facts["high"].tolist() == [1, 1, 18628.5, 3]
    assert facts["whole"].tolist() == [1, 1, 0, 0]
    shipped = np.array([1, 3])
    assert category_groups(COLUMNS, shipped) == [
        {"name": "colour", "values": [["blue", 0]], "others": True, "rest": ["red"]}
    ]
    assert category_groups(None, shipped) == []


def test_names_cannot_be_markup():
    hostile = "<img src=x onerror=alert(1)>"
    tree = small_tree().with_names([hostile, "s", "t"])
    found = explain(tree, [2.0, 0.0, 3.0], deviation=np.array([2.0, 1.0, 0.0]))
    text = (
        way_html(found, tree)
        + verdict_html(hostile, "a", hostile, hostile)
        + shares_html([1.0], [0], Classes((hostile,)))
    )
    assert "<img" not in text
    assert text.count("&lt;img") >= 4
    assert "margin +0.25 sd" in text
    assert "margin −0.5 sd" in text
    assert "weighted sum of 2 pixels &lt; 0" in way_html(found, tree, most_pixels=1)


def test_pictures_have_the_shape_of_the_image():
    values = np.arange(6.0) - 2
    for picture in (ink_image(np.abs(values), (2, 3)), signed_image(values, (2, 3), "dark")):
        width, height = Image.open(io.BytesIO(picture)).size
        assert width / height == 1.5
    assert Image.open(io.BytesIO(signed_image(np.zeros(4), (2, 2)))).getpixel((0, 0)) == (243, 245, 248)
