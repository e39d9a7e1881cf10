"""Measure the list of other splits of a node and the previews of `treecore.candidate_splits`.

Usage::

    python -m benchmarks.steering            # 100,000 rows and 30 features
    python -m benchmarks.steering --quick    # 5,000 rows

Each line is the median of several runs at the root and at a leaf of a CART tree with 16 leaves. The reference is one
fit of CART with a depth of 1, which finds a single split on the same rows.
"""

import argparse
import statistics
import time

import numpy as np

from treecore import CARTClassifier, TAOClassifier
from treecore.training.candidate_splits import NodeSearch

LINE = "{:<46} {:>10}"


def median_seconds(work, repeats):
    """Return the median seconds of a function, after one call."""
    work()
    seconds = []
    for _ in range(repeats):
        began = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - began)
    return statistics.median(seconds)


def main():
    """Print the seconds of each step."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="5,000 rows instead of 100,000")
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    n = 5_000 if options.quick else 100_000
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 30)).astype(np.float32)
    y = ((X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=n) > 0) + (X[:, 3] > 1)).astype(int)
    tree = CARTClassifier(max_depth=4, random_state=0).fit(X, y).tree_
    estimator = TAOClassifier(lam=n / 2000, split="bivariate", init="cart", random_state=0, n_jobs=-1)
    began = time.perf_counter()
    search = NodeSearch(tree, X, y, estimator)
    print(LINE.format("preparation of the rows, once", f"{time.perf_counter() - began:.3f} s"))
    leaf = int(np.argmax(np.where(tree.left < 0, tree.n_samples, 0)))
    kinds = {"univariate": ("univariate",), "univariate, bivariate": ("univariate", "bivariate"), "all": None}
    for node, name in ((0, "root"), (leaf, "largest leaf")):
        for words, chosen in kinds.items():
            given = () if chosen is None else (chosen,)
            seconds = median_seconds(lambda: search.candidates(node, *given), options.repeats)  # noqa: B023
            print(LINE.format(f"list at the {name}, {words}", f"{seconds:.3f} s"))
    one = search.candidates(0)[1]
    preview = median_seconds(lambda: search.tree_of(search.with_split(one.node, one.split)), options.repeats)
    print(LINE.format("preview of one split", f"{preview:.3f} s"))
    after = median_seconds(lambda: search.after(one.node, one.split), options.repeats)
    print(LINE.format("one pass of TAO below one split", f"{after:.3f} s"))
    stump = median_seconds(lambda: CARTClassifier(max_depth=1, random_state=0).fit(X, y), options.repeats)
    print(LINE.format("CART with a depth of 1, for comparison", f"{stump:.3f} s"))


if __name__ == "__main__":
    main()
