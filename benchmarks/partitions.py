"""Measure training on Parquet files with Dask workers: ``python -m benchmarks.partitions [--quick] [--only ...]``.

The rows are synthetic, with 20 features, and are written into a temporary folder. Two workers with one thread and 1 GB
each train on them. CPU is the process time of the workers, because the time on the clock depends on other programs.

``reach`` measures CPU per row and pass, memory and bytes for two numbers of rows. ``memory`` compares a fit in parts
with a fit in memory. ``start`` compares initial trees. ``sample`` compares trees of all rows with trees of 200,000
rows. ``killed`` kills workers during training. ``simulated`` measures the messages between many workers with few rows
each. ``peers`` compares one tree of depth 8 with those of XGBoost and LightGBM on the same workers.
"""

import argparse
import multiprocessing
import os
import resource
import signal
import statistics
import sys
import tempfile
import time
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.common import heading, interleaved, table, timed, verdict, write_json
from treecore import TAOClassifier
from treecore.training.partitions.cluster.dask_executor import DaskExecutor
from treecore.training.partitions.partitioned_run import fit_source
from treecore.training.partitions.sources.file_source import FileSource
from treecore.training.partitions.sources.row_source import ArraySource

D = 20
CHUNK = 100_000  # rows; the first rows are the same for every number of rows
TEST = 300_000
TESTED_FROM = 10_000  # number of the first chunk of test rows, after all training rows
LEAVES = {"shallow": 128, "smooth": 4096, "deep": 8192, "lines": 2048}
LAMBDAS = (0.1, 1.0)  # per 200,000 rows
PASSES = 3
PRELOADED = ["distributed.nanny", "treecore.training.estimators", "treecore.training.partitions.cluster.remote_shard"]
TARGETS = {"cpu": 3.0, "growth": 1.2, "peak": 700, "killed": 1.5}  # MB, ratios
ERRORS = {"univariate": 0.05, "bivariate": 0.05, "oblique": 0.1}  # largest difference of the test error in points
SEEDS = {"oblique": 5}  # initial trees; the surrogate is not the error, so that single trees differ by chance
REACHED = {"shallow": 13.3, "smooth": 18.5, "deep": 17.0, "lines": 13.1}  # error in %


def tree_of(seed, depth, linear=False):
    """Return a random tree: two features, threshold and second weight of each node, labels of the leaves, depth."""
    random = np.random.default_rng(seed)
    m = 2**depth - 1
    first, thresholds, labels = random.integers(0, D, m), random.normal(0, 0.7, m), random.integers(0, 2, 2**depth)
    second, weights = random.integers(0, D, m), random.normal(0, 1, m) if linear else np.zeros(m)
    return first, thresholds, second, weights, labels, depth


TRUTHS = {"shallow": (1, 6), "deep": (2, 13), "lines": (3, 8, True)}


def labels_of(kind, X, random):
    """Return the classes of rows: of a random tree with 10 % noise, or of a smooth function."""
    n = len(X)
    if kind == "smooth":
        score = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.7 * np.abs(X[:, 3]) * np.sign(X[:, 4])
        score += 0.5 * X[:, 5] ** 2 - 0.5 + 0.2 * X[:, 6:12].sum(axis=1)
        return (random.random(n) < 1 / (1 + np.exp(-2.5 * score))).astype(np.int8)
    first, thresholds, second, weights, labels, depth = tree_of(*TRUTHS[kind])
    node, rows = np.zeros(n, np.int64), np.arange(n)
    for _ in range(depth):
        right = X[rows, first[node]] + weights[node] * X[rows, second[node]] >= thresholds[node]
        node = 2 * node + 1 + right
    y = labels[node - (2**depth - 1)]
    return np.where(random.random(n) < 0.1, 1 - y, y).astype(np.int8)


def chunk(kind, number):
    """Return one chunk of rows, float32[CHUNK, D] and int8[CHUNK]. The last five features have few values."""
    random = np.random.default_rng([sum(map(ord, kind)), number])
    X = random.standard_normal((CHUNK, D)).astype(np.float32)
    X[:, 15:] = np.round(X[:, 15:] * 2) / 2
    return X, labels_of(kind, X, random)


