"""Test the messages of a worker while it trains."""

import threading
from types import SimpleNamespace

import numpy as np
import pytest

from pages.jobs import training_worker
from pages.jobs.kinds.tasks import TASKS
from pages.jobs.training_worker import TrainingWorker
from pages.ui.session import training
from tests.waiting import wait_until
from treecore.tree.quantity import Quantity

CALL = {
    "job": "a",
    "piece": "a 0",
    "kind": "steps",
    "request": None,
    "arguments": {},
    "topic": "words",
    "is_long": False,
}


class Steps:
    """A task that takes one step and has no result."""

    is_whole = False

    def __init__(self, request, data):
        self.data = data

    def results(self, given):
        self.on_step(SimpleNamespace(iteration=1, depth=2, error=25.0))  # a mean squared error
        return []


@pytest.fixture
def worker(monkeypatch):
    """Return (worker, `is_warm`, [(topic, job, news) of its messages]).

    The worker's engine counts as loaded once `is_warm` is set.
    """
    is_warm, messages = threading.Event(), []
    monkeypatch.setitem(TASKS, "steps", Steps)
    monkeypatch.setattr(training_worker, "_warm_up", lambda: is_warm.wait(60))
    worker = TrainingWorker()
    worker.setup(SimpleNamespace(log_event=lambda topic, news: messages.append((topic, news["job"], news["news"]))))
    yield worker, is_warm, messages
    is_warm.set()


def test_progress_tells_the_error_in_the_unit_of_the_numbers(worker, monkeypatch):
    worker, _, messages = worker
    monkeypatch.setattr(training_worker, "PROGRESS", -1.0)
    worker.train(CALL, SimpleNamespace(target=Quantity.of(np.array([0.0, 20.0]))))
    assert messages[-1] == ("words", "a", {"iteration": 1, "depth": 2, "training_error": "5"})


def test_a_piece_that_begins_while_the_engine_loads_is_marked(worker):
    worker, is_warm, messages = worker
    worker.train(CALL, None)
    is_warm.set()
    wait_until(lambda: not [thread for thread in threading.enumerate() if thread.name == "warm up"])
    worker.train(CALL, None)
    assert messages == [("words", "a", {"is_loading": True})]
    status = {"state": "running", "waiting": 0, "wait": None}
    assert training.progress_text(status | messages[0][2], 0, 30) == training.LOADING
    assert training.progress_text(status, 0, 30) != training.LOADING
