"""Test tables that are run again: finished pieces survive an interruption and are never trained twice."""

import json
from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_diabetes
from sklearn.tree import DecisionTreeClassifier

from benchmarks import bivariate_quality, reproduce
from benchmarks.common import DataSet
from benchmarks.reproduction import classification, others, paths, single_curves, store
from benchmarks.reproduction.plans import (
    BIVARIATE_PAPER,
    BIVARIATE_PLANS,
    OBLIQUE_PAPER,
    OBLIQUE_PLANS,
    Plan,
    RestartedPath,
    tao_oblique,
)
from benchmarks.selection import objective
from tests.budget import budget
from treecore import TAOClassifier, regularization_path
from treecore.comparison import Method, compare
from treecore.comparison.tables import p_text

FITS = []


class Counted(DecisionTreeClassifier):
    def fit(self, X, y):
        FITS.append(len(X))
        return super().fit(X, y)


METHODS = (
    Method("tao_oblique", "TAO oblique", Counted(), {"max_depth": [2, 3]}),
    Method("c50", "C5.0", Counted(max_leaf_nodes=3)),
)
PLAN = Plan(METHODS, repeats=3, inner=2, limit=60.0)


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path, bundled):
    X, y = bundled("iris")
    FITS.clear()
    monkeypatch.setattr(store, "FOLDER", tmp_path)
    monkeypatch.setattr(reproduce, "FOLDER", tmp_path)
    monkeypatch.setattr(classification, "benchmark_set", lambda name: DataSet(X, y))
    return tmp_path


def figures(comparison):
    records = [cell.to_dict() for cell in comparison.cells]
    return [{name: value for name, value in record.items() if not name.endswith("seconds")} for record in records]


def test_records_of_a_store():
    one, other = store.Store("a", "x"), store.Store("a", "y")
    assert one.path != other.path
    assert one.records() == []
    one.append({"n": np.int64(3), "values": np.array([1.5])})
    assert one.records() == [{"n": 3, "values": [1.5]}]
    assert other.records() == []


def test_a_line_that_was_cut_off_is_written_again():
    kept = store.Store("a", "x")
    kept.append({"n": 1})
    with kept.path.open("a", encoding="utf-8") as file:
        file.write('{"n": 2, "val')
    assert kept.records() == [{"n": 1}]
    kept.append({"n": 2})
    assert kept.records() == [{"n": 1}, {"n": 2}]


def test_once_is_once():
    calls = []
    for _ in range(2):
        found = store.Store("a", "x").once("key", lambda: calls.append(1) or {"rank": (1, 2)})
        assert found == {"rank": [1, 2]}
    assert calls == [1]


def test_another_engine_is_another_file(monkeypatch):
    before = store.Store("a", "x").path
    monkeypatch.setattr(store, "ENGINE", "changed")
    assert store.Store("a", "x").path != before


def test_a_stopped_run_goes_on(monkeypatch):
    whole = figures(classification.compared("t", "whole", PLAN, 1))
    fits = len(FITS)
    written, append = [], store.Store.append

    def stopping(self, record):
        append(self, record)
        written.append(record)
        if len(written) == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(store.Store, "append", stopping)
    with pytest.raises(KeyboardInterrupt):
        classification.compared("t", "set", PLAN, 1)
    monkeypatch.setattr(store.Store, "append", append)
    assert len(written) == 3
    FITS.clear()
    resumed = classification.compared("t", "set", PLAN, 1)
    assert figures(resumed) == whole
    assert 0 < len(FITS) < fits
    FITS.clear()
    assert figures(classification.compared("t", "set", PLAN, 1)) == whole
    assert not FITS


