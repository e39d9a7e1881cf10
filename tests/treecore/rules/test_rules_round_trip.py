"""Test that rules of every kind of tree on every bundled data set separate rows like the tree, also when read back."""

import csv
import html
import io
import re

import numpy as np
import pytest

from tests.treecore.rules.rule_reader import RuleReader, else_if
from treecore.column_groups import column_groups
from treecore.rules.rule_set import rules
from treecore.tree.condition_text import quoted
from treecore.tree.text_tree import node_names

pytestmark = pytest.mark.nightly


def rows_of(tree, example):
    """Return the rows that rules can distinguish, with finite sums and at most one category per column."""
    X = example.X[example.allowed(tree)]
    X = X[~(np.abs(X) > 1e300).any(axis=1)]
    for group in column_groups(tree.feature_names):
        flags = X[:, group.start : group.stop]
        one_hot = np.isin(flags, [0, 1]).all(axis=1) & (flags.sum(axis=1) <= 1)
        X = X[one_hot | np.isnan(flags).all(axis=1)]
    return X


def test_every_row_fires_the_one_rule_of_its_leaf(matrix):
    for name, tree, example, _ in matrix:
        X = example.X[example.allowed(tree)]
        found = rules(tree, precision=None)
        fired = np.array([rule.covers(X) for rule in found])
        assert (fired.sum(axis=0) == 1).all(), name
        place = fired.argmax(axis=0)
        assert np.array([rule.leaf for rule in found])[place].tolist() == tree.apply(X).tolist(), name
        assert np.array([rule.label for rule in found])[place].tolist() == tree.predict(X).tolist(), name


def test_every_text_of_the_rules_is_read_back_as_the_tree(matrix):
    chains = 0
    for name, tree, example, _ in matrix:
        X, found = rows_of(tree, example), rules(tree, precision=None)
        reader, leaves, labels = RuleReader(tree.feature_names, X), tree.apply(X), tree.predict(X)
        names = node_names(tree)
        table = list(csv.reader(io.StringIO(found.to_csv())))[1:]
        assert len(table) == len(found) == tree.n_leaves, name
        conditions = [cell.removeprefix("'") if cell[:2] == "'-" else cell for _, cell, *_ in table]
        for (leaf, _, label, *_), condition in zip(table, conditions, strict=True):
            held = reader.holds(condition)
            assert held.tolist() == [leaf == names[one] for one in leaves], (name, condition)
            assert {as_text(tree, value) for value in labels[held].tolist()} <= {label}, name
        assert [condition_of(line) for line in found.to_text().splitlines()] == conditions, name
        assert markdown_conditions(found.to_markdown()) == conditions, name
        assert found.to_latex().count(" \\\\\n") == 1 + len(found), name
        if found.is_lopsided:
            chains += 1
            assert read_chain(found.to_else_if(), reader) == [rule_text(tree, value) for value in labels.tolist()], name
    assert chains > 10


def as_text(tree, value):
    return repr(value) if tree.is_regression else value


def rule_text(tree, value):
    return f"{value:.6g}" if tree.is_regression else quoted(value)


def condition_of(line):
    return re.fullmatch(r"if (.*) then .* \(\d+ rows?, .*\)", line)[1]


def markdown_conditions(text):
    """Return the first cell of each row in a Markdown table."""
    cells = [re.split(r"(?<!\\) \| ", line.removeprefix("| "))[0] for line in text.splitlines()[2:]]
    return [html.unescape(re.sub(r"\\(.)", r"\1", cell)) for cell in cells]


def read_chain(text, reader):
    """Return the label of the first line that is true for each row."""
    chain = else_if(text)
    held = np.array([np.ones(len(reader.X), bool) if part is None else reader.holds(part) for part, _ in chain])
    return [chain[place][1] for place in held.argmax(axis=0)]
