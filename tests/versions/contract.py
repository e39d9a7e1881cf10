"""Test the public contract once with the installed library: ``python contract.py EMPTY_FOLDER``.

`tests/versions` runs it away from the checkout, so that it uses only files of the library.
"""

import contextlib
import io
import json
import os
import subprocess
import sys
import sysconfig
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pandas
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import sample_data
import treecore
import viz
from treecore import Model, TAOClassifier, TAORegressor, Tree, export, regularization_path
from treecore.rules import rules
from treecore.tables.table_dates import days
from viz import command_line

PROGRAM = Path(sysconfig.get_path("scripts"), "treecore")


def fits(data):
    """Return a fitted estimator of each kind; the first one is a bivariate tree."""
    few = {"max_iter": 3, "random_state": 0}
    numbers = sample_data.load("diabetes")
    return [
        TAOClassifier(split="bivariate", init="cart", lam=2.0, **few).fit(data.X, data.labels()),
        TAOClassifier(split="univariate", init="cart", lam=2.0, **few).fit(data.X, data.labels()),
        TAOClassifier(split="oblique", max_depth=3, **few).fit(data.X, data.labels()),
        TAOClassifier(split="oblique", max_depth=2, node_solver="liblinear-scikit-learn", **few).fit(
            data.X, data.labels(), sample_weight=np.linspace(1, 2, len(data.X))
        ),
        TAOClassifier(leaf="linear", max_depth=1, **few).fit(data.X, data.labels()),
        TAORegressor(split="univariate", init="cart", lam=1e5, **few).fit(numbers.X, numbers.y),
        treecore.CARTClassifier().fit(data.X, data.labels()),
    ]


def try_tables(data):
    """Test DataFrames with text, nullable and ordered columns, and scikit-learn's tools around an estimator."""
    table = pandas.DataFrame({"length": data.X[:, 0], "colour": np.where(data.X[:, 3] > 1, "dark", "light")})
    table["size"] = pandas.Categorical.from_codes(np.arange(len(table)) % 3, ["s", "m", "l"], ordered=True)
    table["whole"] = pandas.array(np.arange(len(table)), dtype="Int64")
    model = TAOClassifier(split="univariate", init="cart", max_iter=2).fit(table, data.labels())
    assert model.predict(table).dtype == model.classes_.dtype
    assert list(model.feature_names_in_) == list(table.columns)
    assert days(pandas.Series(["1600-01-01", "1970-01-02", "2500-01-01", "?"])).tolist()[:3] == [-135_140, 1, 193_579]
    steps = make_pipeline(StandardScaler().set_output(transform="pandas"), clone(model))
    assert cross_val_score(steps, table[["length", "whole"]], data.labels(), cv=3).mean() > 0.5


def try_tree(tree, data):
    """Test files, rules, code and figures of a tree."""
    assert Tree.from_json(tree.to_json()).to_json() == tree.to_json()
    assert len(rules(tree)) == tree.n_leaves
    names: dict = {}
    exec(export.python(tree), names)
    assert [names["predict"](row) for row in data.X[:9]] == list(tree.predict(data.X[:9]))
    for write in (export.c, export.javascript, export.json):
        assert write(tree)
    assert "prediction" in export.sql(tree, table="iris")
    for form, begin in (("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG")):
        assert viz.figure(tree, data, format=form).startswith(begin)
    assert "</html>" in viz.stage_html(tree, data)


def try_command_line(folder):
    """Run commands of the installed program and check their results."""
    asked = subprocess.run([PROGRAM, "--help"], check=True, capture_output=True, text=True)
    assert "fit" in asked.stdout
    os.chdir(folder)

    def run(*words):
        output = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        with contextlib.redirect_stdout(output):
            assert command_line.main(words) == 0, words
        output.seek(0)
        return output.read()

    assert json.loads(run("fit", "iris", "--split", "univariate", "--out", "model.json", "--json"))
    assert json.loads(run("predict", "model.json", "iris", "--json"))
    assert "then" in run("rules", "model.json").lower()
    for name in ("tree.svg", "tree.html"):
        run("figure", "model.json", "--data", "iris", "--out", name)


def main(folder):
    """Run every check. A failure raises AssertionError or the error of a package."""
    site = sysconfig.get_path("purelib")
    for module in (treecore, viz, sample_data):
        assert module.__file__.startswith(site), module.__file__
    assert treecore.__version__ == version("tao-explorer")
    data = sample_data.load("iris")
    models = fits(data)
    assert min(model.score(data.X, data.labels()) for model in models[:5]) > 0.9
    try_tables(data)
    try_tree(models[0].tree_, data)
    saved = Model.of(models[0].tree_, data, models[0].get_params(), models[0].trace_, rows=np.arange(len(data.X)))
    assert Model.from_json(saved.to_json()) == saved
    path = regularization_path(models[1], data.X, data.labels(), lams=4, X_val=data.X, y_val=data.labels())
    assert len(path.to_frame()) == 4
    assert "<iframe" in viz.show(path, data)._repr_html_()  # anywidget is not installed here
    try_command_line(folder)
    assert not {"streamlit", "distributed", "pages"} & set(sys.modules)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
