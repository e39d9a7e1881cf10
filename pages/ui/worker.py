"""Process that trains paths, one after another: reads job folders from standard input, writes files into them.

It has its engine loaded and warm before the first job comes. It ends with its standard input, or when the app does.
"""

import os
import sys
import time
from pathlib import Path

import sample_data
from pages.ui import job_files
from treecore import TAOClassifier, TreecoreError, regularization_path
from treecore.metrics import error_rate
from treecore.warm_up import warm_up

PROGRESS_INTERVAL = 0.1  # seconds


def main():
    """Serve jobs until standard input ends."""
    os.nice(5)
    warm_up()
    for line in sys.stdin:
        folder = Path(line.rstrip("\n"))
        request = job_files.read_json(folder / job_files.REQUEST)
        if request is not None:
            _Job(folder, request).run()


class _Job:
    def __init__(self, folder, request):
        self.folder, self.request = folder, request
        self.began = self.written = time.time()
        self.parent = os.getppid()
        self.status = {"state": "running", "done": 0, "total": request["n_lambdas"], "recent": []}

    def run(self):
        self._write()
        try:
            self._train()
        except TreecoreError as error:
            self.status |= {"state": "failed", "message": str(error)}
        else:
            self.status["state"] = "cancelled" if self._cancelled() else "done"
        self._write()

    def _train(self):
        request = self.request
        data = sample_data.load(request["data_set"])
        train, validation, test = sample_data.split_rows(data, request["seed"])
        labels = data.labels()
        self.test = data.X[test], labels[test]
        self.n_validation = int(validation.size)
        estimator = TAOClassifier(
            split=request["split"], init=request["init"], max_depth=request["max_depth"],
            node_solver=request["node_solver"], surrogate=request["surrogate"],
            bivariate_cost=float(request["bivariate_cost"]),
            scale="minmax" if data.image_shape else "standard", random_state=request["seed"], callback=self._on_step,
        )  # fmt: skip
        validating = {"X_val": data.X[validation], "y_val": labels[validation]} if validation.size else {}
        regularization_path(
            estimator, data.X[train], labels[train], request["n_lambdas"], on_point=self._on_point, **validating
        )

    def _on_step(self, step):
        now = time.time()
        if now - self.written > PROGRESS_INTERVAL:
            self.status |= {"iteration": step.iteration, "depth": step.depth, "training_error": step.error}
            self._write()
        return self._cancelled()

    def _on_point(self, point):
        record = {name: value for name, value in asdict_shallow(point).items() if name != "tree"}
        X, y = self.test
        record["test_error"] = error_rate(point.tree, X, y) if len(y) else None
        record["n_validation"] = self.n_validation
        record["tree"] = point.tree.to_json()
        job_files.write_json(job_files.point_path(self.folder, point.index), record)
        error = point.train_error if point.validation_error is None else point.validation_error
        self.status |= {
            "done": point.index + 1, "total": point.total, "lam": point.lam, "error": error,
            "recent": [*self.status["recent"], point.seconds][-3:],
        }  # fmt: skip
        self._write()
        return self._cancelled()

    def _cancelled(self):
        return (self.folder / job_files.CANCEL).exists() or os.getppid() != self.parent

    def _write(self):
        self.written = time.time()
        job_files.write_json(self.folder / job_files.PROGRESS, self.status | {"seconds": self.written - self.began})


def asdict_shallow(record):
    """Fields of a dataclass by name, values as they are."""
    return {name: getattr(record, name) for name in record.__dataclass_fields__}


if __name__ == "__main__":
    main()
