"""Charts of a comparison: what they show is what was found."""

import numpy as np
import pytest

from treecore.comparison import METHODS, Method, compare
from viz.charts.comparison_pictures import COLORS, PLACES, SHAPES, class_error_chart, confusion_chart, size_chart


@pytest.fixture(scope="module")
def found(rng_data):
    X, y = rng_data
    return compare(X, y, ["tao_univariate", "cart", "nearest_neighbours"], cv=3, n_jobs=1)


@pytest.fixture(scope="module")
def rng_data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 3))
    return X, np.array(["low", "high", "middle"])[(X[:, 0] > 0).astype(int) + (X[:, 1] > 0.5)]


def records(spec):
    """All rows of all data sets of a specification."""
    return [row for rows in spec["datasets"].values() for row in rows]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_chosen_models_are_at_their_figures(found, theme):
    spec = size_chart(found, theme).to_dict()
    for row in found.summary().itertuples():
        large = [r for r in records(spec) if r["method"] == row.title and r["setting"] == "chosen by validation"]
        assert large
        assert all(r["error"] == pytest.approx(100 * row.test_error) for r in large)
        assert all(r["leaves"] == pytest.approx(row.n_leaves) or row.title == "Nearest neighbours" for r in large)
        assert f"{row.title} {100 * row.test_error:.1f} %" in spec["description"]
    domains = [
        layer["encoding"]["y"]["scale"]["domain"] for layer in spec["layer"] if "scale" in layer["encoding"]["y"]
    ]
    assert all(top >= 100 * found.summary()["test_error"].max() for _, top in domains)


def test_a_method_looks_the_same_in_every_comparison(found):
    looks = {(COLORS["light"][place % len(COLORS["light"])], SHAPES[place % len(SHAPES)]) for place in PLACES.values()}
    assert len(looks) == len(METHODS)
    spec = size_chart(found).to_dict()
    scales = [layer["encoding"]["color"]["scale"] for layer in spec["layer"] if "color" in layer["encoding"]]
    for scale in scales:
        look = dict(zip(scale["domain"], scale["range"], strict=True))
        assert look["CART"] == COLORS["light"][PLACES["cart"]]


@pytest.mark.parametrize("order", [None, ("low", "middle", "high")])
def test_heat_maps_hold_the_confusion(found, order):
    names = list(order or ("high", "low", "middle"))
    counts = found.confusion("cart")
    spec = confusion_chart(found, "cart", order=order).to_dict()
    assert spec["layer"][0]["encoding"]["x"]["sort"] == spec["layer"][0]["encoding"]["y"]["sort"] == names
    place = {str(label): k for k, label in enumerate(found.classes)}
    cells = {(row["true"], row["predicted"]): row["rows"] for row in records(spec)}
    assert len(cells) == 9
    assert all(counts[place[i], place[j]] == rows for (i, j), rows in cells.items())
    spec = class_error_chart(found, ["cart", "tao_univariate"], order=order).to_dict()
    assert spec["layer"][0]["encoding"]["x"]["sort"] == names
    wrong = sum(row["wrong"] for row in records(spec) if row["method"] == "CART")
    assert wrong == counts.sum() - np.trace(counts)


def test_many_classes_keep_to_the_limits_of_charts():
    y = np.repeat(np.arange(80), 6)
    X = np.stack([y, y % 7], axis=1).astype(float)
    found = compare(X, y, ["cart"], cv=2, n_jobs=1)
    assert len(records(confusion_chart(found, "cart").to_dict())) < 5000


def test_a_method_without_leaves_alone(rng_data):
    X, y = rng_data
    found = compare(X, y, ["nearest_neighbours"], cv=2, n_jobs=1)
    size_chart(found).to_dict()
    own = METHODS["cart"]
    mine = compare(X, y, [Method("mine", "My own", own.estimator)], cv=2, n_jobs=1)
    assert "My own" in str(size_chart(mine).to_dict())
