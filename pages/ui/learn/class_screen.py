"""Convert a moment of a lesson to the screen of a class in a room."""

from functools import cache

from pages.rooms.room import Contest, Screen
from pages.ui.learn import lesson_store, lessons
from pages.ui.learn.lessons.lesson import BuiltLesson, Moment
from pages.ui.room.student_page import ScenePicture


@cache
def class_screen(slug: str, number: int) -> Screen:
    """Return the `Screen` of a moment of a lesson.

    slug : name of the lesson in links; number : position of the moment.
    """
    lesson, built = lessons.ALL[slug], lesson_store.opened(slug)
    moment = built.moments[number]
    scene = built.scenes[moment.scene]
    picture = ScenePicture(scene.data, scene.rows[moment.set], None if moment.bare else scene.tree(moment.step))
    words = lesson.title, moment.text, moment.ask, moment.answer
    return Screen(slug, number, *words, moment.guess, _contest(built, moment), picture)


def _contest(built: BuiltLesson, moment: Moment) -> Contest | None:
    """Return the `Contest` of a moment, whose best line is the answer, or None if it has none."""
    if moment.beat is None:
        return None
    scene = built.scenes[moment.beat]
    return Contest(
        scene.data, scene.rows[0], 0.0, scene.tree(scene.last), most_lines=1, most_features=1, feature=moment.drag,
        is_question=True,
    )  # fmt: skip
