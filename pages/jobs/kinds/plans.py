"""Define a plan for each kind of job: its pieces, their order, and the meaning of their results.

A plan has a `total` number of results (None while unknown). Its `task` names the module of its worker code.
`ready(done, running)` lists the pieces that can begin, given the results `done` (a dict by index) and the pieces
`running`. `arguments(name, done)` returns the input of a piece as JSON values. `result(record)` converts a record from
a worker or a file to a result. `news(result)` returns the progress report of a result, and `visible(done)` lists the
results that a page can show. If a piece fails, `failure(name, reason)` returns (index, result), or None if the job
cannot continue.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any, ClassVar, Protocol

from pages.jobs import ready_path
from pages.jobs.kinds import comparison_cells
from pages.jobs.kinds.alternative_paths import FailedPath, alternative_paths
from pages.jobs.kinds.optimality import SHARES, Optimality, SampleAdvice
from pages.jobs.point import LACKING_FIGURES, Point, check_fits
from pages.jobs.policy import LAST, LONG, TREES
from pages.jobs.settings import (
    AllRows,
    Alternatives,
    ComparisonSettings,
    CrossValidation,
    JobSettings,
    PhaseSettings,
    Settings,
)
from pages.jobs.task_data import data_name, task_data
from treecore.comparison.cell import Cell
from treecore.errors import TreeFormatError
from viz.words.error_names import error_name


class Plan(Protocol):
    """A plan, see the module. A result is a `Point`, a `Cell` or an `Optimality`."""

    rank: ClassVar[int]
    total: int | None

    def __init__(self, settings: Any) -> None: ...
    def load_stored(self) -> dict[int, Any]: ...
    def keep(self, result: Any, /) -> None: ...
    def ready(self, done: dict[int, Any], running: Collection[int]) -> list[int]: ...
    def arguments(self, name: int, done: dict[int, Any]) -> dict[str, Any]: ...
    def failure(self, name: int, reason: str) -> tuple[int, Any] | None: ...
    def result(self, record: dict[str, Any]) -> Any: ...
    def visible(self, done: dict[int, Any]) -> list[Any]: ...
    def news(self, result: Any, /) -> dict[str, Any]: ...


class _Trees:
    """Plan of trees that are trained one after another."""

    rank: ClassVar[int] = TREES
    total: int | None

    def __init__(self, settings: JobSettings) -> None:
        self.settings, self.data = settings, task_data(data_name(settings))
        self.target = self.data.target

    def load_stored(self) -> dict[int, Point]:
        """Return the results of earlier jobs by index."""
        return {}

    def keep(self, result: Point) -> None:
        """Store a result for other jobs."""

    def failure(self, name: int, reason: str) -> tuple[int, Point] | None:
        return None

    def result(self, record: dict[str, Any]) -> Point:
        point = Point.from_record(record)
        check_fits(point.tree, self.data)
        return point

    def visible(self, done: dict[int, Point]) -> list[Point]:
        """Return the results before the first gap."""
        return _first(done)

    def news(self, point: Point) -> dict[str, Any]:
        """Return λ, the error of the last tree, and the name of that error."""
        figures = point.figures
        kind = "train_error" if figures["validation_error"] is None else "validation_error"
        name = error_name(kind, figures["is_weighted"])
        return {"lam": point.lam, "error": f"{name} {self.target.error_text(figures[kind])}"}


class PathPlan(_Trees):
    """Plan of a path. Each tree starts from the previous one; all trees for the critical values of λ are one piece.

    So are the trees of all sizes, which arrive in rounds. Each round replaces the one before it.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._has_sizes = settings.has_sizes
        is_known = settings.lambdas == "grid" and not settings.has_sizes
        self.total = settings.n_lambdas if is_known else None

    def load_stored(self) -> dict[int, Point]:
        return ready_path.points(self.settings, self.data.fingerprint)

    def ready(self, done: dict[int, Point], running: Collection[int]) -> list[int]:
        if running:
            return []
        count = len(_first(done)) if self.total is not None else 0
        return [] if count == self.total else [count]

    def arguments(self, name: int, done: dict[int, Point]) -> dict[str, Any]:
        if self._has_sizes:
            return {"done": len(done), "next": max(done, default=-1) + 1}
        return {"done": name, "last": done[name - 1].tree.to_json() if name else None}

    def result(self, record: dict[str, Any]) -> Point:
        point = super().result(record)
        if not self._has_sizes:
            return point
        if not {"round", "round_size"} <= point.figures.keys():
            raise TreeFormatError(LACKING_FIGURES)
        index, total = point.index - point.figures["round"], point.figures["round_size"]
        return replace(point, index=index, figures=point.figures | {"index": index, "total": total})

    def visible(self, done: dict[int, Point]) -> list[Point]:
        return _last_round(done) if self._has_sizes else _first(done)

    def news(self, point: Point) -> dict[str, Any]:
        if not self._has_sizes:
            return super().news(point)
        return {"share": point.figures["share"]} if "share" in point.figures else {}


