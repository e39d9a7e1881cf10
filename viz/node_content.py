"""What is shown in each node, as plain data: every renderer draws from this."""

from typing import NamedTuple

import numpy as np


class WeightImage(NamedTuple):
    """Weights of a decision node on image data. values : float64[h, w], 0 where the pixel is not used."""

    values: np.ndarray
    n_nonzero: int


class CoefficientBars(NamedTuple):
    """Largest coefficients of a decision node.

    values : float64[k], weight times the feature's standard deviation; n_more : number of coefficients left out;
    condition : of a node with one feature, when a point goes right, such as "≥ 1.65"; else "".
    """

    names: tuple
    values: np.ndarray
    n_more: int
    condition: str


class LeafContent(NamedTuple):
    """Class and points of a leaf.

    label : str; color : int, position of the class in the data set; shares : float64[k] and share_colors : int[k];
    n : number of training points; error : share of them with another class; image : float64[h, w] in [0, 1] or None.
    """

    label: str
    color: int
    shares: np.ndarray
    share_colors: np.ndarray
    n: int
    error: float
    image: np.ndarray | None


MAX_BARS = 6


def class_positions(tree, data):
    """(names of the tree's classes, their positions in ``data.class_names``).

    The tree may have been trained on the class names or on their codes.
    """
    labels = [str(label) for label in tree.classes.tolist()]
    position = {name: i for i, name in enumerate(data.class_names)}
    if all(label in position for label in labels):
        return labels, np.array([position[label] for label in labels])
    if tree.classes.dtype.kind in "iu" and tree.classes.min() >= 0 and tree.classes.max() < len(data.class_names):
        return [data.class_names[code] for code in tree.classes], tree.classes.astype(np.int64)
    return labels, np.arange(len(labels))


def node_contents(tree, data):
    """List with the content of every node of `tree`; `data` is the DataSet that it was trained on (or part of it)."""
    names, positions = class_positions(tree, data)
    means = _leaf_means(tree, data) if data.image_shape else None
    deviation = None if data.image_shape else data.X.std(axis=0, dtype=np.float64)
    contents = []
    for node in range(tree.n_nodes):
        if tree.left[node] >= 0:
            contents.append(_decision(tree, node, data, deviation))
            continue
        counts = tree.values[node]
        shares = counts / counts.sum()
        label = tree.labels[node]
        contents.append(
            LeafContent(
                names[label],
                int(positions[label]),
                shares,
                positions,
                int(tree.n_samples[node]),
                float(1 - shares[label]),
                None if means is None else means[node],
            )  # fmt: skip
        )
    return contents


def _decision(tree, node, data, deviation):
    features, weights, bias = tree.split(node)
    if data.image_shape:
        image = np.zeros(tree.n_features)
        image[features] = weights
        return WeightImage(image.reshape(data.image_shape), features.size)
    values = weights * deviation[features]
    order = np.argsort(-np.abs(values), kind="stable")[:MAX_BARS]
    names = tuple(data.feature_names[features[i]] for i in order)
    return CoefficientBars(names, values[order], features.size - order.size, threshold_text(weights, bias))


def threshold_text(weights, bias):
    """When a point goes right at a node with a single weight, to 3 significant digits; "" for any other node."""
    if weights.size != 1:
        return ""
    return f"{'≥' if weights[0] > 0 else '≤'} {-bias / weights[0]:.3g}"


def _leaf_means(tree, data):
    """float64[m, h, w] in [0, 1]: mean image of the rows that reach each node."""
    leaf = tree.apply(data.X)
    top = float(data.X.max()) or 1.0
    means = np.zeros((tree.n_nodes, tree.n_features))
    for node in np.unique(leaf):
        means[node] = data.X[leaf == node].mean(axis=0, dtype=np.float64) / top
    return means.reshape(-1, *data.image_shape)
