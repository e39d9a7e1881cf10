"""Test that the catalogue agrees with the loaded bundled sets, and that their values fit their names."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import sample_data

# mnist is missing, because it needs a file or a download.
BUNDLED = [
    "mnist-5k",
    "digits",
    "breast-cancer",
    "iris",
    "wine",
    "segment",
    "diabetes",
    "diabetes-classes",
    "airfoil",
    "abalone",
    "checkerboard",
    "spirals",
    "moons",
    "stripes",
    "xor",
    "clouds",
    "fields",
    "hill",
]


def test_the_catalogue_without_a_folder(no_folder):
    entries = {entry.name: entry for entry in sample_data.catalogue()}
    assert set(entries) == {*BUNDLED, "mnist"}
    assert not entries["mnist"].available
    assert "download" in entries["mnist"].summary
    assert all(entries[name].available for name in BUNDLED)


def test_a_cached_download_makes_mnist_available(no_folder, tmp_path):
    cached = tmp_path / "scikit_learn_data/openml/openml.org/data/v1/download/52667/mnist_784.arff.gz"
    cached.parent.mkdir(parents=True)
    cached.write_bytes(b"")
    assert next(entry for entry in sample_data.catalogue() if entry.name == "mnist").available


@pytest.mark.parametrize("name", BUNDLED)
def test_catalogue_and_load_agree(no_folder, name):
    entry = next(entry for entry in sample_data.catalogue() if entry.name == name)
    data_set = sample_data.load(name)
    counts = (data_set.n_rows, data_set.n_features, data_set.n_classes)
    assert counts == (entry.n_rows, entry.n_features, entry.n_classes)
    assert (data_set.name, data_set.title) == (entry.name, entry.title)
    assert (entry.kind == "images") == (data_set.image_shape is not None)
    assert (entry.kind == "2D") == (data_set.n_features == 2)
    if data_set.class_names:
        assert np.bincount(data_set.y, minlength=data_set.n_classes).min() > 0
    else:
        assert data_set.target.name
        assert data_set.y.dtype == np.float64
    assert len(data_set.description) > 80
    assert data_set.source
    assert data_set.licence
    assert "\n" not in data_set.description
    assert entry.summary
    assert (data_set.split is None) == (name != "segment")


@pytest.mark.parametrize("name", BUNDLED)
def test_every_load_gives_the_same_read_only_values(name):
    one, two = sample_data.load(name), sample_data.load(name)
    assert one.fingerprint == two.fingerprint
    assert not one.X.flags.writeable
    assert not one.y.flags.writeable
    assert one.X.flags.c_contiguous


def test_fingerprints_differ_between_sets():
    assert len({sample_data.load(name).fingerprint for name in BUNDLED}) == len(BUNDLED)


def test_mnist_5k_holds_digits_in_mixed_order():
    data_set = sample_data.load("mnist-5k")
    assert data_set.X.dtype == np.uint8
    assert data_set.image_shape == (28, 28)
    assert np.bincount(data_set.y).tolist() == [500] * 10
    assert data_set.X.max() == 255
    assert 32 < data_set.X.mean() < 35  # 33.4 for all of MNIST
    assert np.unique(data_set.X, axis=0).shape[0] == 5000
    assert np.bincount(data_set.y[:1000], minlength=10).min() > 70
    images = data_set.X.reshape(-1, 28, 28)
    assert images[:, 8:20, 8:20].mean() > 70  # ink in the middle
    assert images[:, :2].mean() < 1  # paper at the edge
    ink = [images[data_set.y == digit].mean() for digit in range(10)]
    assert np.argmin(ink) == 1
    assert np.argmax(ink) == 0
    middle = images[:, 13:15, 13:15].mean(axis=(1, 2))
    assert middle[data_set.y == 0].mean() < 20 < 100 < middle[data_set.y == 1].mean()


def test_digits_are_small_integers():
    data_set = sample_data.load("digits")
    assert data_set.X.dtype == np.uint8
    assert data_set.image_shape == (8, 8)
    assert (data_set.X.min(), data_set.X.max()) == (0, 16)
    assert 4 < data_set.X.mean() < 6


@pytest.mark.parametrize(
    ("name", "loader"),
    [("iris", "load_iris"), ("wine", "load_wine"), ("breast-cancer", "load_breast_cancer"), ("digits", "load_digits")],
)
def test_values_and_order_are_those_of_scikit_learn(name, loader):
    from sklearn import datasets

    X, y = getattr(datasets, loader)(return_X_y=True)
    data_set = sample_data.load(name)
    assert np.array_equal(data_set.X, X)
    assert np.array_equal(data_set.y, y)


def test_diabetes_is_cut_into_three_equal_classes():
    from sklearn.datasets import load_diabetes

    target = load_diabetes().target
    assert np.array_equal(sample_data.load("diabetes").y, target)
    data_set = sample_data.load("diabetes-classes")
    assert data_set.class_names == ("low", "medium", "high")
    assert np.ptp(np.bincount(data_set.y)) <= 3
    low, medium, high = (target[data_set.y == k] for k in range(3))
    assert low.max() < medium.min()
    assert medium.max() < high.min()
    assert data_set.X[:, 0].min() > 10  # ages in years, not scaled


def test_segment_is_the_published_set_with_its_split_its_citation_and_its_licence():
    data_set = sample_data.load("segment")
    assert np.bincount(data_set.y[:210]).tolist() == [30] * 7
    assert np.bincount(data_set.y[210:]).tolist() == [300] * 7
    assert np.array_equal(data_set.split, np.arange(2310) >= 210)
    assert np.unique(data_set.X[:, data_set.feature_names.index("region-pixel-count")]).tolist() == [9]
    red, blue, green = (data_set.X[:, data_set.feature_names.index(f"raw{c}-mean")] for c in ("red", "blue", "green"))
    intensity = data_set.X[:, data_set.feature_names.index("intensity-mean")]
    assert np.allclose(intensity, (red + blue + green) / 3, atol=1e-4)
    assert "10.24432/C5GP4N" in data_set.source
    words = (Path(sample_data.__file__).parent / "bundled" / "README.md").read_text(encoding="utf-8")
    assert "CC BY 4.0" in data_set.licence
    assert "CC BY 4.0" in words


def test_bundled_numbers_are_the_published_ones_with_citation_and_licence():
    airfoil, abalone = sample_data.load("airfoil"), sample_data.load("abalone")
    assert airfoil.X[0].tolist() == [800, 0, 0.3048, 71.3, 0.00266337]
    assert (airfoil.y[0], airfoil.y.min(), airfoil.y.max()) == (126.201, 103.38, 140.987)
    assert np.array_equal(abalone.X[:, :3].sum(axis=0), [1528, 1307, 1342])  # male, female, infant
    assert (abalone.y.min(), abalone.y.max(), round(abalone.y.mean(), 3)) == (1, 29, 9.934)
    assert abalone.target.has_tails
    assert not airfoil.target.has_tails
    words = (Path(sample_data.__file__).parent / "bundled" / "README.md").read_text(encoding="utf-8")
    for data_set, doi in ((airfoil, "10.24432/C5VW2C"), (abalone, "10.24432/C55C7W")):
        assert doi in data_set.source
        assert doi in words
        assert "CC BY 4.0" in data_set.licence


def test_heavy_libraries_are_imported_on_demand():
    program = (
        "import sys, treecore.errors; before = set(sys.modules); import sample_data; sample_data.catalogue(); "
        "new = set(sys.modules) - before; "
        "assert not [name for name in new if name.split('.')[0] in ('sklearn', 'mlxtend', 'pandas', 'matplotlib')], new"
    )
    root = Path(__file__).resolve().parents[2]
    subprocess.run([sys.executable, "-W", "error", "-c", program], check=True, cwd=root, timeout=120)
