"""What the app knows of each kind of job: its pieces, which of them can begin, what their results mean.

A plan has `total` results (None as long as it is not known); `task` is the module of what its workers do. `ready(done,
running)` lists the names of the pieces that can begin when the results `done` (a dict by index) are there and the
pieces `running` are being trained; `given(name, done)` is what the task needs of one (JSON values). `result(record)`
makes a result of what a worker has sent or a file holds, `news(result)` what a visitor is told of it, `shown(done)` the
list of those that a page can show, and `lost(name, reason)` the (index, result) of a piece whose workers die, None
where nothing can go on without it.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, ClassVar, Protocol

from pages.jobs import ready_path
from pages.jobs.kinds import comparison_cells
from pages.jobs.point import Point
from pages.jobs.policy import LAST, LONG, TREES
from pages.jobs.settings import ComparisonSettings, CrossValidation, JobSettings, PhaseSettings, Settings
from pages.jobs.task_data import data_name, task_data
from treecore.comparison.cell import Cell
from viz.words.error_names import error_name


class Plan(Protocol):
    """See above; a result is a `Point` or a `Cell`."""

    rank: ClassVar[int]
    task: ClassVar[str]
    total: int | None

    def __init__(self, settings: Any) -> None: ...
    def restored(self) -> dict[int, Any]: ...
    def keep(self, result: Any, /) -> None: ...
    def ready(self, done: dict[int, Any], running: Collection[int]) -> list[int]: ...
    def given(self, name: int, done: dict[int, Any]) -> dict[str, Any]: ...
    def lost(self, name: int, reason: str) -> tuple[int, Any] | None: ...
    def result(self, record: dict[str, Any]) -> Any: ...
    def shown(self, done: dict[int, Any]) -> list[Any]: ...
    def news(self, result: Any, /) -> dict[str, Any]: ...


class _Trees:
    """Trees that come one after the other."""

    rank: ClassVar[int] = TREES
    total: int | None

    def __init__(self, settings: JobSettings) -> None:
        self.settings, self.data = settings, task_data(data_name(settings))
        self.target = self.data.target

    def restored(self) -> dict[int, Point]:
        """Results that earlier jobs have left, by index."""
        return {}

    def keep(self, result: Point) -> None:
        """Keep what other jobs can use."""

    def lost(self, name: int, reason: str) -> tuple[int, Point] | None:
        return None

    def result(self, record: dict[str, Any]) -> Point:
        return Point.from_record(record)

    def shown(self, done: dict[int, Point]) -> list[Point]:
        """The results without a gap from the first on."""
        return _first(done)

    def news(self, point: Point) -> dict[str, Any]:
        """Lambda and error of the last tree, with the name of that."""
        figures = point.figures
        kind = "train_error" if figures["validation_error"] is None else "validation_error"
        name = error_name(kind, figures["is_weighted"])
        return {"lam": point.lam, "error": f"{name} {self.target.error_text(figures[kind])}"}


class PathPlan(_Trees):
    """Each tree starts from the one before; critical values come in one piece."""

    task: ClassVar[str] = "pages.jobs.kinds.path_task"

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.total = settings.n_lambdas if settings.lambdas == "grid" else None

    def restored(self) -> dict[int, Point]:
        return ready_path.points(self.settings, self.data.fingerprint)

    def ready(self, done: dict[int, Point], running: Collection[int]) -> list[int]:
        if running:
            return []
        count = len(_first(done)) if self.total is not None else 0
        return [] if count == self.total else [count]

    def given(self, name: int, done: dict[int, Point]) -> dict[str, Any]:
        return {"done": name, "last": done[name - 1].tree.to_json() if name else None}


class TreePlan(_Trees):
    """One tree."""

    task: ClassVar[str] = "pages.jobs.kinds.tree_task"
    total = 1

    def ready(self, done: dict[int, Point], running: Collection[int]) -> list[int]:
        return [] if running or done else [0]

    def given(self, name: int, done: dict[int, Point]) -> dict[str, Any]:
        return {}


class ImprovementPlan(TreePlan):
    """The best smaller tree."""

    task: ClassVar[str] = "pages.jobs.kinds.improvement_task"


class PhasePlan(_Trees):
    """A row a price of a second feature; a cell needs the ones beside and below it, so that rows follow like waves."""

    task: ClassVar[str] = "pages.jobs.kinds.phase_task"
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

    def given(self, name: int, done: dict[int, Point]) -> dict[str, Any]:
        row, start = name, name * self.n_columns
        column, below = _count(done, row, self.n_columns), [None] * self.n_columns
        stop = _count(done, row - 1, self.n_columns) if row else self.n_columns
        for place in range(column, stop) if row else ():
            below[place] = done[start - self.n_columns + place].tree.to_json()
        beside = done[start + column - 1].tree.to_json() if column else None
        return {"row": row, "column": column, "stop": stop, "beside": beside, "below": below}


class FoldsPlan(_Trees):
    """A row a fold, each a path of its own."""

    task: ClassVar[str] = "pages.jobs.kinds.folds_task"
    rank: ClassVar[int] = LAST

    def __init__(self, settings: CrossValidation) -> None:
        super().__init__(settings)
        self.n_columns, self.total = len(settings.lams), len(settings.lams) * settings.folds

    def ready(self, done: dict[int, Point], running: Collection[int]) -> list[int]:
        rows = range(self.settings.folds)
        return [row for row in rows if row not in running and _count(done, row, self.n_columns) < self.n_columns]

    def given(self, name: int, done: dict[int, Point]) -> dict[str, Any]:
        column = _count(done, name, self.n_columns)
        last = done[name * self.n_columns + column - 1].tree.to_json() if column else None
        return {"fold": name, "column": column, "last": last}

    def shown(self, done: dict[int, Point]) -> list[Point]:
        """All results, none before all are there."""
        return _first(done) if len(done) == self.total else []


class ComparisonPlan:
    """A method on a fold is a piece, and all can begin; what earlier comparisons have left is not done again."""

    rank: ClassVar[int] = LONG
    task: ClassVar[str] = "pages.jobs.kinds.comparison_task"

    def __init__(self, settings: ComparisonSettings) -> None:
        from pages.jobs.kinds.comparison_protocol import plan as comparison_plan  # slow import

        data = task_data(settings.data_set)
        self.target = data.target
        planned = comparison_plan(settings, data)
        self._store = comparison_cells.ComparisonCells(settings, data.fingerprint)
        self._names = [(method.name, fold) for fold in range(len(planned.folds)) for method in planned.methods]
        self._titles = {method.name: method.title for method in planned.methods}
        self._planned = planned
        self.total: int | None = len(self._names)

    def restored(self) -> dict[int, Cell]:
        """Cells that earlier comparisons have left, by index."""
        return {self._names.index((cell.method, cell.fold)): cell for cell in self._store.saved(self._planned)}

    def keep(self, cell: Cell) -> None:
        """Keep a cell for other comparisons."""
        self._store.save(cell)

    def ready(self, done: dict[int, Cell], running: Collection[int]) -> list[int]:
        return [index for index in range(len(self._names)) if index not in done and index not in running]

    def given(self, name: int, done: dict[int, Cell]) -> dict[str, Any]:
        method, fold = self._names[name]
        return {"index": name, "method": method, "fold": fold}

    def lost(self, name: int, reason: str) -> tuple[int, Cell]:
        method, fold = self._names[name]
        rows = self._planned.folds[fold]
        return name, Cell(method, fold, len(rows.train), len(rows.test), failure=reason)

    def result(self, record: dict[str, Any]) -> Cell:
        return Cell.from_dict({name: value for name, value in record.items() if name != "index"})

    def shown(self, done: dict[int, Cell]) -> list[Cell]:
        """The cells that are there."""
        return [done[index] for index in sorted(done)]

    def news(self, cell: Cell) -> dict[str, Any]:
        """Method, fold and error of the last cell."""
        error = None if cell.test_error is None else self.target.error_text(cell.test_error)
        return {"last": f"{self._titles[cell.method]}, part {cell.fold + 1}", "error": error}


PLANS: dict[str, type[Plan]] = {
    "path": PathPlan,
    "tree": TreePlan,
    "improvement": ImprovementPlan,
    "phase": PhasePlan,
    "comparison": ComparisonPlan,
    "folds": FoldsPlan,
}


def _count(done: dict[int, Point], row: int, n_columns: int) -> int:
    """Results of a row of a grid that are there without a gap."""
    start = row * n_columns
    return next((k for k in range(n_columns) if start + k not in done), n_columns)


def _first(done: dict[int, Point]) -> list[Point]:
    """Results without a gap from the first on."""
    found = []
    while len(found) in done:
        found.append(done[len(found)])
    return found
