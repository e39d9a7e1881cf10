"""The lessons and stories, each in a file of its own."""

from functools import lru_cache

from pages.ui.learn.lessons import (
    breast_cancer,
    care_points,
    greedy_fails,
    lambda_prunes,
    mnist,
    objective_falls,
    pixels,
    segment,
    staircases,
    two_features,
    what_a_tree_is,
)
from pages.ui.shell import data_sets
from sample_data.known_sets import known_set
from treecore.errors import DataError

LESSONS = (
    what_a_tree_is.LESSON,
    staircases.LESSON,
    greedy_fails.LESSON,
    care_points.LESSON,
    objective_falls.LESSON,
    lambda_prunes.LESSON,
    two_features.LESSON,
    pixels.LESSON,
)
STORIES = (breast_cancer.LESSON, segment.LESSON, mnist.LESSON)
ALL = {lesson.slug: lesson for lesson in LESSONS + STORIES}


def told(slug):
    """`Told` of a lesson, made once. Raises what loading its data raises, and DataError for other data of that name."""
    data = data_sets.shared(ALL[slug].data_set)
    check(ALL[slug], data)
    return _told(slug, data.fingerprint)


def check(lesson, data):
    """Raise DataError when a file of the data folder has the name of the lesson's data, but is something else."""
    counts = (data.n_rows, data.n_features, data.n_classes)
    if lesson.classes and (known_set(data.name, counts) is None or set(data.class_names) != set(lesson.classes)):
        raise DataError(f"{data.name} is another data set than the one that “{lesson.title}” is about.")


@lru_cache(maxsize=len(ALL))
def _told(slug, fingerprint):
    return ALL[slug].tell()
