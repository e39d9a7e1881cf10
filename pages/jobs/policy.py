"""Choose the job that begins its next piece. The functions are pure and use only the waiting and running jobs.

1. A visitor's first tree comes before long work. If there are two or more slots, long work leaves one slot free. Jobs
without a result come before jobs with a result. 2. A visitor has no second running job while another visitor waits for
a first one. 3. In a tie, the visitor with fewer slots comes first, then the network address with fewer slots, then the
job that has waited longest. A client without cookies, whose tabs count as separate visitors, therefore cannot fill the
queue. 4. Background jobs that no visitor requested are long work and come last.

A job yields between its pieces (trees of a path, a row of a phase diagram, a method on a fold), never within one.
"""

from collections.abc import Iterable
from dataclasses import dataclass

# ranks of jobs: without a result; path with a result; long work; work that no visitor requested
FIRST, TREES, LONG, LAST = 0, 1, 2, 3


@dataclass(frozen=True)
class Demand:
    """A job that has not ended.

    visitor : requesting visitor, or None, which counts as a separate visitor; rank : `FIRST`, `TREES`, `LONG` or
    `LAST`; since : time of the request in seconds; held : number of occupied slots; ready : number of pieces that can
    begin; address : network address of the visitor, or None if unknown.
    """

    name: str
    visitor: str | None
    rank: int
    since: float
    held: int
    ready: int
    address: str | None = None


def next_job(demands: Iterable[Demand], n_slots: int) -> str | None:
    """Return the name of the job that begins its next piece, or None if no job may use a free slot."""
    order = in_order(demands, n_slots)
    return order[0].name if order and sum(demand.held for demand in demands) < n_slots else None


def in_order(demands: Iterable[Demand], n_slots: int) -> list[Demand]:
    """Return the jobs that may begin a piece when a slot becomes free, the next one first."""
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
