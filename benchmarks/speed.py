"""Measure the speed table: ``python -m benchmarks.speed [--quick] [--only NAME]``.

Both sides of every ratio are timed alternately in the same run, and the medians are reported. Kernels are compiled
beforehand.
"""

import argparse
import gc
import json
import subprocess
import sys
import time
from functools import partial
from typing import NamedTuple

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier

from benchmarks.common import (
    DataMissing,
    benchmark_set,
    heading,
    interleaved,
    mnist_5k,
    table,
    three_way,
    timed,
    verdict,
    write_json,
)
from benchmarks.node_problems import SAME, compare, gaps, liblinears, problems_of_pass
from treecore import TAOClassifier, regularization_path

MNIST = {
    "lam": 2.0,
    "init": "random",
    "max_depth": 8,
    "max_iter": 10,
    "scale": "minmax",
    "random_state": 0,
    "n_jobs": -1,
}
LETTER = {
    "lam": 0.3,
    "init": "random",
    "max_depth": 11,
    "max_iter": 20,
    "scale": "standard",
    "random_state": 0,
    "n_jobs": -1,
}
SMALL = {
    "lam": 0.5,
    "init": "random",
    "max_depth": 6,
    "max_iter": 10,
    "scale": "minmax",
    "random_state": 0,
    "n_jobs": -1,
}
HEADER = ("measurement", "value", "target", "", "detail")


class Row(NamedTuple):
    """One line of the table.

    target : limit, or None.
    """

    name: str
    value: float
    target: float | None = None
    at_most: bool = True
    unit: str = "x"
    detail: str = ""

    def cells(self):
        """Return the texts of the columns in `HEADER`."""
        sign = "<=" if self.at_most else ">="
        target = "" if self.target is None else f"{sign} {self.target:g} {self.unit}"
        mark = verdict(self.value, self.target, self.at_most)
        return self.name, f"{self.value:.3g} {self.unit}", target, mark, self.detail


class Data(NamedTuple):
    """Data sets of one run, each as (X, y, X_test, y_test)."""

    digits: tuple  # MNIST, or its bundled 5000 digits
    letter: tuple | None
    quick: bool

    @property
    def settings(self):
        """Return the parameters of the tree on the digits."""
        return SMALL if self.quick else MNIST


def load(quick):
    """Return the `Data` of a run."""
    if not quick:
        return Data(tuple(benchmark_set("mnist")), tuple(benchmark_set("letter")), False)
    X, y, _, _ = mnist_5k()
    X, X_test, y, y_test = train_test_split(X, y, test_size=0.2, random_state=0)
    return Data((X, y, X_test, y_test), None, True)


def cart():
    """Return the scikit-learn tree that is timed for comparison."""
    return DecisionTreeClassifier(random_state=0)


def warm_up(*matrices):
    """Compile the kernels for these dtypes."""
    for X in matrices:
        y = np.arange(200) % 3
        for settings in (MNIST, LETTER):
            parameters = {**settings, "max_depth": 3, "max_iter": 2}
            TAOClassifier(**parameters).fit(X[:200], y).predict(X[:5000])


def fitted(model, X, y):
    """Return a fitted copy of `model`."""
    return clone(model).fit(X, y)


def share_wrong(model, X, y):
    """Return the error rate in percent."""
    return 100.0 * float(np.mean(model.predict(X) != y))


