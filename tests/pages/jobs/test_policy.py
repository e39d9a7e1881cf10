"""Test which job is next: rule by rule, and with hundreds of visitors on a simulated clock."""

import heapq
import itertools
from dataclasses import dataclass, field

import numpy as np
import pytest

from pages.jobs.policy import FIRST, LAST, LONG, TREES, Demand, in_order, next_job


def demand(name, visitor=None, rank=FIRST, since=0.0, held=0, ready=1, address=None):
    return Demand(name, visitor or name, rank, since, held, ready, address)


def order(*demands, n_slots=4):
    return [one.name for one in in_order(demands, n_slots)]


def test_jobs_without_results_go_first_and_long_work_last():
    assert order(demand("c", rank=LONG, since=1), demand("b", rank=TREES, since=2), demand("a", since=3)) == list("abc")


def test_the_longest_waiting_of_equal_visitors_is_next():
    assert order(demand("a", since=2), demand("b", since=1)) == ["b", "a"]


def test_long_work_leaves_one_slot_free_where_there_are_two():
    long = demand("a", rank=LONG, held=3, ready=9)
    assert next_job([long], 4) is None
    assert next_job([long, demand("b")], 4) == "b"
    assert next_job([demand("a", rank=LONG, held=1, ready=9)], 2) is None
    assert next_job([demand("a", rank=LONG, ready=9)], 1) == "a"
    assert next_job([demand("a", rank=LONG, held=1, ready=9)], 1) is None


def test_no_visitor_has_a_second_job_running_while_another_waits_for_a_first():
    running = demand("a1", "a", TREES, held=1, ready=0)
    assert order(running, demand("a2", "a", since=1), demand("b", rank=LONG, since=2)) == ["b", "a2"]
    assert next_job([running, demand("a2", "a")], 4) == "a2"  # no other visitor waits


def test_unrequested_work_comes_last_and_delays_no_first_tree():
    behind = demand("a1", "a", LAST, held=1, ready=4)
    assert order(behind, demand("b", rank=LONG, since=9), n_slots=2) == []  # one slot is left free
    assert next_job([behind, demand("a2", "a", since=9)], 2) == "a2"
    assert order(behind, demand("a2", "a", since=1), demand("b", rank=LONG, since=2)) == ["a2", "b", "a1"]


def test_the_visitor_with_fewer_slots_is_served():
    one, other = demand("a", rank=LONG, since=1, held=4, ready=5), demand("b", rank=LONG, since=2, held=1, ready=5)
    assert order(one, other, n_slots=16) == ["b", "a"]


def test_thirty_tabs_without_cookies_let_another_address_in():
    runs = [demand(f"run{k}", held=1, ready=0, address="x") for k in range(3)]
    waits = [demand(f"wait{k}", since=k, address="x") for k in range(30)]
    assert order(*runs, *waits, demand("late", since=99, address="y"))[0] == "late"
    assert order(*runs, *waits, demand("late", since=99, address="x"))[-1] == "late"


def test_a_class_at_one_address_is_served_in_the_order_of_its_coming():
    class_ = [demand(f"s{k:02}", since=k, address="x") for k in range(50)]
    assert order(*reversed(class_), demand("run", held=1, ready=0, address="y")) == [one.name for one in class_]


def test_nothing_begins_without_a_slot_or_a_piece():
    assert next_job([], 4) is None
    assert next_job([demand("a", held=2, ready=0), demand("b", held=2, ready=3)], 4) is None


@dataclass
class Job:
    name: str
    visitor: str
    rank: int
    pieces: list  # seconds of each piece
    parallel: bool
    since: float
    done: int = 0
    begun: int = 0
    first: float | None = None
    end: float | None = None

    @property
    def held(self):
        return self.begun - self.done

    def demand(self):
        left = len(self.pieces) - self.begun
        ready = left if self.parallel else min(left, 1 - self.held)
        rank = LONG if self.rank == LONG else TREES if self.done else FIRST
        return Demand(self.name, self.visitor, rank, self.since, self.held, ready)


