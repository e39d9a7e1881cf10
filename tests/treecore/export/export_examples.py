"""Provide trees of every kind, hard rows for them, and functions that run exported code."""

import base64
import ctypes
import json
import os
import runpy
import shutil
import sqlite3
import subprocess
from contextlib import closing
from dataclasses import replace

import duckdb
import numpy as np
import onnxruntime
import pandas
import pytest

from treecore import Tree, export
from treecore.tree.linear_leaves import LinearLeaves, LinearModel

NODE_SCRIPT = """
const fs = require("fs");
const { jobs, tables } = JSON.parse(fs.readFileSync(0, "utf8"));
const read = tables.map((bytes) => {
    const data = Buffer.from(bytes, "base64");
    return new Float64Array(data.buffer.slice(data.byteOffset, data.byteOffset + data.length));
});
const answers = jobs.map(({ path, width, table }) => {
    const numbers = read[table];
    const { predict } = require(path);
    const found = [];
    for (let i = 0; i < numbers.length; i += width) {
        try {
            found.push(predict(numbers.subarray(i, i + width)));
        } catch (error) {
            found.push({ refused: error.constructor.name });
        }
    }
    return found;
});
process.stdout.write(JSON.stringify(answers));
"""

C_NAMES = (
    "predict", "times", "largest", "class_names", "feature_names", "n_features", "n_classes", "left", "right", "first",
    "features", "weights", "bias", "sides", "outputs",
    "target_name",
)  # fmt: skip


def random_tree(rng, n_leaves=12, n_features=4, most_terms=3, exponents=(-1, 1), missing=False, chain=False, **fields):
    """Return a tree with random splits and weights of magnitude 10 ** exponents.

    `fields` replace fields of the tree.
    """
    left, right = [-1], [-1]
    leaves = [0]
    while len(leaves) < n_leaves:
        leaf = leaves.pop(-1 - int(rng.integers(2)) * (len(leaves) > 1) if chain else int(rng.integers(len(leaves))))
        left[leaf], right[leaf] = len(left), len(left) + 1
        leaves += [len(left), len(left) + 1]
        left += [-1, -1]
        right += [-1, -1]
    m = len(left)
    terms = [int(rng.integers(0 if rng.random() < 0.1 else 1, most_terms + 1)) if side >= 0 else 0 for side in left]
    features = [np.sort(rng.permutation(n_features)[:count]) for count in terms]
    record = {
        "left": left, "right": right, "indptr": np.cumsum([0, *map(len, features)]),
        "features": np.concatenate(features), "weights": random_numbers(rng, sum(map(len, features)), exponents),
        "bias": random_numbers(rng, m, exponents), "labels": rng.integers(0, 3, m),
        "values": rng.integers(1, 9, (m, 3)).astype(float), "n_samples": np.ones(m), "origin": np.arange(m),
        "classes": ["a", "b", "c"], "n_features": n_features,
        "missing_right": rng.random(m) < 0.5 if missing else None,
    }  # fmt: skip
    return Tree(**(record | fields))


def random_regression_tree(rng, **parameters):
    """Return a regression tree with means of all magnitudes."""
    tree = random_tree(rng, **parameters)
    values = np.column_stack([np.ones(tree.n_nodes), random_numbers(rng, tree.n_nodes, (-5, 5)), np.ones(tree.n_nodes)])
    record = {name: getattr(tree, name) for name in tree.__dataclass_fields__}
    return Tree(**(record | {"classes": [], "labels": np.zeros(tree.n_nodes), "values": values}))


def with_linear_leaves(rng, tree, most_terms=3):
    """Return the same tree with random linear models in its leaves."""
    scores = max(tree.classes.size, 1)
    models = []
    for left in tree.left:
        terms = int(rng.integers(0, most_terms + 1)) if left < 0 else 0
        features = np.sort(rng.permutation(tree.n_features)[:terms])
        weights = random_numbers(rng, terms * scores, (-1, 1)).reshape(terms, scores)
        weights[rng.random(weights.shape) < 0.2] = 0.0
        models.append(LinearModel(features, weights, random_numbers(rng, scores, (-1, 1))))
    return replace(tree, leaf_model=LinearLeaves.of_models(models, np.zeros(tree.n_nodes)))


def random_numbers(rng, size, exponents):
    """Return random numbers with magnitudes ``10 ** exponents``, some of them +-1."""
    with np.errstate(under="ignore"):
        numbers = rng.choice([-1.0, 1.0], size) * rng.uniform(1, 1.7, size) * 10.0 ** rng.uniform(*exponents, size)
    return np.where(rng.random(size) < 0.2, np.sign(numbers), numbers)