def fit_section(data):
    """Time a fit against one fit of scikit-learn's tree."""
    sets = [("mnist" if not data.quick else "mnist-5k", data.digits, data.settings, 1.0, 5.4)]
    if data.letter:
        sets.append(("letter", data.letter, LETTER, None, 9.6))
    rows, raw = [], {}
    for name, (X, y, X_test, y_test), settings, limit, error_limit in sets:
        sides = {"tao": partial(fitted, TAOClassifier(**settings), X, y), "cart": partial(fitted, cart(), X, y)}
        times = interleaved(sides, 3)
        tao, other = times["tao"], times["cart"]
        model = tao.result
        error, cart_error = share_wrong(model, X_test, y_test), share_wrong(other.result, X_test, y_test)
        detail = f"TAO {tao.median:.2f} s (CPU {tao.median_cpu:.2f}), CART {other.median:.2f} s, {X.shape[0]} rows"
        rows.append(Row(f"fit {name}: TAO / CART", tao.median / other.median, limit, detail=detail))
        detail = f"CART {cart_error:.2f} %; {model.tree_.n_leaves} leaves, CART {other.result.get_n_leaves()}"
        rows.append(Row(f"fit {name}: test error", error, None if data.quick else error_limit, unit="%", detail=detail))
        raw[name] = {
            "settings": settings, "tao": tao.raw(), "cart": other.raw(), "test_error": error,
            "cart_test_error": cart_error, "leaves": model.tree_.n_leaves,
            "passes": [record.seconds for record in model.trace_],
        }  # fmt: skip
    return rows, raw


def liblinear_section(data):
    """Solve the same tree and node problems with LIBLINEAR: scikit-learn's copy and the official binding."""
    X, y, X_test, y_test = data.digits
    passes = 10
    settings = {**data.settings, "max_iter": passes}
    sides = {name: TAOClassifier(**settings, node_solver=name) for name in ("cd", *liblinears())}
    for model in sides.values():
        fitted(clone(model).set_params(max_iter=1), X[:500], y[:500])  # untimed: compiles and imports everything
    times = interleaved({name: partial(fitted, model, X, y) for name, model in sides.items()}, 1)
    objectives = {name: min(record.objective for record in t.result.trace_) for name, t in times.items()}
    training, problems = problems_of_pass(TAOClassifier(**settings), X, y, 2)
    found = compare(training, problems, settings["lam"])
    rows, ours = [], times["cd"]
    for name in liblinears():
        theirs = times[name]
        rows.append(
            Row(
                f"{name}: fit, {passes} passes, theirs / ours",
                theirs.median / ours.median,
                4.0,
                False,
                detail=f"{theirs.median:.1f} s / {ours.median:.2f} s; tree objective {objectives[name]:.0f} / "
                f"{objectives['cd']:.0f}; test error {share_wrong(theirs.result, X_test, y_test):.2f} / "
                f"{share_wrong(ours.result, X_test, y_test):.2f} %; leaves {theirs.result.tree_.n_leaves} / "
                f"{ours.result.tree_.n_leaves}",
            )
        )
        rows += [row for start in ("cold", "warm") for row in _node_rows(name, start, found)]
    raw = {"settings": settings, **{name: t.raw() for name, t in times.items()}, "tree_objectives": objectives}
    raw["node_problems"] = {name: {"objective": v, "seconds": s} for name, (v, s) in found.items()}
    raw["node_points"] = [int(np.count_nonzero(p.signed)) for p in problems]
    return rows, raw


def _node_rows(name, start, found):
    """Return table rows that compare one LIBLINEAR program with our solver, from a cold and from a warm start."""
    (reference, reference_seconds), (values, seconds) = found[name], found[start]
    gap = gaps(values, reference)
    at_most = int((gap <= SAME).sum())
    yield Row(
        f"{name}: node problems, ours {start}, theirs / ours",
        reference_seconds.sum() / seconds.sum(),
        4.0,
        False,
        detail=f"{reference_seconds.sum():.1f} s / {seconds.sum():.2f} s on one thread, {gap.size} problems",
    )
    yield Row(
        f"{name}: node problems, ours {start} at or below theirs",
        100.0 * at_most / gap.size,
        100.0,
        False,
        "%",
        f"{at_most} of {gap.size}; gap worst {gap.max():+.1e}, median {np.median(gap):+.1e}, "
        f"of the sum {values.sum() / reference.sum() - 1:+.1e}",
    )


