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


class SplitScatter(NamedTuple):
    """Rows that reach a decision node on data with two features, and its split.

    points : float64[k, 2] in the unit square, the range of the data (equal for all nodes); colors : int[k], classes;
    right : float64[c, 2], corners of the part of the square that goes right; line : float64[2, 2] or None.
    """

    points: np.ndarray
    colors: np.ndarray
    right: np.ndarray
    line: np.ndarray | None


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
MAX_POINTS = 250


def class_positions(tree, data):
    """(names of the tree's classes, their positions in ``data.class_names``).

    The tree may have been trained on the class names or on their codes. Raises ValueError for a regression tree.
    """
    if tree.is_regression:
        raise ValueError("the tree predicts numbers; only classification trees are drawn so far.")
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
    has_rows = data.X.shape[0] > 0  # `viz.bare_tree.BareData` has none
    means = _leaf_means(tree, data) if data.image_shape and has_rows else None
    deviation = np.ones(tree.n_features)
    if has_rows and not data.image_shape:
        deviation = np.nanstd(data.X, axis=0, dtype=np.float64)
    reaching = _rows_reaching(tree, data) if data.X.shape[1] == 2 and has_rows else None
    contents = []
    for node in range(tree.n_nodes):
        if tree.left[node] >= 0:
            scatter = reaching is not None
            contents.append(
                _scatter(tree, node, data, reaching[node]) if scatter else _decision(tree, node, data, deviation)
            )
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


def _rows_reaching(tree, data):
    """List with the row numbers that visit each node."""
    leaf = tree.apply(data.X)
    rows = [np.flatnonzero(leaf == node) for node in range(tree.n_nodes)]
    for node in range(tree.n_nodes - 1, 0, -1):
        parent = tree.parents[node]
        rows[parent] = np.union1d(rows[parent], rows[node])
    return rows


def _scatter(tree, node, data, rows):
    low = np.nanmin(data.X, axis=0).astype(np.float64)
    span = np.maximum(np.nanmax(data.X, axis=0) - low, 1e-300)
    rows = rows[~np.isnan(data.X[rows]).any(axis=1)]
    rows = rows[:: max(1, -(-rows.size // MAX_POINTS))]
    features, weights, bias = tree.split(node)
    direction = np.zeros(2)
    direction[features] = weights
    # the same half-plane in the coordinates of the unit square
    right, line = clip_unit_square(direction * span, bias + float(direction @ low))
    return SplitScatter((data.X[rows] - low) / span, data.y[rows], right, line)


def clip_unit_square(normal, offset):
    """(corners of the part of the unit square where ``normal . x + offset >= 0``, both ends of its border or None)."""
    square = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
    side = square @ normal + offset
    corners, ends = [], []
    for i in range(4):
        j = (i + 1) % 4
        if side[i] >= 0:
            corners.append(square[i])
        if (side[i] >= 0) != (side[j] >= 0):
            crossing = square[i] + side[i] / (side[i] - side[j]) * (square[j] - square[i])
            corners.append(crossing)
            ends.append(crossing)
    return np.array(corners).reshape(-1, 2), np.array(ends) if len(ends) == 2 else None
