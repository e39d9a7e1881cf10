"""Declare the limits of this server, listed in docs/reference/server_settings.md."""

import os
from collections.abc import Mapping
from dataclasses import Field, dataclass, fields
from typing import Self

from treecore.errors import TreecoreError


@dataclass(frozen=True)
class Quotas:
    """Limits of the server.

    Each field is an int > 0, read from the environment variable `TAO_` plus the field's name in capitals.

    visitors, address_visitors : maximum number of connected browser tabs, in total and per network address; the server
    refuses more.

    own_sets, own_megabytes : maximum number and total size of the data sets of one owner; new ones replace old ones.

    kept_hours : hours after which unused data sets are deleted.

    own_edits, edit_days : maximum number of edited trees and painted data sets of one owner, and days after which
    unused ones are deleted.

    own_rooms, address_rooms : maximum number of open rooms per owner and per network address.

    upload_megabytes, own_upload_megabytes, address_upload_megabytes : maximum size of the uploads that wait in memory,
    in total, per owner and per network address.

    folds : folds of the cross-validation that selects λ in the background; with 1, the validation error selects λ.

    read_seconds, read_megabytes : limits on time and memory for reading one file; memory is counted in addition to the
    200 MB of the program.
    """

    visitors: int = 300
    address_visitors: int = 150
    own_sets: int = 12
    own_megabytes: int = 2000
    kept_hours: int = 168
    own_edits: int = 40
    edit_days: int = 180
    own_rooms: int = 3
    address_rooms: int = 10
    upload_megabytes: int = 2000
    own_upload_megabytes: int = 400
    address_upload_megabytes: int = 1000
    folds: int = 5
    read_seconds: int = 120
    read_megabytes: int = 2000

    @classmethod
    def of(cls, environment: Mapping[str, str] | None = None) -> Self:
        """Read the `Quotas` from a dict of texts, by default from the environment. Raises TreecoreError."""
        environment = os.environ if environment is None else environment
        return cls(**{field.name: _whole(environment, field) for field in fields(cls)})


def _whole(environment: Mapping[str, str], field: Field) -> int:
    name = f"TAO_{field.name.upper()}"
    text = environment.get(name, "").strip() or str(field.default)
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text)):
        raise TreecoreError(f"{name}={text[:40]!r}: expected an integer > 0 (default: {field.default}).")
    return int(text)