def hard_rows(tree, rng, n_random=60, n_nodes=40):
    """Return random rows, rows whose margin at some node is 0 or one ulp from it, and extreme numbers."""
    rows = rng.standard_normal((n_random, tree.n_features)) * 3
    found = [rows, extremes(rng, 30, tree.n_features)]
    for x in rows[rng.integers(len(rows), size=n_nodes)]:
        visited = [node for node in tree.path_of(x) if tree.split(node)[0].size]
        if visited:
            found.append(boundary_rows(tree, rng.choice(visited), x, rng))
    rows = np.concatenate(found)
    rows = rows[np.isfinite(rows).all(axis=1)]
    if tree.missing_right is not None:
        holes = rows.copy()
        holes[rng.random(rows.shape) < 0.3] = np.nan
        rows = np.concatenate([rows, holes])
    return rows


def boundary_rows(tree, node, x, rng):
    """Return `x` moved along one feature to the sign change of the node's margin, and up to two ulp on both sides."""
    features, weights, _ = tree.split(node)
    place = int(rng.integers(features.size))
    j, weight = int(features[place]), weights[place]
    with np.errstate(all="ignore"):
        rest = x.copy()
        rest[j] = 0.0
        at = -tree.margins(rest[None], node)[0] / weight if weight else 0.0
        values = [at]
        for towards in (-np.inf, np.inf):
            values += [np.nextafter(at, towards), np.nextafter(np.nextafter(at, towards), towards)]
    rows = np.tile(x, (len(values), 1))
    rows[:, j] = values
    return rows[np.isfinite(rows).all(axis=1)]


def extremes(rng, n, d):
    """Return rows of zeros, denormal numbers and the largest numbers."""
    return rng.choice([0.0, -0.0, 5e-324, -5e-324, 2.2e-308, 1e308, -1e308, 1.7976931348623157e308, 1.0, -1.0], (n, d))


def target_name(tree):
    """Return a name for the target, which is as hostile as the labels of the tree."""
    return str(tree.classes[0]) if tree.classes.size else "price"


def predicted(tree, X):
    """Return the predictions of `Tree.predict`, as a list."""
    return tree.predict(X).tolist()


def run_python(trees, tables, folder):
    """Return the predictions of the exported modules, run from files."""
    found = []
    for i, (tree, X) in enumerate(zip(trees, tables, strict=True)):
        path = folder / f"tree_{i}.py"
        path.write_text(export.python(tree, target_name=target_name(tree)), encoding="utf-8")
        found.append(_tried(runpy.run_path(str(path))["predict"], X))
    return found


def _tried(predict, X):
    answers = []
    for x in X.tolist():
        try:
            answers.append(predict(x))
        except ValueError:
            answers.append(None)
    return answers


