"""Test the data folder: valid files, invalid names, damaged and foreign files, and MNIST without a network."""

import io
import os
import re
import zipfile
from urllib.error import URLError

import numpy as np
import pytest

import sample_data
from sample_data.folder import read_headers
from tests.refusals import is_said, refused
from treecore.errors import DataError, DataSetNotFound


def entry_of(name):
    return next((entry for entry in sample_data.catalogue() if entry.name == name), None)


def test_a_pooled_file(folder, good_arrays):
    np.savez_compressed(folder / "my_set.npz", **good_arrays)
    entry, data_set = entry_of("my_set"), sample_data.load("my_set")
    assert (entry.n_rows, entry.n_features, entry.n_classes, entry.kind) == (6, 3, 2, "table")
    assert entry.available
    assert entry.title == data_set.title == "my set"
    assert np.array_equal(data_set.X, good_arrays["X"])
    assert data_set.X.dtype == np.int16
    assert data_set.y.tolist() == [0, 1, 0, 1, 1, 0]
    assert data_set.feature_names == ("a", "b", "c")
    assert data_set.class_names == ("no", "yes")
    assert data_set.split is None
    assert "not stated" in data_set.licence


def test_a_file_with_a_split(folder, good_arrays):
    X, y = good_arrays.pop("X"), good_arrays.pop("y")
    np.savez(folder / "parts.npz", X_train=X[:4], y_train=y[:4], X_test=X[4:], y_test=y[4:], **good_arrays)
    entry, data_set = entry_of("parts"), sample_data.load("parts")
    assert (entry.n_rows, entry.n_features, entry.n_classes) == (6, 3, 2)
    assert np.array_equal(data_set.X, X)
    assert data_set.split.tolist() == [0, 0, 0, 0, 1, 1]


def test_optional_keys(folder, good_arrays):
    del good_arrays["feature_names"]
    np.savez(folder / "own.npz", image_shape=[3, 1], title="Mine", licence="CC0", **good_arrays)
    data_set = sample_data.load("own")
    assert data_set.feature_names == ("feature 1", "feature 2", "feature 3")
    assert (data_set.title, data_set.licence, data_set.image_shape) == ("Mine", "CC0", (3, 1))
    assert entry_of("own").kind == "images"


def test_two_columns_are_a_2d_set_and_booleans_become_numbers(folder):
    np.savez(folder / "flat.npz", X=np.eye(2, dtype=bool), y=np.array([0, 1]), class_names=["a", "b"])
    assert entry_of("flat").kind == "2D"
    assert sample_data.load("flat").X.dtype == np.uint8


def test_regression_sets_are_left_out(folder, good_arrays):
    del good_arrays["class_names"]
    np.savez(folder / "numbers.npz", target_name="t", **good_arrays)
    assert entry_of("numbers") is None
    with refused(DataError, "numbers.npz has no class_names"):
        sample_data.load("numbers")


@pytest.mark.parametrize(("name", "n_rows"), [("iris", 150), ("segment", 2310)])
def test_bundled_names_win(folder, good_arrays, name, n_rows):
    np.savez(folder / f"{name}.npz", **good_arrays)
    assert [entry.name for entry in sample_data.catalogue()].count(name) == 1
    assert sample_data.load(name).n_rows == n_rows


def test_known_words_need_the_known_counts(folder, good_arrays):
    np.savez(folder / "letter.npz", **good_arrays)
    assert sample_data.load("letter").title == "letter"


@pytest.mark.parametrize(
    "name",
    [
        "../secret",
        "..",
        "sub/secret",
        "sub\\secret",
        "/etc/passwd",
        "",
        ".",
        ".hidden",
        "a\0b",
        "a\n",
        "x" * 500,
        None,
        7,
    ]
    + ["..\\secret", "C:secret", "secret/../secret", "%2e%2e/secret", "~", "a..b", b"secret"],
)
def test_names_that_are_paths_are_refused(folder, good_arrays, name):
    np.savez(folder.parent / "secret.npz", **good_arrays)
    (folder / "sub").mkdir()
    np.savez(folder / "sub" / "secret.npz", **good_arrays)
    with refused(DataSetNotFound, "is not a valid data set name") as caught:
        sample_data.load(name)
    assert len(str(caught.value)) < 250


