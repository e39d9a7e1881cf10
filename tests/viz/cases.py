"""Provide trees and paths to draw, and rules that every figure must obey."""

from types import SimpleNamespace

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg

import sample_data
from treecore import TAOClassifier, regularization_path
from treecore.tables.class_figures import ClassFigures
from treecore.tables.threshold_curve import ThresholdCurve

ODD_NAMES = (
    "$x^2 & \\frac{", "<script>alert(1)</script>", "\N{FOX FACE} yes $", "W" * 300,
    "\N{CJK UNIFIED IDEOGRAPH-6F22}" * 40, "line\nbreak \x00\x07", "\udc80 half", "100 % \\$ & <b>",
)  # fmt: skip


def path_of(name, n_lambdas, with_validation=True, **parameters):
    """Return (RegularizationPath, DataSet) of a bundled data set."""
    data = sample_data.load(name)
    train, validation, _ = sample_data.split_rows(data, 0)
    scale = "minmax" if data.image_shape else "standard"
    model = TAOClassifier(**({"init": "random", "scale": scale, "max_iter": 3, "random_state": 0} | parameters))
    known = {"X_val": data.X[validation], "y_val": data.labels()[validation]} if with_validation else {}
    return regularization_path(model, data.X[train], data.labels()[train], n_lambdas, **known), data


def rare_class():
    """Return (ThresholdCurve, ClassFigures) of a class that 2 of 6 rows have; one of them is predicted."""
    curve = ThresholdCurve(
        np.array([np.inf, 0.9, 0.4, 0.0]), np.array([0, 1, 2, 6]), np.array([0, 1, 1, 2]), n_positive=2, n=6
    )
    return curve, ClassFigures("rare", 2, 1, 1.0, 0.5, 2 / 3, curve.auc, curve.average_precision)


def odd_path():
    """Return (RegularizationPath, data) with 60 classes and unusual names; the last tree is a leaf."""
    X = np.random.default_rng(0).normal(size=(600, 5))
    y = np.arange(600) % 60
    X[:, 0] += y
    names = (*ODD_NAMES, *(f"class {i}" for i in range(60 - len(ODD_NAMES))))
    data = SimpleNamespace(
        X=X, y=y, image_shape=None, class_names=names, feature_names=ODD_NAMES[:5], title=" ".join(ODD_NAMES)
    )
    model = TAOClassifier(split="univariate", init="cart", random_state=0)
    return regularization_path(model, X, y, [0.1, 6.0, 1e6], X_val=X, y_val=y), data


def assert_legible(canvas):
    """Assert that no text leaves the figure or overlaps another text."""
    agg = FigureCanvasAgg(canvas.finished())
    renderer, drawn = agg.get_renderer(), []
    draw = renderer.draw_text
    renderer.draw_text = lambda *args, mtext=None, **more: (drawn.append(mtext), draw(*args, mtext=mtext, **more))
    canvas.figure.draw(renderer)
    texts = [text for text in drawn if text is not None]
    boxes = np.array([text.get_window_extent(renderer).extents for text in texts]).reshape(-1, 4)
    assert (boxes[:, :2] >= -0.5).all()
    assert (boxes[:, 2:] <= np.array([canvas.width, canvas.height]) + 0.5).all()
    low, high = boxes[:, :2] + 0.75, boxes[:, 2:] - 0.75
    meet = (low[:, None] < high[None]).all(axis=2)
    meet &= meet.T
    np.fill_diagonal(meet, False)
    assert [(texts[i].get_text(), texts[j].get_text()) for i, j in np.argwhere(meet)] == []