def run_javascript(trees, tables, folder):
    """Return the predictions of the exported scripts in one Node process, None if they throw RangeError."""
    jobs, places = [], {}
    for i, (tree, X) in enumerate(zip(trees, tables, strict=True)):
        path = folder / f"tree_{i}.js"
        path.write_text(export.javascript(tree, target_name=target_name(tree)), encoding="utf-8")
        jobs.append({"path": str(path), "width": tree.n_features, "table": places.setdefault(id(X), len(places))})
    different = {id(X): base64.b64encode(np.ascontiguousarray(X, "<f8").tobytes()).decode() for X in tables}
    given = json.dumps({"jobs": jobs, "tables": [different[place] for place in places]})
    answer = subprocess.run(
        [program("node"), "-e", NODE_SCRIPT], input=given, capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, answer.stderr
    refused = {"refused": "RangeError"}
    return [[None if found == refused else found for found in answers] for answers in json.loads(answer.stdout)]


def run_c(trees, tables, folder, flags=("-O2", "-march=native")):
    """Return the predictions of the exported files, compiled into one library.

    Labels are texts; the result is None if the code returns -1 or NAN.
    """
    every = []  # one file that includes all compiles ten times faster than separate ones
    for i, tree in enumerate(trees):
        (folder / f"tree_{i}.c").write_text(export.c(tree, target_name(tree)), encoding="utf-8")
        every += [f"#define {name} {name}_{i}" for name in C_NAMES]
        every += [f'#include "tree_{i}.c"', *(f"#undef {name}" for name in C_NAMES)]
    library, source = folder / "trees.so", folder / "trees.c"
    source.write_text("\n".join(["#include <float.h>", "#include <math.h>", *every]) + "\n")
    command = [program("gcc"), "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", *flags]
    answer = subprocess.run([*command, "-o", library, source], capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr[:2000]
    loaded = ctypes.CDLL(str(library))
    return [_c_answers(loaded, i, tree, X) for i, (tree, X) in enumerate(zip(trees, tables, strict=True))]


def _c_answers(library, i, tree, X):
    predict = library[f"predict_{i}"]
    predict.argtypes = [ctypes.c_void_p]
    predict.restype = ctypes.c_double if tree.is_regression else ctypes.c_int
    X = np.ascontiguousarray(X, np.float64)
    found = [predict(X.ctypes.data + 8 * X.shape[1] * row) for row in range(len(X))]
    if tree.is_regression:
        return [None if value != value else value for value in found]
    names = (ctypes.c_char_p * tree.classes.size).in_dll(library, f"class_names_{i}")
    return [None if code == -1 else names[code].decode("utf-8", "surrogatepass") for code in found]


def run_sqlite(trees, tables, _folder=None):
    """Return the predictions of the exported queries in SQLite. Trees with the same X and names share a table."""
    found, stored = [], None
    with closing(sqlite3.connect(":memory:")) as connection:
        for tree, X in zip(trees, tables, strict=True):
            if stored != (id(X), columns := sql_columns(tree)):
                stored = id(X), columns
                connection.execute("DROP TABLE IF EXISTS data")
                connection.execute(f"CREATE TABLE data ({', '.join(['row_number INTEGER', *columns])})")
                marks = ", ".join("?" * (tree.n_features + 1))
                rows = [(i, *x) for i, x in enumerate(X.tolist())]
                connection.executemany(f"INSERT INTO data VALUES ({marks})", rows)
            found.append(_in_order(connection.execute(export.sql(tree, target_name=target_name(tree))).fetchall()))
    return found


def run_duckdb(trees, tables, _folder=None, missing="CAST('nan' AS DOUBLE)"):
    """Return the predictions of the exported queries in DuckDB.

    missing : SQL expression for NaN.
    """
    found, stored = [], None
    with duckdb.connect(config={"threads": 1}) as connection:
        for tree, X in zip(trees, tables, strict=True):
            if stored != (id(X), columns := sql_columns(tree)):
                stored = id(X), columns
                names = [f"c{j}" for j in range(tree.n_features)]
                frame = pandas.DataFrame(np.ascontiguousarray(X, np.float64), columns=names)  # DuckDB reads NaN as NULL
                frame.insert(0, "row_number", np.arange(len(X)))
                connection.register("frame", frame)
                connection.execute(f"CREATE OR REPLACE TABLE data ({', '.join(['row_number INTEGER', *columns])})")
                values = ", ".join(f"COALESCE({name}, {missing})" for name in names)
                connection.execute(f"INSERT INTO data SELECT row_number, {values} FROM frame")
            found.append(_in_order(connection.execute(export.sql(tree, target_name=target_name(tree))).fetchall()))
    return found


def run_onnx(trees, tables, _folder=None):
    """Return the predictions of the exported models in onnxruntime, None if the leaf is -1.

    Checks the other outputs too.
    """
    found = []
    for tree, X in zip(trees, tables, strict=True):
        outputs = run_model(export.onnx(tree, target_name(tree)), X)
        allowed = outputs["leaf"] >= 0
        assert outputs["leaf"][allowed].tolist() == tree.apply(X[allowed]).tolist()
        if not tree.is_regression:
            shares, most = (
                outputs["probabilities"],
                0 if tree.leaf_model.is_constant else 1e-13,
            )  # tolerance for exponentials
            np.testing.assert_allclose(shares[allowed], tree.predict_proba(X[allowed]), rtol=most, atol=0)
            assert np.isnan(shares[~allowed]).all()
        answers = zip(outputs["prediction"].tolist(), allowed, strict=True)
        found.append([answer if is_allowed else None for answer, is_allowed in answers])
    return found


def run_model(model, X):
    """Return {output: array} of an ONNX model, given as bytes."""
    settings = onnxruntime.SessionOptions()
    settings.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, settings, providers=["CPUExecutionProvider"])
    return dict(zip([output.name for output in session.get_outputs()], session.run(None, {"X": X}), strict=True))


def sql_columns(tree, kind="DOUBLE"):
    """Return the definitions of the feature columns of a table."""
    names = (tree.feature_name(feature).replace('"', '""') for feature in range(tree.n_features))
    return [f'"{name}" {kind}' for name in names]


def _in_order(rows):
    return [row[-1] for row in sorted(rows, key=lambda row: row[0])]


def program(name):
    """Return the path of a program that runs exported code. Skip the test without it, except in CI."""
    path = shutil.which(name)
    if path is None:
        message = f"no {name} on this machine: exported code is not run with it"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    return path


RUNNERS = {
    "python": run_python, "javascript": run_javascript, "c": run_c, "sqlite": run_sqlite, "duckdb": run_duckdb,
    "onnx": run_onnx,
}  # fmt: skip
