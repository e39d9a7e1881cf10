"""`Room`: the state of one room, without locks and limits."""

import math
from collections import Counter, deque
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from pages.rooms.contest import Entry
from pages.rooms.points import is_right, points_of_drawing, points_of_guess
from pages.rooms.room_views import Answer, Drawing, Rank, Record, Seat
from pages.rooms.screen import Screen, ScreenName

HERE = 12.0  # seconds without a request after which a student is not counted as present
WRONG_KEYS = 1_000  # maximum number of wrong keys that a room remembers
SCREENS = 200  # maximum number of screens whose answers a room keeps


@dataclass
class Student:
    """A student in a room.

    number : 1 for the first who joined; seen : time of the latest request; place : name of the browser or, without
    cookies, of its network, or ""; network : name of the network, or ""; guessed, drawn : times of the latest guess and
    drawing; guesses : (guess, its time) by screen; trees : (best entry, its time, latest entry) by screen; points :
    points by screen.
    """

    number: int
    seen: float
    place: str = ""
    network: str = ""
    name: str = ""
    guessed: float = -math.inf
    drawn: float = -math.inf
    guesses: dict[ScreenName, tuple[float, float]] = field(default_factory=dict)
    trees: dict[ScreenName, tuple[Entry, float, Entry]] = field(default_factory=dict)
    points: dict[ScreenName, int] = field(default_factory=dict)

    @property
    def has_answered(self) -> bool:
        """Test whether the student has guessed or drawn on any screen."""
        return bool(self.guesses or self.trees or self.points)


