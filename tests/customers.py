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


def grouped_customers(n=700):
    """Return (Tree, data) with splits on groups of the categories of a column, some with unusual names."""
    cities = ("Bern", "a, b", RIGHT_TO_LEFT, *(f"city {k}" for k in range(9)))
    columns = TableColumns((TableColumn("city", "category", cities, ("elsewhere",)), TableColumn("age")))
    rng = np.random.default_rng(5)
    city, age = rng.integers(0, len(cities) + 1, n), rng.integers(18, 90, n)
    X = np.column_stack([*(city == k for k in range(len(cities))), age]).astype(float)
    y = ((city % 3 == 0) & (age > 40)) + 2 * (city % 5 == 1)
    data = DataSet("grouped", "grouped", X, np.minimum(y, 2), columns.feature_names(), ("a", "b", "c"), columns=columns)
    model = TAOClassifier(split="univariate", init="cart", lam=2.0, categories=[range(len(cities))], random_state=0)
    return model.fit(data.X, data.labels()).tree_, data


def customer_trees():
    """Return {name: (Tree, data)}: splits on a category, on a group, on a category and a date, and on two columns.

    "turned" trees have the opposite weights.
    """
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
    found["customers groups"] = grouped_customers()
    return found
