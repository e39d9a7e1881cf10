"""Test which tree of a path is on the stage during training."""

from types import SimpleNamespace

import pytest
from sklearn.datasets import load_iris

import sample_data
from pages.jobs.point import Point
from pages.ui.explore import explorer
from pages.ui.session import shown_path, training
from pages.ui.shell import stage
from pages.ui.shell.manager import manager
from tests.pages.conftest import wait_for_path
from treecore import CARTClassifier, CARTRegressor
from treecore.training.prune import best_part
from treecore.tree.metrics import training_loss
from viz.tree import readable_tree as readable

IRIS = {"data_set": "iris", "n_lambdas": "6", "max_depth": "3"}


class Training:
    """A queue that has only the first trees of a path."""

    n_trees = 1

    def status(self, name, *_):
        return manager().status(name) | {"state": "running", "done": self.n_trees}

    def points(self, name):
        return manager().points(name)[: self.n_trees]

    def __getattr__(self, name):
        return getattr(manager(), name)


def test_a_part_of_a_tree_opens_until_one_is_small_and_where_the_visitor_goes_stays(open_app, monkeypatch):
    wait_for_path(open_app(**IRIS))
    queue, mounted, wholes = Training(), [], set()
    for module in (readable, explorer):
        monkeypatch.setattr(module, "SMALL", 3)
    monkeypatch.setattr(explorer, "manager", lambda: queue)
    monkeypatch.setattr(shown_path, "manager", lambda: queue)
    monkeypatch.setattr(training, "manager", lambda: queue)
    mount = stage.mount

    def mount_and_note(name, content, view, options):
        mounted.append((name, view.tree))
        wholes.add(options.whole)
        assert options.growing == ("-first-" in name or "-part-" in name)
        return mount(name, content, view, options=options)

    monkeypatch.setattr(stage, "mount", mount_and_note)
    app = open_app(**IRIS)
    job = mounted[-1][0].removesuffix("-part-0")
    for queue.n_trees, part in ((1, 0), (2, 1), (3, 1), (4, 3)):  # leaves are 4, 4, 4, 4, 3, 1
        app.run()
        assert mounted[-1] == (f"{job}-part-{part}", 0)
    app.session_state["stage"] = {"view": {"key": f"{job}-part-3", "tree": 0, "node": 1}}
    queue.n_trees = 6
    app.run()
    assert mounted[-1] == (f"{job}-first-5", 4)  # a selection in a part of a tree is not kept
    assert not app.exception
    app.session_state["stage"] = {"view": {"key": f"{job}-first-5", "tree": 0, "node": None}}
    app.run()
    assert mounted[-1][1] == 0
    for module in (explorer, shown_path, training):
        monkeypatch.setattr(module, "manager", manager)
    app.run()
    assert mounted[-1] == (f"{job}-6", 0)
    assert wholes == {None, job}  # a selection made while trees are unpacked is kept


@pytest.mark.parametrize(
    ("leaves", "count"), [([90, 80, 8], 3), ([90, 80, 8, 7, 6, 5], 4), ([8], 1), ([9, 1], 2)]
)  # fmt: skip
def test_trees_are_sent_in_doubling_numbers_and_when_the_first_is_small(leaves, count):
    points = [SimpleNamespace(tree=SimpleNamespace(n_leaves=n)) for n in leaves]
    assert explorer.trees_to_send(points) == points[:count]


@pytest.mark.parametrize("name", ["segment", "airfoil"])
def test_a_large_tree_is_cut_back_to_its_best_leaves(name):
    data = sample_data.load(name)
    kind = CARTClassifier if data.target.values_are_groups else CARTRegressor
    tree = kind(cv=None, random_state=0).fit(data.X, data.labels()).tree_
    points = [Point(i, 1.0, one, {"validation_error": 0.0}) for i, one in enumerate((tree, tree, tree))]
    (sent,) = explorer.trees_to_send(points)
    assert sent.tree.n_leaves == readable.SMALL < tree.n_leaves
    assert sent.index == 1
    assert "validation_error" not in sent.figures  # of the whole tree
    assert set(sent.tree.origin) <= set(tree.origin)
    grown = kind(cv=None, random_state=0, max_depth=2).fit(data.X, data.labels()).tree_
    assert training_loss(sent.tree) <= training_loss(grown)


def test_the_preliminary_tree_is_the_best_small_one():
    tree = CARTClassifier(cv=None, random_state=0).fit(*load_iris(return_X_y=True)).tree_
    parts = [best_part(tree, n) for n in (9, 8, 5, 3, 2, 1)]
    errors = (0.0, 0.3, 0.2, 0.1, 0.5, 0.6)
    points = [Point(i, i, t, {"validation_error": e, "n_validation": 10_000})
              for i, (t, e) in enumerate(zip(parts, errors, strict=True))]  # fmt: skip
    assert readable.preliminary_tree(points) == 3
    assert readable.preliminary_tree(points[:1]) == 0
