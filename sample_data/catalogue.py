"""List the data sets (`catalogue`), and load one of them (`load`)."""

import difflib
import os
from collections.abc import Callable
from dataclasses import dataclass, replace

from sample_data import loaders
from sample_data.data_set import DataSet
from sample_data.folder import (
    KNOWN,
    VARIABLE,
    data_folder,
    describe_npz,
    find_npz,
    is_plain_name,
    known_set,
    names_in_folder,
    read_npz,
    unknown_set,
)
from sample_data.loaders import PLANAR
from treecore.errors import DataError, DataSetNotFound
from treecore.messages import literal


@dataclass(frozen=True)
class Entry:
    """One data set of the catalogue.

    Parameters
    ----------
    name : str
        Key for `load`.
    title : str
        Displayed name.
    kind : {'images', 'table', '2D'}
        Kind of the data.
    n_rows : int
        Number of rows.
    n_features : int
        Number of features.
    n_classes : int
        Number of classes, 0 for regression.
    summary : str
        One-line summary.
    available : bool, default=True
        Whether `load` succeeds without a download. If not, `summary` contains the reason.

    See Also
    --------
    catalogue : Return all entries.

    Examples
    --------
    >>> import sample_data
    >>> [(one.n_rows, one.n_classes) for one in sample_data.catalogue() if one.name == "iris"]
    [(150, 3)]
    """

    name: str
    title: str
    kind: str
    n_rows: int
    n_features: int
    n_classes: int
    summary: str
    available: bool = True


_BUNDLED = (
    Entry("mnist-5k", "MNIST, 5000 digits", "images", 5000, 784, 10, "Handwritten digits of 28 x 28 pixels."),
    Entry("digits", "Digits, 8 x 8", "images", 1797, 64, 10, "Handwritten digits of 8 x 8 pixels."),
    Entry("mnist", "MNIST", "images", 70000, 784, 10, "All of MNIST with its published split."),
    Entry(
        "breast-cancer",
        "Breast cancer (Wisconsin, diagnostic)",
        "table",
        569,
        30,
        2,
        "Malignant or benign tumour, from cell nuclei in an image.",
    ),
    Entry("iris", "Iris flowers", "table", 150, 4, 3, "Three species from four measurements."),
    Entry("wine", "Italian wines", "table", 178, 13, 3, "Three cultivars from thirteen chemical measurements."),
    Entry("segment", "Image segments", "table", 2310, 19, 7, "Seven surface types, from patches of photographs."),
    Entry("diabetes", "Diabetes progression", "table", 442, 10, 0, "Regression: disease progression after one year."),
    Entry(
        "diabetes-classes",
        "Diabetes progression, in classes",
        "table",
        442,
        10,
        3,
        "Low, medium or high disease progression.",
    ),
    Entry("airfoil", "Airfoil noise", "table", 1503, 5, 0, "Regression: sound pressure level of an airfoil in dB."),
    Entry(
        "abalone", "Abalone rings", "table", 4177, 10, 0, "Regression: number of shell rings, which indicates the age."
    ),
    Entry("checkerboard", "Rotated checkerboard", "2D", 2000, 2, 2, "No class boundary is parallel to an axis."),
    Entry("spirals", "Two spirals", "2D", 1500, 2, 2, "Curved class boundary."),
    Entry("moons", "Two moons", "2D", 1000, 2, 2, "Two interlocking half circles."),
    Entry("stripes", "Diagonal stripes", "2D", 1500, 2, 3, "Parallel stripes along one oblique direction."),
    Entry("xor", "XOR", "2D", 1000, 2, 2, "No single split reduces the error."),
    Entry("fields", "Four fields", "2D", 1000, 2, 2, "Two crops in opposite fields with slanted boundaries."),
    Entry("clouds", "Five clusters", "2D", 1500, 2, 5, "Gaussian clusters with a small overlap."),
    Entry("hill", "Hill and cliff", "2D", 1500, 2, 0, "Regression: height of a landscape in metres."),
)

