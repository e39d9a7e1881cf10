"""Notes for teachers, one file for each lesson and story, named like the file of the lesson.

A new lesson declares its `Notes` in a file here and adds it to `ALL`.
"""

from collections.abc import Mapping

from pages.ui.learn.notes import (
    breast_cancer,
    care_points,
    forest,
    greedy_fails,
    lambda_prunes,
    mnist,
    objective_falls,
    overfitting,
    pixels,
    regression_trees,
    segment,
    split_choice,
    staircases,
    two_features,
    unstable,
    what_a_tree_is,
)
from pages.ui.learn.notes.notes import Notes

ALL: Mapping[str, Notes] = {
    "what-a-tree-is": what_a_tree_is.NOTES,
    "split-choice": split_choice.NOTES,
    "staircases": staircases.NOTES,
    "greedy-fails-on-xor": greedy_fails.NOTES,
    "care-points": care_points.NOTES,
    "objective-only-falls": objective_falls.NOTES,
    "lambda-prunes": lambda_prunes.NOTES,
    "overfitting": overfitting.NOTES,
    "two-features": two_features.NOTES,
    "pixels-as-features": pixels.NOTES,
    "regression-trees": regression_trees.NOTES,
    "unstable": unstable.NOTES,
    "what-a-forest-adds": forest.NOTES,
    "breast-cancer": breast_cancer.NOTES,
    "segment": segment.NOTES,
    "mnist": mnist.NOTES,
}
USUAL = 7  # minutes of a lesson without notes


def minutes_of(slug: str) -> int:
    """Return the planned minutes of a lesson."""
    return ALL[slug].minutes if slug in ALL else USUAL
