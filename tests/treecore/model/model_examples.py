"""Make small models of every kind, and model files that were changed together with their checksum."""

import json

import numpy as np

from sample_data import DataSet
from tests.strategies import small_tree
from treecore.model.model import Model
from treecore.model.model_json import checksum
from treecore.tables.table_columns import TableColumn, TableColumns

NAMES = ("length", "colour = red", "colour = blue")
COLUMNS = TableColumns((TableColumn("length"), TableColumn("colour", "category", ("red", "blue"))))


def small_data(n=40, **changes):
    """Return a data set for `small_tree`."""
    rng = np.random.default_rng(0)
    X = rng.normal(1.5, 1.0, (n, 3)).round(2)
    fields = {
        "name": "small", "title": "Small data", "X": X, "y": np.arange(n) % 3, "feature_names": NAMES,
        "class_names": ("a", "b", "c"), "columns": COLUMNS,
    }  # fmt: skip
    return DataSet(**(fields | changes))


def small_model(data=None, **changes):
    """Return a model of `small_tree` with every optional part."""
    data = small_data() if data is None else data
    values = {
        "parameters": {"lam": 0.1, "seed": 0, "split": "oblique", "costs": (1.0, 2.0)},
        "trace": [{"iteration": 0, "objective": 3.5}, {"iteration": 1, "objective": 2.25}],
        "figures": {"test_error": 0.125, "validation_error": None, "n_leaves": 3},
        "rows": np.arange(data.n_rows),
        "target": "kind",
    }
    return Model.of(small_tree(**changes), data, **values)


def signed(content):
    """Return the text of a model file with this content and a matching checksum."""
    head = {"format": "treecore-model", "version": 1}
    return json.dumps(head | {"checksum": checksum(content), "content": content})


def content(model):
    """Return the content of a model file, for tests to change."""
    return json.loads(model.to_json())["content"]
