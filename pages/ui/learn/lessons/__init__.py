"""The lessons and stories, one file each."""

from functools import cache

from pages.ui.learn.lessons import (
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
from pages.ui.learn.lessons.lesson import BuiltLesson

LESSONS = (
    what_a_tree_is.LESSON,
    split_choice.LESSON,
    staircases.LESSON,
    greedy_fails.LESSON,
    care_points.LESSON,
    objective_falls.LESSON,
    lambda_prunes.LESSON,
    overfitting.LESSON,
    two_features.LESSON,
    pixels.LESSON,
    regression_trees.LESSON,
    unstable.LESSON,
    forest.LESSON,
)
STORIES = (breast_cancer.LESSON, segment.LESSON, mnist.LESSON)
ALL = {lesson.slug: lesson for lesson in LESSONS + STORIES}


@cache
def build(slug: str) -> BuiltLesson:
    """Return the built lesson with this slug. Each lesson is built only once."""
    return ALL[slug].build()
