"""The formats that are read. A new one is a file with its reader, and an entry here, which the pages, the command line
and the tests list."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module

from sample_data.user_data.readers.file_format import FileFormat


def _late(module: str, function: str) -> Callable:
    """A function of a file of this folder, whose packages are loaded when it is called."""
    return lambda *given, **more: getattr(import_module(f"{__package__}.{module}"), function)(*given, **more)


_OF_TEXT = ("delimiter", "decimal", "encoding", "header", "day_first", "header_line", "skip_below", "fill_short")

FORMATS = [
    FileFormat("CSV", "CSV", ("csv", "txt", "tab", "dat", "data"), _late("csv_file", "read_csv"), _OF_TEXT, 0.03, 3.0),
    FileFormat("TSV", "TSV", ("tsv",), _late("csv_file", "read_csv"), _OF_TEXT, 0.03, 3.0),
    FileFormat(
        "Excel",
        "Excel (.xlsx)",
        ("xlsx", "xlsm"),
        _late("excel_file", "read_excel"),
        ("sheet", "header", "day_first"),
        5.5,
        16.0,
        is_zip=lambda members: any(one.filename.startswith("xl/") for one in members),
    ),
    FileFormat("Parquet", "Parquet", ("parquet", "pq"), _late("parquet_file", "read_parquet"), begins=b"PAR1"),
    FileFormat(
        "Arrow", "Arrow (.arrow, .feather)", ("arrow", "feather"), _late("arrow_file", "read_arrow"), begins=b"ARROW1"
    ),
    FileFormat(
        "ARFF",
        "ARFF",
        ("arff",),
        _late("arff_file", "read_arff"),
        ("encoding",),
        0.03,
        3.0,
        is_text=lambda start: re.search(r"^[^\S\n]*@relation\b", start, re.IGNORECASE | re.MULTILINE) is not None,
    ),
    FileFormat(
        "svmlight",
        "svmlight (.svm)",
        ("svm", "svmlight", "libsvm"),
        _late("svmlight_file", "read_svmlight"),
        (),
        0.2,
        30.0,
        is_text=_late("svmlight_file", "is_svmlight"),
        read_sparse=_late("svmlight_file", "svmlight_rows"),
    ),
    FileFormat(
        "SciPy",
        "SciPy's sparse matrix (.npz)",
        (),  # those of NumPy
        _late("sparse_numpy_file", "read_sparse_numpy"),
        (),
        0.2,
        30.0,
        is_zip=_late("sparse_numpy_file", "is_sparse_numpy"),
        read_sparse=_late("sparse_numpy_file", "sparse_numpy_rows"),
    ),
    FileFormat(
        "NumPy",
        "NumPy (.npz)",
        ("npz",),
        _late("numpy_file", "read_numpy"),
        (),
        0.05,
        6.0,
        is_zip=lambda members: bool(members) and all(one.filename.endswith(".npy") for one in members),
    ),
    FileFormat(
        "images",
        "a .zip with a folder of images for each class",
        ("zip",),
        _late("image_zip", "read_image_zip"),
        (),
        0.5,
        5.0,
        is_zip=_late("image_zip", "is_image_zip"),
        is_table=False,
    ),
]


def format_of(name: str) -> FileFormat:
    """`FileFormat` by its name (as in `Table.format`) or an ending such as ".csv"; CSV for what is not known."""
    plain = str(name).lower().lstrip(".")
    return next((one for one in FORMATS if plain == one.name.lower() or plain in one.endings), FORMATS[0])


def formats_in_words() -> str:
    """str: what can be read, for people."""
    words = [one.words for one in FORMATS]
    return f"{', '.join(words[:-1])}, or {words[-1]}"
