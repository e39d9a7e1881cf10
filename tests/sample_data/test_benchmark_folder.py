"""Test the real benchmark sets in TREECORE_DATA."""

import numpy as np
import pytest

import sample_data

pytestmark = pytest.mark.benchmark_data
SPLITS = {"letter": (16000, 4000), "pendigits": (7494, 3498), "segment": (210, 2100), "mnist": (60000, 10000)}


def test_catalogue_and_load_agree():
    entries = sample_data.catalogue()
    names = [entry.name for entry in entries]
    assert {"letter", "pendigits", "segment", "spambase", "magic"} <= set(names)
    assert len(set(names)) == len(names)
    assert not {"cpu_act", "fried"} & set(names)  # regression sets are listed only if they are bundled
    for entry in entries:
        if entry.n_rows > 100000:
            continue
        data_set = sample_data.load(entry.name)
        counts = (data_set.n_rows, data_set.n_features, data_set.n_classes)
        assert counts == (entry.n_rows, entry.n_features, entry.n_classes)
        assert data_set.title == entry.title
        assert not data_set.X.flags.writeable
        assert (data_set.split is not None) == (entry.name in SPLITS)


@pytest.mark.parametrize("name", SPLITS)
def test_published_splits(name):
    data_set = sample_data.load(name)
    assert tuple(np.bincount(data_set.split)) == SPLITS[name]
    train, validation, test = sample_data.split_rows(data_set, seed=0)
    assert np.array_equal(test, np.flatnonzero(data_set.split == 1))
    assert len(train) + len(validation) == SPLITS[name][0]


def test_mnist():
    data_set = sample_data.load("mnist")
    assert data_set.X.dtype == np.uint8
    assert data_set.image_shape == (28, 28)
    assert np.bincount(data_set.y[:60000]).tolist() == [5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949]
    assert data_set.y[:10].tolist() == [5, 0, 4, 1, 9, 2, 1, 3, 1, 4]


def test_mnist_5k_is_part_of_the_training_digits():
    mnist, part = sample_data.load("mnist"), sample_data.load("mnist-5k")
    label_of = {row.tobytes(): label for row, label in zip(mnist.X[:60000], mnist.y[:60000], strict=True)}
    assert all(label_of.get(row.tobytes()) == label for row, label in zip(part.X, part.y, strict=True))
