"""Test which tree of a path is shown first."""

from types import SimpleNamespace

import pytest

from tests.refusals import is_said
from treecore.tree.classes import Classes
from treecore.tree.quantity import Quantity
from viz.charts.values.path_points import recommended
from viz.messages import MESSAGES
from viz.payload.choice_facts import choice_facts
from viz.tree.readable_tree import TreeNote, readable_tree, tree_notes


def path(leaves, validation, test=None, n_validation=1000, classes=("no", "yes"), is_weighted=False):
    """Return points of a path with these numbers of leaves and errors."""
    test = [None] * len(leaves) if test is None else test
    return [
        SimpleNamespace(
            lam=float(i),
            tree=SimpleNamespace(n_leaves=n, target=Classes(classes)),
            validation_error=validation[i] if validation else None,
            test_error=test[i],
            train_error=0.0,
            n_validation=n_validation,
            is_weighted=is_weighted,
        )
        for i, n in enumerate(leaves)
    ]


def test_the_simplest_good_tree_opens_when_it_can_be_read():
    assert readable_tree(path([31, 9, 5, 2], [0.10, 0.10, 0.105, 0.2])) == (2, "", None)


def test_a_larger_tree_gives_way_and_the_cost_is_shown():
    found = readable_tree(path([31, 21, 9, 4], [0.05, 0.055, 0.08, 0.12], [0.051, 0.06, 0.074, 0.11]))
    assert found.index == 2
    facts = {"size": "9 leaves", "name": "test error", "error": "7.4 %", "fewest": "21 leaves", "other": "6.0 %"}
    assert is_said(found.note, "viz.readable.simplest", **facts)
    assert found.better == 1


def test_a_recommended_tree_may_be_twice_as_large_and_images_have_more_leaves():
    assert readable_tree(path([31, 17, 9, 4], [0.05, 0.055, 0.08, 0.12])).index == 1
    digits = path([90, 55, 9, 4], [0.05, 0.055, 0.08, 0.12])
    assert readable_tree(digits).index == 2
    assert readable_tree(digits, has_images=True).index == 1


def test_the_best_tree_opens_when_the_simplest_is_a_stump():
    assert readable_tree(path([6, 4, 2], [0.05, 0.06, 0.06])).index == 0


def test_there_may_be_a_leaf_for_each_class():
    many = tuple(f"class {i}" for i in range(26))
    errors = [0.20, 0.35, 0.6, 0.7]
    assert readable_tree(path([90, 25, 10, 5], errors, classes=many)).index == 1
    assert readable_tree(path([90, 25, 10, 5], errors)).index == 2


def test_errors_in_which_classes_weigh_are_called_so():
    found = readable_tree(path([31, 9], [0.05, 0.08], [0.051, 0.09], is_weighted=True))
    assert found.note.values.items() >= {"size": "9 leaves", "name": "weighted test error", "error": "9.0 %"}.items()


def test_errors_are_those_of_the_choice_where_the_test_rows_contradict_it():
    note = readable_tree(path([31, 9], [0.05, 0.08], [0.09, 0.08])).note
    facts = {"name": "validation error", "error": "8.0 %", "fewest": "31 leaves", "other": "5.0 %"}
    assert is_said(note, "viz.readable.simplest", **facts)


@pytest.mark.parametrize(("leaves", "words"), [([12, 4, 2], "a single split"), ([12, 4, 1], "a single leaf")])
def test_a_stump_never_opens_silently(leaves, words):
    found = readable_tree(path(leaves, [0.05, 0.05, 0.05]))
    assert found.index == 1
    facts = {"name": "validation error", "error": "5.0 %"}
    wanted = facts | {"size": "4 leaves", "fewest": words, "other": "5.0 %"}
    assert is_said(found.note, "viz.readable.as_good", **wanted)
    alone = readable_tree(path([2, 1], [0.05, 0.2]))
    assert (alone.index, alone.better) == (0, None)
    assert is_said(alone.note, "viz.readable.none_better", size="a single split", **facts)


def test_without_validation_rows_the_largest_readable_tree_opens():
    assert readable_tree(path([31, 9, 5, 1], None)) == (1, "", None)
    assert readable_tree(path([31, 14, 2], None)).index == 1
    assert readable_tree(path([400, 300], None)).index == 1


