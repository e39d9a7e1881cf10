"""Share the results of methods on folds between comparisons, so that an added method trains only itself."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING

from pages.jobs import job_files, user_store
from pages.jobs.job_files import OTHER_JOB
from pages.jobs.point import check_fits
from pages.jobs.settings import ComparisonSettings
from pages.jobs.source_digest import source_digest
from treecore.comparison.cell import Cell
from treecore.errors import TreeFormatError

if TYPE_CHECKING:
    from pages.jobs.kinds.comparison_protocol import Plan
    from sample_data import DataSet

KEPT = 2000  # maximum number of files
# settings that do not change the result of a method on a fold
_NOT_IN_KEY = ("methods", "limit")


class ComparisonCells:
    """Stored cells for these settings (except the methods), data and code."""

    def __init__(self, chosen: ComparisonSettings, fingerprint: str) -> None:
        # Cells of user data have their own folder, because they are deleted with the data.
        own = chosen.data_set if user_store.is_own(chosen.data_set) else ""
        self.folder = job_files.jobs_folder() / job_files.CELLS / own
        request = {name: value for name, value in job_files.request(chosen).items() if name not in _NOT_IN_KEY}
        self.key = json.dumps([request, fingerprint, source_digest()], sort_keys=True)

    def load(self, plan: Plan, data: DataSet) -> list[Cell]:
        """Return the stored `Cell` objects of a `Plan`, fold by fold."""
        places = [(method.name, fold) for fold in range(len(plan.folds)) for method in plan.methods]
        found = (_cell(self._path(*place), data, *place) for place in places)
        return [cell for cell in found if cell is not None]

    def save(self, cell: Cell) -> None:
        """Store a cell unless it failed; a failed cell may succeed with another time limit or machine."""
        if cell.failure is None:
            job_files.write_json(self._path(cell.method, cell.fold), cell.to_dict())
            job_files.drop_oldest(self.folder, KEPT)

    def _path(self, method: str, fold: int) -> Path:
        digest = hashlib.sha256(f"{self.key} {method} {fold}".encode()).hexdigest()
        return self.folder / f"{digest[:24]}.json"


def check_cell(cell: Cell, data: DataSet, method: str, fold: int) -> None:
    """Raise TreeFormatError if a cell is not that of a method on a fold of the data."""
    if (cell.method, cell.fold) != (method, fold):
        raise TreeFormatError(OTHER_JOB)
    for tree in (cell.tree, *cell.trees, *(tree for _, tree in cell.path)):
        if tree is not None:
            check_fits(tree, data)


def _cell(path: Path, data: DataSet, method: str, fold: int) -> Cell | None:
    """Return the cell in a file, or None if the file is missing or damaged."""
    record = job_files.read_json(path, is_checked=True)
    if record is None:
        return None
    try:
        cell = Cell.from_dict(record)
        check_cell(cell, data, method, fold)
    except TreeFormatError:
        job_files.note_damage(path)
        return None
    return cell
