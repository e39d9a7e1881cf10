"""`owner_folders`: a folder for each owner of something that is kept, with a mark of the address that it came from."""

import re

from pages.serving import private_files
from pages.serving.client_address import label
from pages.serving.messages import MESSAGES
from treecore.errors import DataError

_OWNER, _ADDRESS = re.compile(r"[0-9a-f]{32}"), "from-"


def of(parent, owner):
    """Folder (Path) of an owner below another one, whether it is there or not. Raises DataError for what names none."""
    if _OWNER.fullmatch(owner) is None:
        raise DataError(MESSAGES("owner"))
    return parent / owner


def make(parent, owner, host=None):
    """The same folder, made; host : address that the owner has now, None for this machine. Raises OSError."""
    private_files.folder(parent)
    place = private_files.folder(of(parent, owner))
    mark = place / f"{_ADDRESS}{label(host)}"
    if not mark.exists():
        for old in place.glob(f"{_ADDRESS}*"):
            old.unlink(missing_ok=True)
        private_files.touch(mark)
    return place


def address(place):
    """Label of the address of an owner's folder; that folder's own name where none is known."""
    return next((mark.name for mark in place.glob(f"{_ADDRESS}*")), place.name)


def remove_empty(place):
    """Remove an owner's folder when nothing is kept in it."""
    marks = [*place.glob(f"{_ADDRESS}*")]
    if place.is_dir() and len(marks) == len([*place.iterdir()]):
        for mark in marks:
            mark.unlink(missing_ok=True)
        place.rmdir()
