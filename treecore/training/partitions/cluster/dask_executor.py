"""`DaskExecutor`: reads parts and keeps shards on the workers of a Dask cluster."""

import time
import uuid
from asyncio import run_coroutine_threadsafe
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import wait
from copy import deepcopy
from importlib import import_module
from typing import Any

from treecore.errors import DataError
from treecore.training.partitions.cluster.remote_shard import (
    LostShardError,
    Origin,
    PackedSums,
    ShardCall,
    added,
    answer,
    mapped,
    reduced_here,
    release,
)
from treecore.training.partitions.shard import Problem, Shard
from treecore.training.partitions.sources.dask_source import DaskPart
from treecore.training.partitions.sources.row_source import RowPart
from treecore.version import VERSION

POLL = 0.2  # seconds between two looks for workers that have ended
GRACE = 4.0  # seconds that a lost shard waits for a new worker before it joins another shard
PATIENCE = 60.0  # seconds that a replacement of a worker may take, or a pause of a worker
MOST_ENDED = 2  # workers that may end in the same call of the same shard
LEAST_TREE = 5  # shards; the sums of fewer are added by the coordinator
GROUP = 8  # parts that one task of `reduce` reads
ROOM = 0.75  # share of a worker's memory that shards may take


class Traffic:
    """Bytes sent to the workers, received from them and exchanged between them, calls, and passes over the rows."""

    def __init__(self) -> None:
        self.sent, self.received, self.exchanged, self.calls, self.reads, self.ended = 0, 0, 0, 0, 0, 0

    @property
    def total(self) -> int:
        """All bytes."""
        return self.sent + self.received + self.exchanged