def test_changed_settings_and_raised_limits_train_again():
    classification.compared("t", "set", PLAN, 1)
    FITS.clear()
    classification.compared("t", "set", PLAN._replace(limit=90.0), 1)
    assert not FITS
    changed = Method("c50", "C5.0", Counted(max_leaf_nodes=4))
    classification.compared("t", "set", PLAN._replace(methods=(METHODS[0], changed)), 1)
    assert len(FITS) == 3
    broken = Method("c50", "C5.0", Counted(max_depth=-1))
    for limit, n_fits in ((60.0, 3), (60.0, 0), (90.0, 3)):
        FITS.clear()
        classification.compared("t", "set", PLAN._replace(methods=(broken,), limit=limit), 1)
        assert len(FITS) == n_fits


def test_rows_of_the_table():
    broken = Method("cart", "CART", Counted(max_depth=-1))
    found = classification.compared("t", "set", PLAN._replace(methods=(*METHODS, broken)), 1)
    rows = list(classification.table_rows("set", found, {"c50": (98.7, 14, 5.8)}, "n_leaves"))
    names = classification.header("n_leaves")
    assert all(len(row) == len(names) for row in rows)
    errors = 100 * found.errors("c50")
    assert rows[1][2] == f"{100 - errors.mean():.2f} ({errors.std(ddof=1):.2f})"
    assert rows[1][3:9:2] == ("98.7", "14", "5.8")
    assert rows[1][8] == p_text(found.paired_test("tao_oblique", "c50").p)
    assert "max_depth" in rows[2][-1]
    published = list(classification.table_rows("set", found, {}, "n_leaves", published=True))
    assert {row[8] for row in published} == {""}
    assert [row[2] for row in published] == [row[2] for row in rows]
    assert classification.ranks({"set": found, "other": found}) is None
    good = classification.compared("t", "set", PLAN, 1)
    titles, test = classification.ranks({"set": good, "other": good})
    assert titles == ["TAO oblique", "C5.0"]
    assert test.mean_ranks.sum() == 3


def test_published_splits_are_kept(monkeypatch, bundled):
    X, y = bundled("iris")
    monkeypatch.setattr(classification, "benchmark_set", lambda name: DataSet(X[::2], y[::2], X[1::2], y[1::2]))
    pooled, labels, folds = classification.rows_and_folds("set", PLAN._replace(published=True))
    assert len(folds) == 3
    for train, test in folds:
        assert np.array_equal(pooled[train], X[::2])
        assert np.array_equal(labels[test], y[1::2])
    _, _, folds = classification.rows_and_folds("set", PLAN)
    assert {(len(train), len(test)) for train, test in folds} == {(120, 30)}


def test_restarted_paths_keep_the_lowest_objective(bundled):
    X, y = bundled("wine")
    shares = (0.001, 0.01, 0.05)
    method = RestartedPath("tao", "TAO", TAOClassifier(), {"max_depth": [2], "scale": ["minmax"]}, shares, 3)
    fitted = method.fitted(X, y, 2)
    assert [one.lam for one in fitted] == pytest.approx([share * len(y) for share in shares])
    assert fitted[0].setting == "max_depth 2, scale minmax, lam 0.178"
    for place, one in enumerate(fitted):
        found = []
        for seed in (200, 201, 202):
            model = TAOClassifier(max_depth=2, scale="minmax", random_state=seed)
            found.append(regularization_path(model, X, y, np.array(shares) * len(y))[place])
        assert one.model == min(found, key=lambda point: objective(point, X, "minmax")).tree
    (cell,) = compare(X, y, [method], cv=[(np.arange(0, 178, 2), np.arange(1, 178, 2))], n_jobs=1).cells
    assert cell.failure is None
    assert len(cell.curve) == 3


def test_plans_and_papers_belong_together():
    for plans, paper in ((OBLIQUE_PLANS, OBLIQUE_PAPER), (BIVARIATE_PLANS, BIVARIATE_PAPER)):
        assert set(paper) <= set(plans)
        for name, figures_of in paper.items():
            assert set(figures_of) == {method.name for method in plans[name].methods}
    assert all(set(sets) <= set(reproduce.TABLES[number][1]) for number, sets in reproduce.QUICK.items())
    assert tao_oblique((2, 3), (0.1,)).needs_validation