def path_section(data):
    """Measure a path of 30 λ values on MNIST, and the test error of the λ that is chosen on validation digits."""
    X, y, X_test, y_test = data.digits
    X_fit, X_val, y_fit, y_val = train_test_split(X, y, test_size=0.2, random_state=0, stratify=y)
    # Squared hinge gives l1 SVM nodes, as in Carreira-Perpiñán and Tavallali 2018.
    settings = {
        "init": "random",
        "max_depth": 8,
        "scale": "minmax",
        "surrogate": "squared_hinge",
        "random_state": 0,
        "n_jobs": -1,
    }
    estimator = TAOClassifier(**settings)
    _, before, _ = timed(lambda: cart().fit(X_fit, y_fit))
    path, seconds, cpu = timed(lambda: regularization_path(estimator, X_fit, y_fit, 30, X_val, y_val))
    _, after, _ = timed(lambda: cart().fit(X_fit, y_fit))
    fit_seconds = float(np.median([before, after]))
    best = path.best("min")
    rows = [
        Row(
            "path mnist: 30 lambdas / one CART fit",
            seconds / fit_seconds,
            8.0,
            detail=f"{seconds:.1f} s (CPU {cpu:.1f}), CART {fit_seconds:.2f} s on the same {len(y_fit)} rows",
        ),
        Row(
            "path mnist: test error of the chosen tree",
            100 * float(np.mean(best.tree.predict(X_test) != y_test)),
            5.4,
            unit="%",
            detail=f"lambda {best.lam:.3g}, validation {100 * best.validation_error:.2f} %, {best.n_leaves} leaves",
        ),
    ]
    raw = {
        "seconds": seconds,
        "cpu": cpu,
        "cart": [before, after],
        "chosen": best.lam,
        "points": _points(path, X_test, y_test),
    }
    for passes in (10, 20):
        model, refit_seconds, _ = timed(partial(fitted, TAOClassifier(**settings, lam=best.lam, max_iter=passes), X, y))
        error = share_wrong(model, X_test, y_test)
        detail = f"{model.tree_.n_leaves} leaves, {refit_seconds:.1f} s, {len(y)} rows"
        rows.append(Row(f"path mnist: refitted at that lambda, {passes} passes", error, 5.4, unit="%", detail=detail))
        raw[f"refit_{passes}"] = {"test_error": error, "seconds": refit_seconds, "leaves": model.tree_.n_leaves}
    return rows, raw


def _points(path, X_test, y_test):
    """Return the metrics of every point on a path, with the test error in percent."""
    columns = path.to_frame().to_dict(orient="records")
    for figures, point in zip(columns, path.points, strict=True):
        figures["test_error"] = 100 * float(np.mean(point.tree.predict(X_test) != y_test))
    return columns


def small_path_section(data):
    """Time the path on 5,000 digits, because a user of the app waits for it."""
    X, y, _, _ = mnist_5k()
    train, validation, test = three_way(X, y)
    estimator = TAOClassifier(init="random", max_depth=8, scale="minmax", random_state=0, n_jobs=-1)
    whole, first = [], []
    for _ in range(3):
        began = time.perf_counter()
        arrivals = []
        path = regularization_path(
            estimator, *train, 30, *validation, on_point=lambda _: arrivals.append(time.perf_counter())  # noqa: B023
        )  # fmt: skip
        whole.append(time.perf_counter() - began)
        first.append(arrivals[0] - began)
    best = path.best("min")
    error = 100 * float(np.mean(best.tree.predict(test[0]) != test[1]))
    detail = f"{train[0].shape[0]} rows; chosen tree {error:.1f} % test error, {best.n_leaves} leaves"
    rows = [
        Row("path mnist-5k: 30 lambdas", float(np.median(whole)), 5.0, unit="s", detail=detail),
        Row("path mnist-5k: first tree", float(np.median(first)), 3.0, unit="s"),
    ]
    return rows, {"whole": whole, "first": first, "test_error": error, "points": _points(path, *test)}


