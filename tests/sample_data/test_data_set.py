"""Test the class `DataSet`: refused input, immutability and the fingerprint."""

import pickle

import numpy as np
import pytest

from sample_data import DataSet
from tests.each import each
from tests.refusals import refused
from treecore.errors import DataError


def small(**changes):
    fields = {
        "name": "small",
        "title": "Small",
        "X": np.arange(8.0).reshape(4, 2),
        "y": np.array([0, 1, 0, 1]),
        "feature_names": ("a", "b"),
        "class_names": ("no", "yes"),
    }
    return DataSet(**{**fields, **changes})


def test_properties_and_labels():
    data_set = small(feature_names=np.array(["a", "b"]), class_names=["no", "yes"])
    assert (data_set.n_rows, data_set.n_features, data_set.n_classes) == (4, 2, 2)
    assert data_set.labels().tolist() == ["no", "yes", "no", "yes"]
    assert data_set.feature_names == ("a", "b")
    assert type(data_set.feature_names[0]) is str
    assert "4 x 2" in repr(data_set)


def test_arrays_are_private_and_read_only():
    X, y = np.arange(8.0).reshape(4, 2), np.array([0, 1, 0, 1])
    data_set = small(X=X, y=y, split=[0, 0, 1, 1])
    X[0, 0], y[0] = 99.0, 1
    assert data_set.X[0, 0] == 0.0
    assert data_set.y[0] == 0
    for array in (data_set.X, data_set.y, data_set.split):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    assert data_set.y.dtype == np.int64
    assert data_set.split.dtype == np.int8


def test_a_view_of_a_writeable_array_is_copied():
    base = np.arange(8.0).reshape(4, 2)
    view = base.view()
    view.flags.writeable = False
    data_set = small(X=view)
    base[0, 0] = 99.0
    assert data_set.X[0, 0] == 0.0


def test_fields_cannot_be_set():
    with pytest.raises(AttributeError):
        small().name = "other"


def test_pickle_keeps_values_and_read_only():
    data_set = small(split=[0, 0, 0, 1])
    twin = pickle.loads(pickle.dumps(data_set))
    assert twin.fingerprint == data_set.fingerprint
    assert not twin.X.flags.writeable
    assert not twin.split.flags.writeable


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.int64, np.float32, np.float64])
def test_dtype_of_X_is_kept(dtype):
    assert small(X=np.arange(8).reshape(4, 2).astype(dtype)).X.dtype == dtype


@pytest.mark.parametrize(
    "changes",
    [
        {"X": np.arange(8.0).reshape(4, 2) + 1},
        {"X": np.arange(8).reshape(4, 2)},
        {"X": np.arange(8.0).astype(np.float32).reshape(4, 2)},
        {"y": np.array([1, 1, 0, 1])},
        {"name": "other"},
        {"feature_names": ("a", "c")},
        {"feature_names": ("ab", "b")},
        {"class_names": ("no", "oh")},
        {"class_names": ("no", "yes", "maybe")},
        {"image_shape": (1, 2)},
        {"split": [0, 0, 0, 1]},
        {"split": [0, 0, 1, 1]},
    ],
)
def test_fingerprint_tells_sets_apart(changes):
    assert small().fingerprint == small().fingerprint
    assert small(**changes).fingerprint != small().fingerprint


def test_fingerprint_ignores_the_words_and_the_memory_layout():
    other = small(
        title="T", description="d", source="s", licence="l", X=np.asfortranarray(np.arange(8.0).reshape(4, 2))
    )
    assert other.fingerprint == small().fingerprint
    assert len(other.fingerprint) == 64


def test_values_may_be_missing():
    holed = small(X=np.array([[0, 1], [2, np.nan], [4, 5], [6, 7]]))
    assert holed.has_missing
    assert not small().has_missing


@each(
    "changes, code, values",
    [
        (
            {"X": np.arange(8.0)},
            "X has shape …: expected [rows, features], with at least one row and one feature",
            {"shape": [8]},
        ),
        (
            {"X": np.zeros((0, 2)), "y": np.zeros(0, np.int64)},
            "X has shape …: expected [rows, features], with at least one row and one feature",
            {"shape": [0, 2]},
        ),
        (
            {"X": np.array([["a", "b"]] * 4)},
            "X has dtype …: expected integers or floats of at most 64 bits",
            {"dtype": "<U1"},
        ),
        (
            {"X": np.array([[None, 1]] * 4)},
            "X has dtype …: expected integers or floats of at most 64 bits",
            {"dtype": "object"},
        ),
        (
            {"X": np.zeros((4, 2), bool)},
            "X has dtype …: expected integers or floats of at most 64 bits",
            {"dtype": "bool"},
        ),
        (
            {"X": np.array([[0, np.nan], [2, np.nan], [4, np.nan], [6, np.nan]])},
            "column … of X (counted from 0) has no values",
            {"column": 1},
        ),
        (
            {"X": np.array([[0, 1], [2, np.nan], [4, 5], [6, 7]]), "image_shape": (1, 2)},
            "X contains NaN, but images do not support missing pixels",
            {},
        ),
        (
            {"X": np.array([[0, 1], [2, 3], [-np.inf, 5], [6, 7]])},
            "X[…, …] is …. Values must be finite, or NaN if missing",
            {"row": 2, "column": 0},
        ),
        (
            {"y": np.array([0, 1, 0])},
            "has shape …: expected (…,), one entry per row of X",
            {"field": "y", "shape": [3]},
        ),
        (
            {"y": np.array([0.0, 1.0, 0.0, 1.0])},
            "has dtype …: expected integer codes",
            {"field": "y", "dtype": "float64"},
        ),
        ({"y": np.array([0, 1, 0, 2])}, "ranges from … to …: expected 0 to", {"most": 2, "last": 1}),
        ({"y": np.array([0, 1, 0, -1])}, "ranges from … to …: expected 0 to", {"least": -1}),
        ({"feature_names": ("a",)}, "feature names for … columns of X", {"n_names": 1, "n_features": 2}),
        ({"feature_names": ("a", "a")}, "contains … more than once", {"twice": "a"}),
        ({"feature_names": "ab"}, "is a single string, …: expected a list of names", {}),
        (
            {"class_names": (), "y": np.array([0.0, np.nan, 0.0, 1.0])},
            "y must contain finite numbers of at most … in absolute value",
            {},
        ),
        (
            {"class_names": (), "y": np.array([0.0, 1e300, 0.0, 1.0])},
            "y must contain finite numbers of at most … in absolute value",
            {},
        ),
        (
            {"class_names": (), "y": np.array(["a", "b", "a", "b"])},
            "y has dtype …, but without class names it must contain numbers",
            {},
        ),
        ({"class_names": ("no", "")}, "must not be empty or contain an empty name", {"field": "class_names"}),
        ({"image_shape": (2, 2)}, "image_shape=…: expected height × width = … columns of X", {"n_features": 2}),
        ({"image_shape": (-1, -2)}, "image_shape=…: expected height × width = … columns of X", {}),
        ({"split": [0, 1]}, "has shape …: expected (…,), one entry per row of X", {"field": "split"}),
        ({"split": [0, 1, 3, 0]}, "ranges from … to …: expected 0 to", {"field": "split", "most": 3}),
        ({"split": [1, 1, 1, 1]}, "the published split has no training rows (0)", {}),
    ],
)
def test_what_is_refused(changes, code, values):
    with refused(DataError, code, **values):
        small(**changes)
