"""The lessons and stories, one file each."""

from dataclasses import replace
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
from pages.ui.learn.lessons.further import (
    bias_and_variance,
    categories_and_missing,
    how_far_from_best,
    pruning_and_lambda,
    threshold_to_sum,
    where_tao_does_not_help,
)
from pages.ui.learn.lessons.lesson import BuiltLesson, Lesson, Moment

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
    threshold_to_sum.LESSON,
    pruning_and_lambda.LESSON,
    bias_and_variance.LESSON,
    categories_and_missing.LESSON,
    where_tao_does_not_help.LESSON,
    how_far_from_best.LESSON,
)
STORIES = (breast_cancer.LESSON, segment.LESSON, mnist.LESSON)
ALL = {lesson.slug: lesson for lesson in LESSONS + STORIES}

CLAIMS = {claim.name: (slug, claim) for slug, lesson in ALL.items() for claim in lesson.claims}


@cache
def build(slug: str) -> BuiltLesson:
    """Return the built lesson with this slug and its closing screen. Each lesson is built only once."""
    lesson = ALL[slug]
    built = lesson.build()
    moments = (
        one if one.guess is None else replace(one, guess=one.guess.placed(f"{slug} {one.ask}")) for one in built.moments
    )
    return replace(built, moments=(*moments, _closing(lesson, built.moments[-1])))


def _closing(lesson: Lesson, last: Moment) -> Moment:
    """Return the screen with the sentence to remember and a task, mostly for the laboratory."""
    task = lesson.task
    if lesson.is_task_for_laboratory:
        begin = f"In the laboratory, {task[0].lower()}{task[1:]}"
        task = f"{begin} *Open in laboratory* starts with the data of this lesson."
    return Moment(
        last.scene,
        last.step,
        ("Remember one sentence from this lesson:", f"**{lesson.keep}**"),
        ask=task,
        source=last.source,
    )
