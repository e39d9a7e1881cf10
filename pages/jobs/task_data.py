"""`task_data`: the data set of a job or a page, somebody's own or one of the catalogue."""

import threading
from collections import OrderedDict
from collections.abc import Iterable

import sample_data
from pages.jobs import user_store
from pages.jobs.settings import JobSettings
from sample_data import DataSet

MOST, MOST_BYTES = 6, 1_000_000_000  # data sets in memory, and what they may take together


class LoadedData:
    """Data sets by name, the same object for all who ask, as long as it is among the last that were asked for.

    How it is called raises TreecoreError where there is no such data set.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loaded: OrderedDict[str, DataSet] = OrderedDict()

    def __call__(self, name: str) -> DataSet:
        if user_store.is_own(name) and not user_store.use(name):
            self.clear([name])  # deleted since it was loaded
        with self._lock:
            data = self._loaded.get(name)
        if data is None:
            data = user_store.load(name) if user_store.is_own(name) else sample_data.load(name)
        with self._lock:
            data = self._loaded.setdefault(name, data)
            self._loaded.move_to_end(name)
            held = self._loaded
            while len(held) > MOST or (len(held) > 1 and sum(one.X.nbytes for one in held.values()) > MOST_BYTES):
                held.popitem(last=False)
        return data

    def __contains__(self, name: object) -> bool:
        return name in self._loaded

    def clear(self, names: Iterable[str] | None = None) -> None:
        """Let go of data sets, or of all of them."""
        with self._lock:
            for name in list(self._loaded) if names is None else names:
                self._loaded.pop(name, None)


task_data = LoadedData()


def data_name(settings: JobSettings) -> str:
    """Name of the data set that settings of any kind are about."""
    return settings.path.data_set if settings.kind in ("tree", "improvement", "folds") else settings.data_set
