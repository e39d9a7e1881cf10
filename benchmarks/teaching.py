"""Measure the runs of the Learn page: ``python -m benchmarks.teaching``.

The points are 500 of every bundled 2D data set and 500 painted ones, with every split type and initial tree. The time
runs from the start of the recorded run to the bytes for the browser, with compiled kernels. CART is recorded and packed
too. Then λ is moved in Chromium, after all runs have been trained. These times are in milliseconds, from the slider's
event to the second frame after it.
"""

import sys
from functools import partial

import numpy as np

import sample_data
from benchmarks.common import heading, interleaved, table, verdict, write_json
from benchmarks.harness import NoBrowser, chromium, new_page, served, show
from pages.ui.learn.learn_run import CARTS
from sample_data.loaders import PLANAR
from sample_data.painted import encode, painted_set
from treecore.training.estimators import ESTIMATORS
from treecore.training.recording import grow, record
from viz.payload.recording_payload import recording_payload

POINTS = 500
LIMIT = 0.3  # seconds
SEEN = 100  # milliseconds
DRAGS = ("xor", "spirals", "clouds")
MOVES = """async () => {
  const within = (root) =>
    [...root.querySelectorAll("*")].flatMap((one) => [one, ...(one.shadowRoot ? within(one.shadowRoot) : [])]);
  const slider = within(document).find((one) => one.dataset?.testid === "stage-lambda");
  const frame = () => new Promise(requestAnimationFrame);
  slider.focus();
  const runs = Number(slider.max) + 1;
  const came = () => performance.getEntriesByType("resource").filter(({ name }) => name.includes("/learn-")).length;
  while (came() < runs) await new Promise((done) => setTimeout(done, 50));
  const times = [];
  for (let i = 0; i < 3 * runs; i++) {
    const began = performance.now();
    slider.value = (i * 5) % runs;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await frame();
    await frame();
    times.push(performance.now() - began);
    await frame();
  }
  return times;
}"""
REPEATS = 3
STARTS = {
    "univariate": ("cart", "random"),
    "bivariate": ("cart", "random", "bivariate_cart"),
    "oblique": ("cart", "random", "oblique_cart"),
}
HEADER = ("set", "decisions", "start", "steps", "seconds", "of it payload", "kB", "limit", "")


def painted():
    """Return three classes of painted blots, in which some points have the same position."""
    rng = np.random.default_rng(0)
    y = np.arange(POINTS) % 3
    middles = rng.random((12, 2))
    X = middles[y + 3 * rng.integers(0, 4, POINTS)] + 0.08 * rng.normal(size=(POINTS, 2))
    return painted_set(encode(X, y))


def drawn(data):
    """Return (training, validation, test) rows, 500 of them for training."""
    order = np.random.default_rng(0).permutation(data.n_rows)
    return np.sort(order[:POINTS]), np.empty(0, np.int64), np.sort(order[POINTS:])


def run(data, rows, split, init):
    """Return (recording, payload, seconds of the payload) as the page makes them."""
    lam = 0.3 if split == "oblique" else 1.0
    depth = 6 if init == "random" else None
    lam *= data.target.loss_unit
    model = ESTIMATORS[data.target.loss](split=split, init=init, lam=lam, max_depth=depth, random_state=0, n_jobs=1)
    recording = record(model, data.X[rows[0]], data.y[rows[0]])
    packing = interleaved({"pack": partial(recording_payload, recording, data, rows)}, 1)["pack"]
    return recording, packing.result, packing.wall[0]


def beside(data, rows):
    """Return (recording, payload, seconds of the payload) for CART's greedy growth."""
    tree = CARTS[data.target.loss](cv=None, random_state=0).fit(data.X[rows[0]], data.y[rows[0]]).tree_
    recording = grow(tree, data.target.loss_unit)
    packing = interleaved({"pack": partial(recording_payload, recording, data, rows, "CART")}, 1)["pack"]
    return recording, packing.result, packing.wall[0]


def dragged():
    """Return {data set: milliseconds of first and of later moves of λ}, measured on a separate server."""
    times = {}
    with chromium() as browser, served() as app:
        for name in DRAGS:
            page = new_page(browser)
            show(page, f"{app.url}/learn?data_set={name}")
            times[name] = page.evaluate(MOVES)
            page.close()
    return times


def main():
    """Measure, print the table and write the JSON file."""
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
    try:
        moves = dragged()
    except NoBrowser as error:
        moves = {}
        print(error)
    for name, times in moves.items():
        middle = float(np.median(times))
        output = f"median {middle:.0f} ms, 95th percentile {np.quantile(times, 0.95):.0f} ms of {len(times)} moves"
        print(f"lambda on {name}: {output}, {verdict(middle, SEEN)}")
    raw["lambda"] = moves
    print(f"raw numbers: {write_json('teaching', raw)}")
    return 0 if worst <= LIMIT and all(np.median(times) <= SEEN for times in moves.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
