"""`FileSource`: rows of Parquet and Arrow files, read in parts."""

from __future__ import annotations

import glob
import itertools
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

import numpy as np

from treecore.errors import DataError, ParameterError
from treecore.messages import literal, literals
from treecore.parameter_checks import check_number
from treecore.training.partitions.sources.dask_source import equal_names
from treecore.training.partitions.sources.row_files import (
    NUMBERS,
    OTHER,
    TEXT,
    FileColumn,
    RowFile,
    absent_file,
    arrow,
    categorical,
    changed_file,
    labels,
    numbers,
    reading,
    table_of,
)
from treecore.training.partitions.sources.row_source import PartRows

MOST_ROWS = 250_000  # of a part
PART_BYTES = 40_000_000  # about the values of a part
MOST_BYTES = 5 * PART_BYTES  # larger row groups are divided, although each piece then reads all of them
NO_KEY = "__HIVE_DEFAULT_PARTITION__"  # folder of rows whose key is missing


class FilePart(NamedTuple):
    """Rows of one file.

    name : text for messages; path : str; groups : tuple of int, row groups; start, stop : range of rows within the row
    groups; columns : tuple of (name, `NUMBERS` or `TEXT`), the features; target, weight : names of columns, or None;
    keys : dict, values of the columns that folder names contain; filesystem : of pyarrow, or None.
    """

    name: str
    path: str
    groups: tuple[int, ...]
    start: int
    stop: int
    columns: tuple[tuple[str, str], ...]
    target: str | None
    weight: str | None
    keys: dict[str, Any]
    filesystem: Any = None

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.stop - self.start

    def read(self) -> PartRows:
        """Return the rows. X is a DataFrame if any feature is text, else an array of float32 or float64."""
        pyarrow = arrow()
        kinds = dict(self.columns)
        names = [name for name in (*kinds, self.target, self.weight) if name is not None]
        stored = [name for name in dict.fromkeys(names) if name not in self.keys]
        found: dict[str, Any] = {name: self._repeated(name, kinds) for name in names if name in self.keys}
        y: Any = found.get(self.target)
        weights = None
        with RowFile(self.path, self.filesystem) as file, reading(self.path):
            for name, column in zip(
                stored, file.columns(self.groups, stored, slice(self.start, self.stop)), strict=True
            ):
                if len(column) != self.n_rows:
                    raise DataError(changed_file(self.path))
                if name in kinds:
                    found[name] = categorical(column) if kinds[name] == TEXT else numbers(column)
                if name == self.target:
                    y = labels(column)
                if name == self.weight:
                    weights = numbers(column).astype(np.float64)
        pyarrow.default_memory_pool().release_unused()
        if TEXT not in kinds.values():
            return PartRows(table_of([found[name] for name in kinds], self.n_rows), y, weights)
        import pandas  # slow import

        return PartRows(pandas.DataFrame({name: found[name] for name in kinds}), y, weights)

    def _repeated(self, name, kinds):
        value = self.keys[name]
        if kinds.get(name) == TEXT:
            import pandas  # slow import

            return pandas.Categorical([value] * self.n_rows)
        return np.full(self.n_rows, np.nan if value is None else value)


