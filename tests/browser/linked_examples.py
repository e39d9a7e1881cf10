"""Train methods on the same rows for the tests of linked stages, and compute the expected values in Python."""

import re
from dataclasses import dataclass
from functools import cache

import numpy as np

import sample_data
from benchmarks.grown_trees import Point, grown_path, grown_tree, noisy_table
from sample_data.data_set import DataSet
from tests.browser.stage_examples import opened_up
from viz.page.stage_html import linked_stages_html


@dataclass(frozen=True)
class LinkedExample:
    """Named paths on one data set."""

    named: tuple
    data: DataSet
    rows: tuple

    @property
    def names(self):
        """Return the titles."""
        return [name for name, _ in self.named]

    def trees(self, which):
        """Return the trees of one method, given by its position."""
        path = self.named[which][1]
        return [path] if hasattr(path, "left") else [point.tree for point in path]

    def errors(self, which):
        """Return the validation error of each tree of a method."""
        labels = self.data.labels()
        part = self.rows[1]
        return [float(np.mean(tree.predict(self.data.X[part]) != labels[part])) for tree in self.trees(which)]

    def page(self, match="none"):
        """Return a standalone page. A test finds its stages and modules as `window.stages` and `window.modules`."""
        text = linked_stages_html(self.named, self.data, self.rows, match)
        own = r"await standalone\(element\(`place-\$\{i\}`\), ?bytes\(`trees-\$\{i\}`\), ?own\)"
        text, n = re.subn(own, lambda found: f"(window.stages ??= []).push({found[0]})", opened_up(text))
        assert n == 1
        return text


@cache
def linked():
    """Return two paths with trees of many sizes, and a single tree."""
    data = noisy_table(1800, 6, 4)
    sizes = (61, 49, 31, 21, 11, 5, 1)
    other = [Point(0.1 * (i + 1), grown_tree(data, size, 1)) for i, size in enumerate((55, 37, 25, 25, 15, 7))]
    named = (
        ("Two features", [Point(0.1 * (i + 1), grown_tree(data, size, 2)) for i, size in enumerate(sizes)]),
        ("One feature", other),
        ("Single tree", grown_path(data, 19, 3)[0].tree),
    )
    return LinkedExample(named, data, sample_data.split_rows(data, 0))
