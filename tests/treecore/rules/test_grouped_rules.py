"""Test that trees with groups of categories are read, typed and explained by their columns."""

import numpy as np
import pytest

from tests.customers import grouped_customers
from treecore.column_groups import column_groups
from treecore.explain.counterfactuals import counterfactual
from treecore.rules.rule_set import rules
from treecore.rules.typed_split import typed_split
from treecore.tree.category_columns import CategoryColumns
from treecore.tree.conditions import Columns, condition_of


@pytest.fixture(scope="module")
def grouped():
    """Return (Tree with feature names, data)."""
    tree, data = grouped_customers()
    return tree.with_names(data.feature_names), data


def test_rules_name_groups_of_cities_and_cover_what_the_tree_predicts(grouped):
    tree, data = grouped
    found = rules(tree, data.X, data.labels())
    texts = [str(condition) for rule in found for condition in rule.conditions]
    assert any(text.startswith("city in {") and ", city" in text for text in texts)
    leaf = tree.apply(data.X)
    for rule in found:
        covered = np.logical_and.reduce([condition.covers(Columns(data.X)) for condition in rule.conditions])
        np.testing.assert_array_equal(covered, leaf == rule.leaf)


def test_the_typed_condition_of_every_group_gives_its_sides(grouped):
    tree, data = grouped
    columns = CategoryColumns.of(data.feature_names, column_groups(data.feature_names))
    n_groups = 0
    for node in np.flatnonzero(tree.left >= 0):
        names = [data.feature_names[feature] for feature in tree.split(node)[0]]
        told = columns.combine(condition_of(tree.split(node), names))
        split = typed_split(f"if {told} then go right", data.feature_names, data.columns)
        features, weights, bias = tree.split(node)
        expected = bias + data.X[:, features] @ weights >= 0
        found = split.goes_right(split.bias + data.X[:, split.features] @ split.weights)
        np.testing.assert_array_equal(found, expected)
        n_groups += split.features.size > 1
    assert n_groups >= 2


def test_a_counterfactual_has_one_city(grouped):
    tree, data = grouped
    for x in data.X[:20]:
        found = counterfactual(tree, x, groups=[range(12)], open_groups=[0])
        assert found.point[:12].sum() in (0.0, 1.0)
        assert tree.predict(found.point[None])[0] != tree.predict(x[None])[0]
