"""Time the search for other trees about as good: ``python -m benchmarks.alternatives [NAME ...]``.

The name ``table`` stands for noisy clouds with 10,000 rows, 20 features and four classes. The search starts from the
tree with the smallest validation error on the path that the page opens with.
"""

import argparse
import time
from dataclasses import asdict

import numpy as np

import sample_data
from benchmarks.common import heading, markdown
from benchmarks.grown_trees import noisy_table
from pages.jobs.kinds.shortlist import shortlist
from pages.jobs.kinds.tasks import AlternativesTask, PathTask
from pages.jobs.point import Point
from pages.jobs.row_split import split_rows
from pages.jobs.settings import Alternatives, bivariate, opening
from treecore.warm_up import warm_up

COLUMNS = ("data set", "path: s", "search: s", "paths", "about as good", "their test errors", "its test error")
NAMES = ("wine", "digits", "table")


def main() -> None:
    """Print one row for each data set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=NAMES, help=f"data sets (default: {', '.join(NAMES)})")
    names = parser.parse_args().names
    warm_up()
    print(heading("Search for other trees about as good"), end="\n\n")
    print(markdown(COLUMNS, [row(name) for name in names]))


def row(name: str) -> tuple[str, ...]:
    """Return the cells of a data set."""
    data = noisy_table(10_000, 20, 4) if name == "table" else sample_data.load(name)
    path = bivariate(data_set=data.name, **opening(data.name, "images" if data.image_shape else None)).path()
    began = time.perf_counter()
    task = PathTask({"kind": "path", **asdict(path)}, data)
    points = [Point.from_record(record) for record in task.results({"done": 0, "last": None})]
    own = time.perf_counter() - began
    present = min(points, key=lambda point: (point.figures["validation_error"], point.tree.n_leaves))
    features, weights, _ = present.tree.split(0)
    order = features[np.argsort(-np.abs(weights) * np.nanstd(data.X[:, features], axis=0))]
    wanted = Alternatives(path, present.tree.n_leaves, tuple((int(feature),) for feature in order))
    search = AlternativesTask({"kind": "alternatives", **asdict(wanted)}, data)
    began = time.perf_counter()
    found = [Point.from_record(record) for i in range(len(search.paths)) for record in search.results({"index": i})]
    seconds = time.perf_counter() - began
    kept = shortlist(present.tree, found, path, data, split_rows(data, path.seed))
    errors = ", ".join(data.target.error_text(one.point.figures["test_error"]) for one in kept)
    own_error = data.target.error_text(present.figures["test_error"])
    return name, f"{own:.1f}", f"{seconds:.1f}", str(len(found)), str(len(kept)), errors, own_error


if __name__ == "__main__":
    main()
