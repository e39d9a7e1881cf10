"""Manage one folder for each owner of stored data, marked with the owner's network address."""

import re
from pathlib import Path

from pages.serving import private_files
from pages.serving.client_address import label
from treecore.errors import DataError

_OWNER, _ADDRESS = re.compile(r"[0-9a-f]{32}"), "from-"


def of(parent: Path, owner: str) -> Path:
    """Return the folder of an owner, which may not exist yet. Raises DataError for an invalid owner."""
    if _OWNER.fullmatch(owner) is None:
        raise DataError("Invalid owner of data: expected 32 hexadecimal digits.")
    return parent / owner


def make(parent: Path, owner: str, host: str | None = None) -> Path:
    """Create and return the folder of an owner.

    host : current address of the owner, None for this machine. Raises OSError.
    """
    private_files.folder(parent)
    place = private_files.folder(of(parent, owner))
    mark = place / f"{_ADDRESS}{label(host)}"
    if not mark.exists():
        for old in place.glob(f"{_ADDRESS}*"):
            old.unlink(missing_ok=True)
        private_files.touch(mark)
    return place


def address(place: Path) -> str:
    """Return the label of an owner's address, or the name of the folder if the address is unknown."""
    return next((mark.name for mark in place.glob(f"{_ADDRESS}*")), place.name)


def remove_empty(place: Path) -> None:
    """Remove an owner's folder if it is empty."""
    marks = [*place.glob(f"{_ADDRESS}*")]
    if place.is_dir() and len(marks) == len([*place.iterdir()]):
        for mark in marks:
            mark.unlink(missing_ok=True)
        place.rmdir()
