"""Store the path of the first page in the project, so that the page shows a tree before any training.

The file also contains cross-validated errors, and CART for comparison. `python -m pages.jobs.ready_path` writes the
file again. Tests fail if training gives other trees.
"""

import json
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from pages.jobs import job_files
from pages.jobs.point import Point
from pages.jobs.settings import FIRST, CrossValidation, JobSettings, Reference, Settings
from treecore.tree.metrics import mean_and_spread

FILE = Path(__file__).with_suffix(".json")
CROSSED = ("cross_validated_error", "cross_validated_spread")


def points(settings: JobSettings, fingerprint: str) -> dict[int, Point]:
    """Return {index: `Point`} of the stored path, or {} if it has other settings or data."""
    if settings != FIRST.path():
        return {}
    found = _stored()
    if not is_request(found["settings"], settings) or found["fingerprint"] != fingerprint:
        return {}
    return {record["index"]: Point.from_record(record) for record in found["points"]}


def is_request(stored: dict[str, Any], settings: JobSettings) -> bool:
    """Test whether a stored request is that of `settings`. Later settings, which it lacks, have their default."""
    request, default = (json.loads(json.dumps(job_files.request(one))) for one in (settings, Settings()))
    return default | stored == request


def reference(settings: Reference, fingerprint: str) -> Point | None:
    """Return the `Point` of the stored CART, or None if it has other settings or data."""
    if settings != first_reference() or _stored()["fingerprint"] != fingerprint:
        return None
    return _stored_reference()


@cache
def first_reference() -> Reference:
    """Return the settings of CART for the first path."""
    return Reference.of(FIRST.path())


def train() -> dict[str, Any]:
    """Train path and CART, and return the content of the file without the cross-validated errors."""
    from pages.jobs.kinds.tasks import (
        PathTask,  # slow imports
        ReferenceTask,
    )
    from pages.jobs.task_data import task_data

    settings = FIRST.path()
    request, data = job_files.request(settings), task_data(settings.data_set)
    records = list(PathTask(request, data).results({"done": 0, "last": None}))
    (reference,) = ReferenceTask(job_files.request(first_reference()), data).results({})
    return {"settings": request, "fingerprint": data.fingerprint, "points": records, "reference": reference}


def cross_validated(lams: tuple[float, ...]) -> list[dict[str, float]]:
    """Return the metrics in `CROSSED` for each λ: the cross-validated error and its spread."""
    from pages.jobs.kinds.tasks import FoldsTask  # slow import
    from pages.jobs.task_data import task_data

    settings = CrossValidation(FIRST.path(), lams)
    task = FoldsTask(asdict(settings), task_data(settings.path.data_set))
    errors = [
        [record["validation_error"] for record in task.results({"fold": fold, "column": 0, "last": None})]
        for fold in range(settings.folds)
    ]
    return [
        dict(zip(CROSSED, values, strict=True))
        for values in zip(*map(np.ndarray.tolist, mean_and_spread(np.array(errors))), strict=True)
    ]


@cache
def _stored_reference() -> Point:
    return Point.from_record(_stored()["reference"])


@cache
def _stored() -> dict[str, Any]:
    return json.loads(FILE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    made = train()
    lams = tuple(record["lam"] for record in made["points"])
    for record, errors in zip(made["points"], cross_validated(lams), strict=True):
        record |= errors
    FILE.write_text(json.dumps(made) + "\n", encoding="utf-8")
