"""Test the differences between two trees against plain Python."""

import numpy as np

from treecore import TAOClassifier
from treecore.tree.editing import edited_tree, tree_document
from treecore.tree.tree_changes import node_changes, row_changes


def test_nodes_and_rows_that_change(bundled):
    X, y = bundled("iris")
    tree = TAOClassifier(split="bivariate", init="cart", lam=0.2).fit(X, y).tree_
    assert node_changes(tree, tree) == ((), (), (), ())
    document = tree_document(tree)
    root, last = document["nodes"][0], max(node["id"] for node in document["nodes"])
    root["bias"] += 0.5
    leaf = next(node for node in document["nodes"] if node["left"] is None)
    other = next(node for node in document["nodes"] if node["left"] is None and node is not leaf)
    other["label"] = (other["label"] + 1) % 3
    document["nodes"] += [dict(leaf, id=last + 1), dict(leaf, id=last + 2)]
    leaf |= {"left": last + 1, "right": last + 2, "features": [0], "weights": [1.0], "bias": -5.0}
    after = edited_tree(document, tree, X, y)
    found = node_changes(tree, after)
    assert (found.added, found.removed, found.labelled) == ((last + 1, last + 2), (), (other["id"],))
    assert set(found.decided) == {root["id"], leaf["id"]}
    assert node_changes(after, tree).removed == (last + 1, last + 2)
    rows = row_changes(tree, after, X, y)
    old, new = tree.predict(X), after.predict(X)
    assert rows.predicted.tolist() == np.flatnonzero(old != new).tolist()
    assert rows.mended.tolist() == [i for i in range(len(y)) if old[i] != y[i] == new[i]]
    assert rows.spoilt.tolist() == [i for i in range(len(y)) if old[i] == y[i] != new[i]]
    ends = [t.origin[t.apply(X)] for t in (tree, after)]
    assert rows.moved.tolist() == np.flatnonzero(ends[0] != ends[1]).tolist()
    assert min(map(len, rows[:2])) > 0
