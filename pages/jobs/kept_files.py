"""What visitors make by hand, a file each, under a token that an address can hold: a reload and a new tab find it."""

import re
import uuid

from pages.jobs import job_files

MOST = 200  # files of all visitors
_TOKEN = re.compile(r"[0-9a-f]{32}")


def new_token():
    """A token that nobody guesses."""
    return uuid.uuid4().hex


def read(token):
    """The dict that is kept under a token; {} where there is none, whatever the token is."""
    record = job_files.read_json(_folder() / f"{token}.json") if _TOKEN.fullmatch(token or "") else None
    return record if isinstance(record, dict) else {}


def write(token, record):
    """Keep a dict that JSON can hold; what was not used for longest goes."""
    job_files.write_json(_folder() / f"{token}.json", record)
    job_files.drop_oldest(_folder(), MOST)


def _folder():
    folder = job_files.jobs_folder() / job_files.EDITS
    folder.mkdir(exist_ok=True)
    return folder
