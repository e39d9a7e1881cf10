"""Store the path of the first page in the project, so that the page shows a tree before any training.

`python -m pages.jobs.ready_path` writes the path again. A test fails if training gives a different path.
"""

import json
from pathlib import Path
from typing import Any

from pages.jobs import job_files
from pages.jobs.point import Point
from pages.jobs.settings import FIRST, JobSettings

FILE = Path(__file__).with_suffix(".json")


def points(settings: JobSettings, fingerprint: str) -> dict[int, Point]:
    """Return {index: `Point`} of the stored path, or {} if it has other settings or data."""
    if settings != FIRST.path():
        return {}
    found = json.loads(FILE.read_text(encoding="utf-8"))
    if found["settings"] != job_files.request(settings) or found["fingerprint"] != fingerprint:
        return {}
    return {record["index"]: Point.from_record(record) for record in found["points"]}


def train_path() -> dict[str, Any]:
    """Train the path and return the content of the file."""
    from pages.jobs.kinds.path_task import PathTask  # imported here because they are slow
    from pages.jobs.task_data import task_data

    settings = FIRST.path()
    request, data = job_files.request(settings), task_data(settings.data_set)
    records = list(PathTask(request, data).results({"done": 0, "last": None}))
    return {"settings": request, "fingerprint": data.fingerprint, "points": records}


if __name__ == "__main__":
    FILE.write_text(json.dumps(train_path()) + "\n", encoding="utf-8")
