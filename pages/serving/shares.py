"""Select stored items to drop when all owners together exceed the storage limit."""

from collections import defaultdict
from collections.abc import Iterable, Sequence, ValuesView
from typing import Any, NamedTuple


class StoredItem(NamedTuple):
    """One stored item.

    what : name or path; owner, address : see `owner_folders`; n_bytes : size; age : seconds since its last use.
    """

    what: Any
    owner: str
    address: str
    n_bytes: int
    age: float


def to_drop(kept: Iterable[StoredItem], newcomer: StoredItem, most: float, most_bytes: float) -> list[StoredItem]:
    """Return the items to drop for the new one `newcomer`, which is in `kept` and may be dropped too.

    Items of the address with the largest share are dropped first. Within an address, the owner with the largest share
    comes first; within an owner, the longest unused item. In a tie, the newcomer's own address and owner come first.
    Many new owners with one item each therefore cannot displace other owners, and no owner displaces one who stores
    less.
    """
    kept, dropped = [*kept], []
    while len(kept) > most or sum(one.n_bytes for one in kept) > most_bytes:

        def weight(things: Sequence[StoredItem]) -> tuple[float, bool]:
            share = max(len(things) / most, sum(one.n_bytes for one in things) / most_bytes)
            return share, newcomer in things

        mine = [one for one in kept if one.owner == newcomer.owner]
        theirs = max(_groups(max(_groups(kept, "address"), key=weight), "owner"), key=weight)
        group = mine if len(mine) > 1 and weight(mine) >= weight(theirs) else theirs
        victim = max((one for one in group if one is not newcomer), key=lambda one: one.age, default=newcomer)
        dropped.append(victim)
        if victim is newcomer:
            break
        kept.remove(victim)
    return dropped


def _groups(kept: Iterable[StoredItem], name: str) -> ValuesView[list[StoredItem]]:
    """Group the items by the value of a field."""
    groups = defaultdict(list)
    for one in kept:
        groups[getattr(one, name)].append(one)
    return groups.values()
