"""Measure the speed of the stage in headless Chromium: ``python -m benchmarks.stage [--quick] [--only NAME]``.

Every step is timed inside the page. The time runs from the slider's input event until ``data-painted`` is set, and on
to the second frame after it, when the browser has certainly drawn the result. Run the script on an idle machine.
"""

import argparse
import re
import sys
import tempfile
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.tree import DecisionTreeRegressor

import sample_data
from benchmarks.common import heading, table, write_json
from benchmarks.grown_trees import Point, grown_path, noisy_table
from benchmarks.harness import STAGE, NoBrowser, chromium, new_page, served, show
from benchmarks.speed import HEADER, Row
from treecore import TAOClassifier, TAORegressor, from_sklearn, phase_diagram, regularization_path
from treecore.training.phase import COSTS
from treecore.tree.category_columns import decision_words
from treecore.tree.decision_digits import decision_digits
from treecore.tree.feature_statistics import feature_deviation
from viz.nodes.category_columns import category_columns
from viz.page.stage_html import data_block, stage_html
from viz.payload.stage_payload import stage_payload

STEP_LIMITS = {50: 16.0, 200: 33.0, 1000: 100.0}  # milliseconds, by number of nodes
FRAME = 1000 / 60
TREES = 16  # number of trees on a path
SEEN_FIRST = TREES // 2 - 1  # timed steps to new trees; then all trees are shown once before steps are timed again
MOST_IN_PLANE = 200  # maximum number of nodes of trees on data with two features
MEGABYTE = 1e6
NO_MINIMUM = "No minimum"

STEPS = """async ([count, warmUp]) => {
  const stage = document.querySelector("[data-testid=stage]");
  const slider = document.querySelector("[data-testid=stage-slider]");
  const frame = () => new Promise(requestAnimationFrame);
  const last = Number(slider.max);
  const step = (k) => new Promise((resolve) => {
    let began = 0;
    new MutationObserver(async (_, observer) => {
      if (stage.dataset.painted !== String(k)) return;
      const painted = performance.now() - began;
      observer.disconnect();
      await frame();
      await frame();
      resolve([painted, performance.now() - began]);
    }).observe(stage, { attributeFilter: ["data-painted"] });
    slider.value = k;
    began = performance.now();
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  });
  const times = [];
  let k = Number(slider.value), up = k < last;
  for (let i = 0; i < count + warmUp; i++) {
    up = k === last ? false : k === 0 ? true : up;
    k += up ? 1 : -1;
    const time = await step(k);
    if (i >= warmUp) times.push(time);
    await frame();
  }
  return times;
}"""
# For the slider of C: milliseconds from its event to the painted tree, and to the second frame after that.
COST_STEPS = """async (count) => {
  const stage = document.querySelector("[data-testid=stage]");
  const slider = document.querySelector("[data-testid=stage-cost-slider]");
  const frame = () => new Promise(requestAnimationFrame);
  const last = Number(slider.max);
  const times = [];
  for (let i = 0; i < count; i++) {
    const before = stage.dataset.painted;
    slider.value = Math.abs((i + 1) % (2 * last) - last);
    const painted = new Promise((resolve) => new MutationObserver((_, observer) => {
      if (stage.dataset.painted === before) return;
      observer.disconnect();
      resolve(performance.now());
    }).observe(stage, { attributeFilter: ["data-painted"] }));
    const began = performance.now();
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    const then = await painted;
    await frame();
    await frame();
    times.push([then - began, performance.now() - began]);
  }
  return times;
}"""
COST_LIMIT = 50.0  # milliseconds
# Return the times between frames while each frame calls `move(i)`.
FRAMES = """async ([kind, count]) => {
  const slider = document.querySelector("[data-testid=stage-slider]");
  const canvas = document.querySelector("[data-testid=stage] .view canvas");
  const box = canvas.getBoundingClientRect();
  const middle = { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2, bubbles: true };
  const pointer = (type, x, y) => canvas.dispatchEvent(new PointerEvent(type,
    { ...middle, clientX: middle.clientX + x, clientY: middle.clientY + y, pointerId: 1, isPrimary: true }));
  const last = Number(slider.max);
  const moves = {
    scrub: (i) => {
      slider.value = Math.abs(((i + last) % (2 * last)) - last);
      slider.dispatchEvent(new Event("input", { bubbles: true }));
    },
    pan: (i) => pointer("pointermove", 120 * Math.sin(i / 9), 60 * Math.cos(i / 9)),
    zoom: (i) => canvas.dispatchEvent(new WheelEvent("wheel",
      { ...middle, deltaY: (i % 60) < 30 ? -25 : 25, bubbles: true, cancelable: true })),
  };
  canvas.setPointerCapture = () => {};
  if (kind === "pan") pointer("pointerdown", 0, 0);
  const times = [];
  let before = await new Promise(requestAnimationFrame);
  for (let i = 0; i < count; i++) {
    moves[kind](i);
    const now = await new Promise(requestAnimationFrame);
    times.push(now - before);
    before = now;
  }
  if (kind === "pan") pointer("pointerup", 0, 0);
  return times.slice(5);
}"""


