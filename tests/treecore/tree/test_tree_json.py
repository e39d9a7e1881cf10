"""Test the JSON form of a tree: an exact round trip, and one typed error for every damaged file."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.each import each
from tests.strategies import CORRUPTIONS, rows, small_tree, trees
from treecore import Tree, TreeFormatError


@given(st.data(), trees())
def test_round_trip_is_exact(data, tree):
    text = tree.to_json()
    again = Tree.from_json(text)
    assert again == tree
    assert again.to_json() == text
    assert Tree.from_json(text.encode()) == tree
    for name in ("weights", "bias", "values"):  # -0.0 == 0.0, but their bytes differ
        assert getattr(again, name).tobytes() == getattr(tree, name).tobytes()
    X = data.draw(rows(tree.n_features))
    assert again.predict(X).tolist() == tree.predict(X).tolist()
    assert again.predict_proba(X).tobytes() == tree.predict_proba(X).tobytes()


@pytest.mark.parametrize("classes", [
    np.array([3, 1, 2], np.int8), np.array([1, 2, 3], np.uint64), np.array([0.1, 0.2, 0.3], np.float32),
    np.array(["é", "日本", ""]), np.array(["x", "yy", "zzz"], object),
])  # fmt: skip
def test_class_labels_keep_their_type(classes):
    tree = small_tree(classes=classes)
    again = Tree.from_json(tree.to_json())
    assert again.classes.dtype == tree.classes.dtype
    assert again == tree


def corrupted(**changes):
    record = json.loads(small_tree().to_json())
    return json.dumps(record | changes)


def refused(text, match=r"\w+ \w+"):
    with pytest.raises(TreeFormatError, match=match):
        Tree.from_json(text)


@each("name", [name for name in CORRUPTIONS if name != "no class"])
def test_arrays_that_are_no_tree_are_refused(name):
    changes = {key: np.asarray(value).tolist() for key, value in CORRUPTIONS[name].items()}
    if "classes" in changes:
        changes["classes"] = {"dtype": "<U1", "labels": changes["classes"]}
    refused(corrupted(**changes))


@each("key", sorted(json.loads(small_tree().to_json())))
def test_missing_keys_are_refused(key):
    record = json.loads(small_tree().to_json())
    del record[key]
    refused(json.dumps(record), key)


def test_unknown_keys_are_refused():
    refused(corrupted(__class__="os.system"), "__class__")


WRONG = [
    None,
    True,
    7,
    -1,
    1.5,
    1e308,
    "text",
    [],
    {},
    [None],
    [True],
    ["1"],
    [[1]],
    [1e999],
    [10**30],
    [10**400],
    {"a": 1},
]


@each("key", sorted(set(json.loads(small_tree().to_json())) - {"n_features"}))
@each("value", WRONG, ids=lambda value: repr(value)[:12])
def test_values_of_the_wrong_type_are_refused(key, value):
    fits = (
        value is None
        and key in ("feature_names", "missing_right", "linear")
        or value in (None, {})
        and key == "feature_quantiles"
    )
    if not fits:
        refused(corrupted(**{key: value}))


@pytest.mark.parametrize("value", [None, True, 3.0, "3", [3], -3, 0, 2, 10**30])
def test_number_of_features_must_be_a_fitting_whole_number(value):
    refused(corrupted(n_features=value))


@each("key", ["left", "right", "indptr", "features", "labels", "n_samples", "origin", "weights", "bias"])
@each("item", [None, True, "1", [1], {}, float("nan"), float("inf"), float("-inf"), 10**400])
def test_one_bad_item_in_a_list_is_refused(key, item):
    items = json.loads(small_tree().to_json())[key]
    refused(corrupted(**{key: [item, *items[1:]]}))
    refused(corrupted(**{key: [*items[:-1], item]}))


@pytest.mark.parametrize("key", ["left", "right", "indptr", "features", "labels", "n_samples", "origin"])
def test_floats_in_a_list_of_whole_numbers_are_refused(key):
    items = json.loads(small_tree().to_json())[key]
    refused(corrupted(**{key: [float(item) for item in items]}), "whole")


@pytest.mark.parametrize("item", [float("nan"), float("inf"), None, "1", True, [1.0], 10**400])
def test_bad_counts_are_refused(item):
    values = json.loads(small_tree().to_json())["values"]
    values[1][2] = item
    refused(corrupted(values=values))


def test_ragged_counts_are_refused():
    values = json.loads(small_tree().to_json())["values"]
    values[1].append(1.0)
    refused(corrupted(values=values), "equal lengths")


def test_claims_of_many_nodes_are_refused_quickly():
    refused(corrupted(left=[10**9, -1, 3, -1, -1]))
    refused(corrupted(indptr=[0, 1, 1, 3, 3, 10**18]))
    refused(corrupted(left=[0] * 5_000_001), "5000000")


@each("dtype", [
    "U1000000000", "<U99999999999999999999", "O", "V8", "c16", "M8[s]", "S3", "i4,i4", "(2,)i4", "a", "", "\ud800",
    "no such type", None, True, 3, {}, [], ["i4"], [["a", "i4"]], {"names": ["a"], "formats": ["i4"]}, "x" * 10**6,
], ids=lambda value: repr(value)[:20])  # fmt: skip
def test_odd_class_types_are_refused(dtype):
    refused(corrupted(classes={"dtype": dtype, "labels": ["a", "b", "c"]}))


def test_a_claimed_width_of_strings_is_not_believed():
    text = corrupted(classes={"dtype": "<U100000000", "labels": ["a", "b", "c"]})
    assert Tree.from_json(text).classes.nbytes < 100


@each("dtype, labels", [
    ("<i8", [1, 2, "3"]), ("<i8", [1, 2, 2.5]), ("<i8", [1, 2, True]), ("<i8", [1, 2, 10**30]), ("i1", [1, 2, 300]),
    ("u1", [1, 2, -1]), ("<f8", [0.5, 1.5, None]), ("<f8", [0.5, 0.5, 1.5]), ("<f8", [0.5, 1.5, 1e999]),
    ("<f2", [0.5, 1.5, 1e300]), ("|b1", [True, False, 1]), ("|b1", [True, False, True]), ("<U1", ["a", "b", 3]),
    ("<U1", ["a", "b", ["c"]]), ("<U1", ["a", "b", "b"]), ("<U1", ["a", "b"]), ("<U1", []), ("<U1", "abc"),
])  # fmt: skip
def test_class_labels_must_fit_their_type(dtype, labels):
    refused(corrupted(classes={"dtype": dtype, "labels": labels}))


@each("text", [
    "", "null", "3", "[]", "{}", '"tree"', "{", "nan", '{"format": "treecore-tree"}', "\ufeff{}", "[" * 200_000,
    '{"a":' * 200_000, b"\xff\xfe\x00", b"\x80", small_tree().to_json()[:-1], small_tree().to_json().encode("utf-16"),
    small_tree().to_json() + "x",
], ids=lambda value: repr(value)[:16])  # fmt: skip
def test_texts_that_are_no_tree_are_refused(text):
    refused(text)


@pytest.mark.parametrize(
    "quantiles",
    [
        {"0": [1, 2, 3, 4]},
        {"3": [1, 2, 3, 4, 5]},
        {"-1": [1, 2, 3, 4, 5]},
        {"x": [1, 2, 3, 4, 5]},
        {"0": [5, 4, 3, 2, 1]},
        {"0": [1, 2, None, 4, 5]},
        {"0": [1, 2, "3", 4, 5]},
        {"0": [1, 2, 3, 4, 1e999]},
        [[1, 2, 3, 4, 5]],
        {"0": 7},
    ],
)
def test_quantiles_that_are_none_are_refused(quantiles):
    refused(corrupted(feature_quantiles=quantiles), "feature_quantiles|not JSON|Infinity")


def test_a_file_of_an_earlier_version_has_no_quantiles():
    record = json.loads(small_tree().to_json()) | {"version": 2}
    del record["feature_quantiles"]
    assert Tree.from_json(json.dumps(record)) == small_tree()


def test_a_nested_list_bomb_inside_a_field_is_refused():
    bomb = "[" * 100_000 + "]" * 100_000
    refused(small_tree().to_json().replace('"left": [1, -1, 3, -1, -1]', f'"left": {bomb}'), "nested")


@pytest.mark.parametrize("place", ['"n_features": 3', '"version": 4', '"left": [1'])
def test_a_number_of_very_many_digits_is_refused(place):
    text = small_tree().to_json()
    assert place in text
    refused(text.replace(place, place[:-1] + "9" * 5000))


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-Infinity"])
def test_constants_that_are_not_finite_are_refused_by_name(value):
    text = small_tree().to_json()
    assert "[-1.5," in text
    refused(text.replace("[-1.5,", f"[{value},"), value)


def test_other_versions_and_formats_are_refused_by_name():
    refused(corrupted(version=5), "version 5")
    refused(corrupted(format="pickle"), "treecore-tree")


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from(sorted(json.loads(small_tree().to_json()))), JSON_VALUES)
def test_any_replaced_field_gives_a_tree_or_the_typed_error(key, value):
    text = corrupted(**{key: value})
    try:
        tree = Tree.from_json(text)
    except TreeFormatError:
        return
    assert Tree.from_json(tree.to_json()) == tree


@given(st.data())
def test_any_edited_text_gives_a_tree_or_the_typed_error(data):
    raw = bytearray(small_tree().to_json().encode())
    for _ in range(data.draw(st.integers(1, 3))):
        position = data.draw(st.integers(0, len(raw) - 1))
        raw[position : position + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    try:
        tree = Tree.from_json(bytes(raw))
    except TreeFormatError:
        return
    assert Tree.from_json(tree.to_json()) == tree
