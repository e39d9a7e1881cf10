"""A phase diagram on its page: its points, and the cell that the visitor looks at."""

from dataclasses import dataclass, fields, replace

import numpy as np
import streamlit as st

from pages.jobs import settings_text
from pages.ui.shell import address, page_settings, stage
from pages.ui.shell.manager import manager
from treecore.training.phase import PhaseDiagram, PhasePoint

VIEW = "phase_view"
_FIGURES = [field.name for field in fields(PhasePoint) if field.name not in ("tree", "trace")]


@dataclass(frozen=True)
class Pick:
    """A cell: row of C, column of lambda, the selected node or None.

    jumps, moves : how often it was changed by anything but the stage, and by anything but the sliders. What is told to
    change has a new name then: a browser that has not heard of it yet would else send its old state as a new wish.
    """

    row: int
    column: int
    node: int | None = None
    jumps: int = 0
    moves: int = 0


@dataclass(frozen=True)
class Cells:
    """Points of a job as a `PhaseDiagram`, and as the `Point`s that the stage takes."""

    diagram: PhaseDiagram
    points: list

    @property
    def n_columns(self):
        """Number of lambdas."""
        return self.diagram.lams.size

    def first(self, count):
        """The first `count` points alone."""
        return Cells(replace(self.diagram, points=self.diagram.points[:count]), self.points[:count])

    def row(self, row):
        """The points of one C that are ready, by rising lambda."""
        found = self.points[row * self.n_columns : (row + 1) * self.n_columns]
        return [replace(point, index=index) for index, point in enumerate(found)]

    @property
    def n_rows(self):
        """Rows with at least one point."""
        return -(-len(self.points) // self.n_columns)

    @property
    def n_whole_rows(self):
        """Rows with all their points."""
        return len(self.points) // self.n_columns

    def good(self):
        """bool[n_costs, n_lams], within one standard error, or None without validation rows."""
        return self.diagram.within_one_se() if self.diagram.n_validation else None

    def best(self, rule="min"):
        """Index of the recommended point, or None without validation rows."""
        return self.diagram.best(rule).index if self.diagram.n_validation else None


def cells(job, chosen):
    """`Cells` of a job, None before its second point (the grid of lambda is known from the first two)."""
    points = manager().points(job)
    if len(points) < 2:
        return None
    known = [point.lam for point in points[: chosen.n_lambdas]]
    # the columns that are still to come: the grid is geometric
    ratio = known[-1] / known[-2]
    lams = np.array(known + [known[-1] * ratio**step for step in range(1, chosen.n_lambdas - len(known) + 1)])
    phase_points = tuple(
        PhasePoint(tree=point.tree, **{name: point.figures[name] for name in _FIGURES}) for point in points
    )
    n_validation = points[0].figures["n_validation"]
    return Cells(PhaseDiagram(phase_points, lams, np.array(chosen.costs), n_validation), points)


def picked(job, cells, running):
    """`Pick` of the visitor, else the recommended cell; always one that is there."""
    wanted = _wanted(job)
    rows = max(cells.n_whole_rows, 1) if running else cells.n_rows
    if wanted is not None and wanted.row < rows and wanted.column < len(cells.row(wanted.row)):
        return wanted
    if running:
        return Pick(0, len(cells.row(0)) // 2)
    best = cells.best("one_se")
    best = len(cells.points) // 2 if best is None else best
    return Pick(best // cells.n_columns, best % cells.n_columns)


def pick(job, now, row, column, by_slider=False):
    """Make another cell than that of the `Pick` `now` the one that is looked at."""
    st.session_state[VIEW] = {job: Pick(row, column, None, now.jumps + 1, now.moves + (not by_slider))}


def is_current(job, now):
    """Whether nothing but the sliders has moved since `now`: a browser may still speak for sliders that are gone."""
    latest = _wanted(job)
    return latest is None or latest.moves == now.moves


def share(job):
    """Put the settings and the cell into the URL."""
    now = _wanted(job)
    place = {} if now is None else {"row": now.row, "tree": now.column, "node": now.node}
    page_settings.PHASE.share_in_url(**place)


def stage_name(job, now, count, running):
    """Name of what the stage shows: the trees of one C, opened at one of them."""
    return f"{job}-C{now.row}-{count}-{'first' if running else now.jumps}"


def follow_stage(job, now, count, running):
    """The `Pick` after what the visitor did on the stage."""
    seen = stage.reported(stage_name(job, now, count, running))
    if seen is None or (seen.tree, seen.node) == (now.column, now.node) or seen.tree >= count:
        return now
    now = replace(now, column=seen.tree, node=seen.node, moves=now.moves + (seen.tree != now.column))
    st.session_state[VIEW] = {job: now}
    return now


def _wanted(job):
    before = next(iter(st.session_state.get(VIEW, {}).values()), Pick(0, 0))
    if address.is_asked(VIEW):
        row, tree, node = (settings_text.natural(st.query_params.get(part)) for part in ("row", "tree", "node"))
        st.session_state[VIEW] = (
            {}
            if row is None or tree is None
            else {
                # another name, so that the stage opens there
                job: Pick(row, tree, node, before.jumps + 1, before.moves + 1)
            }
        )
    return st.session_state[VIEW].get(job)