def test_the_smallest_opens_if_all_trees_are_too_large():
    found = readable_tree(path([1175, 1175, 400, 49, 49], [0.05, 0.05, 0.06, 0.09, 0.08]))
    assert found.index == 4
    assert is_said(found.note, "viz.readable.simplest", size="49 leaves", name="validation error", error="8.0 %")
    assert readable_tree(path([1175, 400, 12, 2], [0.05, 0.05, 0.05, 0.06])).index == 2


def test_numbers_have_their_unit_and_their_own_word_for_an_error():
    found = readable_tree(path([31, 9], [0.05, 0.08]), Quantity(0.0, 9.0, 1.0, "dB"))
    facts = {"name": "validation RMSE", "error": "0.08 dB", "fewest": "31 leaves", "other": "0.05 dB"}
    assert is_said(found.note, "viz.readable.simplest", **facts)


def test_folds_do_not_select_a_simplified_tree_because_theirs_are_not():
    points = path([31, 9, 5, 2], [0.10, 0.10, 0.2, 0.3])
    points[1].is_simplified = True
    assert recommended(points)["min"] == 1  # by validation errors, of which a simplified tree has its own
    for point, error in zip(points, (0.12, 0.11, 0.112, 0.2), strict=True):
        point.cross_validated_error, point.cross_validated_spread = error, 0.0005
    assert recommended(points) == {"one_se": 2, "min": 2}
    points[1].is_simplified = False
    assert recommended(points) == {"one_se": 1, "min": 1}


def test_folds_choose_where_every_tree_has_been_judged_by_them():
    points = path([31, 9, 5, 2], [0.10, 0.10, 0.2, 0.3])
    assert readable_tree(points).index == 1
    assert choice_facts(points) is None
    for point, error in zip(points, (0.12, 0.11, 0.112, 0.2), strict=True):
        point.cross_validated_error, point.cross_validated_spread = error, 0.004
    assert recommended(points) == {"one_se": 2, "min": 1}
    assert readable_tree(points) == (2, "", None)
    facts = {"name": "cross-validated error", "fewest": "5 leaves", "other": "11.2 %"}
    assert choice_facts(points) == {
        "errors": [0.12, 0.11, 0.112, 0.2],
        "spreads": [0.004] * 4,
        "recommended": {"one_se": 2, "min": 1},
        "notes": {
            0: {"note": MESSAGES("readable.simplest", size="31 leaves", error="12.0 %", **facts), "better": 2},
            1: {"note": MESSAGES("readable.as_good", size="9 leaves", error="11.0 %", **facts), "better": 2},
            3: {"note": MESSAGES("readable.simplest", size="a single split", error="20.0 %", **facts), "better": 2},
        },
    }
    alone = path([31, 9], [0.05, 0.051])
    for point, error in zip(alone, (0.02, 0.08), strict=True):
        point.cross_validated_error, point.cross_validated_spread = error, 0.001
    assert "cross-validated error 8.0 %" in readable_tree(alone).note


def test_the_tree_that_opened_keeps_its_note_when_folds_would_open_another():
    noise = path([5, 4, 1], [0.60, 0.583, 0.60], [0.7, 0.9, 0.8], n_validation=12)
    words, close = "Simplest good tree: a single leaf", "(within one standard error)"
    assert readable_tree(noise) == (1, f"This tree: 4 leaves, validation error 58.3 %. {words}, 60.0 % {close}.", None)
    for point, error in zip(noise, (0.6, 0.7, 0.64), strict=True):
        point.cross_validated_error, point.cross_validated_spread = error, 0.05
    assert readable_tree(noise).index == 0
    notes = tree_notes(noise)
    assert notes[0] == (f"This tree: 5 leaves, cross-validated error 60.0 %. {words}, 64.0 % {close}.", None)
    better = "Simplest good tree: a single leaf, 64.0 %."
    assert notes[1] == TreeNote(f"This tree: 4 leaves, cross-validated error 70.0 %. {better}", 2)


def test_a_tree_with_as_few_leaves_as_the_simplest_good_one_needs_no_note():
    assert tree_notes(path([5, 5], [0.05, 0.05])) == {}
    assert tree_notes(path([5, 3], None)) == {}
