"""Make a contest for tests, and compute its score with a slow reference implementation."""

import numpy as np

import sample_data
from pages.rooms.room import Contest
from treecore import TAOClassifier

N, LAM = 300, 2.5


def contest(**changes):
    """Return a `Contest` on XOR points."""
    data = sample_data.load("xor")
    rows = np.arange(N)
    tao = TAOClassifier(split="bivariate", bivariate_cost=1.0, init="cart", max_depth=2, lam=LAM, random_state=0)
    return Contest(data, rows, LAM, tao.fit(data.X[rows], data.labels()[rows]).tree_, **changes)


def paid(one, document):
    """Return (misclassified points, lines) of a document, counted point by point."""
    nodes = {node["id"]: node for node in document["nodes"]}
    below = {child for node in nodes.values() for child in (node["left"], node["right"])}
    (root,) = nodes.keys() - below
    said = {}
    for point, label in zip(one.X.tolist(), one.labels.tolist(), strict=True):
        at = nodes[root]
        while at["left"] is not None:
            pairs = zip(at["features"], at["weights"], strict=True)
            margin = sum(weight * point[feature] for feature, weight in pairs) + at["bias"]
            at = nodes[at["right" if margin >= 0 else "left"]]
        said.setdefault(at["id"], []).append(label)
    wrong = sum(len(labels) - max(map(labels.count, labels)) for labels in said.values())
    return wrong, sum(node["left"] is not None for node in nodes.values())
