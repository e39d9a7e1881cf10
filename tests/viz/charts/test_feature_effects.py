"""Test which values of a column its effect chart contains."""

from dataclasses import replace

import numpy as np
import pytest

import sample_data
from tests.treecore.export.export_examples import random_tree
from treecore.tables.table_columns import TableColumn, TableColumns
from viz.charts.explanation_charts import feature_effects


@pytest.mark.parametrize(
    ("column", "texts"),
    [
        (TableColumn("member", "category", ("yes",), ("no",)), ("yes", "no")),
        (TableColumn("town", "category", ("Bonn", "Ulm"), ("Trier", "Jena")), ("Bonn", "Ulm", "another category")),
        (TableColumn("town", "category", ("Bonn", "other"), ("Trier", "Jena"), grouped=True), ("Bonn", "other")),
        (TableColumn("town", "category", ("Bonn", "Ulm")), ("Bonn", "Ulm")),
    ],
)
def test_a_column_of_categories_has_each_of_them_and_nothing_between(column, texts):
    columns = TableColumns((TableColumn("size"), column))
    n = len(columns.feature_names())
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=20), np.eye(n - 1)[rng.integers(0, n - 1, 20)]])
    base = sample_data.load("iris")
    data = replace(base, X=X, y=base.y[::7][:20], feature_names=columns.feature_names(), columns=columns)
    tree = random_tree(rng, n_features=n, most_terms=2)
    found = feature_effects(tree, data, np.arange(20), column.name, range(1, n), 0, "share")
    assert (found.kind, found.texts) == ("category", texts)
    assert found.mean.shape == (len(texts),)
    assert len(feature_effects(tree, data, np.arange(20), "size", [0], 0, "share").texts) >= 60
