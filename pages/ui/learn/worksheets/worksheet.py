"""Collect the questions of a lesson for a worksheet."""

import re
from dataclasses import dataclass

from pages.ui.learn import notes
from pages.ui.learn.lesson_notes import truth_text
from pages.ui.learn.lessons.document import kicker
from pages.ui.learn.lessons.lesson import BuiltLesson, Guess, Lesson, Scene
from pages.ui.shell import markdown_text
from treecore.tree.number_text import count
from treecore.tree.tree import Tree

BLANK = "____"
KEEP, TASK = "One sentence to remember", "Task for the laboratory"  # headings
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


@dataclass(frozen=True)
class Question:
    """A question of a lesson, as plain text.

    screen : number of its screen, from 1; guess : the `Guess`, or None; truth, answer : the correct guess and the
    answer in words, "" on the sheet of students.
    """

    screen: int
    ask: str
    guess: Guess | None
    truth: str
    answer: str

    @property
    def place(self) -> str:
        """Return the screen of the question. A question without a guess is a task on that screen."""
        return f"screen {self.screen}" if self.guess is not None else f"try it on screen {self.screen}"

    @property
    def scale(self) -> str:
        """Return the range and the unit of a guess on a scale, such as "0 to 30 m"."""
        assert self.guess is not None
        ends = (f"{value:,.{self.guess.digits}f}" for value in (self.guess.low, self.guess.high))
        return f"{' to '.join(end.removesuffix('.0') for end in ends)} {self.guess.unit}".strip()

    def is_right(self, choice: int) -> bool:
        """Test whether the sheet marks a choice as correct."""
        return bool(self.truth) and self.guess is not None and choice == self.guess.truth


@dataclass(frozen=True)
class Worksheet:
    """A worksheet.

    Parameters
    ----------
    title, kicker, about : str
    has_key : bool
        Whether it contains the answers.
    questions : tuple of Question
    beliefs : tuple of (str, str)
        Wrong statements to correct, each with its correction, which is "" on the sheet of students.
    keep : str
        Sentence to remember, "" on the sheet of students.
    task : str
        Experiment for the laboratory.
    scene : Scene
        Scene with the data of the picture.
    tree : Tree or None
        Tree of the picture; None shows the data only.
    """

    title: str
    kicker: str
    about: str
    has_key: bool
    questions: tuple[Question, ...]
    beliefs: tuple[tuple[str, str], ...]
    keep: str
    task: str
    scene: Scene
    tree: Tree | None

    @property
    def words(self) -> str:
        """Return the task of the sheet."""
        if self.has_key:
            return "Key for teachers. Numbers are those of the lesson."
        return (
            "Use this sheet while you see the screens of the lesson. Write your guess before a screen shows the "
            "answer. Then write the answer in your own words."
        )

    @property
    def data_words(self) -> str:
        """Return the data set in words."""
        data = self.scene.data
        drawn = count(len(self.scene.rows[0]))
        return f"{data.title}: {drawn} training rows, {data.n_features} features. Source: {data.source}."


def worksheet(lesson: Lesson, built: BuiltLesson, has_key: bool = False) -> Worksheet:
    """Return the worksheet of a lesson.

    has_key : whether it contains the answers. The sheet of students shows the data without a tree.
    """
    shown = built.moments[lesson.picture]
    scene, found, truths = built.scenes[shown.scene], [], set()
    for number, moment in enumerate(built.moments[:-1], 1):  # the last screen has the sentence and the task
        if not moment.ask:
            continue
        # A question may repeat the answer of an earlier one.
        ask = (
            _plain(moment.ask)
            if has_key
            else _NUMBER.sub(lambda n: BLANK if n[0] in truths else n[0], _plain(moment.ask))
        )  # noqa: B023
        truth = truth_text(moment) if has_key and moment.guess is not None else ""
        found.append(Question(number, ask, moment.guess, truth, _plain(moment.answer) if has_key else ""))
        if moment.guess is not None and not moment.guess.choices:
            truths.update(_NUMBER.findall(truth_text(moment)))
    beliefs = notes.ALL[lesson.slug].filled(built).misconceptions if lesson.slug in notes.ALL else ()
    return Worksheet(
        title=lesson.title, kicker=kicker(lesson), about=lesson.about, has_key=has_key, questions=tuple(found),
        beliefs=tuple((_plain(belief), _plain(reply) if has_key else "") for belief, reply in beliefs),
        keep=_plain(lesson.keep) if has_key else "", task=_plain(lesson.task),
        scene=scene, tree=scene.tree(shown.step) if has_key else None,
    )  # fmt: skip


def _plain(text: str) -> str:
    """Return a text of a lesson without its markup."""
    return "".join(words for _, words in markdown_text.spans(text))