def predict_section(data):
    """Time the prediction of 10,000 images against scikit-learn, each on its own tree."""
    X, y, X_test, _ = data.digits
    if data.quick:
        X_test = np.tile(X_test, (10, 1))
    tao, other = TAOClassifier(**data.settings).fit(X, y), cart().fit(X, y)
    reals = X_test.astype(np.float32)
    times = interleaved(
        {
            "tao": lambda: tao.predict(X_test),
            "cart": lambda: other.predict(X_test),
            "tao_float32": lambda: tao.predict(reals),
            "cart_float32": lambda: other.predict(reals),
        },
        20,
    )
    ms = {name: 1000 * t.median for name, t in times.items()}
    rows = [
        Row(
            f"predict: TAO / CART, {len(X_test)} images, {kind}",
            ms["tao" + suffix] / ms["cart" + suffix],
            limit,
            detail=f"TAO {ms['tao' + suffix]:.2f} ms, CART {ms['cart' + suffix]:.2f} ms",
        )
        for kind, suffix, limit in (("uint8", "", 1.0), ("float32", "_float32", None))
    ]
    return rows, {name: t.raw() for name, t in times.items()}


def memory_section(data):
    """Measure the peak memory of the fit in a new process, including X, in multiples of X as float32."""
    rows, raw = [], {}
    for dtype in ("uint8", "float32"):
        command = [sys.executable, "-m", "benchmarks.speed", "--memory-probe", dtype]
        found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        multiple = found["increase"] / found["unit"]
        detail = f"{found['increase'] / 1e6:.0f} MB above {found['baseline'] / 1e6:.0f} MB, X as float32 = "
        rows.append(
            Row(f"memory: fit of {dtype} images", multiple, 3.0, detail=f"{detail}{found['unit'] / 1e6:.0f} MB")
        )
        raw[dtype] = found
    return rows, raw


def memory_probe(dtype):
    """Fit MNIST in this process and print its memory as JSON (bytes)."""
    warm_up(np.random.default_rng(0).integers(0, 255, (200, 784)).astype(dtype))
    gc.collect()
    baseline = process_memory("VmRSS")
    mnist = benchmark_set("mnist")
    X, y = mnist.X.astype(dtype, copy=False), mnist.y
    del mnist
    loaded = process_memory("VmHWM")
    TAOClassifier(**MNIST).fit(X, y)
    peak = process_memory("VmHWM")
    unit = 4 * X.size
    print(json.dumps({"baseline": baseline, "loaded": loaded, "peak": peak, "increase": peak - baseline, "unit": unit}))


def process_memory(field):
    """Return the resident bytes of this process: "VmRSS" for the current value, "VmHWM" for the peak.

    Linux passes a parent's ru_maxrss on to a spawned child, so getrusage is used only if /proc is missing.
    """
    try:
        with open("/proc/self/status", encoding="ascii") as lines:
            return next(1024 * int(line.split()[1]) for line in lines if line.startswith(field + ":"))
    except OSError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


SECTIONS = {
    "fit": fit_section,
    "liblinear": liblinear_section,
    "path": path_section,
    "mnist-5k": small_path_section,
    "predict": predict_section,
    "memory": memory_section,
}
QUICK = ("fit", "liblinear", "mnist-5k", "predict")


def main(arguments=None):
    """Run the sections, print the table and write the JSON file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="use small bundled data (less than two minutes)")
    parser.add_argument("--only", choices=SECTIONS, help="run only this section")
    parser.add_argument("--memory-probe", choices=("uint8", "float32"), help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.memory_probe:
        memory_probe(options.memory_probe)
        return 0
    try:
        data = load(options.quick)
    except DataMissing as error:
        print(error, file=sys.stderr)
        return 1
    names = [options.only] if options.only else QUICK if options.quick else SECTIONS
    X, _, X_test, _ = data.digits
    warm_up(X, X_test.astype(np.float32))
    rows, raw = [], {"quick": options.quick}
    for name in names:
        print(f"{name} ...", file=sys.stderr, flush=True)
        found, raw[name] = SECTIONS[name](data)
        rows += found
    print(heading("Speed" + (" (quick: 5000 digits, limits are those of the full run)" if options.quick else "")))
    print(table(HEADER, [row.cells() for row in rows], left=(0, 4)))
    print(f"raw numbers: {write_json('speed', raw, options.only)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