class TreePlan(_Trees):
    """Plan of one tree."""

    total = 1

    def ready(self, done: dict[int, Point], running: Collection[int]) -> list[int]:
        return [] if running or done else [0]

    def arguments(self, name: int, done: dict[int, Point]) -> dict[str, Any]:
        return {}


class ReferencePlan(TreePlan):
    """Plan of the CART that is compared with a path."""

    rank: ClassVar[int] = LAST


class AlternativesPlan(_Trees):
    """Plan of other trees about as good. Each piece trains one path and keeps one tree.

    A result is a `Point`, or a `FailedPath`.
    """

    rank: ClassVar[int] = LONG

    def __init__(self, settings: Alternatives) -> None:
        super().__init__(settings)
        self.total = len(alternative_paths(settings, self.data))

    def ready(self, done: dict[int, Any], running: Collection[int]) -> list[int]:
        return [index for index in range(self.total or 0) if index not in done and index not in running]

    def arguments(self, name: int, done: dict[int, Any]) -> dict[str, Any]:
        return {"index": name}

    def failure(self, name: int, reason: str) -> Any:
        return name, FailedPath(name, reason)

    def visible(self, done: dict[int, Any]) -> list[Any]:
        """Return the available trees and the failed paths."""
        return [done[index] for index in sorted(done)]


class ImprovementPlan(TreePlan):
    """Plan of the best smaller tree."""


class GapPlan(TreePlan):
    """Plan of the search for the best tree of a depth. The result is an `Optimality`."""

    rank: ClassVar[int] = LAST

    def result(self, record: dict[str, Any]) -> Any:
        return Optimality.from_record(record)

    def news(self, point: Any) -> dict[str, Any]:
        return {}


class AllRowsPlan(PathPlan):
    """Plan of the trees that are trained on all rows. Each starts from the previous one."""

    rank: ClassVar[int] = LONG

    def __init__(self, settings: AllRows) -> None:
        _Trees.__init__(self, settings)
        self._has_sizes = False
        self.total = len(SHARES)

    def load_stored(self) -> dict[int, Point]:
        return {}


class SampleCurvePlan(GapPlan):
    """Plan of a learning curve. The result is a `SampleAdvice`."""

    rank: ClassVar[int] = LONG

    def result(self, record: dict[str, Any]) -> Any:
        return SampleAdvice.from_record(record)


class PhasePlan(_Trees):
    """Plan of a phase diagram with one row per C. Each cell starts from its neighbours to the left and below."""

    rank: ClassVar[int] = LONG

    def __init__(self, settings: PhaseSettings) -> None:
        super().__init__(settings)
        self.n_columns, self.n_rows = settings.n_lambdas, len(settings.costs)
        self.total = self.n_columns * self.n_rows

    def ready(self, done: dict[int, Point], running: Collection[int]) -> list[int]:
        counts = [_count(done, row, self.n_columns) for row in range(self.n_rows)]
        return [
            row
            for row, count in enumerate(counts)
            if row not in running and count < self.n_columns and (row == 0 or counts[row - 1] > count)
        ]

    def arguments(self, name: int, done: dict[int, Point]) -> dict[str, Any]:
        row, start = name, name * self.n_columns
        column, below = _count(done, row, self.n_columns), [None] * self.n_columns
        stop = _count(done, row - 1, self.n_columns) if row else self.n_columns
        for place in range(column, stop) if row else ():
            below[place] = done[start - self.n_columns + place].tree.to_json()
        beside = done[start + column - 1].tree.to_json() if column else None
        return {"row": row, "column": column, "stop": stop, "beside": beside, "below": below}


