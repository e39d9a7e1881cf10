"""What a worker tells while it trains."""

from types import SimpleNamespace

import numpy as np

from pages.jobs import training_worker
from pages.jobs.training_worker import TrainingWorker
from treecore.tree.quantity import Quantity


def test_progress_tells_the_error_in_the_unit_of_the_numbers(monkeypatch):
    monkeypatch.setattr(training_worker, "PROGRESS", -1.0)
    told = []
    worker = TrainingWorker()
    worker._worker = SimpleNamespace(log_event=lambda topic, news: told.append(news["news"]))
    target = Quantity.of(np.array([0.0, 20.0]))
    tell = worker._teller({"topic": "words", "job": "a"}, SimpleNamespace(data=SimpleNamespace(target=target)))
    tell(SimpleNamespace(iteration=1, depth=2, error=25.0))  # a mean of squares
    assert told == [{"iteration": 1, "depth": 2, "training_error": "5"}]
