"""Make the other tables from the benchmarks that measure them. A `Store` keeps finished results."""

import sys

from benchmarks import bivariate_quality, forests
from benchmarks import neighbours as nearest
from benchmarks.bivariate import rows_of
from benchmarks.bivariate_quality import RULES, STARTS, Candidate, best, one_split, simplest
from benchmarks.common import benchmark_set
from benchmarks.reproduction.store import Store
from treecore.tables.text_tables import to_markdown

REGRESSION = tuple(name for name, goal in bivariate_quality.PAPER.items() if goal.is_regression)
FORESTS = tuple(forests.PAPER)
NEIGHBOURS = ("pendigits", "letter", "mnist")
FOREST_METHODS = ("scikit-learn", "univariate", "two_probe", "oc1", "co2")


def _markdown(header, rows):
    return to_markdown(header, [[str(cell) for cell in row] for row in rows])


def regression(names, quick):
    """Return the regression table of Kairgeldin and Carreira-Perpiñán 2024 as Markdown."""
    rows = []
    for name in names:
        goal = bivariate_quality.PAPER[name]
        store, splits = Store(f"regression-{name}", repr(goal)), []
        for seed in range(2 if quick else 3):
            print(f"  {name}, split {seed}", file=sys.stderr, flush=True)
            splits.append(store.once(f"split {seed}", lambda g=goal, n=name, s=seed: _chosen(n, g, s)))
        for rule in (*STARTS, *RULES):
            rows.append(bivariate_quality.cells(name, rule, [Candidate(*split[rule]) for split in splits]))
    return _markdown(("set", "start", "test RMSE ± s.e.", "paper", "nodes", "paper", "test, nodes"), rows)


def _chosen(name, goal, seed):
    """Return {start or rule: fields of the `Candidate`} for one split."""
    found = one_split(*rows_of(name, False), goal, seed)
    pool = [one for candidates in found.values() for one in candidates]
    chosen = {start: best(found[start]) for start in STARTS} | dict(
        zip(RULES, (best(pool), simplest(pool)), strict=True)
    )
    return {key: list(one) for key, one in chosen.items()}


def forests_table(names, quick):
    """Return the table of Norouzi et al. 2015b as Markdown."""
    rows, trees, seeds = [], [10] if quick else list(forests.PAPER_TREES), 1 if quick else 3
    for name in names:
        data = forests.rows_of(name)
        for method in FOREST_METHODS[:3] if quick else FOREST_METHODS:
            store = Store(f"forests-{name}-{method}", f"{trees} {forests.GRID}")
            settings = store.once("settings", lambda d=data, m=method: forests.chosen(m, *d[:2]))
            found = []
            for seed in range(seeds):
                print(f"  {name}, {method}, {seed}", file=sys.stderr, flush=True)
                work = lambda d=data, m=method, s=seed, c=settings: forests.measure(m, d, trees, s, c)  # noqa: E731
                found.append(forests.Measured(*store.once(f"seed {seed}", work)))
            rows += forests.cells(name, method, settings, found, trees)
    return _markdown(("set", "forest", "trees", "test error %", "paper", "train s", "settings"), rows)


def neighbours(names, quick):
    """Return the table of Carreira-Perpiñán and Tavallali 2018 as Markdown."""
    rows = []
    for name in names:
        plan, (X, y, *test) = nearest.PLANS[name], benchmark_set(name)
        store = Store(f"neighbours-{name}", f"{plan} {quick}")
        print(f"  {name}", file=sys.stderr, flush=True)
        settings = (10, 1) if quick else (50, 5)
        work = lambda p=plan, r=(X[: plan.rows], y[: plan.rows], *test), s=settings: nearest.measure(p, r, *s)  # noqa: E731
        rows += nearest.cells(name, plan, store.once("measured", work))
    return _markdown(nearest.HEADER, rows)
