"""Test that choices from fold paths equal those of the estimators, and that finished pieces are not trained again."""

import itertools
import re
from functools import partial

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_wine

from benchmarks import bivariate_choice, common
from benchmarks.bivariate_choice import PLANS, STARTS, Plan, pick, pieces, split_of, summary, verdicts
from benchmarks.reproduction import store
from tests.budget import budget
from treecore import TAOClassifier, TAOClassifierCV, TAORegressor, TAORegressorCV
from treecore.training.cross_validated import RULES


def numbers():
    X, y = load_diabetes(return_X_y=True)
    return X[:120], y[:120]


DATA = {"wine": partial(load_wine, return_X_y=True), "diabetes": numbers}


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    monkeypatch.setattr(store, "FOLDER", tmp_path)
    monkeypatch.setattr(common, "RESULTS", tmp_path / "benchmarks" / "results")
    (tmp_path / "benchmarks").mkdir()
    monkeypatch.setattr(bivariate_choice, "rows_of", lambda name, quick: DATA[name]())
    monkeypatch.setitem(PLANS, "wine", Plan(2, 4, error=10.0, nodes=5))
    monkeypatch.setitem(PLANS, "diabetes", Plan(2, 4, is_regression=True))
    monkeypatch.setattr(bivariate_choice, "FOLDS", 3)
    return tmp_path


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("name", "rule"),
    budget([("wine", RULES[0]), ("diabetes", RULES[1])], list(itertools.product(["wine", "diabetes"], RULES))),
)
def test_the_picked_tree_is_the_one_that_the_estimator_chooses(name, rule):
    plan, split = PLANS[name], split_of(name, 3)
    tree, kind = (TAORegressor, TAORegressorCV) if plan.is_regression else (TAOClassifier, TAOClassifierCV)
    base = tree(split="bivariate", bivariate_cost=1.25, random_state=3, n_jobs=1)
    chosen = kind(base, plan.n_lambdas, inits=STARTS, cv=3, rule=rule).fit(split.X, split.y)
    found = pick([bivariate_choice.along(start, split, plan, 3) for start in STARTS], rule)
    assert found.nodes == chosen.tree_.n_nodes
    assert found.error == pytest.approx(bivariate_choice._error(chosen.tree_, split, plan))


def test_finished_pieces_are_read(monkeypatch):
    first = pieces("wine", 0, STARTS)
    monkeypatch.setattr(bivariate_choice, "split_of", None)  # nothing is left to compute
    assert pieces("wine", 0, STARTS) == first
    monkeypatch.undo()


def test_both_methods_have_the_same_rows_and_the_table_says_who_is_better(capsys):
    assert bivariate_choice.main(["--only", "wine", "--splits", "2"]) == 0
    text = capsys.readouterr().out
    assert "| wine | 2 |" in text
    assert any(line.startswith(f"{RULES[0]}: ") for line in text.splitlines())


def test_better_needs_every_condition():
    def one(name, gain, nodes):
        errors = np.array([10.0, 11.0, 10.5, 9.5])
        of_ours = errors - gain + np.array([0.0, 0.1, 0.0, -0.1])
        paths = [
            {"mean": [0.1], "spread": [0.0], "leaves": [3], "error": [error], "nodes": [nodes]} for error in of_ours
        ]
        of_cart = [dict.fromkeys(RULES, bivariate_choice.Result(e, 20)) for e in errors]
        return summary(name, list(zip(of_cart, ([path] for path in paths), strict=True)))

    def counts(gain, nodes):
        """Return the number of data sets on which ours is better, their total, ties, and wins without more nodes."""
        return re.findall(r"[\d.]+\b", next(verdicts([one("wine", gain, nodes)])))

    assert [counts(*case) for case in ((2, 5), (0.01, 5), (2, 21))] == [
        ["1", "1", "0.05", "1"], ["0", "1", "0.05", "0"], ["1", "1", "0.05", "0"]
    ]  # fmt: skip


def test_the_differences_are_to_each_pruning_of_cart():
    of_cart = [{"one_se": bivariate_choice.Result(9.0, 5), "min": bivariate_choice.Result(7.0 + k, 9)} for k in (0, 2)]
    path = {"mean": [0.1], "spread": [0.0], "leaves": [3], "error": [6.0], "nodes": [5]}
    found = summary("wine", [(one, [path]) for one in of_cart])
    assert [found["tests"][base]["min"].difference for base in ("cart", "cart_min")] == [-3.0, -2.0]
    assert len(bivariate_choice.cells(found)) == len(bivariate_choice.HEADER)
