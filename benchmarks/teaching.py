"""The Learn page's runs: ``python -m benchmarks.teaching``.

500 points of every bundled 2D set and 500 painted ones, every kind of decision and initial tree: seconds from the start
of the recorded run to the bytes that the browser gets, kernels warm. CART beside it is recorded and packed too.
"""

import sys
from functools import partial

import numpy as np

import sample_data
from benchmarks.common import heading, interleaved, table, verdict, write_json
from sample_data.painted import encode, painted_set
from sample_data.planar import PLANAR
from treecore import CARTClassifier, TAOClassifier
from treecore.training.recording import grow, record
from viz.payload.recording_payload import recording_payload

POINTS = 500
LIMIT = 0.5  # seconds
REPEATS = 3
STARTS = {
    "univariate": ("cart", "random"),
    "bivariate": ("cart", "random", "bivariate_cart"),
    "oblique": ("cart", "random", "oblique_cart"),
}
HEADER = ("set", "decisions", "start", "steps", "seconds", "of it payload", "kB", "limit", "")


def painted():
    """Three classes of blots, some points on one spot."""
    rng = np.random.default_rng(0)
    y = np.arange(POINTS) % 3
    middles = rng.random((12, 2))
    X = middles[y + 3 * rng.integers(0, 4, POINTS)] + 0.08 * rng.normal(size=(POINTS, 2))
    return painted_set(encode(X, y))


def drawn(data):
    """(train, validation, test) rows, 500 to train on."""
    order = np.random.default_rng(0).permutation(data.n_rows)
    return np.sort(order[:POINTS]), np.empty(0, np.int64), np.sort(order[POINTS:])


def run(data, rows, split, init):
    """(recording, payload, seconds of the payload) as the page makes them."""
    lam = 0.3 if split == "oblique" else 1.0
    depth = 6 if init == "random" else None
    model = TAOClassifier(split=split, init=init, lam=lam, max_depth=depth, random_state=0)
    recording = record(model, data.X[rows[0]], data.y[rows[0]])
    packing = interleaved({"pack": partial(recording_payload, recording, data, rows)}, 1)["pack"]
    return recording, packing.result, packing.wall[0]


def beside(data, rows):
    """The same of CART's greedy growth."""
    tree = CARTClassifier(cv=None, random_state=0).fit(data.X[rows[0]], data.y[rows[0]]).tree_
    recording = grow(tree, 1.0)
    packing = interleaved({"pack": partial(recording_payload, recording, data, rows, "CART")}, 1)["pack"]
    return recording, packing.result, packing.wall[0]


def main():
    """Measure, print the table, write the JSON file."""
    sets = [painted(), *(sample_data.load(name) for name in PLANAR)]
    jobs = {}
    for data in sets:
        rows = drawn(data)
        for split, starts in STARTS.items():
            for init in starts:
                jobs[data.name, split, init] = partial(run, data, rows, split, init)
        jobs[data.name, "CART", "grows"] = partial(beside, data, rows)
    for split, starts in STARTS.items():
        for init in starts:
            jobs[sets[0].name, split, init]()  # compiles
    lines, raw, worst = [], {}, 0.0
    for key, timing in interleaved(jobs, REPEATS).items():
        recording, payload, packing = timing.result
        worst = max(worst, timing.median)
        raw["/".join(key)] = timing.raw()
        figures = f"{timing.median:.3f}", f"{packing:.3f}", f"{len(payload) / 1e3:.0f}", f"{LIMIT:g}"
        lines.append((*key, len(recording.steps), *figures, verdict(timing.median, LIMIT)))
    print(heading(f"Recorded runs of {POINTS} points, from the start to the browser's bytes"))
    print(table(HEADER, lines, left=(0, 1, 2)))
    print(f"slowest: {worst:.3f} s, {verdict(worst, LIMIT)}")
    print(f"raw numbers: {write_json('teaching', raw)}")
    return 0 if worst <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
