"""The path that a visitor without a link meets first, as data of the project: it is there before anything is trained.

`python -m pages.jobs.ready_path` writes it anew; a test says when training gives another one.
"""

import json
from pathlib import Path
from typing import Any

from pages.jobs import job_files
from pages.jobs.point import Point
from pages.jobs.settings import FIRST, JobSettings

FILE = Path(__file__).with_suffix(".json")


def points(settings: JobSettings, fingerprint: str) -> dict[int, Point]:
    """{index: `Point`} of the path with these settings of data with this fingerprint; {} where it is not that one."""
    if settings != FIRST.path():
        return {}
    found = json.loads(FILE.read_text(encoding="utf-8"))
    if found["settings"] != job_files.request(settings) or found["fingerprint"] != fingerprint:
        return {}
    return {record["index"]: Point.from_record(record) for record in found["points"]}


def trained() -> dict[str, Any]:
    """What the file is to hold, trained now."""
    from pages.jobs.kinds.path_task import PathTask  # slow imports
    from pages.jobs.task_data import task_data

    settings = FIRST.path()
    request, data = job_files.request(settings), task_data(settings.data_set)
    records = list(PathTask(request, data).results({"done": 0, "last": None}))
    return {"settings": request, "fingerprint": data.fingerprint, "points": records}


if __name__ == "__main__":
    FILE.write_text(json.dumps(trained()) + "\n", encoding="utf-8")