def rows(kind, n, first=0):
    """Return n rows in memory."""
    chunks = [chunk(kind, first + k) for k in range(-(-n // CHUNK))]
    return np.concatenate([X for X, _ in chunks])[:n], np.concatenate([y for _, y in chunks])[:n].astype(np.int32)


def written(folder, kind, n):
    """Write n rows as Parquet files of ten chunks and return their folder."""
    import pyarrow
    from pyarrow import parquet

    place = Path(folder) / f"{kind}-{n}"
    place.mkdir()
    for start in range(0, n, 10 * CHUNK):
        writer = None
        for low in range(start, min(n, start + 10 * CHUNK), CHUNK):
            X, y = (part[: n - low] for part in chunk(kind, low // CHUNK))
            columns = {f"x{j}": X[:, j] for j in range(D)} | {"y": y}
            part = pyarrow.table(columns)
            writer = writer or parquet.ParquetWriter(place / f"{start:012}.parquet", part.schema)
            writer.write_table(part, row_group_size=CHUNK)
        writer.close()
    return place


@contextmanager
def cluster(n_workers=2, memory="1GB"):
    """Yield the client of a cluster of processes with one thread each."""
    import dask
    import distributed

    multiprocessing.set_forkserver_preload(PRELOADED)  # workers are forked, because imports take 2 s
    settings = {
        "distributed.scheduler.allowed-failures": 1,
        "distributed.admin.large-graph-warning-threshold": "1GB",
        "distributed.worker.multiprocessing-method": "forkserver",
    }
    with (
        dask.config.set(settings),
        distributed.LocalCluster(
            n_workers=n_workers, threads_per_worker=1, memory_limit=memory, dashboard_address=":0"
        ) as local,
        distributed.Client(local) as client,
    ):
        client.wait_for_workers(n_workers)
        yield client


def worker_figures():
    """Return (CPU seconds, peak memory in bytes) of the process."""
    return time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def figures(client):
    """Return the sum of the CPU seconds and the largest peak memory of all workers."""
    cpu, peak = zip(*client.run(worker_figures, on_error="ignore").values(), strict=True)
    return sum(cpu), max(peak)


def model(split, leaves, n, **parameters):
    """Return the estimator for n rows."""
    start = {"oblique": {"init": "random", "max_depth": 6}}.get(split, {"init": "cart", "max_leaf_nodes": leaves})
    chosen = {"split": split, "lam": max(1.0, n / 200_000), "max_iter": PASSES, "random_state": 0, "n_jobs": 1}
    return TAOClassifier(**chosen | start | parameters)


def fit(client, place, split, leaves, n):
    """Return (estimator, figures) of a fit on the workers."""
    marks = []

    def mark(step):
        if not marks or marks[-1][0] != step.iteration:
            marks.append((step.iteration, figures(client)[0]))

    executor = DaskExecutor(client)
    before, began = figures(client)[0], time.perf_counter()
    estimator = fit_source(model(split, leaves, n, callback=mark), FileSource(place, "y"), executor)
    seconds, (after, peak) = time.perf_counter() - began, figures(client)
    passes = [b - a for (_, a), (_, b) in zip(marks, marks[1:], strict=False)]
    moved = executor.moved
    return estimator, {
        "rows": n, "split": split, "seconds": seconds, "cpu": after - before, "start": marks[0][1] - before,
        "passes": len(marks), "pass": statistics.median(passes or [np.nan]) / n * 1e6, "peak": peak / 1e6,
        "calls": moved.calls, "sent": moved.sent, "received": moved.received, "leaves": estimator.tree_.n_leaves,
        "objective": min(one.objective for one in estimator.trace_),
    }  # fmt: skip


def error(estimator, kind):
    """Return the test error in %, and half of its 95 % confidence interval."""
    X, y = rows(kind, TEST, TESTED_FROM)
    share = 1 - estimator.score(X, y)
    return 100 * share, 196 * (share * (1 - share) / TEST) ** 0.5


def reach(folder, n, split):
    """Measure CPU, memory and bytes for a tenth of the rows and all, each with new workers."""
    found = []
    for size in (n // 10, n):
        place = written(folder, "smooth", size)
        with cluster() as client:
            fit(client, written(folder, "smooth", 2000 + (size == n)), split, 512, 2000)  # loads the kernels
            found.append(fit(client, place, split, 512, size)[1])
    growth = found[1]["pass"] / found[0]["pass"]
    print(heading(f"Reach, {split}"))
    print(table(
        ["rows", "s", "CPU s", "start, CPU us/row", "pass, CPU us/row", "peak, MB", "calls", "received, MB"],
        [[f"{f['rows']:,}", f"{f['seconds']:.0f}", f"{f['cpu']:.0f}", f"{f['start'] / f['rows'] * 1e6:.2f}",
          f"{f['pass']:.2f}", f"{f['peak']:.0f}", f["calls"], f"{f['received'] / 1e6:.0f}"] for f in found],
    ))  # fmt: skip
    print(f"CPU per row and pass: {verdict(found[1]['pass'], TARGETS['cpu'])}, growth {growth:.2f}: "
          f"{verdict(growth, TARGETS['growth'])}, peak: {verdict(found[1]['peak'], TARGETS['peak'])}")  # fmt: skip
    return found


def memory(folder, n, split):
    """Compare the error and the objective with those of the fit in memory, from the same initial trees."""
    X, y = rows("smooth", n)
    found, lines = [], []
    for seed in range(SEEDS.get(split, 1)):
        start = fit_source(model(split, 512, n, max_iter=0, random_state=seed), ArraySource(X, y)).tree_
        parts, _, parts_cpu = timed(lambda: fit_source(model(split, 512, n, init=start), ArraySource(X, y)))  # noqa: B023
        whole, _, whole_cpu = timed(lambda: model(split, 512, n, init=start).fit(X, y))  # noqa: B023
        errors = [error(one, "smooth")[0] for one in (parts, whole)]
        objectives = [min(record.objective for record in one.trace_) for one in (parts, whole)]
        found.append({"errors": errors, "objectives": objectives, "cpu": [parts_cpu, whole_cpu]})
        lines += [[seed, name, f"{e:.3f}", f"{o:.0f}", f"{c:.1f}"] for name, e, o, c in
                  zip(("in parts", "in memory"), errors, objectives, (parts_cpu, whole_cpu), strict=True)]  # fmt: skip
    excess = statistics.mean(one["objectives"][0] / one["objectives"][1] - 1 for one in found)
    difference = statistics.mean(one["errors"][0] - one["errors"][1] for one in found)
    print(heading(f"Rows in parts against rows in memory, {split}, {n:,} rows"))
    print(table(["start", "rows", "test error, %", "objective", "CPU s"], lines, left=(1,)))
    print(f"mean: objective {excess:+.3%}; error {difference:+.3f}: {verdict(difference, ERRORS[split])}")
    return found


def start(folder, n, split):
    """Compare the CPU time and the error of initial trees: CART, CART on bins, and CART of rows in parts."""
    X, y = rows("smooth", n)
    fits = {
        "init='cart'": lambda: model(split, 512, n, max_iter=0).fit(X, y),
        "init='histogram_cart'": lambda: model(split, 512, n, max_iter=0, init="histogram_cart").fit(X, y),
        "rows in parts": lambda: fit_source(model(split, 512, n, max_iter=0), ArraySource(X, y)),
    }
    for init in ("cart", "histogram_cart"):
        model(split, 8, n, max_iter=0, init=init).fit(X[:5000], y[:5000])  # loads the kernels
    found = interleaved(fits, 1)
    exact = found["init='cart'"].cpu[0]
    lines = [[name, f"{one.cpu[0]:.1f}", f"{one.cpu[0] / exact:.2f}",
              f"{error(one.result, 'smooth')[0]:.2f}"] for name, one in found.items()]  # fmt: skip
    print(heading(f"Initial trees with 512 leaves, {n:,} rows"))
    print(table(["tree", "CPU s", "ratio", "test error, %"], lines))
    return {name: [one.cpu[0], error(one.result, "smooth")[0]] for name, one in found.items()}


def sample(folder, n, split):
    """Compare trees of all rows with trees of 200,000 rows, both with leaves and lambda chosen on other rows."""
    found, lines = {}, []
    for kind, most in LEAVES.items():
        own_split = "bivariate" if kind == "lines" else split
        X, y = rows(kind, n)
        few = slice(0, min(200_000, n // 5))
        chosen = {}
        for name, part in (("200,000 rows" if n >= 1_000_000 else "a fifth", few), ("all rows", slice(0, n))):
            own = [
                fit_source(model(own_split, leaves, 0, lam=lam * len(y[part]) / 200_000), ArraySource(X[part], y[part]))
                for leaves in (most // 8, most)
                for lam in LAMBDAS
            ]
            Xv, yv = rows(kind, CHUNK, TESTED_FROM + 100)
            best = max(own, key=lambda one: one.score(Xv, yv))
            chosen[name] = (*error(best, kind), best.tree_.n_leaves)
        found[kind] = chosen
        few_found, all_found = chosen.values()
        lines.append([kind, f"{few_found[0]:.2f} ± {few_found[1]:.2f}, {few_found[2]}",
                      f"{all_found[0]:.2f} ± {all_found[1]:.2f}, {all_found[2]}", f"{REACHED[kind]:.1f}"])  # fmt: skip
    print(heading(f"Test error in % and leaves, {split} (lines: bivariate), {n:,} rows"))
    print(table(["rows of", *next(iter(found.values())), "<="], lines))
    return found


def killed(folder, n, split):
    """Compare the time of fits without and with the end of workers."""
    place = written(folder, "shallow", n + 1)
    found = {}
    with cluster(memory="2GB") as client:
        for name, chosen in (("first", ()), ("none", ()), ("in one level", (3,)), ("in every level", range(100))):
            seen = []

            def kill(step, seen=seen, chosen=chosen):
                if step.iteration == 1 and step.depth not in seen:
                    seen.append(step.depth)
                    if len(seen) in chosen or len(chosen) == 100:
                        pids = client.run(os.getpid, on_error="ignore")
                        os.kill(pids[sorted(pids)[len(seen) % len(pids)]], signal.SIGKILL)

            client.wait_for_workers(2)
            executor = DaskExecutor(client)
            estimator, seconds, _ = timed(
                lambda kill=kill, executor=executor: fit_source(
                    model(split, 64, n, callback=kill), FileSource(place, "y"), executor
                )
            )
            found[name] = seconds, executor.moved.ended, estimator.tree_
    del found["first"]  # loads the kernels
    whole, _, tree = found["none"]
    print(heading(f"Workers killed, {split}, {n:,} rows"))
    print(table(
        ["killed", "workers", "s", "ratio", f"<= {TARGETS['killed']}", "same tree"],
        [[name, ended, f"{s:.1f}", f"{s / whole:.2f}", verdict(s / whole, TARGETS["killed"]), own == tree]
         for name, (s, ended, own) in found.items()],
    ))  # fmt: skip
    return {name: (s, ended, own == tree) for name, (s, ended, own) in found.items()}


def simulated(folder, n, split, n_workers=50):
    """Measure messages between many workers with few rows each. The tree has as many nodes as for many rows."""
    found = []
    for workers in (2, n_workers):
        with cluster(workers, None) as client:
            X, y = rows("smooth", workers * 2000)
            X = np.concatenate([X, X[:, ::-1], X[:, :10]], axis=1)  # 50 features
            executor = DaskExecutor(client)
            estimator, seconds, cpu = timed(
                lambda X=X, y=y, executor=executor: fit_source(
                    model(split, 256, 1, max_iter=1, lam=0.0), ArraySource(X, y, size=2000), executor
                )
            )
            moved = executor.moved
            found.append([workers, estimator.tree_.n_leaves, moved.calls, f"{moved.sent / 1e6:.1f}",
                          f"{moved.received / 1e6:.1f}", f"{moved.exchanged / 1e6:.1f}",
                          f"{1000 * seconds / moved.calls:.0f}", f"{1000 * cpu / moved.calls:.0f}"])  # fmt: skip
    print(heading("Messages, 2,000 rows x 50 per worker"))
    print(
        table(
            ["workers", "leaves", "calls", "sent, MB", "received, MB", "exchanged, MB", "ms per call", "CPU ms"], found
        )
    )
    return found


def peers(folder, n, split):
    """Compare one tree of depth 8 with those of XGBoost and LightGBM, all from Parquet files on the same workers."""
    found, lines = {}, []
    for kind in ("shallow", "smooth"):
        place = written(folder, kind, n)
        Xt, yt = rows(kind, TEST, TESTED_FROM)
        for name, train in PEERS.items():
            with cluster(memory="4GB") as client:
                train(client, written(folder, kind, 4000 + len(found)), 4000, split)  # loads the libraries
                before = figures(client)[0]
                (predict, n_leaves), seconds, _ = timed(lambda: train(client, place, n, split))  # noqa: B023
                cpu, peak = figures(client)
            share = 100 * float((predict(Xt) != yt).mean())
            found[kind, name] = seconds, cpu - before, share, n_leaves
            lines.append([kind, name, f"{seconds:.1f}", f"{cpu - before:.1f}", f"{peak / 1e6:.0f}", f"{share:.2f}",
                          n_leaves])  # fmt: skip
    print(heading(f"One tree of depth 8 on two workers, {n:,} rows"))
    print(table(["rows", "library", "s", "CPU s", "peak, MB", "test error, %", "leaves"], lines, left=(0, 1)))
    return {" ".join(key): own for key, own in found.items()}


def tao_tree(client, place, n, split, lam=1.0):
    """Return (predict, number of leaves) of TAO from CART of depth 8."""
    chosen = model(split, 256, n, max_depth=8, lam=lam * max(1.0, n / 200_000))
    fitted = fit_source(chosen, FileSource(place, "y"), DaskExecutor(client))
    return fitted.predict, fitted.tree_.n_leaves


def xgboost_tree(client, place, n, split):
    """Return (predict, number of leaves) of one tree of XGBoost."""
    import dask.dataframe
    import xgboost
    from xgboost import dask as dxgb

    frame = client.persist(dask.dataframe.read_parquet(str(place)))  # the same parts for features and classes
    data = dxgb.DaskQuantileDMatrix(client, frame[[f"x{j}" for j in range(D)]], frame["y"])
    chosen = {"max_depth": 8, "tree_method": "hist", "eta": 1.0, "objective": "binary:logistic", "nthread": 1}
    booster = dxgb.train(client, chosen, data, num_boost_round=1)["booster"]
    names = [f"x{j}" for j in range(D)]
    leaves = int((booster.trees_to_dataframe()["Feature"] == "Leaf").sum())
    return lambda X: booster.predict(xgboost.DMatrix(X, feature_names=names)) > 0.5, leaves


def lightgbm_tree(client, place, n, split):
    """Return (predict, number of leaves) of one tree of LightGBM."""
    import dask.dataframe
    import lightgbm

    frame = client.persist(dask.dataframe.read_parquet(str(place)))
    fitted = lightgbm.DaskLGBMClassifier(
        client=client, n_estimators=1, learning_rate=1.0, max_depth=8, num_leaves=256, n_jobs=1, verbose=-1
    ).fit(frame[[f"x{j}" for j in range(D)]], frame["y"])
    booster = fitted.booster_
    return lambda X: booster.predict(X) > 0.5, booster.trees_to_dataframe()["split_feature"].isna().sum()


PEERS = {
    "TAO": tao_tree,
    "TAO, lambda x 10": partial(tao_tree, lam=10.0),
    "TAO, lambda x 40": partial(tao_tree, lam=40.0),
    "XGBoost": xgboost_tree,
    "LightGBM": lightgbm_tree,
}

MEASURES = {
    "reach": (reach, 20_000_000, 100_000), "memory": (memory, 5_000_000, 100_000),
    "start": (start, 1_000_000, 50_000),
    "sample": (sample, 2_000_000, 100_000), "killed": (killed, 4_000_000, 50_000), "simulated": (simulated, 0, 0),
    "peers": (peers, 2_000_000, 50_000),
}  # fmt: skip


def main(arguments=None):
    """Measure, print the tables and write the JSON file."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.partitions", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="use few rows")
    parser.add_argument("--only", nargs="+", choices=MEASURES, default=list(MEASURES))
    parser.add_argument("--rows", type=int, help="number of rows instead of the default")
    parser.add_argument("--split", choices=("univariate", "bivariate", "oblique"), default="univariate")
    options = parser.parse_args(arguments)
    found = {}
    for name in options.only:
        measure, most, few = MEASURES[name]
        with tempfile.TemporaryDirectory() as folder:
            found[name] = measure(folder, options.rows or (few if options.quick else most), options.split)
        print(f"raw numbers: {write_json('partitions', {name: found[name]}, f'{options.split}-{name}')}\n", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