# Return [node, label below it, whether it is an image] of the decision nodes on the upper three levels.
CONDITIONS = """() => {
  const { view, tree } = stage;
  const labels = [...document.querySelectorAll(".labels .label")];
  const shown = labels.filter((one) => one.style.display !== "none").map((one) => one.textContent);
  const upper = [...view.boxes].filter(([node]) => !tree.isLeaf(node) && tree.depth[node] < 3);
  return upper.map(([node, box]) => {
    const { caption } = view.picture.linesBelow(node, box);
    const isImage = Boolean(tree.path.imageShape) && box.w >= view.picture.looks.detail.image;
    const lines = caption && !isImage ? view.picture.lines(node, box, caption) : [];
    return [node, lines.every((line) => shown.includes(line)) ? lines.join(" ") : "", isImage];
  });
}"""
IN_THE_APP = {"width": 1408, "height": 766}  # size of the stage in an app of the size `VIEWPORT`


class Example(NamedTuple):
    """A standalone file and the approximate number of nodes of its largest tree."""

    name: str
    n_nodes: int
    address: str


@cache
def noisy():
    """Return the `noisy_table`, which is made only once."""
    return noisy_table()


def grown_example(folder, kind, n_nodes):
    """Return an `Example` with nested trees of about `n_nodes` nodes.

    kind : "images", "table", "numbers" or "plane".
    """
    data, n_features = {
        "images": lambda: (sample_data.load("mnist-5k"), 40),
        "table": lambda: (noisy(), 6),
        "numbers": lambda: (sample_data.load("abalone"), 1),
        "plane": lambda: (sample_data.load("checkerboard"), 2),
    }[kind]()
    most = round(1.1 * n_nodes) | 1
    whole = number_path(data, most) if kind == "numbers" else grown_path(data, most, n_features, 4 * TREES)
    near = sorted(whole, key=lambda point: abs(point.tree.n_nodes - n_nodes))[:TREES]
    path = sorted(near, key=lambda point: point.lam)
    name = f"{kind}, {round(np.median([point.tree.n_nodes for point in path]))} nodes"
    file = Path(folder) / f"{kind}-{n_nodes}.html"
    file.write_text(stage_html(path, data, rows=sample_data.split_rows(data, 0)), encoding="utf-8")
    return Example(name, n_nodes, file.as_uri())


