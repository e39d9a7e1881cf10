"""Time the re-optimisation of a tree around locked nodes: ``python -m benchmarks.reoptimise``.

The time runs from the message that the stage's button sends to the bytes for the browser, as on the Edit page. It
includes checking the edited tree, counting its rows, TAO on the other nodes, and writing the result and the stage's
payload. The trees come from a path. In each tree, the split of the root is moved and locked, and one leaf gets another
class and is locked.
"""

import argparse
import json
import statistics
import time

import numpy as np

import sample_data
from benchmarks.common import heading, table, write_json
from pages.jobs.point import Point
from pages.ui.edit import edit_state, edit_training
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.shell import edit_messages
from treecore import TAOClassifier, regularization_path
from viz.payload.edit_payload import edit_payload

CASES = (
    ("breast-cancer", {"split": "bivariate", "init": "cart"}, 0.3),
    ("breast-cancer", {"split": "oblique", "max_depth": 6}, 0.3),
    *(
        (name, {"split": "bivariate", "init": "cart"}, 0.3)
        for name in ("checkerboard", "spirals", "moons", "stripes", "xor", "clouds")
    ),
    ("mnist-5k", {"split": "oblique", "max_depth": 6, "scale": "minmax"}, 1.0),
)
LAMBDAS = 12


def main():
    """Measure, print the table and write the JSON file."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="use only the largest tree")
    cases = CASES[-1:] if parser.parse_args().quick else CASES
    found = [measured(*case) for case in cases]
    print(heading("Re-optimising the rest after a lock: from the message to the bytes for the browser"))
    rows = [
        [f"{case['data']}, {case['split']}", str(case["rows"]), f"{case['leaves'][0]} to {case['leaves'][1]}",
         f"{case['median']:.3f}", f"{case['largest']:.3f}", f"{case['limit']:g}"]
        for case in found
    ]  # fmt: skip
    print(table(["data", "rows", "leaves", "median s", "largest s", "limit s"], rows))
    write_json("reoptimise", {"cases": found})


def measured(name, parameters, limit):
    """Return the seconds for re-optimising each tree of a path, after one run that is not timed."""
    data = sample_data.load(name)
    parts = sample_data.split_rows(data, 0)
    X, y = data.X[parts[0]], data.labels()[parts[0]]
    path = regularization_path(TAOClassifier(random_state=0, n_jobs=-1, **parameters), X, y, LAMBDAS)
    points = [point for point in path if point.tree.n_decision]
    seconds = [answered(chosen_of(name, data, parts, point, parameters)) for point in [points[0], *points]][1:]
    leaves = [point.tree.n_leaves for point in points]
    return {
        "data": name, "split": parameters["split"], "rows": len(y), "leaves": [min(leaves), max(leaves)],
        "limit": limit, "median": statistics.median(seconds), "largest": max(seconds), "seconds": seconds,
    }  # fmt: skip


def chosen_of(name, data, parts, point, parameters):
    """Return the `ChosenTree` for a point on a path."""
    shown = Point(0, point.lam, point.tree.with_names(data.feature_names), {})
    return ChosenTree(f"{name}-{parameters['split']}-{point.index}", data.title, shown, data, parts, parameters)


def answered(chosen):
    """Return the seconds from the message to the answer."""
    rows = edit_state.rows_of(chosen)
    edit = edit_state.new_edit(chosen, rows)
    unfitted = edit_training.estimator(chosen)
    parts = {"split": unfitted.split, "cost": unfitted.bivariate_cost, "scale": unfitted.scale}
    content, _ = edit_payload(chosen.point, chosen.data, chosen.rows, **parts)  # not timed: the page already has this
    document = json.loads(json.dumps(edit.document))
    root, leaf = document["nodes"][0], next(node for node in document["nodes"] if node["left"] is None)
    values = chosen.tree.margins(rows.X, 0)
    root |= {"bias": root["bias"] + 0.3 * float(np.std(values)), "locked": True}
    leaf |= {"label": (leaf["label"] + 1) % len(chosen.tree.classes), "locked": True}
    message = json.dumps({"key": "stage", "turn": 1, "ask": "reoptimise", "document": document})
    began = time.perf_counter()
    edit = edit_training.apply_report(chosen, rows, edit, json.loads(message), "stage", lambda share: None)
    header = edit_messages.header(edit.turn, edit.seen, edit.document, edit.ask, edit.fault or edit.note)
    block = json.dumps({"edit": header}).encode()
    block = len(block).to_bytes(4, "little") + block + content
    seconds = time.perf_counter() - began
    if edit.fault or edit.ask != "reoptimise":
        raise RuntimeError(edit.fault or "nothing was re-optimised")
    return seconds


if __name__ == "__main__":
    main()
