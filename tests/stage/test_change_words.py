"""Test the sentences about the differences between two trees of a path against Python's trees."""

import numpy as np
import pytest

from tests.browser.stage_examples import made


@pytest.mark.parametrize(("name", "pinned", "now"), [("wine", 2, 6), ("wine", 6, 2), ("digits", 1, 5)])
def test_the_first_sentence_counts_test_rows_with_another_class(ask, name, pinned, now):
    found = made(name)
    before, after = found.trees[pinned], found.trees[now]
    rows = found.sampled(len(found.sets) - 1)
    X, y = found.data.X[rows], found.data.labels()[rows]
    was, then = before.predict(X), after.predict(X)
    first = ask("changeWords", found.payload, pinned, now)[0]["text"]
    if not np.any(was != then):
        assert first.startswith("All ")
        return
    assert first.startswith(f"{np.sum(was != then)} of {rows.size} ")
    for count, word in ((np.sum((was != y) & (then == y)), "correct"), (np.sum((was == y) & (then != y)), "wrong")):
        assert (f"{count} now {word}" in first) == (count > 0)


def test_leaves_that_became_one_leaf_are_named_in_both_directions(ask):
    found = made("wine")
    last = len(found.trees) - 1
    assert found.trees[last].n_leaves == 1
    for pinned, before in enumerate(found.trees[:-1]):
        if before.n_leaves == 1:
            continue
        numbers = [str(number) for number in range(1, before.n_leaves + 1)]
        listed = f"1 to {numbers[-1]}" if len(numbers) > 4 else f"{', '.join(numbers[:-1])} and {numbers[-1]}"
        texts = [one["text"] for one in ask("changeWords", found.payload, pinned, last)]
        assert any(text.startswith(f"Leaves {listed} became one leaf (") for text in texts), texts
        texts = [one["text"] for one in ask("changeWords", found.payload, last, pinned)]
        assert any(text.startswith(f"Leaf 1 became leaves {listed} (node 1: ") for text in texts), texts


def test_equal_trees_have_no_changes(ask):
    (only,) = ask("changeWords", made("wine").payload, 3, 3)
    assert only["text"].startswith("All ")
    assert only["origin"] is None