def test_the_command(monkeypatch, folder, capsys):
    monkeypatch.setitem(reproduce.TABLES, "oblique", (reproduce.oblique_table, ("a", "b")))
    monkeypatch.setattr(reproduce, "OBLIQUE_PLANS", {"a": PLAN, "b": PLAN})
    assert reproduce.main(["--table", "oblique", "--n-jobs", "1"]) == 0
    text = (folder / "oblique.md").read_text(encoding="utf-8")
    assert text in capsys.readouterr().out
    assert "| a | TAO oblique |" in text
    assert "Mean ranks: TAO oblique" in text
    assert (folder / "oblique-ranks-dark.svg").read_bytes().startswith(b"<?xml")
    assert reproduce.main(["--table", "oblique", "--n-jobs", "1", "--only", "a"]) == 0
    assert "| b |" not in (folder / "oblique-a.md").read_text(encoding="utf-8")
    with pytest.raises(SystemExit):
        reproduce.main(["--only", "no_such_set"])
    lines = [json.loads(line) for path in folder.glob("*.jsonl") for line in path.read_text().splitlines()]
    assert len(lines) == 12


@pytest.mark.long
@pytest.mark.nightly
def test_figures_of_single_trees(monkeypatch, folder, capsys):
    assert set(single_curves.FIGURES) <= set(reproduce.TABLES)
    for name, figure in list(single_curves.FIGURES.items())[: budget(1, None)]:
        methods = tuple(replace(one, grid={}, estimator=_hurried(one.estimator)) for one in figure.methods)
        few = figure._replace(methods=methods, quick=figure.quick[:2])
        monkeypatch.setitem(single_curves.FIGURES, name, few)
        text = single_curves.figure_curves(name, name, ["a"], True, 1, folder)
        assert text.count("\n| a |") == 2 * len(methods)
        for measure in figure.measures:
            assert (folder / f"{name}-a-{measure}-dark.svg").read_bytes().startswith(b"<?xml")


@pytest.mark.parametrize(
    ("name", "quick", "scale", "inner"), [("mnist", False, "minmax", 0.2), ("segment", True, "standard", 3)]
)
def test_pixels_stay_comparable_and_few_rows_choose_by_folds(monkeypatch, folder, name, quick, scale, inner):
    seen = []

    def stopped(table, one, plan, n_jobs):
        seen.append(plan)
        raise KeyboardInterrupt

    monkeypatch.setattr(classification, "compared", stopped)
    with pytest.raises(KeyboardInterrupt):
        single_curves.figure_curves("non-greedy-depth", "f", [name], quick, 1, folder)
    assert {method.estimator.scale for method in seen[0].methods if "cart" not in method.name} == {scale}
    assert seen[0].inner == inner


def _hurried(estimator):
    few = {name: min(value, 1) for name, value in estimator.get_params().items() if name == "n_epochs"}
    return clone(estimator).set_params(**few)


def test_some_rows_of_a_large_set_are_drawn(folder):
    X, y, folds = classification.rows_and_folds("a", PLAN._replace(most_rows=50))
    assert len(X) == len(y) == 50
    assert {len(train) + len(test) for train, test in folds} == {50}


def test_the_table_of_regressions(monkeypatch):
    goal = bivariate_quality.Goal(60.0, 9, (1.25,), 3, is_regression=True)
    monkeypatch.setitem(bivariate_quality.PAPER, "a", goal)
    monkeypatch.setattr(others, "rows_of", lambda name, quick: load_diabetes(return_X_y=True))
    text = others.regression(["a"], True)
    assert text.count("\n| a |") == len(others.STARTS) + len(others.RULES)


def test_paths_next_to_each_other(monkeypatch, folder, bundled):
    monkeypatch.setattr(paths, "rows_of", lambda name, quick: bundled("iris"))
    text = paths.path_figures("p", ["a"], True, folder)
    assert text.count("| a | bivariate trees |") == text.count("| a | oblique trees |") == paths.N_LAMBDAS // 3
    assert (folder / "p-a-dark.svg").read_bytes().startswith(b"<?xml")
