"""`RoomStore`: rooms in which a class guesses and draws together, in the memory of this process and nowhere else."""

import math
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from pages.rooms.contest import Contest, Entry
from pages.rooms.messages import MESSAGES
from treecore.errors import TreecoreError

SIGNS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none of which looks like another
CODE = 5  # signs of a code
ROOMS, STUDENTS, NAME = 50, 200, 24  # rooms at once, students of a room, letters of a name
LEADERS = 8  # browsers that lead a room
DAY, AWAY = 86_400.0, 7_200.0  # seconds that a room lasts, and of these without its teacher
HERE, GONE = 12.0, 60.0  # seconds without a sign: is not counted; has left, if there was no guess
PAUSE = 0.5  # seconds between two guesses of a student


class RoomError(TreecoreError):
    """What somebody wants of a room cannot be."""


class RoomOver(RoomError):
    """There is no such room, or no longer."""


@dataclass(frozen=True)
class Screen:
    """What a class looks at.

    lesson, moment : its slug and position there; without a lesson "" and a number of its own; title, text, ask,
    answer : of the lesson, see `Moment`; guess : its `Guess`, or None where nothing is guessed; contest : `Contest`, or
    None where nothing is drawn.
    """

    lesson: str
    moment: int
    title: str
    text: tuple[str, ...]
    ask: str = ""
    answer: str = ""
    guess: object = None
    contest: Contest | None = None

    @property
    def name(self):
        """(lesson, moment): guesses belong to it."""
        return self.lesson, self.moment


@dataclass(frozen=True)
class Drawn:
    """What a student has drawn. who : their name, or which student it is; entry : the best by now; last : the tree of
    now."""

    who: str
    entry: Entry
    last: Entry


@dataclass(frozen=True)
class Seen:
    """What a student sees. guess : their own, None before there is one; guesses : of all, () until the answer is
    shown; drawn : `Drawn` of their own, or None; board : `Drawn` of all, the best first."""

    screen: Screen | None
    is_shown: bool
    name: str
    guess: float | None
    guesses: tuple[float, ...]
    drawn: Drawn | None
    board: tuple[Drawn, ...]


@dataclass(frozen=True)
class Answers:
    """What a teacher sees. here : number of students; guesses : of those who have guessed; named : (name, guess) of
    those with a name; board : as of `Seen`."""

    code: str
    screen: Screen | None
    is_shown: bool
    here: int
    guesses: tuple[float, ...]
    named: tuple[tuple[str, float], ...]
    board: tuple[Drawn, ...]


@dataclass
class _Student:
    seen: float
    browser: str = ""
    name: str = ""
    guessed: float = -math.inf
    guesses: dict = field(default_factory=dict)
    trees: dict = field(default_factory=dict)  # by screen: (best entry, when it came, the last one)

    @property
    def has_answered(self):
        return bool(self.guesses or self.trees)


@dataclass
class _Room:
    code: str
    opened: float
    taught: float  # when its teacher was there last
    address: str  # that it was opened from
    leaders: list[str]  # owners (see `pages.ui.shell.owner`) who lead it without its secret; the first has opened it
    screen: Screen | None = None
    is_shown: bool = False
    students: dict[str, _Student] = field(default_factory=dict)

    def guesses(self):
        """[(student, guess)] on the screen of now."""
        name = self.screen.name if self.screen else None
        return [(one, one.guesses[name]) for one in self.students.values() if name in one.guesses]

    def board(self):
        """{token: `Drawn`} of those who have drawn on the screen of now, the best first; of equals the first."""
        name = self.screen.name if self.screen else None
        found = []
        for number, (token, one) in enumerate(self.students.items(), 1):
            if name in one.trees:
                best, when, last = one.trees[name]
                found.append((best.objective, when, token, Drawn(one.name or f"Student {number}", best, last)))
        return {token: drawn for *_, token, drawn in sorted(found, key=lambda one: one[:2])}


