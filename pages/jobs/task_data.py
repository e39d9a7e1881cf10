"""`task_data`: the data set of a job, somebody's own or one of the catalogue."""

from functools import lru_cache

import sample_data
from pages.jobs import user_store


@lru_cache(maxsize=6)
def task_data(name):
    """DataSet by name, the same object for all who ask. Raises TreecoreError."""
    return user_store.load(name) if user_store.is_own(name) else sample_data.load(name)


def data_name(settings):
    """Name of the data set that settings of any kind are about."""
    return settings.path.data_set if settings.kind == "tree" else settings.data_set
