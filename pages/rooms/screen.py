"""`Screen`: the words and the picture for a class, with a question to guess or points to separate."""

from dataclasses import dataclass
from typing import Any, Protocol

from pages.rooms.contest import Contest

ScreenName = tuple[str, int]  # lesson and position of the moment in it


class Guess(Protocol):
    """A question to guess, such as the `Guess` of a lesson."""

    @property
    def truth(self) -> float: ...

    @property
    def low(self) -> float: ...

    @property
    def high(self) -> float: ...

    @property
    def step(self) -> float: ...

    @property
    def choices(self) -> tuple[str, ...]: ...


@dataclass(frozen=True)
class Screen:
    """The current screen of a class.

    lesson, moment : slug of the lesson and position of the moment, or "" and a separate number; title, text, ask,
    answer : see `Moment`; guess : its `Guess`, or None if there is nothing to guess; contest : `Contest`, or None if
    there is nothing to draw; picture : `ScenePicture` on the stage, or None.
    """

    lesson: str
    moment: int
    title: str
    text: tuple[str, ...]
    ask: str = ""
    answer: str = ""
    guess: Guess | None = None
    contest: Contest | None = None
    picture: Any = None

    @property
    def name(self) -> ScreenName:
        """Return (lesson, moment), which identifies guesses and drawings."""
        return self.lesson, self.moment

    @property
    def has_task(self) -> bool:
        """Test whether students guess or draw on this screen."""
        return self.guess is not None or self.contest is not None
