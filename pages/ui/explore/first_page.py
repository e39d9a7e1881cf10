"""Load the first page while the server starts and a browser opens, and load the other pages later."""

import gc
import threading
import time
from importlib import import_module

from pages.ui.shell.computed import once

NEEDED = ("streamlit.emojis", "pages.ui.frame", "pages.ui.explore.path_panel")
LATER = (
    "pages.ui.rules.rules_panel",
    "pages.ui.explain.explain_panel",
    "pages.ui.predict.predict_panel",
    "pages.ui.edit.edit_panel",
    "pages.ui.data.data_panel",
    "pages.ui.compare.compare_panel",
    "pages.ui.learn.learn_panel",
    "pages.ui.learn.lessons_panel",
)
PAUSE = 5.0  # seconds in which only the first page loads


@once
def first_page() -> threading.Event:
    """Return an event that is set when pages may run. An earlier run would only slow down the loading."""
    may_run = threading.Event()
    threading.Thread(target=_load, args=(may_run,), name="first page", daemon=True).start()
    return may_run


def _load(may_run: threading.Event) -> None:
    gc.disable()
    try:
        for name in NEEDED:
            import_module(name)
        make_content()
    finally:
        gc.enable()
        may_run.set()
    time.sleep(PAUSE)
    for name in LATER:
        import_module(name)
    gc.collect()
    gc.freeze()  # afterwards the collector skips the imported objects in every rerun


def make_content() -> None:
    """Make the content of the stage for a visitor without a link. This path needs no training."""
    from pages.jobs import ready_path  # slow imports
    from pages.jobs.settings import FIRST
    from pages.jobs.task_data import task_data
    from pages.ui.session import data_sets
    from pages.ui.shell import stage
    from pages.ui.shell.manager import manager
    from pages.ui.shell.served_files import DATA, served_files

    settings = FIRST.path()
    data = task_data(settings.data_set)
    if ready_path.points(settings, data.fingerprint):
        path = manager().submit(settings, data.fingerprint)
        manager().wait(path)
        points = manager().points(path)
        rows = data_sets.rows(data.name, settings.seed, settings.rows)
        if points:  # on a busy machine, the other thread may not have read the points yet
            content = stage.payload(f"{path}-{len(points)}", True, points, data, rows)
            files = served_files()
            files.set_first(*stage.serve_code(), files.put(content, DATA))
