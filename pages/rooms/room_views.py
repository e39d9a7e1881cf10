"""Views of a room: for its teacher, for a student, and for the files that a teacher saves."""

from dataclasses import dataclass
from datetime import datetime

from pages.rooms.room import Entry, Screen


@dataclass(frozen=True)
class Drawing:
    """The drawing of a student.

    who : name of the student, see `Room.names`; entry : best entry so far; last : latest entry.
    """

    who: str
    entry: Entry
    last: Entry


@dataclass(frozen=True)
class Seat:
    """A student as the teacher sees it.

    who : name of the student, see `Room.names`; is_here : whether the device is connected; has_answered : whether the
    student has guessed or drawn on the current screen.
    """

    who: str
    is_here: bool
    has_answered: bool


@dataclass(frozen=True)
class Rank:
    """A line of the running score.

    place : 1 for the most points; students with equal points share a place; is_own : whether it is the viewer's line.
    """

    place: int
    who: str
    points: int
    is_own: bool


@dataclass(frozen=True)
class StudentView:
    """A room as a student sees it.

    who : name of this student in tables; name : entered name, or ""; left : seconds until guessing closes, 0 if it is
    closed, None without a limit; guess : guess of this student, or None; is_final : whether the answer was shown after
    this guess, which then does not change; guesses : all guesses, () until the answer is shown; drawn : `Drawing` of
    this student, or None; board : `Drawing` of every student, the best first; score : `Rank` of every student, ()
    without a running score.
    """

    screen: Screen | None
    is_shown: bool
    left: float | None
    who: str
    name: str
    guess: float | None
    is_final: bool
    guesses: tuple[float, ...]
    drawn: Drawing | None
    board: tuple[Drawing, ...]
    score: tuple[Rank, ...]


@dataclass(frozen=True)
class TeacherView:
    """A room as its teacher sees it.

    seats : `Seat` of every student; guesses : all guesses; named : (name, guess) of the students with a name; has_score
    : whether the class sees a running score; left, board, score : see `StudentView`.
    """

    code: str
    key: str
    screen: Screen | None
    is_shown: bool
    left: float | None
    seats: tuple[Seat, ...]
    guesses: tuple[float, ...]
    named: tuple[tuple[str, float], ...]
    board: tuple[Drawing, ...]
    has_score: bool
    score: tuple[Rank, ...]

    @property
    def here(self) -> int:
        """Return the number of students who are present."""
        return sum(one.is_here for one in self.seats)


@dataclass(frozen=True)
class Answer:
    """A guess or drawing in a `Record`.

    student : number of the student; value : guess, or objective of the best drawing; when : time of day with its zone.
    """

    student: int
    value: float
    is_right: bool
    when: datetime


@dataclass(frozen=True)
class Record:
    """All questions and answers of a room, without names.

    asked : (`Screen`, its `Answer`s) for each screen with a task, in the order in which they were first shown.
    """

    code: str
    opened: datetime
    asked: tuple[tuple[Screen, tuple[Answer, ...]], ...]

    @property
    def is_empty(self) -> bool:
        """Test whether the room has no answers."""
        return not any(answers for _, answers in self.asked)
