"""Manage the chosen path of this tab: its jobs, its trees, and the tree on the screen.

The path may have a custom λ or a grid of C.
"""

from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.jobs import job_files, settings, settings_text
from pages.jobs.kinds.constraint_values import monotone_signs
from pages.jobs.point import Point
from pages.jobs.setting import values_of
from pages.ui.session import data_sets, page_settings, training
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.session.node_in_address import name_of, node_in_address, origin_of
from pages.ui.session.trained_grid import TrainedGrid, trained_grid
from pages.ui.session.with_folds import ended_folds, is_crossed, with_folds
from pages.ui.shell import address, link_notes, stage
from pages.ui.shell.computed import computed
from pages.ui.shell.manager import manager
from sample_data import DataSet
from treecore.messages import counted
from treecore.training.size_path import usual_sizes
from treecore.tree.number_text import number
from treecore.tree.target import Target
from viz.charts.path_points import judged
from viz.payload.choice_facts import choice_facts
from viz.payload.grid_facts import readable_in_grid
from viz.tree.readable_tree import preliminary_tree, readable_tree

NO_TREE_OF_NODE = "This link selects a node but no tree. No node is selected."
NO_SUCH_NODE = "The node in this link does not exist in this tree."


@dataclass(frozen=True, eq=False)
class ShownTrees:
    """The trees of a page, with the values that the page shows about all of them. All sessions share the object.

    key : unique name of these trees; points : `Point` objects, sorted by λ, in a grid by C and then λ; sent : the same
    points without cross-validated errors, which arrive after the stage is drawn; target, has_images : of the data;
    added : index of the point to open, or None; is_preliminary : whether the training continues.
    """

    key: str
    points: list[Point]
    sent: list[Point]
    target: Target
    has_images: bool
    added: int | None = None
    is_preliminary: bool = False

    @cached_property
    def first(self) -> int:
        """Return the index of the tree that opens: the added tree, or the simplest good one, or a preliminary one."""
        if self.is_preliminary:
            return preliminary_tree(self.points)
        return readable_tree(self.points, has_images=self.has_images).index if self.added is None else self.added

    def preliminary(self, points: list[Point]) -> Self:
        """Return the trees of a path that is still being trained."""
        return replace(self, points=points, sent=points, added=None, is_preliminary=True)

    @cached_property
    def choice(self) -> dict[str, Any] | None:
        """Return the cross-validated errors for the stage, or None if they are not known."""
        return choice_facts(self.points, self.target, self.has_images)

    @cached_property
    def recommended(self) -> tuple[Any, Any]:
        """Return the best and the simplest good tree, see `Judged`."""
        known = judged(self.points)
        best, simplest = (known.path[known.best_index(rule)] for rule in ("min", "one_se"))
        return best, simplest

    def view(self, wanted: Any) -> Any:
        """Return the `View` that the visitor wants if its tree exists, else that of the tree that opens."""
        wanted = placed(wanted, self.points)
        if wanted is not None and wanted.tree < len(self.points):
            return replace(wanted, node=origin_of(self.points[wanted.tree].tree, wanted.name or wanted.node), name=None)
        return stage.View(self.first)


