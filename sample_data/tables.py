"""Load the tables bundled with scikit-learn or this package, with readable feature names."""

import numpy as np

from sample_data.data_set import DataSet
from sample_data.folder import BUNDLED, read_rows
from sample_data.npz import read_arrays
from treecore.tables.table_columns import TableColumn, TableColumns

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
