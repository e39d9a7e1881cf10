"""Test that a new server survives fifty visitors who open all its pages at once."""

import asyncio
import os
import signal

import pytest
from websockets.exceptions import WebSocketException

from benchmarks.load import PAGES, Visitor
from tests.browser.conftest import start_server

STARTS = int(os.environ.get("TAO_STARTS", "10"))  # use fewer for a short run
VISITORS = 50
SIGNS = ("Traceback", "Fatal Python error", "FT_", "corrupted", "double free", "Segmentation fault")
ENDED_BY_REQUEST = (0, 1, -signal.SIGINT, 128 + signal.SIGINT)  # 1 is the exit code of Streamlit's "Aborted!"


async def walk(url, number):
    """Open all pages in turn as one visitor, and return the list of faults."""
    wrong = []
    for step in range(len(PAGES)):
        page = PAGES[(number + step) % len(PAGES)]
        try:
            async with Visitor(url, page, "", reads_all=True) as visitor:
                await visitor.run()
            wrong += [f"/{page}: {alert}" for alert in visitor.alerts]
        except RuntimeError as error:
            wrong.append(str(error))
        except (OSError, WebSocketException) as error:
            wrong.append(f"/{page}: the connection broke: {error!r}")
            return wrong
    return wrong


async def walk_all(url):
    """Let all visitors arrive together, and return the list of faults."""
    return sum(await asyncio.gather(*(walk(url, number) for number in range(VISITORS))), [])


@pytest.mark.long
@pytest.mark.parametrize("start", range(STARTS))
def test_fifty_visitors_open_all_pages_of_a_fresh_server(start, tmp_path):
    process, url = start_server(tmp_path, environment={"PYTHONFAULTHANDLER": "1"})
    try:
        wrong = asyncio.run(walk_all(url))
        died = process.poll()
    finally:
        process.terminate()
        code = process.wait(timeout=60)
    log = (tmp_path / "server.log").read_text(errors="replace")
    assert died is None, f"the server died with {died}: {log[-3000:]}"
    assert wrong == []
    assert not [sign for sign in SIGNS if sign in log], log[-3000:]
    assert code in ENDED_BY_REQUEST