class FileSource:
    """Rows of Parquet, Arrow or Feather files, which training reads in parts.

    Folders such as ``year=2025`` add a column.

    Parameters
    ----------
    files : str, Path, list of str or pyarrow.dataset.Dataset
        Path of a file or folder, a pattern such as ``data/*.parquet``, or several paths.
    target : str or None, default=None
        Name of the column with the targets.
    weight : str or None, default=None
        Name of the column with the sample weights.
    features : sequence of str or None, default=None
        Names of the feature columns. None uses all other columns of the first file.
    memory : int or None, default=None
        Bytes of memory for the rows. Further rows are kept in temporary files. None means no limit.
    title : str or None, default=None
        Name of the rows in messages. None uses the path.

    Raises
    ------
    DataError
        If a file cannot be read, or does not have the columns of the first one.

    See Also
    --------
    TAOClassifier : Accepts a source as X.
    learning_curve : Measures whether training on all rows is worth its time.

    Examples
    --------
    >>> import pandas, tempfile
    >>> from treecore import FileSource, TAOClassifier
    >>> folder = tempfile.TemporaryDirectory()
    >>> table = pandas.DataFrame({"x": range(100), "y": ["a"] * 40 + ["b"] * 60})
    >>> table.to_parquet(f"{folder.name}/part-1.parquet")
    >>> model = TAOClassifier(split="univariate", init="cart")
    >>> model.fit(FileSource(folder.name, target="y")).tree_.n_leaves
    2
    >>> folder.cleanup()
    """

    def __init__(
        self,
        files: Any,
        target: str | None = None,
        weight: str | None = None,
        features: Sequence[str] | None = None,
        memory: int | None = None,
        title: str | None = None,
    ) -> None:
        arrow()
        if memory is not None:
            check_number(memory, "memory", 1)
        self.memory, self.title = memory, title
        self.target, self.weight = target, weight
        self._files = [_FileRows.of(*one) for one in listed(files)]
        self._check_keys()
        first = self._files[0]
        for file in self._files[1:]:  # a column without any value has no type
            typed = {name: own for name, own in file.columns.items() if name in first.columns and own.type != "null"}
            first.columns.update({name: own for name, own in typed.items() if first.columns[name].type == "null"})
        named = [name for name in (target, weight) if name is not None]
        if features is None:
            features = [name for name in first.columns if name not in named]
        if isinstance(features, str) or len({*features, *named}) < len(features) + len({*named}):
            raise ParameterError(
                f"features={literal(features, 60)}: expected a list of different names, without the target and "
                "the weight."
            )
        absent = [name for name in (*named, *features) if name not in first.columns]
        if absent:
            raise DataError(
                f"{title or first.path} has no column {absent[0]!r}. It has {literals(list(first.columns), 12)}."
            )
        if not features:
            raise DataError(f"{title or first.path} has no column except the target. Add a feature.")
        self.feature_names = tuple(features)
        is_whole = len(features) + len(set(named)) == len(first.columns)
        for file in self._files:
            _check_columns(file, first, [*features, *named], is_whole, title or file.path)
        if weight is not None and (own := first.columns[weight]).kind != NUMBERS:
            raise DataError(
                f"{title or first.path}: column {weight!r} has the type {own.type}, but sample weights must be "
                "numbers. Use another column."
            )
        self._columns = tuple((name, first.columns[name].kind) for name in features)
        if not any(any(file.n_rows) for file in self._files):
            raise DataError(no_rows(title or first.path))

    def parts(self) -> list[FilePart]:
        """Return the parts.

        Returns
        -------
        list of FilePart
            Joined row groups, or pieces of a large one.
        """
        width = 8 * len(self.feature_names)
        size = min(MOST_ROWS, max(1000, PART_BYTES // width))
        found = []
        for file in self._files:
            groups: list[int] = []
            first = n_rows = 0  # rows of the file before `groups`, and in `groups`
            for group, rows in [*enumerate(file.n_rows), (-1, size + 1)]:
                if groups and n_rows + rows > size:
                    n_pieces = -(-n_rows * width // MOST_BYTES) if n_rows > size else 1
                    edges = np.linspace(0, n_rows, n_pieces + 1).astype(int).tolist()
                    found += [self._part(file, groups, first, *edge) for edge in itertools.pairwise(edges)]
                    first, n_rows, groups = first + n_rows, 0, []
                if rows:
                    groups.append(group)
                    n_rows += rows
        return found

    def _part(self, file, groups, first, start, stop):
        name = f"{self.title or file.path}, rows {first + start:,} to {first + stop - 1:,}"
        return FilePart(
            name, file.path, tuple(groups), start, stop, self._columns, self.target, self.weight, file.keys,
            file.filesystem,
        )  # fmt: skip

    def _check_keys(self):
        """Convert the keys in folder names to numbers if all of them are."""
        first = self._files[0]
        for file in self._files:
            if list(file.keys) != list(first.keys):
                raise DataError(
                    f"{file.path} has the keys {literal(list(file.keys))} in the names of its folders, but the "
                    f"first file has {literal(list(first.keys))}. Use the same keys for all files."
                )
        for name in first.keys:
            values = [file.keys[name] for file in self._files]
            are_numbers = all(value is None or _is_whole(value) for value in values)
            for file in self._files:
                value = file.keys[name]
                file.keys[name] = int(value) if are_numbers and value is not None else value
                file.columns[name] = FileColumn(NUMBERS if are_numbers else TEXT, "the name of the folder")


class _FileRows(NamedTuple):
    """File with rows. columns : dict from names to `FileColumn`; n_rows : list, rows of each row group."""

    path: str
    columns: dict[str, FileColumn]
    n_rows: list[int]
    keys: dict[str, Any]
    filesystem: Any

    @classmethod
    def of(cls, path, keys, filesystem):
        with RowFile(path, filesystem) as file, reading(path):
            layout = file.layout()
            if layout.repeated is not None:
                raise DataError(equal_names(path, layout.repeated))
        return cls(path, layout.columns, [n for n in layout.n_rows], dict(keys), filesystem)


def listed(files: Any) -> list[tuple]:
    """Return (path, keys in the names of folders, file system) of each file, sorted by path."""
    if isinstance(files, str | os.PathLike):
        return [(path, _keys(path, root), None) for path, root in _paths(os.fspath(files))]
    if isinstance(files, list | tuple):
        return [(path, _keys(path, root), None) for one in files for path, root in _paths(os.fspath(one))]
    if not hasattr(files, "get_fragments"):
        raise ParameterError(
            f"files is a {type(files).__name__}: expected a path, a list of paths, or a pyarrow.dataset."
        )
    from pyarrow import dataset

    found = []
    try:
        fragments = list(files.get_fragments())
    except ValueError:
        raise DataError(
            "X is a pyarrow.dataset with a filter. Pass a LazyFrame, such as polars.scan_parquet(path).filter(...)."
        ) from None
    for one in fragments:
        path = getattr(one, "path", None)
        if path is None:
            raise DataError("X is a pyarrow.dataset of tables in memory. Pass X.to_table().to_pandas() instead.")
        keys = {
            name: None if key is None else str(key)
            for name, key in dataset.get_partition_keys(one.partition_expression).items()
        }
        is_local = type(one.filesystem).__name__ == "LocalFileSystem"
        found.append((path, keys, None if is_local else one.filesystem))
    if not found:
        raise DataError(_no_files("The dataset"))
    return sorted(found, key=lambda one: one[0])


def column_names(files: Any) -> list[str]:
    """Return the names of the columns of the first file, and of those that folder names contain."""
    path, keys, filesystem = listed(files)[0]
    return list(dict.fromkeys([*_FileRows.of(path, keys, filesystem).columns, *keys]))


def _paths(name):
    """Return (path, folder that was given) of the files of a path or pattern."""
    path = Path(name)
    if path.is_file():
        return [(name, None)]
    if name and path.is_dir():
        found = [one for one in sorted(path.rglob("*")) if one.is_file() and not _is_hidden(one.relative_to(path))]
        if not found:
            raise DataError(_no_files(name))
        return [(str(one), name) for one in found]
    found = sorted(glob.glob(name, recursive=True)) if glob.has_magic(name) else []
    if not found:
        raise DataError(_no_files(name) if glob.has_magic(name) else absent_file(name))
    root = str(Path(*itertools.takewhile(lambda folder: not glob.has_magic(folder), path.parts)))
    return [(file, root) for one in found for file, _ in _paths(one)]


def _is_hidden(path):
    return any(part.startswith((".", "_")) for part in path.parts)


def _keys(path, root):
    if root is None:
        return {}
    folders = [folder.partition("=") for folder in Path(path).relative_to(root).parent.parts if "=" in folder]
    return {unquote(name): None if value == NO_KEY else unquote(value) for name, _, value in folders}


def _is_whole(text):
    return text.removeprefix("-").isdecimal() and len(text) < 16


def _check_columns(file, first, names, is_whole, title):
    """Raise DataError unless a file has the columns and kinds of the first file. Their order can differ."""
    absent = [name for name in names if name not in file.columns]
    if absent:
        raise DataError(
            f"{file.path} does not have the columns {literals(absent, 6)} of {first.path}. Add them, or move the file."
        )
    more = [name for name in file.columns if name not in first.columns]
    if more and is_whole:
        raise DataError(
            f"{file.path} has the columns {literals(more, 6)}, which {first.path} does not have. Remove them, or "
            "list the columns to use in a FileSource."
        )
    for name in names:
        own, known = file.columns[name], first.columns[name]
        if own.kind == OTHER:
            raise DataError(
                f"{title}: column {name!r} has the type {own.type}, which is not supported. Convert the column "
                "to numbers or texts, or remove it."
            )
        if own.kind != known.kind and own.type != "null":
            raise DataError(
                f"{file.path}: column {name!r} has the type {own.type}, but {known.type} in {first.path}. Use "
                "the same type in all files."
            )


def _no_files(path: object) -> str:
    return f"{path} contains no files. Check the path."


def no_rows(path: object) -> str:
    """Return the message about a file without rows."""
    return f"{path} contains no rows. Check the file."