def number_path(data, n_nodes):
    """Return a list of `Point` with nested regression trees, grown best-first as by scikit-learn."""
    sizes = np.linspace(n_nodes, 0.6 * n_nodes, 4 * TREES).astype(int)
    trees = [DecisionTreeRegressor(max_leaf_nodes=size // 2, random_state=0).fit(data.X, data.y) for size in sizes]
    names = data.feature_names
    return [Point(0.01 * 1.1**i, from_sklearn(tree).with_names(names)) for i, tree in enumerate(trees)]


def opened(browser, example, everything):
    """Return a page with the painted stage.

    everything : whether to show every node.
    """
    page = new_page(browser)
    show(page, example.address)
    if everything:
        page.get_by_test_id("stage-view").click()
        page.get_by_label("Smallest share of rows for which a node is shown").select_option(label=NO_MINIMUM)
        page.get_by_label("All levels", exact=True).check()
        page.keyboard.press("Escape")
    page.wait_for_timeout(400)
    return page


def steps_section(browser, folder, quick):
    """Time steps of the slider until the tree is painted."""
    rows, raw = [], {}
    for n_nodes, limit in STEP_LIMITS.items():
        for kind in ("images", "table", "numbers", "plane")[: 4 if n_nodes <= MOST_IN_PLANE else 3]:
            example = grown_example(folder, kind, n_nodes)
            # The smallest trees are shown nearly whole.
            for everything in (False, True)[: 1 if n_nodes == min(STEP_LIMITS) else 2]:
                page = opened(browser, example, everything)
                first = np.array(page.evaluate(STEPS, [SEEN_FIRST, 0]))
                times = np.array(page.evaluate(STEPS, [30 if quick else 60, 2 * TREES - SEEN_FIRST]))
                page.close()
                view = "all shown" if everything else "as it opens"
                painted, on_screen = np.median(times, axis=0)
                slow = np.percentile(times[:, 0], 95)
                detail = (
                    f"95 %: {slow:.1f} ms; second frame after: {on_screen:.1f} ms; "
                    f"trees seen for the first time: {np.median(first[:, 0]):.1f} ms"
                )
                rows.append(Row(f"step: {example.name}, {view}", painted, limit, unit="ms", detail=detail))
                raw[f"{kind} {n_nodes} {view}"] = {"first": first, "again": times}
    return rows, raw


def costs_section(browser, folder, quick):
    """Time steps of the slider of C until the tree is painted, for new trees and for trees shown before."""
    rows, raw = [], {}
    for name in ("breast-cancer", "segment"):
        data = sample_data.load(name)
        parts = sample_data.split_rows(data, 0)
        train, validation, _ = parts
        model = TAOClassifier(split="bivariate", init="cart", random_state=0, n_jobs=-1)
        grid = phase_diagram(
            model,
            data.X[train],
            data.y[train],
            lams=20,
            costs=COSTS,
            X_val=data.X[validation],
            y_val=data.y[validation],
        )
        file = Path(folder) / f"grid-{name}.html"
        file.write_text(stage_html(grid, data, rows=parts), encoding="utf-8")
        page = opened(browser, Example(name, 0, file.as_uri()), everything=False)
        first = np.array(page.evaluate(COST_STEPS, len(COSTS) - 1))
        times = np.array(page.evaluate(COST_STEPS, 30 if quick else 120))
        page.close()
        painted, on_screen = np.median(times, axis=0)
        detail = (
            f"slowest: {times[:, 0].max():.1f} ms; second frame after: {on_screen:.1f} ms; trees seen first: "
            f"{np.median(first[:, 0]):.1f} ms, slowest {first[:, 0].max():.1f} ms"
        )
        rows.append(Row(f"step of C: {name}, {len(grid)} trees", painted, COST_LIMIT, unit="ms", detail=detail))
        raw[name] = {"first": first, "again": times}
    return rows, raw


def frames_section(browser, folder, quick):
    """Count frames while scrubbing, panning and zooming."""
    rows, raw = [], {}
    for kind in ("images", "table"):
        example = grown_example(folder, kind, 200)
        for move in ("scrub", "pan", "zoom"):
            page = opened(browser, example, everything=True)
            times = np.array(page.evaluate(FRAMES, [move, 60 if quick else 240]))
            page.close()
            p50, p95 = np.percentile(times, [50, 95])
            # A frame is a multiple of the display's 16.67 ms. The limit leaves room for rounding of the clock.
            limit = round(FRAME + 0.3, 1)
            detail = f"95 %: {p95:.1f} ms; {1000 / times.mean():.0f} frames a second"
            rows.append(Row(f"frame: {move}, {example.name}", p50, limit, unit="ms", detail=detail))
            raw[f"{kind} {move}"] = times
    return rows, raw


def size_section(_browser, _folder, quick):
    """Measure the bytes of the payload and of the page for paths of 30 trees."""
    rows, raw = [], {}
    for name, limit in (("mnist-5k", 3.0), ("breast-cancer", 1.0)):
        data = sample_data.load(name)
        parts = sample_data.split_rows(data, 0)
        train, validation, _ = parts
        scale = "minmax" if data.image_shape else "standard"
        model = TAOClassifier(
            init="random", max_depth=8, max_iter=3 if quick else 20, scale=scale, random_state=0, n_jobs=-1
        )
        path = regularization_path(model, data.X[train], data.y[train], 30, data.X[validation], data.y[validation])
        content = stage_payload(path, data, parts)
        payload, block = len(content), len(data_block("trees", content))
        page = len(stage_html(path, data, rows=parts).encode())
        nodes = f"{path.trees[0].n_nodes} nodes at the smallest lambda"
        rows.append(Row(f"payload: {name}, {len(path)} trees", payload / MEGABYTE, limit, unit="MB", detail=nodes))
        rows.append(Row(f"page: {name}, without its payload", (page - block) / 1000, 200.0, unit="kB"))
        raw[name] = {"payload": payload, "payload as text": block, "page": page}
    return rows, raw


def opening_section(browser, _folder, quick):
    """Time the first tree in a new browser session, after the server has started and the path is trained."""
    with served() as app:
        first = first_tree(browser, app.url, "text=Its rules")  # trains the path
        times = [first_tree(browser, app.url) for _ in range(3 if quick else 7)]
    detail = f"median of {len(times)}; with training, from a cold server: {first:.1f} s"
    return [Row("opening the app to the first tree", float(np.median(times)), 3.0, unit="s", detail=detail)], {
        "warm": times,
        "cold": first,
    }


def first_tree(browser, url, sign=STAGE):
    """Return the seconds from the request of a page until `sign` is visible on it."""
    page = new_page(browser)
    seconds = show(page, url, sign)
    page.close()
    return seconds


class ShownCondition(NamedTuple):
    """How a condition is shown.

    how : "words" (the whole condition), "image" (of its weights), "N more" (its largest terms) or "cut"; share : sum of
    the sizes of the shown terms, as a share of the sum over all terms; text : the whole condition.
    """

    how: str
    share: float
    text: str


def terms_of(text):
    """Return the terms and the threshold of a condition. Rounding may swap terms of nearly equal size."""
    terms = re.split(r" (?=[+−≥≤<>] )", text)
    return sorted(term.replace("− ", "−").removeprefix("+ ") for term in terms)


def shown_conditions(page, trees, data):
    """Return how the stage shows the conditions on the upper three levels of a tree.

    page : page with the stage as `window.stage`; trees : trees of its path.
    """
    tree = trees[int(page.locator("[data-testid=stage]").get_attribute("data-painted"))]
    columns, deviation = category_columns(data), feature_deviation(data.X)
    digits = decision_digits(tree, data.X, columns=columns)
    shown = []
    for node, text, is_image in page.evaluate(CONDITIONS):
        split = tree.split(node)
        names = [str(data.feature_names[feature]) for feature in split[0]]
        rest = (names, int(digits[node]), deviation)
        whole = decision_words(split, *rest, None, columns=columns).text
        left = re.search(r" \+ (\d+) more", text)
        n = len(names) - int(left[1]) if left else len(names)
        sizes = np.sort(np.abs(split[1]) * deviation[split[0]])[::-1]
        how = "image" if is_image else "words" if terms_of(text) == terms_of(whole) else "cut"
        if left and text == decision_words(split, *rest, n, columns=columns).text:
            how = "N more"
        shown.append(ShownCondition(how, float(sizes[:n].sum() / sizes.sum()), whole))
    return shown


def conditions_section(browser, folder, quick):
    """Count conditions on the upper three levels of newly opened trees that are shown neither whole nor as an image."""
    rows, raw = [], {}
    kinds = {"bivariate": "cart", "univariate": "cart", "oblique": "random"}
    for name in [entry.name for entry in sample_data.catalogue() if entry.name != "mnist"]:
        data = sample_data.load(name)
        parts = sample_data.split_rows(data, 0)
        train, validation, _ = parts
        for split, initial in kinds.items() if not data.image_shape else [("oblique", "random")]:
            method = TAOClassifier if data.class_names else TAORegressor
            model = method(split=split, init=initial, max_iter=3 if quick else 20, random_state=0)
            path = regularization_path(model, data.X[train], data.y[train], 12, data.X[validation], data.y[validation])
            file = Path(folder) / "conditions.html"
            text = stage_html(path, data, rows=parts).replace("await standalone(", "window.stage = await standalone(")
            file.write_text(text, encoding="utf-8")
            page = new_page(browser, IN_THE_APP)
            show(page, file.as_uri())
            shown = shown_conditions(page, path.trees, data)
            page.close()
            count = Counter(one.how for one in shown)
            least = min((one.share for one in shown), default=1.0)
            detail = ", ".join(f"{n} {how}" for how, n in count.items()) + f"; terms carry {100 * least:.0f} % or more"
            short = count["N more"] + count["cut"]
            rows.append(Row(f"conditions not whole: {name}, {split}", short, 0, unit="", detail=detail))
            raw[f"{name} {split}"] = shown
    ways = Counter(one.how for shown in raw.values() for one in shown)
    print(f"all {ways.total()} conditions: {dict(ways)}")
    return rows, raw


SECTIONS = {
    "conditions": conditions_section,
    "opening": opening_section,
    "steps": steps_section,
    "costs": costs_section,
    "frames": frames_section,
    "sizes": size_section,
}


def main(arguments=None):
    """Run the sections, print the table and write the JSON file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stage", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="use fewer steps")
    parser.add_argument("--only", choices=SECTIONS, help="run only this section")
    options = parser.parse_args(arguments)
    rows, raw = [], {"quick": options.quick}
    try:
        with chromium() as browser, tempfile.TemporaryDirectory() as folder:
            raw["chromium"] = browser.version
            for name in [options.only] if options.only else SECTIONS:
                print(f"{name} ...", file=sys.stderr, flush=True)
                found, raw[name] = SECTIONS[name](browser, folder, options.quick)
                rows += found
    except NoBrowser as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{heading('Stage')}, Chromium {raw['chromium']}")
    print(table(HEADER, [row.cells() for row in rows], left=(0, 4)))
    print(f"raw numbers: {write_json('stage', raw, options.only)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