def test_links_out_of_the_folder_are_not_followed(folder, good_arrays):
    np.savez(folder.parent / "secret.npz", **good_arrays)
    (folder / "link.npz").symlink_to(folder.parent / "secret.npz")
    (folder / "loop.npz").symlink_to(folder / "loop.npz")
    (folder / "directory.npz").mkdir()
    os.mkfifo(folder / "pipe.npz")
    for name in ("link", "loop", "directory", "pipe"):
        assert entry_of(name) is None
        with pytest.raises(DataSetNotFound):
            sample_data.load(name)


def test_an_unknown_name_is_answered_with_the_closest(folder, good_arrays):
    np.savez(folder / "my_set.npz", **good_arrays)
    for name, close in (("Irsi", "iris"), ("my_sets", "my_set")):
        with refused(DataSetNotFound, f"Did you mean {close!r}?") as caught:
            sample_data.load(name)
        assert {"mnist-5k", "my_set"} <= {*re.findall(r"[\w-]+", str(caught.value))}
    with refused(DataSetNotFound, "The file of this data set is not in the data folder"):
        sample_data.load("kddcup99_10pct")


def test_the_message_tells_of_the_folder(no_folder, monkeypatch, tmp_path):
    with refused(DataSetNotFound, "TREECORE_DATA"):
        sample_data.load("nothing")
    monkeypatch.setenv("TREECORE_DATA", str(tmp_path / "missing"))
    with refused(DataSetNotFound, "TREECORE_DATA"):
        sample_data.load("nothing")
    assert len(sample_data.catalogue()) == 19


BAD = {
    "text": lambda good: b"hello, I am no zip",
    "empty": lambda good: b"",
    "cut": lambda good: saved(good)[:-40],
    "npy": lambda good: saved_array(good["X"]),
    "objects": lambda good: saved({**good, "X": good["X"].astype(object)}),
    "object_names": lambda good: saved({**good, "class_names": good["class_names"].astype(object)}),
    "foreign": lambda good: saved({"x_train": good["X"], "weights": good["y"]}),
    "no_array": lambda good: zipped({"readme.txt": b"hello"}),
    "no_header": lambda good: zipped({"X.npy": b"abc", "y.npy": b"", "class_names.npy": b""}),
    "long_X": lambda good: zipped(
        {"X.npy": saved_array(good["X"])[:-4], "y.npy": saved_array(good["y"]), "class_names.npy": b""}
    ),
    "flat_X": lambda good: saved({**good, "X": good["y"]}),
}
BAD_ROWS = {
    "short_y": (
        {"y": np.zeros(5, np.uint8)},
        "X… is … and … is …: expected [n, d] and [n]",
        {"X_shape": [6, 3], "y_shape": [5]},
    ),
    "float_y": ({"y": np.zeros(6)}, "is …: expected integers (indices into class_names)", {"dtype": "float64"}),
    "high_y": ({"y": np.full(6, 2)}, "ranges from … to …: expected 0 to", {"last": 1}),
    "nan_X": ({"X": np.full((6, 3), np.nan)}, "column … of X (counted from 0) has no values", {"column": 0}),
    "names": (
        {"feature_names": np.array(["a", "b"])},
        "feature names for … columns of X",
        {"n_names": 2, "n_features": 3},
    ),
    "one_class": (
        {"class_names": np.array(3)},
        "is ……: expected a list of strings",
        {"key": "class_names", "dtype": "int64"},
    ),
    "bytes": ({"class_names": np.array([b"no", b"yes"])}, "is ……: expected a list of strings", {}),
    "dates": ({"X": np.zeros((6, 3), "M8[s]")}, "X… is …: expected numbers", {}),
    "twice": ({"feature_names": np.array(["a", "b", "b"])}, "contains … more than once", {"twice": "b"}),
    "shape": ({"image_shape": np.array([2, 2])}, "image_shape=…: expected height × width = … columns of X", {}),
    "sides": ({"image_shape": np.array([3.0, 1.0])}, "image_shape: expected two integers (height, width)", {}),
}


def saved(arrays):
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def saved_array(array):
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


