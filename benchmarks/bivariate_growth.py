"""Measure how the time of a bivariate fit grows with n, D, H and depth: ``python -m benchmarks.bivariate_growth``.

``--quick`` runs a shorter version. The rows are synthetic, and TAO starts from a CART of limited depth. One CART fit on
the same rows is timed for comparison. The script writes a table, the raw numbers and a figure. The figure has one
log-log panel for each quantity, with the slope in its title.
"""

import argparse
import sys

import numpy as np
from matplotlib.figure import Figure
from sklearn.tree import DecisionTreeClassifier

from benchmarks.common import RESULTS, heading, interleaved, table, write_json
from treecore import TAOClassifier
from treecore.warm_up import warm_up

BASE = {"n": 20_000, "D": 10, "H": 60, "depth": 8}
VALUES = {
    "n": (2_000, 5_000, 10_000, 20_000, 50_000, 100_000, 200_000),
    "D": (2, 5, 10, 20, 40, 80),
    "H": (15, 30, 60, 120, 240),
    "depth": (2, 4, 6, 8, 10, 12, 16),
}
QUICK = {name: values[:3] for name, values in VALUES.items()}
REPEATS = 3


def rows(n, d):
    """Return X float64[n, d] and two noisy classes, separated by curved boundaries in two pairs of features."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, d))
    signal = X[:, 0] * X[:, 1] + X[:, min(2, d - 1)] - 0.7 * X[:, min(3, d - 1)]
    return X, (signal + rng.standard_normal(n) > 0.3).astype(int)


def measure(n, D, H, depth):
    """Return the median seconds of the bivariate fit and of the CART fit."""
    X, y = rows(n, D)
    settings = {"split": "bivariate", "init": "cart", "lam": 1.0, "n_orientations": H, "max_depth": depth}
    timings = interleaved(
        {
            "tao": lambda: TAOClassifier(**settings, random_state=0, n_jobs=-1).fit(X, y),
            "cart": lambda: DecisionTreeClassifier(max_depth=depth, random_state=0).fit(X, y),
        },
        REPEATS,
    )
    return timings["tao"].median, timings["cart"].median


def slope(values, seconds):
    """Return the exponent of the growth, fitted to the upper half of the values."""
    half = len(values) // 2
    return float(np.polyfit(np.log(values[half:]), np.log(seconds[half:]), 1)[0])


def draw(measured):
    """Return a matplotlib Figure with one panel for each quantity."""
    figure = Figure(figsize=(12, 3.4), layout="constrained")
    for axes, (name, (values, seconds)) in zip(figure.subplots(1, len(measured)), measured.items(), strict=True):
        tao, cart = np.array(seconds).T
        axes.loglog(values, tao, "o-", label="bivariate TAO")
        axes.loglog(values, cart, "s--", color="grey", label="scikit-learn CART")
        axes.set(xlabel=name, title=f"time ~ {name}^{slope(values, tao):.2f}")
        axes.grid(which="major", alpha=0.3)
    figure.axes[0].set_ylabel("seconds")
    figure.axes[0].legend(frameon=False)
    return figure


def main(arguments=None):
    """Measure, print the table, and write the JSON file and the figure."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bivariate_growth", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="use only the three smallest values of each quantity")
    options = parser.parse_args(arguments)
    warm_up()
    measured, lines = {}, []
    for name, values in (QUICK if options.quick else VALUES).items():
        seconds = []
        for value in values:
            print(f"{name} = {value} ...", file=sys.stderr, flush=True)
            seconds.append(measure(**BASE | {name: value}))
            tao, cart = seconds[-1]
            lines.append((name, value, f"{tao:.3g}", f"{cart:.3g}", f"{tao / cart:.1f}"))
        measured[name] = values, seconds
    print(
        heading(f"Bivariate, growth of the time (n, D, H, depth = {', '.join(map(str, BASE.values()))} unless varied)")
    )
    print(table(("varied", "value", "TAO s", "CART s", "ratio"), lines))
    print("\n".join(f"time ~ {name}^{slope(v, [s[0] for s in t]):.2f}" for name, (v, t) in measured.items()))
    print(f"raw numbers: {write_json('bivariate_growth', {'base': BASE, **measured})}")
    draw(measured).savefig(RESULTS / "bivariate_growth.svg")
    print(f"figure: {(RESULTS / 'bivariate_growth.svg').relative_to(RESULTS.parent.parent)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
