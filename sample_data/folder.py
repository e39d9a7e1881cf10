"""Load the user's data sets: every NAME.npz in the folder that the environment variable TREECORE_DATA names.

A file has the keys `X` and `y`, or with a published split `X_train`, `y_train`, `X_test` and `y_test`. It also has
`class_names`, and y contains indices of these names. Optional keys are `feature_names`, `image_shape` (height, width),
`title`, `description`, `source` and `licence`. A file without `class_names` is a regression set, which is not listed.
"""

import lzma
import math
import os
import re
import struct
import tokenize
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sample_data.data_set import TEST, TRAIN, DataSet
from treecore.errors import DataError

# Exceptions of zipfile, zlib and numpy.lib.format for damaged bytes; RuntimeError means an encrypted member.
_READ_FAULTS = (
    OSError,
    EOFError,
    ValueError,
    KeyError,
    TypeError,
    OverflowError,
    MemoryError,
    RuntimeError,
    SyntaxError,
    tokenize.TokenError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
)


def read_headers(path: Path) -> dict[str, tuple[tuple[int, ...], np.dtype]]:
    """Return {key: (shape, dtype)} of every array in the file, decompressing only a few hundred bytes of each.

    Raises DataError if the file is not a .npz file, if an array needs pickle, or if a header declares more bytes than
    the file contains.
    """
    headers = {}
    try:
        with zipfile.ZipFile(path) as archive:
            for member in archive.infolist():
                if member.filename.endswith(".npy"):
                    with archive.open(member) as stream:
                        headers[member.filename.removesuffix(".npy")] = (*_header(stream), member.file_size)
    except _READ_FAULTS as fault:
        raise DataError(_damaged(path, fault)) from fault
    for key, (shape, dtype, n_bytes) in headers.items():
        if dtype.hasobject:
            raise DataError(f"{path.name}: {key} is an array of Python objects. Only numbers and text are supported.")
        if min(shape, default=0) < 0 or math.prod(shape) * dtype.itemsize > n_bytes:
            raise DataError(
                f"{path.name}: {key} is declared as {shape} {dtype}, but the file contains {n_bytes} bytes."
            )
    return {key: (shape, dtype) for key, (shape, dtype, _) in headers.items()}


def read_arrays(path: Path, keys: list[str]) -> dict[str, np.ndarray]:
    """Return {key: array} for the `keys` that the file contains, after checking each with `read_headers`."""
    present = read_headers(path)
    try:
        with np.load(path, allow_pickle=False) as archive:
            return {key: archive[key] for key in keys if key in present}
    except _READ_FAULTS as fault:
        raise DataError(_damaged(path, fault)) from fault


def _header(stream) -> tuple[tuple[int, ...], np.dtype]:
    """Return (shape, dtype) from the start of a .npy stream."""
    version = np.lib.format.read_magic(stream)
    if version == (1, 0):
        shape, _, dtype = np.lib.format.read_array_header_1_0(stream)
    elif version == (2, 0):
        shape, _, dtype = np.lib.format.read_array_header_2_0(stream)
    else:
        raise ValueError(f"array format version {version} is not read")
    return shape, dtype


def _damaged(path: Path, fault: BaseException) -> str:
    reason = " ".join(str(fault).split())[:200] or type(fault).__name__
    return f"{path.name} is damaged or is not an .npz file ({reason}). Save it again with numpy.savez_compressed."


_UCI = "UCI Machine Learning Repository, CC BY 4.0 according to its site"
_PMLB = "as the original source; redistributed by PMLB (MIT)"


@dataclass(frozen=True)
class Known:
    """Description of a public data set.

    counts : (n_rows, n_features, n_classes).
    """

    counts: tuple[int, int, int]
    title: str
    summary: str
    source: str
    licence: str

    @property
    def description(self) -> str:
        return self.summary


def known_set(name: str, counts: tuple[int, int, int]) -> Known | None:
    """Return the description of the data set `name`, or None if it is unknown or has other counts."""
    known = KNOWN.get(name)
    return known if known is not None and known.counts == tuple(counts) else None


