"""Test notes about several labels in a cell, and about spellings of a value of a feature."""

import numpy as np
import pandas
import pytest

from sample_data.user_data import problems, propose, read, summarise
from sample_data.user_data.checks.cell_contents import labels_in
from tests.refusals import is_said


def noted(column, name="tags", target="y"):
    frame = pandas.DataFrame({name: column, "x": np.arange(len(column)) % 7, "y": np.arange(len(column)) % 2})
    table = read(frame.to_csv(index=False).encode(), "t.csv")
    recipe = propose(table, summarise(table), target)
    return [one for one in problems(table, summarise(table), recipe) if one.columns == (name,)]


def tags(sign, n=120):
    rng, labels = np.random.default_rng(0), np.array(["red", "green", "blue", "round", "large"])
    return [sign.join(sorted(rng.choice(labels, rng.integers(1, 4), replace=False))) for _ in range(n)]


@pytest.mark.parametrize("sign", [";", "|", ", ", "; "])
def test_several_labels_in_a_cell_are_named(sign):
    assert any(
        is_said(one.text, "Cells of 'tags' contain several labels, such as '…' (5 labels)") for one in noted(tags(sign))
    )
    assert any(
        is_said(one.text, "Cells of the target 'tags' contain several labels, such as '…' (… labels)")
        for one in noted(tags(sign), target="tags")
    )


@pytest.mark.parametrize(
    "texts",
    [["red", "blue", "white, pale"], [f"Nr {k}, Main Street {k}" for k in range(50)], ["a", "b", "c"],
     [f"Smith{k}, Anna{k}" for k in range(40)], ["yes; sure", "no; never"], ["1,5", "2,5", "1,7"]],
)  # fmt: skip
def test_names_and_addresses_have_no_labels(texts):
    assert labels_in(texts) is None


def test_spellings_of_a_feature_are_named():
    found = noted(["Pos", "pos", "POS ", "neg"] * 30, "result")
    assert any(is_said(one.text, "Some values of 'result' differ only in their spelling") for one in found)
    assert not [one for one in noted(["pos", "neg", "none"] * 30, "result") if one.kind == "spellings of values"]
