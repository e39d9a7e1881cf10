"""Test that rows outside memory, sparse DataFrames and missing values give a DataError with a remedy."""

from pathlib import Path

import numpy as np
import pandas
import pytest

from tests.refusals import refused
from treecore import C50Classifier, CARTClassifier, DataError, TAOForestClassifier
from treecore.rules.rule_set import rules

X = np.arange(24.0).reshape(12, 2)
y = np.arange(12) // 6


def of(module, name):
    """Return an unreadable object that looks like an object of another library."""

    def refuse(self, *_, **__):
        raise AssertionError("the rows were read")

    return type(name, (), {"__module__": module, "__array__": refuse, "shape": (12, 2), "columns": ["a", "b"]})()


LAZY = [
    (of("dask.array.core", "Array"), r"is a Dask Array.*\.compute\(\)"),
    (of("dask.dataframe.dask_expr._collection", "DataFrame"), r"is a Dask DataFrame.*\.compute\(\)"),
    (of("polars.lazyframe.frame", "LazyFrame"), r"is a polars LazyFrame.*\.collect\(\)"),
    (of("_duckdb", "DuckDBPyRelation"), r"is a DuckDB relation.*\.df\(\)"),
    ("folder/of/parts", "is the path 'folder/of/parts'.*Read the file"),
    (Path("folder"), "is the path 'folder'"),
]


@pytest.mark.parametrize("kind", [C50Classifier, TAOForestClassifier])
@pytest.mark.parametrize(("rows", "message"), LAZY)
def test_rows_that_are_not_in_memory_are_refused_unread(kind, rows, message):
    with pytest.raises(DataError, match=f"^X {message}"):
        kind().fit(rows, y)


def test_targets_and_rows_to_predict_are_refused_unread():
    rows = LAZY[0][0]
    with refused(DataError, "y is a Dask Array: expected rows in memory. … it first with y.…()"):
        CARTClassifier().fit(X, rows)
    with refused(DataError, "X is a Dask Array: expected rows in memory. … it first with X.…()"):
        TAOForestClassifier(n_estimators=1).fit(X, y).predict(rows)


def test_a_lazy_frame_of_polars_is_refused():
    polars = pytest.importorskip("polars")
    with refused(DataError, "X is a polars LazyFrame: expected rows in memory. Collect it first with X.…()"):
        C50Classifier().fit(polars.LazyFrame({"a": X[:, 0]}), y)


@pytest.mark.parametrize("kind", [CARTClassifier, C50Classifier])
def test_a_dataframe_of_sparse_columns_gives_the_tree_of_dense_ones(kind):
    frame = pandas.DataFrame({name: pandas.arrays.SparseArray(X[:, 0], fill_value=0.0) for name in "ab"})
    sparse, dense = (
        kind(**({"random_state": 0} if kind is CARTClassifier else {})).fit(rows, y).tree_.to_json()
        for rows in (frame, frame.sparse.to_dense())
    )
    assert sparse == dense


def test_missing_values_in_rows_of_an_estimator_are_a_data_error():
    model = CARTClassifier().fit(X, y)
    with refused(
        DataError,
        (
            "contains NaN. Fill or remove these values, or use TAOClassifier or TAORegressor with missing='learn' "
            "and split='univariate' or 'bivariate'"
        ),
    ):
        rules(model, np.where(X == 3, np.nan, X), y)