KNOWN = {
    "letter": Known(
        (20000, 16, 26),
        "Letters",
        "Capital letters in 20 fonts, randomly distorted and described by 16 integer measurements of their pixels. "
        "In the published split, the first 16000 rows are training rows.",
        "P. W. Frey and D. J. Slate, Machine Learning 6(2), 1991",
        _UCI,
    ),
    "pendigits": Known(
        (10992, 16, 10),
        "Pen digits",
        "Digits written on a tablet: eight points (x, y) along the stroke. The test set has other writers.",
        "F. Alimoglu and E. Alpaydin, 1996",
        _UCI,
    ),
    "wdbc": Known(
        (569, 30, 2),
        "Breast cancer (Wisconsin, diagnostic)",
        "Shape and texture of cell nuclei in images of a fine needle aspirate. Same rows as breast-cancer.",
        "W. N. Street, W. H. Wolberg and O. L. Mangasarian, 1993",
        _UCI,
    ),
    "spambase": Known(
        (4601, 57, 2),
        "Spam mail",
        "Word and character frequencies of e-mails in per cent, and lengths of runs of capital letters.",
        "M. Hopkins, E. Reeber, G. Forman and J. Suermondt, 1999",
        _UCI,
    ),
    "banknote": Known(
        (1372, 4, 2),
        "Banknotes",
        "Genuine or forged banknotes, described by four statistics of the wavelet transform of each image.",
        "V. Lohweg, 2012",
        _UCI,
    ),
    "blood_transfusion": Known(
        (748, 4, 2),
        "Blood transfusion",
        "Whether a donor gave blood again. The features are recency, frequency, amount and months since the first "
        "donation. The "
        "amount is 250 times the frequency.",
        "I-C. Yeh et al., Expert Systems with Applications, 2009",
        _UCI,
    ),
    "balance_scale": Known(
        (625, 4, 3),
        "Balance scale",
        "Direction in which a scale tips, for all combinations of two weights and two distances from 1 to 5.",
        "R. S. Siegler, 1976",
        _UCI,
    ),
    "connect4": Known(
        (67557, 42, 3),
        "Connect four",
        "Positions after eight moves, without a winner or a forced move. The target is the result under perfect play. "
        "Squares "
        "are coded 0 (blank), 1 (o) or 2 (x, the first player).",
        "J. Tromp, 1995",
        _UCI,
    ),
    "covertype_20k": Known(
        (20000, 54, 7),
        "Forest cover, first 20000 rows",
        "Forest type of a 30 m square. The features are height, slope, distances, shade, wilderness area and soil. "
        "The rows are the balanced training and validation sets and the first 4880 test rows.",
        "J. A. Blackard and D. J. Dean, 1999; copyright Jock A. Blackard and Colorado State University",
        _UCI,
    ),
    "electricity": Known(
        (45312, 8, 2),
        "Electricity prices",
        "Whether the electricity price in New South Wales rises or falls, for every half hour. Rows are in time "
        "order. If they are split at random, the tree is trained on rows from the future.",
        "M. Harries, 1999; J. Gama et al., SBIA 2004; OpenML 151",
        "not stated",
    ),
    "magic": Known(
        (19020, 10, 2),
        "MAGIC telescope",
        "Gamma rays or hadron showers (simulated), described by the shape of the image in a Cherenkov telescope.",
        "R. K. Bock, 2007",
        _PMLB,
    ),
    "shuttle": Known(
        (58000, 9, 7),
        "Space shuttle",
        "Radiator positions of the space shuttle, from nine sensor readings. One class has four fifths of the rows.",
        "Statlog project",
        _PMLB,
    ),
    "kddcup99_10pct": Known(
        (494020, 41, 23),
        "Network intrusions (KDD Cup 1999, 10 %)",
        "Connections to a simulated network: normal, or one of 22 attacks. Many rows are duplicates, and "
        "categories are coded as integers. Use it for timing only.",
        "KDD Cup 1999",
        _PMLB,
    ),
}


VARIABLE = "TREECORE_DATA"
BUNDLED = Path(__file__).with_name("bundled")
POOLED_KEYS = ("X", "y")
SPLIT_KEYS = ("X_train", "y_train", "X_test", "y_test")
_WORDS = ("title", "description", "source", "licence")
_PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _.+-]{0,99}")


def data_folder() -> Path | None:
    """Return the folder in TREECORE_DATA, or None if the variable is unset, empty or not a folder."""
    value = os.environ.get(VARIABLE, "")
    return Path(value) if value and os.path.isdir(value) else None


def is_plain_name(name: str) -> bool:
    """Test whether `name` can be the stem of a file in the folder.

    Such a name contains no separators, `..` or control characters.
    """
    return isinstance(name, str) and _PLAIN_NAME.fullmatch(name) is not None and ".." not in name


def find_npz(name: str) -> Path | None:
    """Return the path of NAME.npz in the folder, or None.

    The path is never outside the folder, even if the folder contains symbolic links.
    """
    folder = data_folder()
    if folder is None or not is_plain_name(name):
        return None
    path = folder / f"{name}.npz"
    return path if os.path.isfile(path) and path.resolve().parent == folder.resolve() else None


def names_in_folder() -> list[str]:
    """Return the sorted names of the .npz files that `find_npz` would open."""
    folder = data_folder()
    if folder is None:
        return []
    try:
        stems = sorted(path.stem for path in folder.iterdir() if path.suffix == ".npz")
    except OSError:
        return []
    return [stem for stem in stems if find_npz(stem) is not None]