@dataclass
class Room:
    """The state of a room.

    key : text that makes another browser a leader; opened, teacher_seen : seconds of the store's clock; address :
    network address of the browser that opened the room; leaders : owners (see `pages.ui.shell.owner`) who lead the
    room, the first opened it; closes : time at which guessing on the current screen closes; wrong : (time, owner,
    network) of the latest wrong keys; screens : screens with a task, by name, in the order in which they were first
    shown.
    """

    code: str
    key: str
    opened: float
    teacher_seen: float
    address: str
    leaders: list[str]
    date: datetime = field(default_factory=lambda: datetime.now(UTC))
    screen: Screen | None = None
    is_shown: bool = False
    closes: float = math.inf
    has_score: bool = False
    wrong: deque[tuple[float, str, str]] = field(default_factory=lambda: deque(maxlen=WRONG_KEYS))
    joined: int = 0
    students: dict[str, Student] = field(default_factory=dict)
    screens: dict[ScreenName, Screen] = field(default_factory=dict)

    @property
    def name(self) -> ScreenName | None:
        """Return the name of the current screen, or None."""
        return self.screen.name if self.screen else None

    def show(self, screen: Screen | None, is_shown: bool) -> None:
        """Show a screen. Another screen has no time limit."""
        if screen is None or screen.name != self.name:
            self.closes = math.inf
        self.screen, self.is_shown = screen, is_shown
        if screen is not None and screen.has_task:
            self.screens[screen.name] = screen
            if len(self.screens) > SCREENS:
                self._forget(next(iter(self.screens)))
            if is_shown:
                self._award(screen)

    def join(self, token: str, now: float, place: str, network: str = "") -> None:
        """Add a student."""
        self.joined += 1
        self.students[token] = Student(self.joined, now, place, network)

    def free_seats(self, crowded: Collection[str], now: float, gone: float, is_first: bool) -> None:
        """Remove students without an answer from a crowded place.

        Those who have been away for longer than `gone` seconds leave. If there is none, the newcomer is the first
        student of a browser (`is_first`), and another browser has several students, then that with the most students
        loses its newest one. A browser thus has several seats only while there are enough.
        """
        silent = [token for token in crowded if not self.students[token].has_answered]
        leaving = [token for token in silent if now - self.students[token].seen > gone]
        often = Counter(one.place for one in self.students.values() if one.place != one.network)
        extra = [token for token in silent if often[self.students[token].place] > 1]
        if is_first and extra and not leaving:
            leaving = [max(extra, key=lambda token: (often[self.students[token].place], self.students[token].number))]
        for token in leaving:
            del self.students[token]

    def left(self, now: float) -> float | None:
        """Return the seconds until guessing closes, 0 if it is closed, None without a limit."""
        return None if self.closes == math.inf else max(self.closes - now, 0.0)

    def names(self) -> dict[str, str]:
        """Return {token: name in tables}: the entered name, or "Student" and a number.

        A name that several students have entered is followed by the number of the student, and so is a name that ends
        like such a number.
        """
        found = {token: one.name or f"Student {one.number}" for token, one in self.students.items()}
        often = Counter(["tao", *(name.casefold() for name in found.values())])
        return {
            token: f"{name} ({self.students[token].number})"
            if self.students[token].name and (often[name.casefold()] > 1 or name.endswith(")"))
            else name
            for token, name in found.items()
        }

    def guesses(self) -> dict[str, float]:
        """Return {token: guess} on the current screen."""
        name = self.name
        return {token: one.guesses[name][0] for token, one in self.students.items() if name in one.guesses}

    def board(self) -> dict[str, Drawing]:
        """Return {token: `Drawing`} on the current screen, the best first; in a tie, the earlier one is first."""
        screen, names, found = self.name, self.names(), []
        for token, one in self.students.items():
            if screen in one.trees:
                best, when, last = one.trees[screen]
                found.append((best.objective, when, token, Drawing(names[token], best, last)))
        return {token: drawn for *_, token, drawn in sorted(found, key=lambda one: one[:2])}

    def seats(self, now: float) -> tuple[Seat, ...]:
        """Return the `Seat` of every student."""
        name, names = self.name, self.names()
        return tuple(
            Seat(names[token], now - one.seen < HERE, name in one.guesses or name in one.trees)
            for token, one in self.students.items()
        )

    def score(self, own: str | None = None) -> tuple[Rank, ...]:
        """Return the running score, the best first. It contains screens whose answer has been shown.

        own : token of the viewer.
        """
        if not self.has_score:
            return ()
        names = self.names()
        points = {token: sum(one.points.values()) for token, one in self.students.items() if one.has_answered}
        order = sorted(points, key=lambda token: (-points[token], self.students[token].number))
        above = Counter(points.values())
        return tuple(
            Rank(1 + sum(n for p, n in above.items() if p > points[t]), names[t], points[t], t == own) for t in order
        )

    def record(self) -> Record:
        """Return the `Record` of the room."""
        return Record(
            self.code, self.date, tuple((screen, self._answers(name, screen)) for name, screen in self.screens.items())
        )

    def _answers(self, name: ScreenName, screen: Screen) -> tuple[Answer, ...]:
        found = []
        for one in self.students.values():
            if screen.contest is not None and name in one.trees:
                best, when, _ = one.trees[name]
                right = best.objective <= screen.contest.tao_entry.objective
                found.append(Answer(one.number, best.objective, right, self._date(when)))
            elif screen.guess is not None and name in one.guesses:
                value, when = one.guesses[name]
                found.append(Answer(one.number, value, is_right(screen.guess, value), self._date(when)))
        return tuple(found)

    def _award(self, screen: Screen) -> None:
        """Award points when the answer of a screen is shown for the first time after somebody has answered."""
        name = screen.name
        if any(name in one.points for one in self.students.values()):
            return
        for one in self.students.values():
            if screen.contest is not None and name in one.trees:
                one.points[name] = points_of_drawing(screen.contest, one.trees[name][0].objective)
            elif screen.guess is not None and name in one.guesses:
                one.points[name] = points_of_guess(screen.guess, one.guesses[name][0])

    def _forget(self, name: ScreenName) -> None:
        """Remove a screen and its answers. Points remain, because the score counts them."""
        del self.screens[name]
        for one in self.students.values():
            one.guesses.pop(name, None)
            one.trees.pop(name, None)

    def _date(self, when: float) -> datetime:
        return self.date + timedelta(seconds=when - self.opened)
