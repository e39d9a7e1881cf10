"""Test that a split between missing and known values is described in words, never with an unused number."""

from dataclasses import replace

import numpy as np
import pandas
import pytest

import viz
from treecore import TAOClassifier, export
from treecore.rules import rules
from treecore.tree.condition_text import TYPESET
from treecore.tree.conditions import Interval


@pytest.fixture(scope="module")
def fitted():
    rng = np.random.default_rng(0)
    year = rng.integers(1900, 2000, 60).astype(float)
    year[:20] = np.nan
    table = pandas.DataFrame({"year": year, "other": rng.normal(size=60)})
    labels = np.where(np.isnan(year), "no", "yes")
    model = TAOClassifier(split="univariate", init="cart", missing="learn", random_state=0).fit(table, labels)
    assert abs(model.tree_.bias[0]) > 1e30  # this test needs such a bias
    return model, table, labels


def test_rules_name_missing_and_known_values(fitted):
    model, table, labels = fitted
    found = [str(rule.conditions[0]) for rule in rules(model, table, labels)]
    assert sorted(found) == ["year is known", "year is missing"]


def test_figures_name_them(fitted):
    text = viz.figure(*fitted, format="svg").decode()
    assert "e+30" not in text
    assert all(f">{words}<" in text for words in ("year is missing", "known", "missing"))


@pytest.mark.parametrize("language", [export.python, export.javascript, export.c])
def test_comments_of_code_name_them(fitted, language):
    assert "is known" in language(fitted[0])


def test_branches_name_them():
    year = Interval(0, "year", missing=False)
    assert year.words(TYPESET) == ("year is known", "known", "missing")
    assert replace(year, low=np.inf, missing=True).words(TYPESET) == ("year is missing", "missing", "known")