_LOADERS: dict[str, Callable[[], DataSet]] = {
    "mnist-5k": loaders.mnist_5k,
    "digits": loaders.digits,
    "mnist": loaders.mnist,
    "breast-cancer": loaders.breast_cancer,
    "iris": loaders.iris,
    "wine": loaders.wine,
    "segment": loaders.segment,
    "diabetes": loaders.diabetes,
    "diabetes-classes": loaders.diabetes_classes,
    "airfoil": loaders.airfoil,
    "abalone": loaders.abalone,
    **PLANAR,
}


def catalogue() -> list[Entry]:
    """List the bundled data sets, then those of the data folder by name.

    The function reads only the headers of files. If a file has the name of a bundled set, the list contains the bundled
    set; for `mnist`, it contains the file.

    Returns
    -------
    list of Entry
        The entries.

    See Also
    --------
    load : Load one of the data sets.

    Examples
    --------
    >>> import sample_data
    >>> "iris" in [entry.name for entry in sample_data.catalogue()]
    True
    """
    return [_bundled_entry(entry) for entry in _BUNDLED] + _folder_entries()


def load(name: str) -> DataSet:
    """Load a data set from the catalogue.

    Every call returns the same values.

    Parameters
    ----------
    name : str
        Key of an `Entry`.

    Returns
    -------
    DataSet
        The data set.

    Raises
    ------
    DataSetNotFound
        If the name is unknown (the message lists the known names), or if `mnist` is not available.
    DataError
        If a file in the data folder is damaged or is not a classification set.

    See Also
    --------
    catalogue : List the names of all data sets.

    Examples
    --------
    >>> import sample_data
    >>> data = sample_data.load("iris")
    >>> data.X.shape, data.class_names
    ((150, 4), ('setosa', 'versicolor', 'virginica'))
    """
    if isinstance(name, str) and name in _LOADERS:
        return _LOADERS[name]()
    path = find_npz(name)
    if path is None:
        raise DataSetNotFound(_not_found(name))
    return read_npz(name, path)


def _bundled_entry(entry: Entry) -> Entry:
    if entry.name != "mnist" or loaders.mnist_is_here():
        return entry
    return replace(entry, available=False, summary=f"{entry.summary} Needs a download from OpenML first.")


def _folder_entries() -> list[Entry]:
    """Return one entry for each classification set in the data folder, and for each file that cannot be read."""
    entries = []
    for name in names_in_folder():
        if name in _LOADERS:
            continue
        try:
            facts = describe_npz(find_npz(name))
        except DataError as fault:
            entries.append(Entry(name, unknown_set(name).title, "table", 0, 0, 0, str(fault), available=False))
            continue
        if facts is None:
            continue
        counts, has_images = facts
        words = known_set(name, counts) or unknown_set(name)
        kind = "images" if has_images else "2D" if counts[1] == 2 else "table"
        entries.append(Entry(name, words.title, kind, *counts, words.summary))
    return entries


def _not_found(name) -> str:
    """Return the message about an unknown `name`, with the available names and the most similar one."""
    shown = repr(name) if len(repr(name)) <= 60 else repr(name)[:57] + "..."
    if not is_plain_name(name):
        return (
            f"{shown} is not a valid data set name. Use 1 to 100 characters: letters, digits, spaces, or the "
            "symbols - _ . +"
        )
    names = [entry.name for entry in catalogue() if entry.available or entry.name in _LOADERS]
    close = difflib.get_close_matches(name.lower(), names, n=1, cutoff=0.5)
    hint = f" Did you mean {literal(close[0])}?" if close else ""
    if data_folder() is not None:
        more = ""
    elif os.environ.get(VARIABLE):
        more = f" The environment variable {VARIABLE} does not name a folder."
    else:
        more = f" To add data sets, set {VARIABLE} to a folder of .npz files."
    elsewhere = " The file of this data set is not in the data folder." if name in KNOWN and not close else ""
    return f"Unknown data set {shown}.{hint}{elsewhere} Available: {', '.join(names)}.{more}"