class FoldsPlan(_Trees):
    """Plan of a cross-validation. Each row is one fold with its own path."""

    rank: ClassVar[int] = LAST

    def __init__(self, settings: CrossValidation) -> None:
        super().__init__(settings)
        self.n_columns, self.total = len(settings.lams), len(settings.lams) * settings.folds

    def ready(self, done: dict[int, Point], running: Collection[int]) -> list[int]:
        rows = range(self.settings.folds)
        return [row for row in rows if row not in running and _count(done, row, self.n_columns) < self.n_columns]

    def arguments(self, name: int, done: dict[int, Point]) -> dict[str, Any]:
        column = _count(done, name, self.n_columns)
        last = done[name * self.n_columns + column - 1].tree.to_json() if column else None
        return {"fold": name, "column": column, "last": last}

    def visible(self, done: dict[int, Point]) -> list[Point]:
        """Return all results, or an empty list before all of them are available."""
        return _first(done) if len(done) == self.total else []


class ComparisonPlan:
    """Plan of a comparison. Each method on each fold is one piece, independent of all other pieces.

    Stored results are reused.
    """

    rank: ClassVar[int] = LONG

    def __init__(self, settings: ComparisonSettings) -> None:
        from pages.jobs.kinds.comparison_protocol import plan as comparison_plan  # slow import

        self._data = data = task_data(settings.data_set)
        self.target = data.target
        planned = comparison_plan(settings, data)
        self._store = comparison_cells.ComparisonCells(settings, data.fingerprint)
        self._names = [(method.name, fold) for fold in range(len(planned.folds)) for method in planned.methods]
        self._titles = {method.name: method.title for method in planned.methods}
        self._planned = planned
        self.total: int | None = len(self._names)

    def load_stored(self) -> dict[int, Cell]:
        """Return the cells of earlier comparisons by index."""
        cells = self._store.load(self._planned, self._data)
        return {self._names.index((cell.method, cell.fold)): cell for cell in cells}

    def keep(self, cell: Cell) -> None:
        """Store a cell for other comparisons."""
        self._store.save(cell)

    def ready(self, done: dict[int, Cell], running: Collection[int]) -> list[int]:
        return [index for index in range(len(self._names)) if index not in done and index not in running]

    def arguments(self, name: int, done: dict[int, Cell]) -> dict[str, Any]:
        method, fold = self._names[name]
        return {"index": name, "method": method, "fold": fold}

    def failure(self, name: int, reason: str) -> tuple[int, Cell]:
        method, fold = self._names[name]
        rows = self._planned.folds[fold]
        return name, Cell(method, fold, len(rows.train), len(rows.test), failure=reason)

    def result(self, record: dict[str, Any]) -> Cell:
        cell = Cell.from_dict({name: value for name, value in record.items() if name != "index"})
        comparison_cells.check_cell(cell, self._data, *self._names[record["index"]])
        return cell

    def visible(self, done: dict[int, Cell]) -> list[Cell]:
        """Return the available cells."""
        return [done[index] for index in sorted(done)]

    def news(self, cell: Cell) -> dict[str, Any]:
        """Return the method, fold and error of the last cell."""
        error = None if cell.test_error is None else self.target.error_text(cell.test_error)
        return {"last": f"{self._titles[cell.method]}, part {cell.fold + 1}", "error": error}


PLANS: dict[str, type[Plan]] = {
    "path": PathPlan,
    "tree": TreePlan,
    "improvement": ImprovementPlan,
    "phase": PhasePlan,
    "comparison": ComparisonPlan,
    "folds": FoldsPlan,
    "reference": ReferencePlan,
    "alternatives": AlternativesPlan,
    "gap": GapPlan,
    "all_rows": AllRowsPlan,
    "sample_curve": SampleCurvePlan,
}


def _count(done: dict[int, Point], row: int, n_columns: int) -> int:
    """Return the number of results in a row of a grid before the first gap."""
    start = row * n_columns
    return next((k for k in range(n_columns) if start + k not in done), n_columns)


def _last_round(done: dict[int, Point]) -> list[Point]:
    """Return the results of the last complete round."""
    for first in sorted({point.figures["round"] for point in done.values()}, reverse=True):
        indices = range(first, first + next(p.figures["total"] for p in done.values() if p.figures["round"] == first))
        if all(index in done for index in indices):
            return [done[index] for index in indices]
    return []


def _first(done: dict[int, Point]) -> list[Point]:
    """Return the results before the first gap."""
    found = []
    while len(found) in done:
        found.append(done[len(found)])
    return found
