"""Keep the rooms of classes in the memory of this process only."""

import math
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from pages.rooms.contest import Contest, Entry
from pages.rooms.messages import MESSAGES
from treecore.errors import TreecoreError

SIGNS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # characters of a code, without characters that look alike
CODE = 5  # number of characters in a code
ROOMS, STUDENTS, NAME = 50, 200, 24  # maximum numbers: rooms, students per room, letters per name
LEADERS = 8  # maximum number of browsers that lead a room
DAY, AWAY = 86_400.0, 7_200.0  # seconds until a room ends, and until it ends if its teacher is away
# Seconds without a request after which a student is not counted. Later, a student without an answer is removed.
HERE, GONE = 12.0, 60.0
PAUSE = 0.5  # shortest time between two guesses of a student, in seconds
ScreenName = tuple[str, int]  # lesson and position of the moment in it


class Guess(Protocol):
    """A question to guess, such as the `Guess` of a lesson."""

    @property
    def low(self) -> float: ...

    @property
    def high(self) -> float: ...

    @property
    def choices(self) -> tuple[str, ...]: ...


class RoomError(TreecoreError):
    """Raised for a request that a room cannot fulfil."""


class RoomOver(RoomError):
    """Raised if a room does not exist or has ended."""


@dataclass(frozen=True)
class Screen:
    """The current screen of a class.

    lesson, moment : slug of the lesson and position of the moment, or "" and a separate number; title, text, ask,
    answer : see `Moment`; guess : its `Guess`, or None if there is nothing to guess; contest : `Contest`, or None if
    there is nothing to draw.
    """

    lesson: str
    moment: int
    title: str
    text: tuple[str, ...]
    ask: str = ""
    answer: str = ""
    guess: Guess | None = None
    contest: Contest | None = None

    @property
    def name(self) -> ScreenName:
        """Return (lesson, moment), which identifies guesses and drawings."""
        return self.lesson, self.moment


@dataclass(frozen=True)
class Drawing:
    """The drawing of a student.

    who : name of the student, or "Student" with a number; entry : best entry so far; last : latest entry.
    """

    who: str
    entry: Entry
    last: Entry


@dataclass(frozen=True)
class StudentView:
    """A room as a student sees it.

    guess : guess of this student, or None; guesses : all guesses, () until the answer is shown; drawn : `Drawing` of
    this student, or None; board : `Drawing` of every student, the best first.
    """

    screen: Screen | None
    is_shown: bool
    name: str
    guess: float | None
    guesses: tuple[float, ...]
    drawn: Drawing | None
    board: tuple[Drawing, ...]


@dataclass(frozen=True)
class TeacherView:
    """A room as its teacher sees it.

    here : number of students who are present; guesses : all guesses; named : (name, guess) of the students with a name;
    board : see `StudentView`.
    """

    code: str
    screen: Screen | None
    is_shown: bool
    here: int
    guesses: tuple[float, ...]
    named: tuple[tuple[str, float], ...]
    board: tuple[Drawing, ...]


@dataclass
class _Student:
    seen: float
    browser: str = ""
    name: str = ""
    guessed: float = -math.inf
    guesses: dict[ScreenName, float] = field(default_factory=dict)
    # by screen: (best entry, its time, latest entry)
    trees: dict[ScreenName, tuple[Entry, float, Entry]] = field(default_factory=dict)

    @property
    def has_answered(self) -> bool:
        return bool(self.guesses or self.trees)


@dataclass
class _Room:
    code: str
    opened: float
    teacher_seen: float  # time of the teacher's latest request
    address: str  # network address of the browser that opened the room
    leaders: list[str]  # owners (see `pages.ui.shell.owner`) who lead the room without its secret; the first opened it
    screen: Screen | None = None
    is_shown: bool = False
    students: dict[str, _Student] = field(default_factory=dict)

    def guesses(self) -> list[tuple[_Student, float]]:
        """Return [(student, guess)] on the current screen."""
        name = self.screen.name if self.screen else None
        return [(one, one.guesses[name]) for one in self.students.values() if name in one.guesses]

    def board(self) -> dict[str, Drawing]:
        """Return {token: `Drawing`} on the current screen, the best first; in a tie, the earlier one is first."""
        name = self.screen.name if self.screen else None
        found = []
        for number, (token, one) in enumerate(self.students.items(), 1):
            if name in one.trees:
                best, when, last = one.trees[name]
                found.append((best.objective, when, token, Drawing(one.name or f"Student {number}", best, last)))
        return {token: drawn for *_, token, drawn in sorted(found, key=lambda one: one[:2])}


