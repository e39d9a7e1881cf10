"""What visitors make by hand, a file each, under a token that an address can hold: a reload and a new tab find it."""

import contextlib
import os
import re
import uuid

from pages.jobs import job_files
from pages.jobs.messages import MESSAGES
from pages.serving import owner_folders, shares
from pages.serving.quotas import Quotas
from treecore.errors import DataError

MOST, MOST_BYTES = 10_000, 2_000_000_000  # files of all owners
_TOKEN = re.compile(r"[0-9a-f]{32}")


def new_token():
    """A token that nobody guesses."""
    return uuid.uuid4().hex


def read(token):
    """The dict that is kept under a token, which counts as used now; {} where there is none, whatever the token is."""
    if not _TOKEN.fullmatch(token or ""):
        return {}
    # without an owner: of former versions; of two owners, as of a browser that lost its cookies, the later one
    path = min([*_folder().glob(f"*/{token}.json"), _folder() / f"{token}.json"], key=job_files.age)
    record = job_files.read_json(path)
    if not isinstance(record, dict):
        return {}
    with contextlib.suppress(OSError):
        os.utime(path)
    return record


def write(token, record, owner, host=None):
    """Keep a dict that JSON can hold. The owner's file that was not used for the longest time gives way, see also
    `shares`; host : address of the owner, None for this machine. Raises DataError if it cannot be kept."""
    try:
        place = owner_folders.make(_folder(), owner, host)
        path = place / f"{token}.json"
        is_new = not path.exists()
        job_files.write_json(path, record)
    except OSError as fault:
        raise DataError(MESSAGES("edits.not_kept", why=fault.strerror or str(fault))) from fault
    job_files.drop_oldest(place, Quotas.of().own_edits)
    if is_new:
        _make_room(path)


def drop_unused():
    """Delete what nobody has used for the days that the quotas allow."""
    most = 86_400 * Quotas.of().edit_days
    for path in [*_folder().glob("*.json"), *_folder().glob("*/*.json")]:
        if job_files.age(path) > most:
            path.unlink(missing_ok=True)
    for place in [*_folder().glob("*/")]:
        with contextlib.suppress(OSError):
            owner_folders.remove_empty(place)


def _make_room(path):
    """Let files give way to a new one (Path). Raises DataError when that is the one that gives way."""
    kept, newcomer = [], None
    for place in _folder().glob("*/"):
        address = owner_folders.address(place)
        for one in place.glob("*.json"):
            with contextlib.suppress(OSError):  # it has gone meanwhile
                kept.append(shares.Kept(one, place.name, address, one.stat().st_size, job_files.age(one)))
                newcomer = kept[-1] if one == path else newcomer
    for one in shares.to_drop(kept, newcomer, MOST, MOST_BYTES) if newcomer else ():
        one.what.unlink(missing_ok=True)
        if one is newcomer:
            raise DataError(MESSAGES("edits.full"))


def _folder():
    return job_files.jobs_folder() / job_files.EDITS