class RoomStore:
    """All rooms of a server; every method may be called from any thread.

    A teacher has a secret, a class a code, a student a token: texts, of which the code is short enough to be read out.
    clock : function that gives seconds; of_owner, of_address : rooms that one owner, or one network address, has open
    at once. All methods raise RoomError with words for whoever asks.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, of_owner: int = 3, of_address: int = 10):
        self._clock, self._lock = clock, threading.Lock()
        self._of_owner, self._of_address = of_owner, of_address
        self._rooms: dict[str, _Room] = {}  # by secret

    def open(self, owner="", address=""):
        """Secret of a new room; of an owner with too many rooms the one ends that was not led for the longest time."""
        with self._lock:
            now = self._swept()
            mine = [secret for secret, room in self._rooms.items() if owner and room.leaders[0] == owner]
            oldest = sorted(mine, key=lambda secret: self._rooms[secret].taught)
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

    def led(self, text, owner):
        """(secret, code) of a room that an owner leads: by its secret, after which its code is enough."""
        with self._lock:
            self._swept()
            room = self._rooms.get(text)
            if room is not None:
                room.leaders = [*dict.fromkeys([*room.leaders, owner])]
                if len(room.leaders) > LEADERS:
                    del room.leaders[1]
                return text, room.code
            room = self._of_code(text) if len(tidy(text)) == CODE else self._taught(text)
            if owner not in room.leaders:
                raise RoomError(MESSAGES("not_leader", code=room.code))
            return next(secret for secret, one in self._rooms.items() if one is room), room.code

    def show(self, secret, screen, is_shown=False):
        """Have everybody look at a `Screen`; is_shown : with its answer, after which nobody guesses."""
        with self._lock:
            room = self._taught(secret)
            room.screen, room.is_shown = screen, is_shown

    def answers(self, secret):
        """`Answers` on the screen of now."""
        with self._lock:
            room, now = self._taught(secret), self._clock()
            found = room.guesses()
            here = sum(now - one.seen < HERE for one in room.students.values())
            named = tuple((one.name, guess) for one, guess in found if one.name)
            guesses = tuple(guess for _, guess in found)
            board = tuple(room.board().values())
            return Answers(room.code, room.screen, room.is_shown, here, guesses, named, board)

    def end(self, secret):
        """End a room; that it is over already is no error."""
        with self._lock:
            self._rooms.pop(secret, None)

    def join(self, code, token=None, browser=""):
        """Token of a student: the same for one who comes back, also without it in the same browser, a text that names
        it and no other."""
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

    def look(self, code, token):
        """`Seen` of a student, who is counted as being there."""
        with self._lock:
            room, student = self._student(code, token)
            screen, shown = room.screen, room.is_shown
            own = student.guesses.get(screen.name) if screen else None
            guesses, board = tuple(g for _, g in room.guesses()) if shown else (), room.board()
            return Seen(screen, shown, student.name, own, guesses, board.get(token), tuple(board.values()))

    def call(self, code, token, name):
        """Give a student a name, "" for none."""
        name = " ".join("".join(sign if sign.isprintable() else " " for sign in name).split())
        if len(name) > NAME:
            raise RoomError(MESSAGES("long_name", name=name[:NAME], n=len(name), most=NAME))
        with self._lock:
            self._student(code, token)[1].name = name

    def guess(self, code, token, name, value):
        """Keep what a student guesses on the screen `name`, (lesson, moment), in place of what they guessed before."""
        with self._lock:
            room, student = self._student(code, token)
            asked = _asked(room, name, "guess")
            if asked is None:
                raise RoomError(MESSAGES("no_guess"))
            value = checked(asked, value)
            now = self._clock()
            if now - student.guessed < PAUSE:
                raise RoomError(MESSAGES("too_fast"))
            student.guessed, student.guesses[name] = now, value

    def draw(self, code, token, name, document):
        """Keep the tree that a student has drawn on the screen `name`; returns its `Entry`. Raises TreecoreError."""
        with self._lock:
            contest = _asked(self._student(code, token)[0], name, "contest")
        if contest is None:
            raise RoomError(MESSAGES("no_drawing"))
        entry = contest.entry(document)  # outside the lock: nobody waits for it
        with self._lock:
            room, student = self._student(code, token)
            _asked(room, name, "contest")
            best, when, _ = student.trees.get(name, (entry, self._clock(), None))
            if entry.objective < best.objective:
                best, when = entry, self._clock()
            student.trees[name] = best, when, entry
            return entry

    def _swept(self):
        """The time, without the rooms that have ended by then."""
        now = self._clock()
        over = [s for s, room in self._rooms.items() if now - room.opened > DAY or now - room.taught > AWAY]
        for secret in over:
            del self._rooms[secret]
        return now

    def _taught(self, secret):
        now = self._swept()
        if secret not in self._rooms:
            raise RoomOver(MESSAGES("over"))
        self._rooms[secret].taught = now
        return self._rooms[secret]

    def _of_code(self, code):
        self._swept()
        code = tidy(code)
        room = next((room for room in self._rooms.values() if room.code == code), None)
        if room is None:
            raise RoomOver(MESSAGES("unknown", code=code, length=CODE))
        return room

    def _student(self, code, token):
        room = self._of_code(code)
        if token not in room.students:
            raise RoomError(MESSAGES("not_in"))
        student = room.students[token]
        student.seen = self._clock()
        return room, student


def _asked(room, name, what):
    """The `guess` or `contest` of a room that looks at the screen `name`, whose answer is not shown."""
    screen = room.screen
    if screen is None or screen.name != name:
        raise RoomError(MESSAGES("gone_on"))
    if room.is_shown:
        raise RoomError(MESSAGES("too_late"))
    return getattr(screen, what)


def tidy(code):
    """A code as it was meant, however it was typed."""
    return "".join(code.split()).upper()


def checked(guess, value):
    """The value as a number that a `Guess` allows. Raises RoomError."""
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
