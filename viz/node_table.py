"""The tree as a table: one row per node, with its condition in words. The accessible twin of the picture."""

import pandas

from viz.node_content import class_positions

SHOWN_TERMS = 4


def condition(tree, node, names=None, terms=SHOWN_TERMS):
    """When a point goes right at a decision node, in raw units: largest coefficients first, 3 significant digits."""
    features, weights, bias = tree.split(node)
    name = (lambda j: names[j]) if names is not None else tree.feature_name
    if features.size == 0:
        return "always right" if bias >= 0 else "always left"
    if features.size == 1:
        return f"{name(features[0])} {'≥' if weights[0] > 0 else '≤'} {-bias / weights[0]:.3g}"
    order = sorted(range(features.size), key=lambda i: -abs(weights[i]))
    text = ""
    for i in order[:terms]:
        sign = ("− " if weights[i] < 0 else "+ ") if text else ("−" if weights[i] < 0 else "")
        text += f"{' ' if text else ''}{sign}{abs(weights[i]):.3g} · {name(features[i])}"
    if features.size > terms:
        text += f" + {features.size - terms} more"
    return f"{text} ≥ {-bias:.3g}"


def node_table(tree, data):
    """pandas DataFrame with one row per node, parents first."""
    names, _ = class_positions(tree, data)
    rows = []
    for node in range(tree.n_nodes):
        leaf = tree.is_leaf(node)
        counts = tree.values[node]
        rows.append(
            {
                "node": int(tree.origin[node]),
                "parent": int(tree.origin[tree.parents[node]]) if node else None,
                "depth": int(tree.depths[node]),
                "kind": "leaf" if leaf else "decision",
                "goes right when / predicts": names[tree.labels[node]]
                if leaf
                else condition(tree, node, data.feature_names),
                "features": int(tree.indptr[node + 1] - tree.indptr[node]),
                "points": int(tree.n_samples[node]),
                "majority share": float(counts.max() / counts.sum()),
            }
        )
    return pandas.DataFrame(rows).astype({"parent": "Int64"})
