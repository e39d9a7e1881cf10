"""`shares`: what gives way when all owners together keep too much; never what all others keep for one of them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence, ValuesView
from typing import Any, NamedTuple


class Kept(NamedTuple):
    """One thing that is kept. what : its name or path; owner, address : whose it is, see `owner_folders`; n_bytes;
    age : seconds since it was used."""

    what: Any
    owner: str
    address: str
    n_bytes: int
    age: float


def to_drop(kept: Iterable[Kept], newcomer: Kept, most: float, most_bytes: float) -> list[Kept]:
    """List of the `Kept` that give way to a newcomer, which is one of `kept`, and may be in the list itself.

    The address that keeps most gives way first, there the owner who keeps most, of their things the one that was not
    used for the longest time. Of equals the newcomer's own address and owner come first, so that many new owners who
    keep one thing each push out nobody; nor does an owner push out the things of one who keeps less.
    """
    kept, dropped = [*kept], []
    while len(kept) > most or sum(one.n_bytes for one in kept) > most_bytes:

        def weight(things: Sequence[Kept]) -> tuple[float, bool]:
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


def _groups(kept: Iterable[Kept], name: str) -> ValuesView[list[Kept]]:
    """Lists of those that are equal in a field."""
    groups = defaultdict(list)
    for one in kept:
        groups[getattr(one, name)].append(one)
    return groups.values()
