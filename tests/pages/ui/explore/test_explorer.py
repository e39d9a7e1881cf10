"""Test which tree of a path is on the stage during training."""

from types import SimpleNamespace

import pytest

from pages.ui.explore import explorer
from pages.ui.session import shown_path, training
from pages.ui.shell import stage
from pages.ui.shell.manager import manager
from tests.pages.conftest import wait_for_path
from treecore.tree.classes import Classes
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


def test_the_smallest_tree_opens_until_one_can_be_read_and_where_the_visitor_goes_stays(open_app, monkeypatch):
    wait_for_path(open_app(**IRIS))
    queue, mounted, wholes = Training(), [], set()
    monkeypatch.setattr(readable, "MOST_LEAVES", 3)
    monkeypatch.setattr(explorer, "manager", lambda: queue)
    monkeypatch.setattr(shown_path, "manager", lambda: queue)
    monkeypatch.setattr(training, "manager", lambda: queue)
    mount = stage.mount

    def mount_and_note(name, content, view, options):
        mounted.append((name, view.tree))
        wholes.add(options.whole)
        return mount(name, content, view, options=options)

    monkeypatch.setattr(stage, "mount", mount_and_note)
    app = open_app(**IRIS)
    job = mounted[-1][0].removesuffix("-first-1")
    points = manager().points(job)
    assert mounted[-1] == (f"{job}-first-1", 0)
    for queue.n_trees in (2, 4, 6):
        app.run()
        count = explorer.count_to_send(points[: queue.n_trees])
        assert mounted[-1] == (f"{job}-first-{count}", readable.readable_tree(points[:count]).index)
    assert count == 5  # leaves are 4, 4, 4, 4, 3, 1
    assert not app.exception
    queue.n_trees = 2
    app.session_state["stage"] = {"view": {"key": f"{job}-first-2", "tree": 0, "node": None}}
    for queue.n_trees in (2, 4):
        app.run()
        assert mounted[-1][1] == 0
    for module in (explorer, shown_path, training):
        monkeypatch.setattr(module, "manager", manager)
    app.run()
    assert mounted[-1] == (f"{job}-6", 0)
    assert wholes == {job}  # a selection made while trees are unpacked is kept


@pytest.mark.parametrize(
    ("leaves", "count"),
    [([90], 1), ([90, 80, 70], 2), ([90, 80, 70, 60], 4), ([90, 80, 70, 60, 9], 5), ([90, 80, 70, 60, 9, 8], 5)],
)
def test_trees_are_sent_in_doubling_numbers_and_when_the_first_can_be_read(leaves, count):
    points = [SimpleNamespace(tree=SimpleNamespace(n_leaves=n, target=Classes(("no", "yes")))) for n in leaves]
    assert explorer.count_to_send(points) == count
