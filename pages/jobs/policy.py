"""Whose work is next: the one policy of this house, as functions of what waits and what runs.

1. A visitor's first tree goes before anybody's long work: long work leaves one slot free wherever there are two, and
   what has nothing to show yet goes before what has.
2. Nobody has a second job running while another visitor waits for a first.
3. Of equals the visitor with fewer slots is served, then the one whose network address has fewer, so that one client
   without cookies, whose tabs are visitors of their own, does not take the queue; then the one who has waited longest.
4. What nobody has asked for, and only betters what is on the screen, is long work that comes after everything else.

Work gives way between its pieces (trees of a path, a row of a phase diagram, a method on a fold), never within one.
"""

from collections.abc import Iterable
from dataclasses import dataclass

# ranks: nothing to show yet; a path that has shown something; long work; what nobody has asked for
FIRST, TREES, LONG, LAST = 0, 1, 2, 3


@dataclass(frozen=True)
class Demand:
    """A job that is not over.

    visitor : who asked for it, None if that is nobody's (each such job counts as another visitor's); rank : `FIRST`,
    `TREES`, `LONG` or `LAST`; since : when it was asked for, in seconds; held : slots that its pieces hold; ready :
    pieces that could begin now; address : of the network that the visitor comes from, None if that is not known.
    """

    name: str
    visitor: str | None
    rank: int
    since: float
    held: int
    ready: int
    address: str | None = None


def next_job(demands: Iterable[Demand], n_slots: int) -> str | None:
    """Name of the job whose next piece begins; None when no slot is free, or nothing that waits may have it."""
    order = in_order(demands, n_slots)
    return order[0].name if order and sum(demand.held for demand in demands) < n_slots else None


def in_order(demands: Iterable[Demand], n_slots: int) -> list[Demand]:
    """The jobs that may begin a piece as soon as a slot is free, the next one first."""
    jobs: dict[str, set[str]] = {}
    slots: dict[str, int] = {}
    of_address: dict[str | None, int] = {}
    long_slots = 0
    for demand in demands:
        if demand.held and demand.rank != LAST:
            who = _visitor(demand)
            jobs.setdefault(who, set()).add(demand.name)
            slots[who] = slots.get(who, 0) + demand.held
            of_address[demand.address] = of_address.get(demand.address, 0) + demand.held
        long_slots += demand.held * (demand.rank >= LONG)
    room_for_long = long_slots < max(1, n_slots - 1)

    def order(demand: Demand) -> tuple:
        who = _visitor(demand)
        is_second = bool(jobs.get(who, set()) - {demand.name})
        held = slots.get(who, 0), of_address.get(demand.address, 0)
        return demand.rank == LAST, is_second, demand.rank, *held, demand.since, demand.name

    return sorted((one for one in demands if one.ready and (one.rank < LONG or room_for_long)), key=order)


def _visitor(demand: Demand) -> str:
    return demand.name if demand.visitor is None else demand.visitor