@dataclass(frozen=True)
class PathView:
    """The jobs of a path and their settings, optionally with a tree for a custom λ or a grid of C.

    store : settings of the page; waits : whether the tree for a custom λ is submitted when the path is complete;
    has_banner : whether the page shows a notice above the stage.
    """

    path: str
    path_settings: settings.Settings
    data: DataSet
    store: page_settings.PageSettings
    tree: str | None = None
    tree_settings: settings.OneTree | None = None
    grid: str | None = None
    grid_settings: settings.PhaseSettings | None = None
    waits: bool = False
    has_banner: bool = False

    @property
    def name(self) -> str:
        """Return the name of the stage's content, even before its training."""
        return self.grid or (self.path if self.tree is None else f"{self.path}-{self.tree}")

    def current_job(self) -> tuple[str, Any, dict[str, Any]]:
        """Return (job, its settings, its status) of the first unfinished job, or of the last job."""
        jobs_here: list[tuple[str, Any]] = [(self.path, self.path_settings)]
        jobs_here += [] if self.tree is None else [(self.tree, self.tree_settings)]
        jobs_here += [] if self.grid is None else [(self.grid, self.grid_settings)]
        found = [(job, chosen, training.status(job)) for job, chosen in jobs_here]
        return next((job for job in found if job[2]["state"] != "done"), found[-1])

    @cached_property
    def is_running(self) -> bool:
        """Return whether a job was unfinished at the first call.

        The answer stays the same during one run of the page.
        """
        return self.waits or training.runs(self.current_job()[2])

    def chosen_tree(self, index: int) -> ChosenTree:
        """Return the `ChosenTree` at an index of `trees`. All sessions share the object."""
        trees = self.trees()
        return _chosen_tree(trees.key, index, self, trees)

    def tree_of(self, point: Point) -> ChosenTree:
        """Return the `ChosenTree` of a `Point`."""
        chosen, data = self.path_settings, self.data
        kind = settings.SPLITS[chosen.split] + ", linear leaves" * (chosen.leaf == "linear")
        place = counted(point.tree.n_leaves, "leaf") if chosen.has_sizes else f"λ = {number(point.lam)}"
        title = f"{data.title}, {kind}, {place}"
        if self.trained_grid is not None:
            chosen = replace(chosen, bivariate_cost=point.figures["cost"])
            title += f", C = {chosen.bivariate_cost:g}"
        return ChosenTree(f"{self.name}-{point.key}", title, point, data, self.rows, values_of(chosen))

    @cached_property
    def monotone(self) -> np.ndarray | None:
        """Return the sign of each feature under a monotone constraint, int8[d], or None."""
        return monotone_signs(values_of(self.path_settings), self.data.feature_names)

    @cached_property
    def rows(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the (training, validation, test) row numbers of the data."""
        return data_sets.rows(self.data.name, self.path_settings.seed, self.path_settings.rows)

    def is_known(self) -> bool:
        """Test whether the jobs are still in memory."""
        return all(manager().has_job(job) for job in (self.path, self.tree, self.grid) if job is not None)

    @cached_property
    def trained_grid(self) -> TrainedGrid | None:
        """Return the `TrainedGrid` of every C if it is trained, or None if the page shows the path."""
        if self.grid is None or training.is_running(self.grid):
            return None
        points = manager().points(self.grid)
        return _grid(self.grid, len(points), points, self.grid_settings)

    def trees(self) -> ShownTrees:
        """Return the `ShownTrees` that are trained."""
        if self.trained_grid is not None:
            return _grid_trees(self.grid, len(self.trained_grid.points), self.trained_grid, self.data)
        points = manager().points(self.path)
        added = manager().points(self.tree)[:1] if self.tree is not None else []
        folds = "" if is_crossed(points) else ended_folds(self.path)
        round_of = points[0].figures.get("round", 0) if points else 0
        return _path_trees(self.name, len(points), round_of, len(added), folds, self, points, added)

    @property
    def ends_at_best(self) -> bool:
        """Test whether the best tree of the sizes is the largest one that the search permits."""
        points, chosen = self.trees().points, self.path_settings
        if not chosen.has_sizes or not points or chosen.max_leaf_nodes is not None:
            return False
        target, known = self.data.target, judged(points)
        most = usual_sizes(len(target.groups) if target.values_are_groups else 0)[-1]
        return known is not None and points[0].tree.n_leaves == most and known.best_index("min") == 0

    @property
    def is_refined(self) -> bool:
        """Test whether subtrees of a tree were regrown. At its λ, the cross-validated error is that of the path."""
        return self.tree_settings is not None and self.tree_settings.refine > 0


@computed(4)
def _grid(grid: str, count: int, _points: list[Point], _settings: settings.PhaseSettings) -> TrainedGrid | None:
    return trained_grid(_points, _settings.costs, _settings.n_lambdas)


@computed(4)
def _grid_trees(grid: str, count: int, _grid: TrainedGrid, _data: DataSet) -> ShownTrees:
    has_images = bool(_data.image_shape)
    first = readable_in_grid(_grid, has_images=has_images).index
    return ShownTrees(f"{grid} {count}", _grid.points, _grid.points, _data.target, has_images, first)


@computed(12)
def _path_trees(
    name: str, count: int, round_of: int, n_added: int, folds: str,
    _shown: PathView, _points: list[Point], _added: list[Point],
) -> ShownTrees:  # fmt: skip
    """Return the trees of a path, with the tree for a custom λ and the errors of the job `folds`, if there are any."""
    points, index = _with_added(_points, _added[0], _shown.is_refined) if _added else (_points, None)
    data, key = _shown.data, f"{name} {count} {round_of} {n_added} {folds}"
    return ShownTrees(key, with_folds(folds, points), points, data.target, bool(data.image_shape), index)


@computed(24)
def _chosen_tree(key: str, index: int, _shown: PathView, _trees: ShownTrees) -> ChosenTree:
    return _shown.tree_of(_trees.points[index])


def _with_added(points: list[Point], added: Point, is_refined: bool) -> tuple[list[Point], int]:
    """Return the points with the tree for a custom λ, and its index."""
    same = [i for i, point in enumerate(points) if is_refined and point.tree == added.tree]
    if same:  # the tree is already on the path
        return points, min(same, key=lambda i: abs(points[i].lam - added.lam))
    if is_refined:  # folds contain no simplified trees, so their errors must not select it
        added = replace(added, figures=added.figures | {"is_simplified": True})
    index = bisect([point.lam for point in points], added.lam)
    points = [*points[:index], added, *points[index:]]
    return [_with_index(point, i, len(points)) for i, point in enumerate(points)], index


def _with_index(point: Point, index: int, total: int) -> Point:
    return replace(point, index=index, figures=point.figures | {"index": index, "total": total})


def submit(chosen: settings.PathSettings, data: DataSet, remark: DeltaGenerator | None = None) -> PathView:
    """Return the `PathView` of the settings, and submit its jobs: the path, then a custom λ or a grid of C.

    remark : placeholder for a remark about a custom λ, or None.
    """
    path_settings = chosen.path()
    path = training.submit(path_settings, data)
    if (grid_settings := chosen.grid()) is not None and not data_sets.why_no_lines(data):
        return _with_grid(PathView(path, path_settings, data, page_settings.EXPLORE), grid_settings)
    if chosen.lam is None or chosen.has_sizes:
        return PathView(path, path_settings, data, page_settings.EXPLORE)
    status = manager().status(path)
    if status["state"] != "done":
        if remark is not None:
            remark.caption("This tree will be trained after the path.")
        return PathView(path, path_settings, data, page_settings.EXPLORE, waits=training.runs(status))
    points = manager().points(path)
    left = [point for point in points if point.lam <= chosen.lam][-1:]
    start = left[0].tree.to_json() if left else None
    tree_settings = settings.OneTree(path_settings, chosen.lam, start)
    if chosen.sweeps and left:
        first = 1 + max(int(point.tree.origin.max()) for point in points)
        tree_settings = replace(tree_settings, refine=chosen.sweeps, first_origin=first)
    tree = training.submit(tree_settings, data)
    if remark is not None:
        _remark(remark, tree, chosen.lam, left)
    return PathView(path, path_settings, data, page_settings.EXPLORE, tree, tree_settings)


def _with_grid(submit: PathView, grid_settings: settings.PhaseSettings) -> PathView:
    if manager().status(submit.path)["state"] in ("cancelled", "failed"):
        return submit
    # A visitor has only one running job at a time, so the grid follows the path.
    grid = training.submit(grid_settings, submit.data)
    opens = st.session_state.pop("grid_opens", None)
    if opens is not None:
        open_at(submit.store, grid, opens)
    return replace(submit, grid=grid, grid_settings=grid_settings)


def _remark(remark: DeltaGenerator, tree: str, lam: float, left: list[Point]) -> None:
    origin = (
        f"the previous tree on the path (λ = {left[0].lam:.4g})" if left else "the initial tree (λ is below the path)"
    )
    points = manager().points(tree)
    if points:
        seconds = f"{points[0].figures['seconds']:.2f} s"
        remark.caption(f"λ = {lam:.4g}: trained in {seconds} from {origin}.")
    elif manager().status(tree)["state"] in job_files.RUNNING_STATES:
        remark.caption(f"λ = {lam:.4g}: training from {origin}.")


def note_missing_tree() -> None:
    """Show a note if a link selects a node but no tree. Pages with a single tree find the node."""
    if "node" in st.query_params and not {"tree", "leaves"} & {*st.query_params}:
        link_notes.add(NO_TREE_OF_NODE)


def share(shown: PathView, **others: Any) -> None:
    """Write the settings, the view of the stage, and other parameters into the address."""
    view = view_of(shown.store, shown.name)
    if view is not None:
        points = shown.trees().points
        view = placed(view, points)
        node = view.name or view.node
        node = name_of(points[view.tree].tree, node) if view.tree < len(points) else node
        place = {"tree": view.tree} if view.size is None else {"leaves": view.size}
        others = place | {"node": node, "pin": view.pin} | others
    shown.store.share_in_url(**others)


def view_of(store: page_settings.PageSettings, name: str) -> Any:
    """Return the `View` that the visitor chose for the named content, or None. A new tab reads it from the address."""
    key = f"{store.key}_view"
    if address.is_from_address(key):
        tree, pin, size = (settings_text.natural(st.query_params.get(part)) for part in ("tree", "pin", "leaves"))
        node = node_in_address()
        named = {"name": node} if isinstance(node, str) else {"node": node}
        is_known = tree is not None or size is not None
        st.session_state[key] = {name: stage.View(tree or 0, pin=pin, size=size, **named)} if is_known else {}
    return st.session_state[key].get(name)


def placed(view: Any, points: Sequence[Point]) -> Any:
    """Return a `View` at the largest tree with at most `View.size` leaves, if it has a size and there are trees."""
    if view is None or view.size is None or not points:
        return view
    leaves = [point.tree.n_leaves for point in points]
    fitting = [n for n in leaves if n <= view.size]
    return replace(view, tree=leaves.index(max(fitting, default=min(leaves))))


def choose(shown: PathView, view: stage.View) -> None:
    """Store the view that the visitor has chosen, and write it into the address."""
    if view != view_of(shown.store, shown.name):
        open_at(shown.store, shown.name, view)
        share(shown)


def open_at(store: page_settings.PageSettings, name: str, view: stage.View) -> None:
    """Make a page open the named content at a `View`."""
    st.session_state[f"{store.key}_view"] = {name: view}


def is_gone(view: Any, points: Sequence[Point]) -> bool:
    """Test whether a `View` selects a node that its tree does not have."""
    view = placed(view, points)
    node = None if view is None or view.tree >= len(points) else view.name or view.node
    if node is None:
        return False
    tree = points[view.tree].tree
    return origin_of(tree, node) not in tree.origin.tolist()


def no_such_tree(view: stage.View, count: int) -> str:
    """Return the message for a linked `View` whose tree does not exist."""
    return f"Tree {view.tree:,} does not exist (the path has trees 0 to {count - 1}). Showing the default tree."
