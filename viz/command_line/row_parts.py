"""Training on rows that do not fit in memory: files that are read in parts, with progress and a stop by Ctrl-C."""

from __future__ import annotations

import argparse
import glob
import hashlib
import os
import re
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from treecore.errors import ParameterError
from treecore.messages import counted, literals
from treecore.node_solvers import SPLITS
from treecore.tables.table_columns import TableColumn, TableColumns, category_text
from treecore.training.estimators import TAOClassifier, TAORegressor
from treecore.training.partitions.sources.file_source import FileSource, column_names, listed
from treecore.training.partitions.sources.row_source import PartRows, RowPart, RowSource, SubsetSource
from treecore.training.partitions.sources.sources import with_names
from treecore.tree.metrics import row_losses, training_error, tree_metrics
from treecore.tree.tree import Tree
from viz.command_line import training
from viz.command_line.files import MOST_BYTES, is_there, progress, tell
from viz.command_line.training_data import PARTS, TrainingData, no_column

UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}
FILES = (".parquet", ".arrow", ".feather")
NEED_TABLE = ("type", "split_column", "group", "time", "read")  # options that need all rows at once
SAMPLED_PARTS, SAMPLED_ROWS = 8, 100  # parts, and rows of each, from which the model keeps a sample


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the option --memory."""
    parser.add_argument("--memory", metavar="SIZE", type=memory_size,
                        help="largest memory for the rows, such as 2GB or 50%%: the file is read in parts. A folder or "
                        "pattern of Parquet or Arrow files is always read in parts")  # fmt: skip


def memory_size(text: str) -> int:
    """Return a number of bytes from a text such as "2GB", "500 MB", "2000000000" or "50%"."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(?:([kmgt]?)(?:i?b)?|(%))\s*", text.lower())
    size = float(found[1]) if found else 0.0
    if found and found[3]:
        size *= _memory() / 100 if size <= 100 else 0.0
    elif found:
        size *= UNITS[found[2]]
    if size < 1:
        raise argparse.ArgumentTypeError(f"{text!r:.40}: expected a size such as 2GB, 500MB or 50%")
    return int(size)


def _memory() -> int:
    """Return the bytes of memory of this machine."""
    if hasattr(os, "sysconf"):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        import psutil  # missing in an installation without the app
    except ModuleNotFoundError:
        raise argparse.ArgumentTypeError(
            "a share of the memory needs the package psutil. Install it, or pass a size such as 2GB"
        ) from None
    return psutil.virtual_memory().total


def is_in_parts(options: argparse.Namespace) -> bool:
    """Return whether the rows are read in parts: with --memory, and for folders, patterns and large files."""
    name = options.data
    if options.memory is not None or (is_there(name) and Path(name).is_dir()):
        return True
    if not is_there(name):
        return bool(glob.has_magic(name))
    return name.lower().endswith(FILES) and Path(name).stat().st_size > MOST_BYTES


@dataclass(eq=False)
class RowParts:
    """Rows of files. sources : dict from "train", "validation" and "test" to the sources of these rows."""

    sources: dict[str, RowSource]
    target: str
    progress: Progress

    @classmethod
    def of(cls, options: argparse.Namespace) -> RowParts:
        """Return the rows that the options describe. Raise TreecoreError if the options do not fit the files."""
        given = [name for name in NEED_TABLE if getattr(options, name)]
        if given:
            raise ParameterError(needs_memory(f"--{given[0].replace('_', '-')}"))
        names = column_names(options.data)
        if options.target is None:
            raise ParameterError(f"Pass the column to predict with --target. The columns are {literals(names, 12)}.")
        for name in (options.target, *options.ignore):
            if name not in names:
                raise ParameterError(no_column(name, names))
        features = [name for name in names if name not in (options.target, *options.ignore)]
        source = FileSource(options.data, options.target, None, features, options.memory)
        edges = (0.0, options.test, options.test + options.validation)
        if min(options.test, options.validation) < 0 or edges[2] >= 1:
            raise ParameterError("--validation and --test: expected shares >= 0 whose sum is below 1.")
        shares = {"train": (edges[2], 1.0), "validation": edges[1:], "test": edges[:2]}
        watched = Progress(len(source.parts()))
        tell(
            f"data: {counted(sum(part.n_rows for part in source.parts()), 'row')} in {counted(watched.n_parts, 'part')}"
        )
        return cls(
            {name: _Watched(SubsetSource(source, options.seed, [share]), watched) for name, share in shares.items()},
            options.target,
            watched,
        )

    def estimator(self, options: argparse.Namespace, lam: float | None) -> TAOClassifier | TAORegressor:
        """Return an unfitted estimator. lam : lambda, or None for the default."""
        chosen: dict[str, Any] = {name: getattr(options, name, None) for name in training.OPTIONS}
        chosen = {"split": "univariate"} | {name: value for name, value in chosen.items() if value is not None}
        split = SPLITS[chosen["split"]]
        usual: dict[str, Any] = {
            "init": split.usual_init,
            "missing": "learn" if split.takes_missing else "error",
            "n_jobs": -1,
        }
        chosen = usual | chosen
        kind = TAORegressor if options.regression else TAOClassifier
        return kind(lam="auto" if lam is None else lam, random_state=options.seed, **chosen)

    def figures(self, tree: Tree, fitted: Any) -> dict:
        """Return the errors on the three sets, and the sizes of the tree."""
        found: dict[str, Any] = {"train_error": training_error(tree), "n_train": int(tree.n_samples[0])}
        for name in PARTS[1:]:
            total, n = 0.0, 0
            for X, y in self._rows(name, fitted):
                total, n = total + float(row_losses(tree, X, y).sum()), n + len(y)
            found |= {f"{name}_error": tree.target.error(total / n) if n else None, f"n_{name}": n}
        return found | tree_metrics(tree)._asdict()

    def training_data(self, options: argparse.Namespace, fitted: Any) -> TrainingData:
        """Return a sample of the training rows, in the form that models are saved from."""
        encoder = fitted.encoder_
        names = [str(name) for name in fitted.feature_names_in_]
        kinds = [None] * len(names) if encoder.columns is None else encoder.columns
        columns = TableColumns(tuple(
            TableColumn(name, "ordered", encoder.levels[i]) if i in encoder.levels
            else TableColumn(name) if texts is None else TableColumn(name, "category", tuple(texts))
            for i, (name, texts) in enumerate(zip(names, kinds, strict=True))
        ))  # fmt: skip
        classes = getattr(fitted, "classes_", np.empty(0))
        rng, X, y = np.random.default_rng(options.seed), [], []
        for own, labels in self._rows("train", fitted, SAMPLED_PARTS):
            rows = rng.choice(len(labels), min(SAMPLED_ROWS, len(labels)), replace=False)
            X.append(np.asarray(own[rows], np.float64))
            y.append(np.searchsorted(classes, labels[rows]) if classes.size else labels[rows].astype(np.float64))
        files = [(Path(path).name, Path(path).stat().st_size) for path, *_ in listed(options.data)]
        digest = hashlib.sha256(repr([files, self.target]).encode()).hexdigest()
        title = Path(options.data).name
        data = SampledRows(
            title, title, np.concatenate(X), np.concatenate(y), columns.feature_names(), columns, digest,
            tuple(map(category_text, classes.tolist())),
        )  # fmt: skip
        return TrainingData(data, self.target, data.y, {"train": np.arange(len(data.y))})

    def _rows(self, name, fitted, most=None) -> Iterator[tuple]:
        """Yield (features, targets) of the parts of a set. most : number of parts, None for all."""
        source = self.sources[name]
        parts = source.parts()
        if most is not None and len(parts) > most:
            parts = [parts[i] for i in np.linspace(0, len(parts) - 1, most).astype(int)]
        for part in parts:
            X, y, _ = part.read()
            if len(y):
                X = with_names(X, part.name, source.feature_names, fitted.feature_names_in_)
                yield fitted.encoder_.transform(fitted, X), np.asarray(y)


