"""Make a table of customers: categories, dates and a number."""

from dataclasses import replace

import numpy as np

from benchmarks.grown_trees import noisy_table
from sample_data import DataSet
from treecore import TAOClassifier
from treecore.tables.table_columns import TableColumn, TableColumns

RIGHT_TO_LEFT = "רוחב"


def customers(n=700):
    """Return categories (one with a single feature), dates with and without a time, and a number."""
    columns = TableColumns(
        (
            TableColumn("tariff", "category", ("basic", "a, b", RIGHT_TO_LEFT)),
            TableColumn("since", "date"),
            TableColumn("card", "category", ("yes",), ("no",)),
            TableColumn("age"),
            TableColumn("seen", "date"),
        )
    )
    rng = np.random.default_rng(4)
    tariff = rng.integers(0, 3, n)
    since, seen = 15_000 + rng.integers(0, 5000, n), 18_000 + rng.integers(0, 1440 * 400, n) / 1440
    card, age = rng.integers(0, 2, n), rng.integers(18, 90, n)
    X = np.column_stack([*(tariff == k for k in range(3)), since, card, age, seen]).astype(float)
    y = (since > 17_000 + 900 * tariff).astype(np.int64) + (card == 1) * (age > 40)
    return DataSet(
        "customers", "customers", X, y, columns.feature_names(), noisy_table(9, 2, 4, 0).class_names, columns=columns
    )


def customer_trees():
    """Return {name: (Tree, data)} with splits on a category, on a category and a date, and on two category columns."""
    data = customers()
    both = replace(data, y=((data.X[:, 0] == 1) & (data.X[:, 4] == 1)).astype(np.int64))
    found = {}
    for name, split, own in (("one", "univariate", data), ("two", "bivariate", data), ("both", "bivariate", both)):
        model = TAOClassifier(
            split=split, init="cart" if name == "one" else "bivariate_cart", lam=0.5, max_depth=4, random_state=0
        )
        tree = model.fit(own.X, own.labels()).tree_
        found[f"customers {name}"] = tree, own
        found[f"customers {name} turned"] = replace(tree, weights=-tree.weights, bias=-tree.bias), own
    return found
