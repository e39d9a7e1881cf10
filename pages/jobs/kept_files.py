"""Store edited trees and painted data, one file each.

Links contain the token of a file, so a reload or a new tab finds it.
"""

import contextlib
import os
import re
import uuid
from pathlib import Path
from typing import Any

from pages.jobs import job_files
from pages.serving import owner_folders, shares
from pages.serving.quotas import Quotas
from treecore.errors import DataError

MOST, MOST_BYTES = 10_000, 2_000_000_000  # limits for all owners together
_TOKEN = re.compile(r"[0-9a-f]{32}")


def new_token() -> str:
    """Return a token that cannot be guessed."""
    return uuid.uuid4().hex


def read(token: str | None) -> dict[str, Any]:
    """Return the dict stored under a token and mark it as used.

    Returns {} if the token is invalid or has no file.
    """
    if not _TOKEN.fullmatch(token or ""):
        return {}
    # Files without an owner come from previous versions. If two owners have the file, because a browser lost its
    # cookies, the newer one is used.
    path = min([*_folder().glob(f"*/{token}.json"), _folder() / f"{token}.json"], key=job_files.age)
    record = job_files.read_json(path)
    if not isinstance(record, dict):
        return {}
    with contextlib.suppress(OSError):
        os.utime(path)
    return record


def write(token: str, record: dict[str, Any], owner: str, host: str | None = None) -> None:
    """Store a JSON-compatible dict under a token.

    If there are too many files, the owner's longest unused one is deleted; see also `shares`. host : address of the
    owner, None for this machine. Raises DataError if the dict cannot be stored.
    """
    try:
        place = owner_folders.make(_folder(), owner, host)
        path = place / f"{token}.json"
        is_new = not path.exists()
        job_files.write_json(path, record)
    except OSError as fault:
        raise DataError(
            f"The server cannot store your changes ({fault.strerror or str(fault)}), so reloading the page "
            "discards them. Save the tree to a file."
        ) from fault
    job_files.drop_oldest(place, Quotas.of().own_edits)
    if is_new:
        _make_room(path)


def drop_unused() -> None:
    """Delete files that have been unused for longer than the quota allows."""
    most = 86_400 * Quotas.of().edit_days
    for path in [*_folder().glob("*.json"), *_folder().glob("*/*.json")]:
        if job_files.age(path) > most:
            path.unlink(missing_ok=True)
    for place in [*_folder().glob("*/")]:
        with contextlib.suppress(OSError):
            owner_folders.remove_empty(place)


def _make_room(path: Path) -> None:
    """Delete files to make room for a new one. Raises DataError if the new file itself is deleted."""
    kept, newcomer = [], None
    for place in _folder().glob("*/"):
        address = owner_folders.address(place)
        for one in place.glob("*.json"):
            with contextlib.suppress(OSError):  # the file may have been deleted in the meantime
                kept.append(shares.StoredItem(one, place.name, address, one.stat().st_size, job_files.age(one)))
                newcomer = kept[-1] if one == path else newcomer
    for one in shares.to_drop(kept, newcomer, MOST, MOST_BYTES) if newcomer else ():
        one.what.unlink(missing_ok=True)
        if one is newcomer:
            raise DataError(
                "The storage for edited trees is full, mostly with trees from your network address. Reloading "
                "the page discards your changes, so save the tree to a file."
            )


def _folder() -> Path:
    return job_files.jobs_folder() / job_files.EDITS