class RoomStore:
    """All rooms of a server. Every method may be called from any thread.

    A teacher has a secret, a class has a code, and a student has a token. The code is short enough to read aloud. clock
    : function that returns seconds; of_owner, of_address : maximum number of open rooms per owner and per network
    address. All methods raise RoomError with a message for the user.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, of_owner: int = 3, of_address: int = 10) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._of_owner, self._of_address = of_owner, of_address
        self._rooms: dict[str, _Room] = {}  # rooms by secret

    def open(self, owner: str = "", address: str = "") -> str:
        """Open a room and return its secret.

        If the owner has too many rooms, the room whose teacher has been away longest ends.
        """
        with self._lock:
            now = self._sweep()
            mine = [secret for secret, room in self._rooms.items() if owner and room.leaders[0] == owner]
            oldest = sorted(mine, key=lambda secret: self._rooms[secret].teacher_seen)
            ending = oldest[: max(len(mine) + 1 - self._of_owner, 0)]
            staying = [room for secret, room in self._rooms.items() if secret not in ending]
            if address and sum(room.address == address for room in staying) >= self._of_address:
                raise RoomError(MESSAGES("of_address", n=self._of_address))
            if len(staying) >= ROOMS:
                raise RoomError(MESSAGES("rooms", n=ROOMS))
            for secret in ending:
                del self._rooms[secret]
            taken = {room.code for room in self._rooms.values()}
            while (code := "".join(map(secrets.choice, [SIGNS] * CODE))) in taken:
                pass
            secret = secrets.token_urlsafe(16)
            self._rooms[secret] = _Room(code, now, now, address, [owner])
            return secret

    def lead(self, text: str, owner: str) -> tuple[str, str]:
        """Return (secret, code) of a room that an owner may lead.

        text : secret of the room, or its code if the owner has already used the secret.
        """
        with self._lock:
            self._sweep()
            room = self._rooms.get(text)
            if room is not None:
                room.leaders = [*dict.fromkeys([*room.leaders, owner])]
                if len(room.leaders) > LEADERS:
                    del room.leaders[1]
                return text, room.code
            room = self._of_code(text) if len(tidy(text)) == CODE else self._room_of_teacher(text)
            if owner not in room.leaders:
                raise RoomError(MESSAGES("not_leader", code=room.code))
            return next(secret for secret, one in self._rooms.items() if one is room), room.code

    def show(self, secret: str, screen: Screen | None, is_shown: bool = False) -> None:
        """Show a `Screen` to the class.

        is_shown : whether the answer is visible; guessing then ends.
        """
        with self._lock:
            room = self._room_of_teacher(secret)
            room.screen, room.is_shown = screen, is_shown

    def answers(self, secret: str) -> TeacherView:
        """Return the `TeacherView` of the current screen."""
        with self._lock:
            room, now = self._room_of_teacher(secret), self._clock()
            found = room.guesses()
            here = sum(now - one.seen < HERE for one in room.students.values())
            named = tuple((one.name, guess) for one, guess in found if one.name)
            guesses = tuple(guess for _, guess in found)
            board = tuple(room.board().values())
            return TeacherView(room.code, room.screen, room.is_shown, here, guesses, named, board)

    def end(self, secret: str) -> None:
        """End a room, if it has not ended yet."""
        with self._lock:
            self._rooms.pop(secret, None)

    def join(self, code: str, token: str | None = None, browser: str = "") -> str:
        """Return the token of a new or returning student.

        browser : name of the browser, which identifies a student who has lost the token; "" if it has none.
        """
        with self._lock:
            room, now = self._of_code(code), self._clock()
            if token in room.students:
                return token
            known = next((t for t, one in room.students.items() if browser and one.browser == browser), None)
            if known is not None:
                return known
            if len(room.students) >= STUDENTS:
                left = [t for t, one in room.students.items() if now - one.seen > GONE and not one.has_answered]
                for one in left:
                    del room.students[one]
            if len(room.students) >= STUDENTS:
                raise RoomError(MESSAGES("full", code=room.code, students=STUDENTS))
            token = secrets.token_urlsafe(9)
            room.students[token] = _Student(now, browser)
            return token

    def look(self, code: str, token: str) -> StudentView:
        """Return the `StudentView` of a student, and mark the student as present."""
        with self._lock:
            room, student = self._student(code, token)
            screen, shown = room.screen, room.is_shown
            own = student.guesses.get(screen.name) if screen else None
            guesses, board = tuple(g for _, g in room.guesses()) if shown else (), room.board()
            return StudentView(screen, shown, student.name, own, guesses, board.get(token), tuple(board.values()))

    def call(self, code: str, token: str, name: str) -> None:
        """Set the name of a student; "" removes it."""
        name = " ".join("".join(sign if sign.isprintable() else " " for sign in name).split())
        if len(name) > NAME:
            raise RoomError(MESSAGES("long_name", name=name[:NAME], n=len(name), most=NAME))
        with self._lock:
            self._student(code, token)[1].name = name

    def guess(self, code: str, token: str, name: ScreenName, value: object) -> None:
        """Store a guess for the screen `name`, (lesson, moment), and replace the previous guess."""
        with self._lock:
            room, student = self._student(code, token)
            question = _open_task(room, name, "guess")
            if question is None:
                raise RoomError(MESSAGES("no_guess"))
            value = check_guess(question, value)
            now = self._clock()
            if now - student.guessed < PAUSE:
                raise RoomError(MESSAGES("too_fast"))
            student.guessed, student.guesses[name] = now, value

    def draw(self, code: str, token: str, name: ScreenName, document: dict) -> Entry:
        """Store a student's tree for the screen `name` and return its `Entry`. Raises TreecoreError."""
        with self._lock:
            contest = _open_task(self._student(code, token)[0], name, "contest")
        if contest is None:
            raise RoomError(MESSAGES("no_drawing"))
        entry = contest.entry(document)  # computed outside the lock, so that it blocks no other request
        with self._lock:
            room, student = self._student(code, token)
            _open_task(room, name, "contest")
            best, when, _ = student.trees.get(name, (entry, self._clock(), None))
            if entry.objective < best.objective:
                best, when = entry, self._clock()
            student.trees[name] = best, when, entry
            return entry

    def _sweep(self) -> float:
        """Remove rooms that have ended and return the current time."""
        now = self._clock()
        over = [s for s, room in self._rooms.items() if now - room.opened > DAY or now - room.teacher_seen > AWAY]
        for secret in over:
            del self._rooms[secret]
        return now

    def _room_of_teacher(self, secret: str) -> _Room:
        now = self._sweep()
        if secret not in self._rooms:
            raise RoomOver(MESSAGES("over"))
        self._rooms[secret].teacher_seen = now
        return self._rooms[secret]

    def _of_code(self, code: str) -> _Room:
        self._sweep()
        code = tidy(code)
        room = next((room for room in self._rooms.values() if room.code == code), None)
        if room is None:
            raise RoomOver(MESSAGES("unknown", code=code, length=CODE))
        return room

    def _student(self, code: str, token: str) -> tuple[_Room, _Student]:
        room = self._of_code(code)
        if token not in room.students:
            raise RoomError(MESSAGES("not_in"))
        student = room.students[token]
        student.seen = self._clock()
        return room, student


def _open_task(room: _Room, name: ScreenName, what: str) -> Any:
    """Return the `guess` or `contest` of the screen `name`.

    Raises RoomError if the room shows another screen, or the answer.
    """
    screen = room.screen
    if screen is None or screen.name != name:
        raise RoomError(MESSAGES("gone_on"))
    if room.is_shown:
        raise RoomError(MESSAGES("too_late"))
    return getattr(screen, what)


def tidy(code: str) -> str:
    """Return a code in its canonical form: capitals without spaces."""
    return "".join(code.split()).upper()


def check_guess(guess: Guess, value: Any) -> float:
    """Return a guess as a number within the limits of `guess`. Raises RoomError."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    low, high = (0, len(guess.choices) - 1) if guess.choices else (guess.low, guess.high)
    if not low <= number <= high or (guess.choices and number != int(number)):
        shown = str(value)[:30]
        if guess.choices:
            raise RoomError(MESSAGES("no_choice", value=shown, n=len(guess.choices)))
        raise RoomError(MESSAGES("no_number", value=shown, low=low, high=high))
    return number
