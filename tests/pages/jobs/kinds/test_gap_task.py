"""Test the search for the best tree of a depth: its result, and the trees and installations to which it applies."""

import subprocess
import sys
from dataclasses import asdict, replace

import pytest

import sample_data
from pages.jobs.kinds import optimality
from pages.jobs.kinds.optimality import Optimality, has_known_optimum
from pages.jobs.kinds.plans import GapPlan
from pages.jobs.kinds.tasks import GapTask, TreeTask
from pages.jobs.settings import Gap, OneTree, Settings
from tests.refusals import refused
from treecore import OptimalTreeClassifier
from treecore.errors import ParameterError, TreeFormatError
from treecore.tree.tree import Tree

PATH = Settings("wine", split="univariate", init="cart", max_depth=3)
WITHOUT = """
import sys
sys.modules["pystreed"] = None
import importlib.util
real = importlib.util.find_spec
importlib.util.find_spec = lambda name, *more: None if name == "pystreed" else real(name, *more)
from pages.jobs.kinds.optimality import has_known_optimum
from pages.jobs.settings import Settings
from treecore.tree.tree import Tree
assert not has_known_optimum(Tree.from_json(sys.stdin.read()), 100, Settings())
"""


def tree_of(lam, **changes):
    path = replace(PATH, **changes)
    (record,) = TreeTask(asdict(OneTree(path, lam, None)), sample_data.load(path.data_set)).results({})
    return record["tree"]


def found(lam, tree, **changes):
    path = replace(PATH, **changes)
    (record,) = GapTask(asdict(Gap(path, tree, lam)), sample_data.load(path.data_set)).results({})
    return Optimality.from_record(record)


def test_the_best_tree_has_no_gap_and_a_worse_one_has_its_difference():
    task = GapTask(asdict(Gap(PATH, tree_of(1.0), 1.0)), sample_data.load("wine"))
    best = OptimalTreeClassifier(2, 1.0, 7).fit(*task.train_rows)
    known = found(1.0, best.tree_.to_json())
    assert known.gap == 0
    assert known.is_proven
    assert known.depth == 2
    other = found(4.0, best.tree_.to_json())
    assert other.objective == known.objective + 3 * (best.tree_.n_leaves - 1)
    assert 0 <= other.gap == other.objective - other.least


def test_a_plan_has_one_result():
    plan = GapPlan(Gap(PATH, tree_of(1.0), 1.0))
    assert plan.ready({}, []) == [0]
    result = plan.result({"index": 0, "objective": 5, "least": 4.0, "best": 4.0, "is_proven": True, "n_thresholds": 9,
                          "depth": 2})  # fmt: skip
    assert plan.visible({0: result}) == [result]
    assert result.gap == 1.0
    for damaged in ({"index": 0}, {**vars(result), "least": "4"}, {**vars(result), "least": float("nan")}):
        with pytest.raises(TreeFormatError):
            plan.result(damaged)


def test_a_time_limit_without_a_tree_is_an_error_in_words(monkeypatch):
    monkeypatch.setattr("pystreed.STreeDClassifier.is_fitted", lambda self: False)
    with refused(ParameterError, f"time_limit={optimality.SECONDS:g}: the search found no tree within this time"):
        found(1.0, tree_of(1.0))


def test_it_applies_to_small_univariate_classification_trees_only():
    tree = Tree.from_json(tree_of(1.0))
    assert has_known_optimum(tree, 100, Settings())
    assert not has_known_optimum(tree, optimality.MOST_ROWS + 1, Settings())
    assert not has_known_optimum(tree, 100, Settings(class_weight="balanced"))
    assert not has_known_optimum(tree, 100, Settings(feature_costs="age=2"))
    for changes in ({"data_set": "diabetes"}, {"split": "oblique"}, {"leaf": "linear", "split": "oblique"}):
        assert not has_known_optimum(Tree.from_json(tree_of(1.0, **changes)), 100, Settings())
    assert not has_known_optimum(Tree.from_json(tree_of(1e6)), 100, Settings())


def test_without_pystreed_it_never_applies():
    done = subprocess.run([sys.executable, "-c", WITHOUT], input=tree_of(1.0), text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