class DaskExecutor:
    """Workers of a Dask client.

    client : distributed.Client; moved : Traffic.
    """

    def __init__(self, client: Any) -> None:
        self.client, self.moved = client, Traffic()
        _check_versions(client)

    def map(self, function: Callable, items: Sequence) -> list:
        """Return the results of a picklable function for all items."""
        futures = [self.client.submit(mapped, function, item, _persisted([item]), pure=False) for item in items]
        return [self._result(future, [item]) for future, item in zip(futures, items, strict=True)]

    def reduce(self, function: Callable, items: Sequence, join: Callable) -> Any:
        """Return the joined results of a picklable function for all items, in any order."""
        submit = self.client.submit
        placed, _ = _placed(self.client, items, list(self.workers()))
        size = max(1, min(GROUP, len(items) // len(placed)))
        groups = [own[i : i + size] for own in placed for i in range(0, len(own), size)]
        futures = [submit(reduced_here, function, group, join, _persisted(group), pure=False) for group in groups]
        leaves = list(zip(futures, groups, strict=True))
        while len(futures) > 1:
            rest = futures[len(futures) // 2 * 2 :]
            futures = [submit(join, a, b, pure=False) for a, b in zip(futures[::2], futures[1::2], strict=False)] + rest
        try:
            return self._result(futures[0], items)
        except DataError:
            for future, group in leaves:
                if future.status == "error":  # names fewer parts
                    self._result(future, group)
            raise

    def _result(self, future, items):
        from distributed import KilledWorker  # optional package

        try:
            return future.result()
        except KilledWorker as error:
            raise self._ended(error.last_worker.address, error.last_worker.memory_limit, _names(items)) from error

    def shards(self, parts: Sequence[RowPart], problem: Problem) -> "DaskShards":
        """Distribute the parts over one shard per worker."""
        return DaskShards(self, parts, problem)

    def workers(self) -> dict[str, dict]:
        """Return the information of the scheduler on each worker, by address. Wait for a worker if there is none."""
        until = time.monotonic() + PATIENCE
        while not (found := self.present()):
            if time.monotonic() > until:
                raise DataError("The Dask cluster has no workers. Start workers, then train again.")
            time.sleep(POLL)
        return found

    def present(self) -> dict[str, dict]:
        """Return the information on each worker, without waiting."""
        # Some versions of distributed list only five workers by default.
        return dict(self.client.scheduler_info(n_workers=-1).get("workers", {}))

    @property
    def is_open(self) -> bool:
        """Whether the client can be used."""
        return self.client.status not in ("closing", "closed")

    def check_open(self) -> None:
        """Raise DataError if the client was closed."""
        if not self.is_open:
            raise DataError("The Dask client was closed during training. Keep it open until training ends.")

    @staticmethod
    def _ended(worker, limit, parts):
        return DataError(
            f"Worker {worker} (memory limit {_size(limit)}) ended repeatedly while it processed {parts}. Use "
            "more memory per worker, more workers or smaller parts."
        )


class DaskShards:
    """Shards in the memory of workers, one per worker.

    The shard of a worker that ends moves to another worker, which reads its parts and repeats the calls that lead to
    the present state. Sums are always added in the order of the shards, so that the result does not depend on the
    workers.
    """

    def __init__(self, executor: DaskExecutor, parts: Sequence[RowPart], problem: Problem) -> None:
        self.executor, self.problem = executor, problem
        self._name = uuid.uuid4().hex
        workers = list(executor.workers())
        self._parts, self._at = _placed(executor.client, parts, workers)
        self._calls: list[ShardCall] = []  # the calls that lead to the present state
        self._place = 0
        self._held = [False] * len(self._at)

    def call(self, name: str, *arguments: Any) -> list:
        """Return the results of the method `name` of all shards, or their sum alone."""
        from dask.sizeof import sizeof  # optional package

        self.executor.check_open()
        call, moved = ShardCall(self._place, name, deepcopy(arguments)), self.executor.moved
        size = sizeof(call.arguments)
        moved.calls += 1
        if name in Shard.NEW_STATE:
            self._calls = self._calls[: Shard.NEW_STATE.index(name)]
        if name == "pose":  # only the last one matters
            self._calls = [earlier for earlier in self._calls if earlier.name != "pose"]
        if name == "code":
            self._balance()
            moved.reads += 1
        futures: dict[int, Any] = {}
        ended: Counter = Counter()
        while True:
            for i in set(range(len(self._at))) - set(futures):
                futures[i] = self._submitted(i, call)
                moved.sent += size
            wanted = self._added(futures) if name in Shard.ADDED else list(futures.values())
            found = self._results(futures, wanted, ended)
            if found is not None:
                break
        self._place += 1
        self._held = [True] * len(self._at)
        if name not in Shard.READ_ONLY:
            self._calls = [*self._calls, call]
        moved.exchanged += sum(one.moved for one in found if isinstance(one, PackedSums))
        moved.received += sum(one.n_bytes if isinstance(one, PackedSums) else _bytes(one) for one in found)
        return [one.unpacked() if isinstance(one, PackedSums) else one for one in found]

    def close(self) -> None:
        """Release the rows."""
        if not self.executor.is_open:
            return
        alive = set(self.executor.client.nthreads())
        workers = sorted(alive & set(self._at))
        if workers:
            self.executor.client.run(release, self._name, workers=workers, on_error="ignore")
        self._held = [False] * len(self._at)

    def _submitted(self, i, call):
        origin = None if self._held[i] else Origin(self._parts[i], self.problem, self._calls)
        rows = _persisted(self._parts[i]) if origin is not None or call.name == "code" else []
        return self.executor.client.submit(
            answer, (self._name, i), call, origin, rows, workers=[self._at[i]], pure=False
        )

    def _added(self, futures):
        """Return the futures of the sum of all results, added by pairs of workers if there are many."""
        level, step = dict(futures), 1
        if len(level) < LEAST_TREE:
            return [level[i] for i in sorted(level)]
        while step < len(self._at):
            for i in range(0, len(self._at) - step, 2 * step):
                level[i] = self.executor.client.submit(
                    added, level[i], level[i + step], workers=[self._at[i]], pure=False
                )
            step *= 2
        return [level[0]]

    def _results(self, futures, wanted, ended):
        """Return the results, or None after the removal of those that must be computed again."""
        since = time.monotonic()
        client = self.executor.client
        # A blocking call of the client cannot stop when a worker ends.
        gathered = run_coroutine_threadsafe(client.gather(wanted, asynchronous=True), client.loop.asyncio_loop)
        while True:
            is_done = bool(wait([gathered], POLL).done)
            self.executor.check_open()
            error = gathered.exception() if is_done else None
            if is_done and error is None:
                return gathered.result()
            if self._lost(futures, error, ended):
                gathered.cancel()
                client.cancel([one for one in wanted if one not in futures.values()])
                return None
            self._check_paused(since)

    def _lost(self, futures, error, ended):
        """Return whether results were lost with their worker. Raise all other errors. error : None while waiting."""
        alive = set(self.executor.client.nthreads())
        gone = {i for i in futures if self._at[i] not in alive}
        kinds = {i: type(one.exception()) for i, one in futures.items() if i not in gone and one.status == "error"}
        lost = {i for i, kind in kinds.items() if issubclass(kind, LostShardError)}
        killed = {i for i, kind in kinds.items() if kind.__name__ == "KilledWorker"}
        if not (gone or lost or killed):
            if error is None:
                return False
            raise error
        for i in gone | killed:
            ended[i] += 1
            if ended[i] > MOST_ENDED:
                limit = next((worker["memory_limit"] for worker in self.executor.present().values()), None)
                raise self.executor._ended(self._at[i], limit, _names(self._parts[i])) from error
        self.executor.moved.ended += len({self._at[i] for i in gone})
        for i in gone | lost | killed:
            self._held[i] = False
            del futures[i]
        self._move(sorted(gone))
        return True

    def _move(self, lost):
        """Choose a worker for each of the shards whose worker has ended: a new one, or one with room."""
        began = time.monotonic()
        load = Counter(at for i, at in enumerate(self._at) if i not in lost)
        for i in lost:
            while True:
                workers = self.executor.workers()
                best = min(workers, key=lambda worker: load[worker])
                waited = time.monotonic() - began
                if not load[best] or (waited > GRACE and _has_room(workers[best], load[best])) or waited > PATIENCE:
                    self._at[i] = best
                    load[best] += 1
                    break
                time.sleep(POLL)

    def _balance(self):
        """Move shards from workers with several to new workers, because all rows are read again anyway."""
        workers = self.executor.workers()
        load = Counter({worker: 0 for worker in workers})
        load.update(at for at in self._at if at in workers)
        for i, at in enumerate(self._at):
            best = min(workers, key=lambda worker: load[worker])
            if at not in workers or load[at] > load[best] + 1:
                if at in workers:
                    self.executor.client.run(release, self._name, i, workers=[at], on_error="ignore")
                    load[at] -= 1
                self._at[i], self._held[i] = best, False
                load[best] += 1

    def _check_paused(self, since):
        """Raise DataError if a worker that has a shard stays paused, because it would never answer."""
        if time.monotonic() - since < PATIENCE:
            return
        for address, worker in self.executor.workers().items():
            if worker.get("status") == "paused" and address in self._at:
                used = _size(worker.get("metrics", {}).get("memory"))
                raise DataError(
                    f"Worker {address} paused because it uses {used} of {_size(worker.get('memory_limit'))} of "
                    "memory. Use more memory per worker, more workers or smaller parts."
                )


def current_executor() -> DaskExecutor | None:
    """Return a `DaskExecutor` of the current Dask client, or None if there is no client."""
    import distributed  # slow import

    try:
        client = distributed.Client.current()
    except ValueError:
        return None
    return DaskExecutor(client)


def _placed(client, items, workers):
    """Return (items of each worker, their addresses) for parts, or tuples of a number and a part.

    Parts stay at the worker that holds their persisted results. Others take turns.
    """
    groups: dict[str, list] = {worker: [] for worker in workers}
    others = []
    persisted = _persisted(items)
    while not all(future.done() for future in persisted):
        time.sleep(POLL)
    holders = client.who_has(persisted) if persisted else {}
    for item in items:
        at = [holder for future in _persisted([item]) for holder in holders.get(future.key) or () if holder in groups]
        (groups[at[0]] if at else others).append(item)
    for item in others:
        min(groups.values(), key=len).append(item)
    used = [worker for worker in workers if groups[worker]]
    return [groups[worker] for worker in used], used


def _persisted(items):
    """Return the persisted results, futures, that some parts need."""
    parts = [item[1] if isinstance(item, tuple) and len(item) == 2 else item for item in items]
    return [future for part in parts if isinstance(part, DaskPart) for future in part.futures()]


def _check_versions(client):
    """Raise DataError if a worker has another version of treecore."""

    def version():  # pickled by value, because the worker may lack this module
        try:
            import_module("treecore.training.partitions.cluster.remote_shard")
            return f"treecore {import_module('treecore.version').VERSION}"
        except ImportError as error:
            return str(error)

    for worker, found in client.run(version, on_error="return").items():
        if isinstance(found, str) and found != f"treecore {VERSION}":
            raise DataError(
                f"Worker {worker} has {found}, but this process has treecore {VERSION}. Install the same version "
                "on all workers."
            )


def _has_room(worker, n_shards):
    """Return whether one more shard fits, if it takes as much memory as each of those that are there."""
    limit, used = worker.get("memory_limit"), worker.get("metrics", {}).get("memory", 0)
    return not limit or not n_shards or used * (n_shards + 1) / n_shards <= ROOM * limit


def _names(parts):
    """Return the names of some parts for a message."""
    names = [getattr(part[1] if isinstance(part, tuple) else part, "name", str(part)) for part in parts]
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more parts"


def _bytes(found):
    return sum(map(_bytes, found)) if isinstance(found, tuple | list) else getattr(found, "nbytes", 8)


def _size(n_bytes):
    return f"{n_bytes / 1e9:.1f} GB" if n_bytes else "unknown"