@dataclass
class Simulation:
    """Visitors on a simulated clock. Every step asserts the promises of the policy."""

    n_slots: int
    now: float = 0.0
    jobs: dict = field(default_factory=dict)
    events: list = field(default_factory=list)
    number: object = field(default_factory=itertools.count)

    def ask(self, when, job):
        heapq.heappush(self.events, (when, next(self.number), "ask", job))

    def run(self):
        while self.events:
            self.now, _, what, job = heapq.heappop(self.events)
            if what == "ask":
                self.jobs[job.name] = job
            else:
                job.done += 1
                job.first = self.now if job.first is None else job.first
                job.end = self.now if job.done == len(job.pieces) else None
            self.begin()

    def begin(self):
        while True:
            demands = [job.demand() for job in self.jobs.values() if job.end is None]
            name = next_job(demands, self.n_slots)
            if name is None:
                break
            self.check_fair(self.jobs[name], demands)
            job = self.jobs[name]
            heapq.heappush(self.events, (self.now + job.pieces[job.begun], next(self.number), "end", job))
            job.begun += 1
        held = sum(job.held for job in self.jobs.values())
        long = sum(job.held for job in self.jobs.values() if job.rank == LONG)
        assert held <= self.n_slots
        assert long <= max(1, self.n_slots - 1)
        short_waits = any(one.ready for one in demands if one.rank != LONG)
        assert not short_waits or held == self.n_slots, "a slot is free while trees wait"

    def check_fair(self, chosen, demands):
        """Assert that no visitor's second job begins while another visitor waits for a first one that may run."""
        runs = {one.visitor for one in demands if one.held}
        second = any(one.held and one.visitor == chosen.visitor and one.name != chosen.name for one in demands)
        long = sum(one.held for one in demands if one.rank == LONG)
        others = [one for one in demands if one.ready and one.visitor not in runs
                  and (one.rank != LONG or long < max(1, self.n_slots - 1))]  # fmt: skip
        assert not (second and others)


def tree_path(visitor, since, rng, number=0):
    pieces = list(rng.uniform(0.05, 0.4, int(rng.integers(1, 12))))
    return Job(f"{visitor}-{number}", visitor, TREES, pieces, False, since)


def comparison(visitor, since, rng, n_cells=60):
    return Job(f"{visitor}-long", visitor, LONG, list(rng.uniform(0.2, 8.0, n_cells)), True, since)


@pytest.mark.parametrize(("n_slots", "n_visitors"), [(1, 60), (2, 60), (3, 200), (16, 300)])
def test_hundreds_of_visitors(n_slots, n_visitors):
    rng = np.random.default_rng(n_slots)
    simulation = Simulation(n_slots)
    for k in range(n_visitors):
        since = float(rng.uniform(0, 60))
        simulation.ask(since, tree_path(f"v{k}", since, rng))
        if k % 10 == 0:
            simulation.ask(since + 5, comparison(f"v{k}", since + 5, rng, 12))
        if k % 3 == 0:
            simulation.ask(since + 1, tree_path(f"v{k}", since + 1, rng, 1))
    simulation.run()
    assert all(job.end is not None for job in simulation.jobs.values())


def test_fifty_visitors_on_sixteen_slots_are_near_the_ideal():
    rng = np.random.default_rng(0)
    simulation = Simulation(16)
    for k in range(50):
        simulation.ask(0.0, tree_path(f"v{k}", 0.0, rng))
        if k % 5 == 0:
            simulation.ask(0.0, comparison(f"v{k}", 0.0, rng))
    simulation.run()
    jobs = simulation.jobs.values()
    # Long work may use 15 of 16 slots; the duration of a last piece is a lower limit.
    ideal = sum(sum(job.pieces) for job in jobs) / 16
    assert simulation.now < 1.2 * ideal
    firsts = sorted(job.first for job in jobs if job.rank == TREES)
    alone = sum(job.pieces[0] for job in jobs if job.rank == TREES) / 16
    assert firsts[-1] < 1.2 * alone + 0.4 + 8.0, "a first tree waited longer than for the pieces that were running"


def test_a_first_tree_during_a_long_comparison():
    rng = np.random.default_rng(0)
    simulation = Simulation(3)
    simulation.ask(0.0, comparison("a", 0.0, rng, 100))
    mine = tree_path("b", 10.0, rng)
    simulation.ask(10.0, mine)
    simulation.run()
    assert mine.end - 10.0 == pytest.approx(sum(mine.pieces)), "it has a slot of its own at once"
