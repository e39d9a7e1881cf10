"""Notes for teachers, one file for each lesson and story, named like the file of the lesson.

A new lesson declares its `Notes` in a file here and adds it to `ALL`.
"""

from collections.abc import Mapping

from pages.ui.learn.notes import (
    bias_and_variance,
    breast_cancer,
    care_points,
    categories_and_missing,
    forest,
    greedy_fails,
    how_far_from_best,
    lambda_prunes,
    mnist,
    objective_falls,
    overfitting,
    pixels,
    pruning_and_lambda,
    regression_trees,
    segment,
    split_choice,
    staircases,
    threshold_to_sum,
    two_features,
    unstable,
    what_a_tree_is,
    where_tao_does_not_help,
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
    "from-threshold-to-sum": threshold_to_sum.NOTES,
    "pruning-and-lambda": pruning_and_lambda.NOTES,
    "bias-and-variance": bias_and_variance.NOTES,
    "categories-and-missing-values": categories_and_missing.NOTES,
    "where-tao-does-not-help": where_tao_does_not_help.NOTES,
    "how-far-from-the-best-tree": how_far_from_best.NOTES,
    "breast-cancer": breast_cancer.NOTES,
    "segment": segment.NOTES,
    "mnist": mnist.NOTES,
}
USUAL = 7  # minutes of a lesson without notes


def minutes_of(slug: str) -> int:
    """Return the planned minutes of a lesson."""
    return ALL[slug].minutes if slug in ALL else USUAL
