"""Load the data set of a job or a page, from the catalogue or from uploads."""

import threading
from collections import OrderedDict
from collections.abc import Iterable

import sample_data
from pages.jobs import user_store
from pages.jobs.settings import JobSettings
from sample_data import DataSet

MOST, MOST_BYTES = 6, 1_000_000_000  # maximum number and maximum total bytes of the data sets in memory


class LoadedData:
    """Recently used data sets by name. All callers share the same objects.

    Call it with a name. Raises TreecoreError if the data set does not exist.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loaded: OrderedDict[str, DataSet] = OrderedDict()

    def __call__(self, name: str) -> DataSet:
        if user_store.is_own(name) and not user_store.use(name):
            self.clear([name])  # the data set was deleted after it was loaded
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
        """Release the named data sets, or all if `names` is None."""
        with self._lock:
            for name in list(self._loaded) if names is None else names:
                self._loaded.pop(name, None)


task_data = LoadedData()


_WITH_PATH = (
    "tree",
    "improvement",
    "folds",
    "alternatives",
    "gap",
    "all_rows",
    "sample_curve",
)  # kinds whose settings contain those of a path


def data_name(settings: JobSettings) -> str:
    """Return the name of the data set in settings of any kind."""
    return settings.path.data_set if settings.kind in _WITH_PATH else settings.data_set
