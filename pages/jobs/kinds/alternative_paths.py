"""List the paths on which a search for other trees about as good trains."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from pages.jobs.settings import (
    ALL_COSTS,
    FULLY_GROWN,
    INITIAL_TREES,
    Alternatives,
    Settings,
    following_split,
    initial_trees,
)
from sample_data import DataSet
from treecore.column_groups import column_groups
from treecore.initial import suitable
from treecore.node_solvers import SPLITS

MOST = 8  # maximum number of paths
MOST_LEFT_OUT = 2  # maximum number of features of the root that are left out, one at a time
MOST_PAIRED = 60  # maximum number of features for which paths of bivariate trees are added, because pairs take long
MOST_INITIAL = 2  # maximum number of other kinds of initial trees
STARTS = 5  # number of starts of the path with several starts
MOST_NUMBERS = 100_000  # maximum number of values (rows × features) for which this path is added
RANDOM_DEPTH = 6  # depth of random initial trees if the path starts from a fully grown tree


@dataclass(frozen=True)
class AlternativePath:
    """A path that differs from another one in a single choice, described by `words`."""

    words: str
    settings: Settings


@dataclass(frozen=True)
class FailedPath:
    """A path that could not be trained: its position among the paths, and the reason."""

    index: int
    reason: str


def alternative_paths(wanted: Alternatives, data: DataSet) -> list[AlternativePath]:
    """Return at most `MOST` paths for a search in a DataSet, the most different ones first."""
    return list(_paths(wanted, data))[:MOST]


def _paths(wanted: Alternatives, data: DataSet) -> Iterator[AlternativePath]:
    path = replace(wanted.path, sweep="lambda")
    for columns in wanted.root[:MOST_LEFT_OUT] if data.image_shape is None else ():
        left_out = tuple(sorted({*path.left_out, *columns}))
        if len(left_out) < data.n_features:
            name = column_name(data, columns)
            yield AlternativePath(f"without {name}", replace(path, left_out=left_out))
    for split, kind in SPLITS.items() if data.image_shape is None and path.leaf == "constant" else ():
        takes_pairs = "bivariate_cost" in kind.parameters
        if data.has_missing and not kind.takes_missing:
            continue
        if split != path.split and (not takes_pairs or 1 < data.n_features <= MOST_PAIRED):
            yield AlternativePath(f"{split} splits", replace(path, **following_split(split)))
    if "bivariate_cost" in SPLITS[path.split].parameters:
        below = [cost for cost in ALL_COSTS if cost < path.bivariate_cost][-1:]
        above = [cost for cost in ALL_COSTS if cost > path.bivariate_cost][:1]
        for cost in below + above:
            yield AlternativePath(f"C = {cost:g}", replace(path, bivariate_cost=cost))
    random = replace(path, init="random", max_depth=path.max_depth or RANDOM_DEPTH)
    if path.max_depth != FULLY_GROWN:
        yield AlternativePath(f"initial depth {path.max_depth + 1}", replace(path, max_depth=path.max_depth + 1))
    possible = suitable(data.has_missing, data.target.values_are_groups) - {"random", path.init}
    inits = [init for init in initial_trees(path.split) if init in possible]
    for init in inits[:MOST_INITIAL]:
        yield AlternativePath(f"initial tree: {INITIAL_TREES[init]}", replace(path, init=init))
    if path.n_init == 1 and path.leaf == "constant" and data.n_rows * data.n_features <= MOST_NUMBERS:
        changes = {"n_init": STARTS, "block": 2} if SPLITS[path.split].is_exact else {"n_init": STARTS}
        lambdas = {"lambdas": "grid"} if "block" in changes else {}
        yield AlternativePath(f"best of {STARTS} starts", replace(path, **changes, **lambdas))
    for number in range(MOST + 1):
        if (number, path.init) != (path.start, "random"):
            yield AlternativePath(f"random start {number}", replace(random, start=number))


def column_name(data: DataSet, columns: tuple[int, ...]) -> str:
    """Return the name of the table column that some features encode."""
    group = next((group for group in groups(data) if columns[0] in group), columns)
    name = data.feature_names[columns[0]]
    return name.split(" = ")[0] if len(group) > 1 else name


def groups(data: DataSet) -> list[tuple[int, ...]]:
    """Return the features of every table column. The features of a categorical column stay together."""
    if data.columns is not None:
        return [tuple(group) for group in data.columns.groups()]
    found = [tuple(group) for group in column_groups(data.feature_names)]
    grouped = {feature for group in found for feature in group}
    return sorted(found + [(feature,) for feature in range(data.n_features) if feature not in grouped])
