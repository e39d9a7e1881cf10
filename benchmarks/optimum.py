"""Measure how far trees are above the optimum: ``python -m benchmarks.optimum [--quick]``.

For six small tables, the package pystreed finds the tree with the smallest objective of all trees of depth 3 or 4 on
given thresholds, and proves it. All methods are trained on the codes of these thresholds (the number of thresholds up
to a value), so they choose among the same splits. The objectives are the errors, and the errors plus λ for each
decision node. The excess is the difference to the optimum in % of it. An optimum of 0 counts as 1, so each error is
then 100 %.

Methods are settings of `TAOClassifier`, such as ``--method block=2,n_init=5``. Settings that the estimator does not
have are left out. The time is CPU time, as a multiple of that of the first method.
"""

import argparse
import ast
import sys
import time
from typing import NamedTuple

import numpy as np

import sample_data
from benchmarks.common import DataMissing, benchmark_set, heading, markdown, write_json
from treecore import OptimalTreeClassifier, TAOClassifier
from treecore.warm_up import warm_up

TABLES = ("banknote", "blood_transfusion", "balance_scale", "wdbc", "iris", "wine")
BUNDLED = ("iris", "wine")
DEPTHS = (3, 4)
LAMS = (1.0, 2.0, 5.0, 10.0)
THRESHOLDS, ALL_THRESHOLDS = 10, 100  # maximum per feature, and for all features together
RANDOM = 20  # number of random initial trees
METHODS = (
    "", f"random={RANDOM}", "refine=10", "block=2", "n_init=10", "block=2,n_init=10", "init=optimal",
    "init=optimal,block=2",
)  # fmt: skip
ROUNDING = 1e-9


class Case(NamedTuple):
    """One problem with its optimum. codes : float64[n, d]; lam : 0 for errors only."""

    table: str
    depth: int
    lam: float
    codes: np.ndarray
    y: np.ndarray
    optimum: float
    seconds: float


def rows_of(name):
    """Return (X, y) of a table. Raises DataMissing."""
    data = sample_data.load(name) if name in BUNDLED else benchmark_set(name)
    return np.asarray(data.X, np.float64), np.unique(data.y, return_inverse=True)[1]


def cases(name, depths=DEPTHS, lams=(0.0, *LAMS), limit=600.0):
    """Yield a `Case` for each depth and λ whose optimum is proven within the time limit in seconds."""
    X, y = rows_of(name)
    count = max(1, min(THRESHOLDS, ALL_THRESHOLDS // X.shape[1]))
    for depth in depths:
        for lam in lams:
            best = OptimalTreeClassifier(depth, lam, count, limit).fit(X, y)
            if not best.certificate_.proven:
                print(f"{name}, depth {depth}, lambda {lam:g}: no proof within {limit:g} s", file=sys.stderr)
                continue
            codes = [np.searchsorted(cuts, x, "right") for cuts, x in zip(best.thresholds_, X.T, strict=True)]
            certificate = best.certificate_
            yield Case(name, depth, lam, np.array(codes, float).T, y, certificate.objective, certificate.seconds)


def settings_of(text):
    """Return the settings in a text such as ``refine=10,block=2``, or None if the estimator does not have them."""
    pairs = dict(pair.split("=") for pair in text.split(",") if pair)
    settings = {name: _value(value) for name, value in pairs.items()}
    return settings if {*settings} - {"random"} <= {*TAOClassifier().get_params()} else None


def _value(text):
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def objective(case, settings):
    """Return the smallest objective of the trees of a method. "random" : number of random initial trees."""
    settings = dict(settings)
    starts = settings.pop("random", 0)
    settings = {"split": "univariate", "init": "random" if starts else "cart", "n_jobs": 1} | settings
    found = []
    for seed in range(max(1, starts)):
        model = TAOClassifier(max_depth=case.depth, lam=case.lam, random_state=seed, **settings).fit(case.codes, case.y)
        found.append((model.predict(case.codes) != case.y).sum() + case.lam * (model.get_n_leaves() - 1))
    return float(min(found))


def measured(case, methods):
    """Return {method: (objective, CPU seconds)} of a case."""
    found = {}
    for name, settings in methods.items():
        began = time.process_time()
        value = objective(case, settings)
        found[name] = (value, time.process_time() - began)
        assert value >= case.optimum - ROUNDING, (case.table, name)
    return found


def excess(value, optimum):
    """Return the excess over the optimum in %."""
    return 100 * (value - optimum) / max(optimum, 1.0)


def table_rows(results, methods):
    """Return one row for each objective, depth and method. results : list of (Case, result of `measured`)."""
    first = next(iter(methods))
    for title, penalised in (("errors", False), ("errors + λ · decisions", True)):
        for depth in sorted({case.depth for case, _ in results}):
            part = [(case, found) for case, found in results if case.depth == depth and (case.lam > 0) == penalised]
            if not part:
                continue
            base = sum(found[first][1] for _, found in part)
            for name in methods:
                values = np.array([excess(found[name][0], case.optimum) for case, found in part])
                worst = part[int(values.argmax())][0]
                equal = 100 * (values < ROUNDING).mean()
                seconds = sum(found[name][1] for _, found in part)
                yield [title, depth, name or "default", f"{values.mean():.1f}", f"{equal:.0f}",
                       f"{values.max():.0f} ({worst.table}, λ {worst.lam:g})", f"{seconds / base:.1f}",
                       len(part)]  # fmt: skip


def main(arguments=None):
    """Measure, print the table and write the JSON file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.optimum", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="the bundled tables only, which need no TREECORE_DATA")
    parser.add_argument("--only", nargs="+", default=TABLES, choices=TABLES, help="tables")
    parser.add_argument("--depths", nargs="+", type=int, default=DEPTHS)
    parser.add_argument("--method", nargs="+", default=[], help="further settings, such as refine=3,block=2")
    parser.add_argument("--limit", type=float, default=600.0, help="seconds for the proof of an optimum")
    options = parser.parse_args(arguments)
    known = {name: settings_of(name) for name in (*METHODS, *options.method)}
    methods = {name: settings for name, settings in known.items() if settings is not None}
    warm_up()
    results = []
    for name in BUNDLED if options.quick else options.only:
        try:
            found = list(cases(name, options.depths, limit=options.limit))
        except DataMissing as error:
            print(error, file=sys.stderr)
            continue
        results += [(case, measured(case, methods)) for case in found]
    header = ["objective", "depth", "TAO", "excess %", "equal %", "largest", "time", "cases"]
    print(heading("Excess over the optimum"))
    print(markdown(header, list(table_rows(results, methods)), (0, 2, 5)))
    seconds = [case.seconds for case, _ in results]
    if seconds:
        print(f"optimum: {len(seconds)} proven, {min(seconds):.3f} to {max(seconds):.1f} s")
    raw = [
        {"table": case.table, "depth": case.depth, "lam": case.lam, "optimum": case.optimum, "seconds": case.seconds,
         "methods": found} for case, found in results
    ]  # fmt: skip
    print(f"raw numbers: {write_json('optimum', {'cases': raw}, 'quick' if options.quick else None)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
