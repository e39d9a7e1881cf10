"""What a worker tells while it trains."""

import threading
from collections import OrderedDict
from types import SimpleNamespace

import numpy as np

from pages.jobs import training_worker
from pages.jobs.training_worker import TrainingWorker
from pages.ui.session import training
from treecore.tree.quantity import Quantity


def test_progress_tells_the_error_in_the_unit_of_the_numbers(monkeypatch):
    monkeypatch.setattr(training_worker, "PROGRESS", -1.0)
    told = []
    worker = TrainingWorker()
    worker._worker = SimpleNamespace(log_event=lambda topic, news: told.append(news["news"]))
    target = Quantity.of(np.array([0.0, 20.0]))
    tell = worker._reporter({"topic": "words", "job": "a"}, SimpleNamespace(data=SimpleNamespace(target=target)))
    tell(SimpleNamespace(iteration=1, depth=2, error=25.0))  # a mean of squares
    assert told == [{"iteration": 1, "depth": 2, "training_error": "5"}]


def test_a_piece_that_begins_while_the_engine_is_loaded_says_so():
    told = []
    worker = TrainingWorker()
    worker._worker = SimpleNamespace(log_event=lambda topic, news: told.append((topic, news["job"], news["news"])))
    worker._lock, worker._tasks = threading.Lock(), OrderedDict()
    worker._take_task = lambda call, data: SimpleNamespace(results=lambda given: [], is_whole=False)
    for is_loading in (True, False):
        worker._warming = SimpleNamespace(is_alive=lambda is_loading=is_loading: is_loading)
        worker._results({"topic": "words", "job": "a", "arguments": {}}, None, [])
    assert told == [("words", "a", {"is_loading": True})]
    status = {"state": "running", "waiting": 0, "wait": None}
    assert "compiled" in training._text(status | told[0][2], 0, 30)
    assert "compiled" not in training._text(status, 0, 30)