@dataclass(frozen=True, eq=False)
class SampledRows:
    """Some rows of files, as a DataSet."""

    name: str
    title: str
    X: np.ndarray
    y: np.ndarray
    feature_names: tuple
    columns: TableColumns
    fingerprint: str
    class_names: tuple
    image_shape: None = None


class Progress:
    """Progress lines on standard error, and a stop by Ctrl-C that keeps the tree. n_parts : number of parts."""

    def __init__(self, n_parts: int) -> None:
        self.n_parts, self.is_stopped, self._has_tree = n_parts, False, False
        self._lock, self._began, self._n_read = threading.Lock(), time.monotonic(), 0
        self._pass, self._pass_began = 0, 0.0

    def read(self) -> None:
        """Report that a part has been read."""
        with self._lock:
            place = self._n_read % self.n_parts
            if place == 0:
                self._began = time.monotonic()
            self._n_read += 1
            left = (time.monotonic() - self._began) / (place + 1) * (self.n_parts - place - 1)
            progress(f"reading part {place + 1:,} of {self.n_parts:,}, {_duration(left)} left")

    def callback(self, max_iter: int) -> Callable:
        """Return the callback of an estimator, which stops training after Ctrl-C."""

        def report(step: Any) -> bool:
            now = time.monotonic()
            if step.iteration != self._pass:
                seconds = now - self._pass_began if self._has_tree and step.iteration > 1 else None
                self._pass, self._pass_began = step.iteration, now
                left = (
                    "" if seconds is None else f", at most {_duration(seconds * (max_iter - step.iteration + 1))} left"
                )
                progress(f"pass {step.iteration}{left}, objective {step.objective:.6g}")
            self._has_tree = True
            return self.is_stopped

        return report

    @contextmanager
    def keeping(self) -> Generator[None]:
        """Let Ctrl-C stop training after the current level, once there is a tree. The second Ctrl-C stops at once."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def stop(*_: Any) -> None:
            if self.is_stopped or not self._has_tree:
                raise KeyboardInterrupt
            self.is_stopped = True
            tell("Training stops soon and keeps the tree. Press Ctrl-C again to stop at once.")

        before = signal.signal(signal.SIGINT, stop)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)


class _Watched:
    """Source that reports each part that has been read."""

    def __init__(self, source: RowSource, watched: Progress) -> None:
        self._source, self._watched = source, watched
        self.feature_names, self.memory = source.feature_names, getattr(source, "memory", None)

    def parts(self) -> list[_WatchedPart]:
        return [_WatchedPart(part, self._watched) for part in self._source.parts()]


class _WatchedPart:
    def __init__(self, part: RowPart, watched: Progress) -> None:
        self._part, self._watched = part, watched
        self.name, self.n_rows = part.name, part.n_rows

    def read(self) -> PartRows:
        rows = self._part.read()
        self._watched.read()
        return rows


def _duration(seconds):
    minutes, rest = divmod(round(seconds), 60)
    return (
        f"{minutes // 60} h {minutes % 60} min"
        if minutes >= 60
        else f"{minutes} min {rest} s"
        if minutes
        else f"{rest} s"
    )


def needs_memory(option: object) -> str:
    """Return the message about an option that requires a table in memory."""
    return f"{option} requires a table in memory. Remove {option}, or pass a single file without --memory."
