"""Test which tree of a path is shown first."""

from types import SimpleNamespace

import pytest

from tests.refusals import is_said
from treecore.tree.classes import Classes
from treecore.tree.quantity import Quantity
from viz.charts.path_points import recommended
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


@pytest.mark.parametrize("leaves", [[31, 9, 5, 2], [31, 9, 2, 1], [60, 40, 17, 12]])
def test_the_simplest_good_tree_opens(leaves):
    errors = [0.10, 0.10, 0.105, 0.2]
    assert readable_tree(path(leaves, errors)).index == recommended(path(leaves, errors))["one_se"] == 2


def test_a_very_large_one_offers_a_readable_tree_with_its_error():
    found = readable_tree(path([31, 21, 9, 4], [0.05, 0.055, 0.08, 0.12], [0.051, 0.06, 0.074, 0.11]))
    assert found.index == 1
    assert is_said(found.note, "test error", error="6.0 %", fewest="9 leaves", other="7.4 %")
    assert found.better == 2
    assert readable_tree(path([31, 20, 9, 4], [0.05, 0.055, 0.08, 0.12])) == (1, "", None)


def test_images_and_many_classes_may_have_more_leaves():
    digits = path([90, 55, 9, 4], [0.05, 0.055, 0.08, 0.12])
    assert readable_tree(digits).better == 2
    assert readable_tree(digits, has_images=True) == (1, "", None)
    many, errors = tuple(f"class {i}" for i in range(26)), [0.20, 0.35, 0.6, 0.7]
    assert readable_tree(path([90, 25, 10, 5], errors, classes=many)).better == 1
    assert readable_tree(path([90, 25, 10, 5], errors)).better == 2
    assert readable_tree(path([50, 25, 10, 5], errors, classes=many)).better is None


def test_errors_in_which_classes_weigh_are_called_so():
    found = readable_tree(path([31, 9], [0.05, 0.08], [0.051, 0.09], is_weighted=True))
    assert is_said(found.note, "weighted test error", fewest="9 leaves", other="9.0 %")


def test_errors_are_those_of_the_choice_where_the_test_rows_contradict_it():
    note = readable_tree(path([31, 9], [0.05, 0.08], [0.09, 0.08])).note
    assert is_said(note, "validation error", error="5.0 %", fewest="9 leaves", other="8.0 %")


@pytest.mark.parametrize(
    ("leaves", "words", "reason"),
    [
        ([12, 4, 2], "a single split", "No tree on the path is better by more than one standard error"),
        ([12, 4, 1], "a single leaf", "No split helps: no tree on the path is better by more than one standard error"),
    ],
)
def test_a_stump_opens_with_its_reason(leaves, words, reason):
    points = path(leaves, [0.05, 0.05, 0.05])
    found = readable_tree(points)
    assert (found.index, found.better) == (2, None)
    assert is_said(found.note, reason)
    other = tree_notes(points)[1]
    assert is_said(other.note, "validation error", fewest=words, other="5.0 %")
    assert other.better == 2


def test_without_validation_rows_the_largest_readable_tree_opens():
    assert readable_tree(path([31, 9, 5, 1], None)) == (1, "", None)
    assert readable_tree(path([31, 14, 2], None)).index == 1
    assert readable_tree(path([400, 300], None)).index == 1


def test_the_smallest_is_offered_if_all_trees_are_too_large():
    found = readable_tree(path([1175, 1175, 400, 49, 49], [0.05, 0.05, 0.06, 0.09, 0.08]))
    assert (found.index, found.better) == (1, 4)
    assert is_said(found.note, "A smaller tree: 49 leaves, validation error 8.0 % (this tree")
    assert readable_tree(path([49, 49], [0.05, 0.06], n_validation=10**9)) == (0, "", None)
    assert readable_tree(path([1175, 400, 12, 2], None)).index == 2


def test_numbers_have_their_unit_and_their_own_word_for_an_error():
    found = readable_tree(path([31, 9], [0.05, 0.08]), Quantity(0.0, 9.0, 1.0, "dB"))
    assert is_said(found.note, "validation RMSE", error="0.05 dB", fewest="9 leaves", other="0.08 dB")


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
    found = choice_facts(points)
    notes = found.pop("notes")
    assert found == {"errors": [0.12, 0.11, 0.112, 0.2], "spreads": [0.004] * 4, "recommended": {"one_se": 2, "min": 1}}
    assert {index: note["better"] for index, note in notes.items()} == {0: 2, 1: 2, 3: 2}
    for index, error in ((0, "12.0 %"), (1, "11.0 %"), (3, "20.0 %")):
        assert is_said(notes[index]["note"], "cross-validated error", error=error, fewest="5 leaves", other="11.2 %")
    alone = path([31, 9], [0.05, 0.051])
    for point, error in zip(alone, (0.02, 0.08), strict=True):
        point.cross_validated_error, point.cross_validated_spread = error, 0.001
    assert readable_tree(alone).index == 0
    assert "(this tree: 2.0 %)" in readable_tree(alone).note


def test_the_tree_that_opened_has_a_note_when_folds_select_another():
    noise = path([5, 4, 1], [0.60, 0.583, 0.60], [0.7, 0.9, 0.8], n_validation=12)
    assert readable_tree(noise).index == 2
    close = (
        "Simplest good tree: a single leaf, validation error 60.0 %, within one standard error of this tree (58.3 %)."
    )
    assert tree_notes(noise)[1] == (close, 2)
    for point, error in zip(noise, (0.6, 0.7, 0.71), strict=True):
        point.cross_validated_error, point.cross_validated_spread = error, 0.05
    assert readable_tree(noise) == (0, "", None)
    better = "Simplest good tree: 5 leaves, cross-validated error 60.0 % (this tree: 71.0 %)."
    assert tree_notes(noise)[2] == TreeNote(better, 0)


def test_a_tree_with_as_few_leaves_as_the_simplest_good_one_needs_no_note():
    assert tree_notes(path([5, 5], [0.05, 0.05])) == {}
    assert tree_notes(path([5, 3], None)) == {}
