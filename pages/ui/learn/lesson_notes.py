"""Define the notes of a lesson for its teacher."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from pages.ui.learn.lessons.lesson import BuiltLesson, Moment
from viz.page.guesses_html import guess_text

FOR_ALL = "Let two students with different guesses explain them, let the class guess again, then show the answer."


def _no_figures(built: BuiltLesson) -> Mapping[str, str]:
    return {}


@dataclass(frozen=True)
class Notes:
    """The notes of one lesson.

    Texts may contain ``{name}``; `figures` computes these numbers from the trees of the lesson.

    Parameters
    ----------
    minutes : int
        Planned minutes in a class.
    aims : tuple of str
        Sentences that complete "After this lesson, students can".
    needs : tuple of str
        Terms and lessons that students must know before.
    misconceptions : tuple of (str, str)
        Common wrong beliefs, each with a reply.
    splits : mapping of str to str
        For a phrase of a question, words for a class whose guesses differ. In these, ``{truth}`` is the correct guess.
    figures : callable
        Function that returns {name: text} for a `BuiltLesson`.
    """

    minutes: int
    aims: tuple[str, ...]
    needs: tuple[str, ...]
    misconceptions: tuple[tuple[str, str], ...]
    splits: Mapping[str, str]
    figures: Callable[[BuiltLesson], Mapping[str, str]] = field(default=_no_figures)

    def filled(self, built: BuiltLesson) -> "Notes":
        """Return the notes with the numbers of a `BuiltLesson`."""
        numbers = self.figures(built)

        def text(words: str) -> str:
            for name, number in numbers.items():
                words = words.replace(f"{{{name}}}", number)
            return words

        return replace(
            self,
            aims=tuple(map(text, self.aims)),
            needs=tuple(map(text, self.needs)),
            misconceptions=tuple((text(belief), text(reply)) for belief, reply in self.misconceptions),
            splits={phrase: text(words) for phrase, words in self.splits.items()},
        )

    def split_words(self, moment: Moment) -> str:
        """Return the words for a moment at which guesses differ."""
        words = next((text for phrase, text in self.splits.items() if phrase in moment.ask), FOR_ALL)
        return words.replace("{truth}", truth_text(moment))


def truth_text(moment: Moment) -> str:
    """Return the correct guess of a moment, in words."""
    assert moment.guess is not None
    return guess_text(moment.guess, moment.guess.truth)
