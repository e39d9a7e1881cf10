"""One result of a job: a tree with its figures."""

from dataclasses import dataclass

from treecore.tree.tree import Tree


@dataclass(frozen=True)
class Point:
    """One tree of a job, its figures (see `treecore.PathPoint` and `PhasePoint`) with the test error, and its trace."""

    index: int
    lam: float
    tree: Tree
    figures: dict
    trace: tuple = ()

    @classmethod
    def from_record(cls, record):
        """What the worker has written."""
        tree = Tree.from_json(record.pop("tree"))
        trace = tuple(record.pop("trace", ()))
        return cls(record["index"], record["lam"], tree, record, trace)
