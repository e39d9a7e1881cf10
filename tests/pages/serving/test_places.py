import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from pages.serving import places
from pages.serving.places import OF_TAB, SPARE, Places, n_descriptors
from pages.serving.seldom_log import SeldomLog
from tests.refusals import is_said

ROOT = Path(__file__).resolve().parents[3]


def test_visitors_are_refused_before_descriptors_run_out(monkeypatch, caplog):
    monkeypatch.setattr(places, "_log", SeldomLog("test"))
    there = Places(300, 300, lambda: (20 + OF_TAB * there.n_open, 1024))
    n_tabs = 0
    while there.refusal("192.0.2.1") is None:
        there.take("192.0.2.1")
        n_tabs += 1
    assert 20 + OF_TAB * n_tabs + SPARE <= 1024 < 20 + OF_TAB * (n_tabs + 1) + SPARE
    assert is_said(
        there.refusal("192.0.2.1"),
        f"This server has too few file descriptors for more than the {n_tabs} open sessions.",
    )
    assert f"The limit of {1024:,} open files (ulimit -n) is reached. Raise it for more visitors." in [
        record.getMessage() for record in caplog.records
    ]
    there.leave("192.0.2.1")
    assert there.refusal("192.0.2.1") is None


def test_tabs_that_wait_for_their_session_count_with_its_descriptors():
    there = Places(300, 300, lambda: (1024 - SPARE - OF_TAB, 1024))
    assert there.refusal(None) is None
    there.n_waiting = 1
    assert there.refusal(None) is not None


def test_garbage_is_collected_before_a_visitor_is_refused(monkeypatch):
    now, n_open, n_collected = [0.0], [1000], []

    def collect():
        n_collected.append(now[0])
        n_open[0] = 100 if len(n_collected) == 1 else 1000

    monkeypatch.setattr(places.gc, "collect", collect)
    there = Places(descriptors=lambda: (n_open[0], 1024), clock=lambda: now[0])
    assert there.refusal(None) is None
    n_open[0] = 1000
    for _ in range(5):
        assert there.refusal(None) is not None
    now[0] = 60.0
    assert there.refusal(None) is not None
    assert n_collected == [0.0, 60.0]


def test_the_number_of_open_files_is_right():
    n_open, most = n_descriptors()
    assert most == resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    files = [os.open(os.devnull, os.O_RDONLY) for _ in range(7)]
    assert n_descriptors()[0] == n_open + 7
    for one in files:
        os.close(one)


@pytest.mark.parametrize(("soft", "hard"), [(64, 512), (64, 64), (512, 512)])
def test_the_limit_is_raised_as_far_as_the_system_permits(soft, hard):
    code = (
        "import resource, sys; from pages.serving.places import n_descriptors, raise_limit\n"
        f"resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard})); raise_limit()\n"
        "sys.stdout.write(f'{n_descriptors()[1]}')"
    )
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout == f"{hard}"
