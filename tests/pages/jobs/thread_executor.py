"""Run pieces of jobs in threads of this process, and simulate every fault of a cluster."""

import threading
from types import SimpleNamespace
from unittest import mock

from pages.jobs import training_worker
from pages.jobs.job_executor import Outcome
from pages.jobs.training_worker import TrainingWorker


class ThreadExecutor:
    """Like `JobExecutor`, but with threads.

    n_slots : number of threads. hold() stops pieces from ending until release().
    """

    def __init__(self, n_slots=2):
        self._slots = [f"thread#{k}" for k in range(n_slots)]
        self._workers, self._open, self._pieces, self.ended = {}, {}, {}, []
        self.begun = []  # (slot, call) of every piece
        self.n_slots, self.n_deaths, self.n_restarts = n_slots, 0, 0
        self.free = threading.Event()
        self.free.set()
        self.on_change = self.on_progress = lambda *news: None
        for slot in self._slots:
            self._start(slot)

    def _start(self, slot):
        worker = TrainingWorker()
        with mock.patch.object(training_worker, "_warm_up"):  # all threads share one engine
            worker.setup(SimpleNamespace(log_event=lambda topic, told: self.on_progress(told["job"], told["news"])))
        self._workers[slot] = worker

    def slots(self):
        return list(self._slots)

    def begin(self, slot, call, data_key, load, on_end):
        self._open[slot] = on_end
        self._pieces[slot] = f"{slot} {len(self.begun)}"
        self.begun.append((slot, call))
        call = call | {"piece": self._pieces[slot], "topic": ""}
        threading.Thread(target=self._run, args=(slot, call, load, on_end), daemon=True).start()

    def _run(self, slot, call, load, on_end):
        self.free.wait(60)
        try:
            outcome = Outcome(self._workers[slot].train(call, load()))
        except Exception as error:
            outcome = Outcome(error=repr(error))
        if self._open.get(slot) is on_end:  # the piece has not ended in the meantime
            del self._open[slot]
            on_end(outcome)

    def stop(self, slot):
        self._workers[slot].stop(self._pieces[slot])

    def end(self, slot):
        """End a slot as if its process was killed."""
        self.ended.append(slot)
        on_end = self._open.pop(slot, None)
        self.stop(slot)  # leaves no thread at the end
        self._start(slot)
        if on_end is not None:
            on_end(Outcome(lost=True, fatal=True))

    def drop_data(self, names):
        pass

    def close(self):
        self.free.set()