def zipped(members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


@pytest.mark.parametrize("case", BAD)
def test_damaged_and_foreign_files(folder, good_arrays, case):
    (folder / f"{case}.npz").write_bytes(BAD[case](good_arrays))
    with pytest.raises(DataError, match=rf"^{case}\.npz"):
        sample_data.load(case)
    entry = entry_of(case)
    assert not entry.available
    assert entry.summary.startswith(f"{case}.npz")


def test_object_arrays_are_named_as_the_reason(folder, good_arrays):
    (folder / "objects.npz").write_bytes(BAD["objects"](good_arrays))
    with refused(DataError, "X is an array of Python objects"):
        sample_data.load("objects")


@pytest.mark.parametrize("case", BAD_ROWS)
def test_rows_that_do_not_fit(folder, good_arrays, case):
    changes, code, values = BAD_ROWS[case]
    np.savez(folder / f"{case}.npz", **{**good_arrays, **changes})
    with pytest.raises(DataError) as caught:
        sample_data.load(case)
    assert f"{case}.npz" in str(caught.value)
    assert is_said(str(caught.value), code, **values)


def test_parts_of_different_width(folder, good_arrays):
    X, y = good_arrays.pop("X"), good_arrays.pop("y")
    np.savez(folder / "parts.npz", X_train=X, y_train=y, X_test=X[:, :2], y_test=y, **good_arrays)
    with refused(DataError, "X_train and X_test have different numbers of columns"):
        sample_data.load("parts")


@pytest.mark.filterwarnings("ignore")  # numpy warns about some of these headers
def test_random_damage_is_always_a_typed_error(folder, good_arrays):
    good = np.frombuffer(saved(good_arrays), dtype=np.uint8)
    rng = np.random.default_rng(0)
    messages = []
    for _ in range(400):
        bad = good.copy()
        at = rng.integers(0, len(bad), rng.integers(1, 6))
        bad[at] = rng.integers(0, 256, len(at))
        (folder / "fuzz.npz").write_bytes(bad.tobytes())
        sample_data.catalogue()
        try:
            sample_data.load("fuzz")
        except DataError as fault:
            messages.append(str(fault))
    assert len(messages) > 100
    assert all(message.startswith("fuzz.npz") for message in messages)


def test_the_catalogue_reads_headers_alone(folder, monkeypatch):
    X = np.zeros((3000, 1000))
    np.savez_compressed(folder / "wide.npz", X=X, y=np.zeros(3000, int), class_names=["a"])
    assert read_headers(folder / "wide.npz")["X"] == ((3000, 1000), np.dtype(np.float64))
    monkeypatch.delattr(np, "load")
    assert entry_of("wide").n_rows == 3000


@pytest.mark.parametrize("place", ["sklearn.datasets.fetch_openml", "sklearn.datasets._openml.urlopen"])
def test_mnist_offline_says_what_to_do(no_folder, monkeypatch, place):
    def refuse(*arguments, **options):
        raise URLError("no route to host")

    monkeypatch.setattr(place, refuse)
    with refused(
        DataSetNotFound,
        (
            "mnist is not available: the folder TREECORE_DATA has no mnist.npz, the OpenML cache in scikit-learn "
            "has no copy, and the download from openml.org failed (<urlopen error no route to host>)"
        ),
    ):
        sample_data.load("mnist")


def fake_mnist():
    X = np.zeros((70000, 784), dtype=np.uint8)
    X[:, 300] = np.arange(70000) % 256
    return X, np.arange(70000) % 10


def test_mnist_from_openml_and_from_a_file_are_the_same(no_folder, monkeypatch, tmp_path):
    X, y = fake_mnist()
    monkeypatch.setattr("sklearn.datasets.fetch_openml", lambda *_, **__: (X.astype(np.int64), y.astype(str)))
    online = sample_data.load("mnist")
    assert online.X.dtype == np.uint8
    assert online.image_shape == (28, 28)
    assert np.bincount(online.split).tolist() == [60000, 10000]
    parts = {"X_train": X[:60000], "y_train": y[:60000], "X_test": X[60000:], "y_test": y[60000:]}
    np.savez(tmp_path / "mnist.npz", class_names=np.array(list("0123456789")), **parts)
    monkeypatch.setenv("TREECORE_DATA", str(tmp_path))
    assert entry_of("mnist").available
    assert sample_data.load("mnist").fingerprint == online.fingerprint


def test_another_file_called_mnist(folder, good_arrays):
    np.savez(folder / "mnist.npz", **good_arrays)
    with refused(DataError, "mnist.npz: X has shape (6, 3)"):
        sample_data.load("mnist")
