"""`Quotas`: what this server gives to its visitors; docs/reference/server_settings.md has the table."""

import os
from collections.abc import Mapping
from dataclasses import Field, dataclass, fields
from typing import Self

from pages.serving.messages import MESSAGES
from treecore.errors import TreecoreError


@dataclass(frozen=True)
class Quotas:
    """Whole numbers > 0, each from the environment variable `TAO_` with the field's name in capitals.

    visitors : browser tabs that are connected at once; the next one is told to come back later.
    address_visitors : browser tabs of these that come from one network address.
    own_sets, own_megabytes : data sets that are kept of one owner, and their sum; older ones give way to newer ones.
    kept_hours : after which own data that nobody has used are deleted.
    own_edits, edit_days : trees changed by hand and paintings that are kept of one owner, and the days after which
    unused ones are deleted.
    own_rooms, address_rooms : rooms of a class that are open at once, of one owner and of one network address.
    upload_megabytes, own_upload_megabytes, address_upload_megabytes : uploads that wait in memory until the app takes
    them, the sum of all visitors, of one owner and of one network address.
    folds : by which the λ of a path is chosen behind its picture; 1: none, the validation rows choose.
    read_seconds, read_megabytes : what one file may take to be read; memory beyond the 200 MB of the program itself.
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
        """`Quotas` of a dict of texts, by default this process's environment. Raises TreecoreError."""
        environment = os.environ if environment is None else environment
        return cls(**{field.name: _whole(environment, field) for field in fields(cls)})


def _whole(environment: Mapping[str, str], field: Field) -> int:
    name = f"TAO_{field.name.upper()}"
    text = environment.get(name, "").strip() or str(field.default)
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text)):
        raise TreecoreError(MESSAGES("quota", name=name, text=text[:40], default=field.default))
    return int(text)
