"""The app in this process, with its real workers, on a jobs folder of its own."""

import sys
import time
from functools import cache
from pathlib import Path

import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from pages.ui.shell.manager import manager

APP = str(Path(__file__).resolve().parents[2] / "app.py")


@pytest.fixture(scope="session", autouse=True)
def jobs_folder(tmp_path_factory):
    """Folder of all jobs of this test process; the workers end with the tests."""
    folder = tmp_path_factory.mktemp("jobs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TAO_JOBS", str(folder))
        patch.setenv("TAO_WORKERS", "1")
        patch.setenv("TAO_FOLDS", "1")  # five folds behind every path that a test opens are most of its work
        st.cache_resource.clear()
        yield folder
        manager().close()
        st.cache_resource.clear()


@pytest.fixture(scope="session", autouse=True)
def installed_once():
    """Every AppTest reads the descriptions of all installed packages, which takes longer than most pages do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield


@pytest.fixture(autouse=True)
def same_main():
    """AppTest puts its script in the place of the main module; processes that are started later would run that."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main


@pytest.fixture
def open_app():
    """Function that opens a page of the app (its home, or a file) with URL parameters and runs it once."""

    def open_app(page=None, **query):
        app = AppTest.from_file(APP, default_timeout=60)
        if page is not None:
            app.switch_page(page)
        for name, value in query.items():
            app.query_params[name] = value
        return app.run()

    return open_app


def wait_for_path(app, seconds=300):
    """Run the app again and again until its path is trained; then there is a menu of files."""
    end = time.monotonic() + seconds
    while not app.get("popover") and not app.error and time.monotonic() < end:
        wait_for_jobs()
        app.run()
    assert not app.exception
    return app


def wait_for_jobs(seconds=3):
    """Wait until the jobs of the app are done, for a while: to run the app meanwhile takes the CPU that they need."""
    end = time.monotonic() + seconds
    time.sleep(0.2)  # what a page reads first is not a job
    while time.monotonic() < end and any(manager().counts()[state] for state in ("queued", "running")):
        time.sleep(0.05)
