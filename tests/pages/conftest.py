"""Run the app in this process, with workers in threads and a separate jobs folder."""

import re
import sys
import time
from functools import cache
from html import unescape
from pathlib import Path

import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest

from pages.ui.shell.manager import manager
from tests.pages.jobs.thread_executor import ThreadExecutor

# keys of the menus and expanders whose controls are drawn only while they are open
MENUS = (
    "more-settings", "advanced-settings", "rules-more", "own-data", "more-of-comparison", "more-of-learn", "last-tree",
)  # fmt: skip
APP = str(Path(__file__).resolve().parents[2] / "app.py")


@pytest.fixture(scope="session", autouse=True)
def jobs_folder(tmp_path_factory):
    """Return the folder of all jobs of this test process.

    The pieces of a job run in a thread, because starting a cluster takes more CPU time than all of them together.
    """
    folder = tmp_path_factory.mktemp("jobs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TAO_JOBS", str(folder))
        patch.setattr("pages.ui.shell.manager.JobExecutor", lambda *cluster: ThreadExecutor(1))
        patch.setenv("TAO_FOLDS", "1")  # cross-validating every path that a test opens would take most of the time
        st.cache_resource.clear()
        yield folder
        manager().close()
        st.cache_resource.clear()


@pytest.fixture(scope="session", autouse=True)
def installed_once():
    """Read the descriptions of installed packages once.

    AppTest would read them each time, which takes longer than most pages.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield


@pytest.fixture(autouse=True)
def same_main():
    """Restore the main module, which AppTest replaces by its script. Later processes would run that script."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main


@pytest.fixture
def open_app():
    """Return a function that opens a page of the app (home, or a file) with URL parameters and runs it once.

    The menus of the page are open.
    """

    def open_app(page=None, **query):
        app = open_menus(AppTest.from_file(APP, default_timeout=60))
        if page is not None:
            app.switch_page(page)
        for name, value in query.items():
            app.query_params[name] = value
        return app.run()

    return open_app


def open_menus(app):
    """Open the menus of a page, which close when the visitor leaves it."""
    for key in MENUS:
        app.session_state[key] = True
    return app


def wait_for_path(app, seconds=300):
    """Run the app repeatedly until its path is trained and the Save menu exists."""
    end = time.monotonic() + seconds
    while not _has_save_menu(app) and not app.error and time.monotonic() < end:
        wait_for_jobs()
        app.run()
    assert not app.exception
    return app


def about_page(app):
    """Return the text next to the title of a page, or "" while the tree is trained."""
    found = [re.search("page-title.*<p[^>]*>(.*)</p>", one.proto.body) for one in app.get("html")]
    return next((unescape(one[1]) for one in found if one), "")


def _has_save_menu(app):
    return any(one.proto.popover.label == "Save" for one in app.get("popover"))


def wait_for_jobs(seconds=3):
    """Wait some seconds for the jobs of the app. Running the app meanwhile would take the CPU that they need."""
    end = time.monotonic() + seconds
    time.sleep(0.2)  # the page's first reading is not a job
    while time.monotonic() < end and any(manager().counts()[state] for state in ("queued", "running")):
        time.sleep(0.05)