def describe_npz(path: Path) -> tuple[tuple[int, int, int], bool] | None:
    """Return ((n_rows, n_features, n_classes), has_images) from the headers only, or None for a regression set."""
    headers = read_headers(path)
    if "class_names" not in headers and _is_data(headers):
        return None
    keys = _check_keys(path, headers)
    shapes = [headers[key][0] for key in keys if key.startswith("X")]
    if any(len(shape) != 2 for shape in shapes) or len(headers["class_names"][0]) != 1:
        raise DataError(f"{path.name}: expected X with two axes (rows, features) and class_names with one.")
    counts = (sum(shape[0] for shape in shapes), shapes[0][1], headers["class_names"][0][0])
    return counts, "image_shape" in headers


def read_rows(path: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Return (X [n, d], y int64[n], split int8[n] or None), with training rows before test rows."""
    headers = read_headers(path)
    keys = _check_keys(path, headers)
    arrays = read_arrays(path, list(keys))
    y_keys = [key for key in keys if key.startswith("y")]
    for key in y_keys:
        X_shape, y = arrays["X" + key[1:]].shape, arrays[key]
        if len(X_shape) != 2 or y.shape != X_shape[:1]:
            raise DataError(f"{path.name}: X{key[1:]} is {X_shape} and {key} is {y.shape}: expected [n, d] and [n].")
        if arrays["X" + key[1:]].dtype.kind not in "uifb":
            raise DataError(f"{path.name}: X{key[1:]} is {arrays['X' + key[1:]].dtype}: expected numbers.")
        if y.dtype.kind not in "uib":
            raise DataError(f"{path.name}: {key} is {y.dtype}: expected integers (indices into class_names).")
    if len({arrays["X" + key[1:]].shape[1] for key in y_keys}) > 1:
        raise DataError(f"{path.name}: X_train and X_test have different numbers of columns.")
    X = np.concatenate([arrays["X" + key[1:]] for key in y_keys])
    y = np.concatenate([arrays[key] for key in y_keys]).astype(np.int64)
    split = None
    if keys == SPLIT_KEYS:
        split = np.repeat(np.array([TRAIN, TEST], dtype=np.int8), [len(arrays["y_train"]), len(arrays["y_test"])])
    return X.astype(np.uint8) if X.dtype == np.bool_ else X, y, split


def read_npz(name: str, path: Path) -> DataSet:
    """Return the data set in the file at `path` under the name `name`."""
    X, y, split = read_rows(path)
    words = read_arrays(path, ["class_names", "feature_names", "image_shape", *_WORDS])
    for key in {"class_names", "feature_names"} & set(words):
        if words[key].ndim != 1 or words[key].dtype.kind not in "Uui":
            raise DataError(
                f"{path.name}: {key} is {words[key].dtype}{list(words[key].shape)}: expected a list of strings."
            )
    class_names = tuple(words["class_names"].tolist())
    features = tuple(words["feature_names"].tolist()) if "feature_names" in words else number_features(X.shape[1])
    known = known_set(name, (X.shape[0], X.shape[1], len(class_names))) or unknown_set(name)
    text = {field: str(words[field]) if field in words else getattr(known, field) for field in _WORDS}
    shape = words.get("image_shape")
    if shape is not None and (shape.shape != (2,) or shape.dtype.kind not in "ui"):
        raise DataError(f"{path.name}: image_shape: expected two integers (height, width).")
    try:
        return DataSet(
            name, X=X, y=y, feature_names=features, class_names=class_names, image_shape=shape, split=split, **text
        )
    except DataError as fault:
        raise DataError(f"{path.name} cannot be used: {fault}") from fault


def number_features(n_features: int) -> tuple[str, ...]:
    """Return names for columns without names."""
    return tuple(f"feature {k + 1}" for k in range(n_features))


def unknown_set(name: str) -> Known:
    """Return the description for a file that does not contain one."""
    return Known(
        counts=(0, 0, 0),
        title=name.replace("_", " "),
        summary=f"Read from {name}.npz in the data folder.",
        source=f"{name}.npz in the folder {VARIABLE}. The file names no other source.",
        licence="not stated in the file",
    )


def _is_data(headers) -> bool:
    return set(SPLIT_KEYS) <= set(headers) or set(POOLED_KEYS) <= set(headers)


def _check_keys(path: Path, headers) -> tuple[str, ...]:
    """Return the keys of the rows, `SPLIT_KEYS` or `POOLED_KEYS`."""
    if not _is_data(headers):
        found = ", ".join(sorted(headers)[:12]) or "no arrays"
        raise DataError(f"{path.name} contains {found}: expected X and y, or X_train, y_train, X_test and y_test.")
    if "class_names" not in headers:
        raise DataError(f"{path.name} has no class_names. Only classification sets are supported.")
    return SPLIT_KEYS if set(SPLIT_KEYS) <= set(headers) else POOLED_KEYS
