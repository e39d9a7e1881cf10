"""Rooms of a class, without locks and limits: screens, contests, points, the state of a room, and its views."""

import math
from collections import Counter, deque
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from pages.jobs.point import Point
from sample_data import DataSet
from treecore.errors import DataError
from treecore.training.phase import tree_objective
from treecore.tree.editing import checked_nodes, edited_tree, tree_document
from treecore.tree.metrics import training_loss
from treecore.tree.target import Target
from treecore.tree.tree import Tree
from viz.payload.edit_payload import edit_payload

MOST_LINES = 31


class ContestError(DataError):
    """Raised for points or a tree that a contest does not support."""


@dataclass(frozen=True, eq=False)
class Entry:
    """A tree with its objective.

    document : see `treecore.tree.editing`; tree : Tree whose leaves predict their majority classes; errors, n_lines :
    int >= 0;
    objective : errors + λ * n_lines.
    """

    document: dict
    tree: Tree
    errors: int
    n_lines: int
    objective: float


@dataclass(frozen=True, eq=False)
class Contest:
    """The points of a contest and TAO's tree for them.

    data : DataSet with two features and classes; rows : its row numbers; lam : float >= 0, penalty of a line, relative
    to 1 for a misclassified point; tao_tree : Tree that TAO trained on these rows; most_lines : int, 1 to MOST_LINES;
    most_features : 1 for univariate splits only, else 2; feature : feature whose threshold every student moves with a
    slider, instead of drawing lines; is_question : whether TAO's objective is the answer, hidden until it is shown.
    Raises ContestError.
    """

    data: DataSet
    rows: np.ndarray
    lam: float
    tao_tree: Tree
    most_lines: int = MOST_LINES
    most_features: int = 2
    feature: int | None = None
    is_question: bool = False

    def __post_init__(self) -> None:
        if self.data.n_features != 2 or self.data.target.is_root:
            raise ContestError(
                "The contest needs a classification data set with two features. Choose another data set."
            )
        if np.isnan(self.X.astype(np.float64)).any():
            raise ContestError(
                "Some points have missing values, so they cannot be drawn in the plane. Choose another data set."
            )
        if np.unique(self.labels).size < 2:
            raise ContestError("All points have the same class. Use at least two classes.")

    @property
    def X(self) -> np.ndarray:
        """Return the points, float[n, 2]."""
        return self.data.X[self.rows]

    @property
    def labels(self) -> np.ndarray:
        """Return the classes of the points, see `DataSet.labels`."""
        return self.data.labels()[self.rows]

    @cached_property
    def target(self) -> Target:
        """Return the target of the data."""
        return self.data.target

    @cached_property
    def leaf(self) -> Entry:
        """Return the `Entry` of the tree without lines, with which every student starts."""
        positions = self.target.positions(self.tao_tree)
        root = tree_document(self.tao_tree, positions=positions)["nodes"][0]
        bare = {"left": None, "right": None, "features": [], "weights": [], "bias": 0.0, "missing_right": False}
        return self.entry({"nodes": [root | bare]})

    @cached_property
    def tao_entry(self) -> Entry:
        """Return the `Entry` of TAO's tree."""
        return self.entry(tree_document(self.tao_tree, positions=self.target.positions(self.tao_tree)))

    @cached_property
    def content(self) -> bytes:
        """Return the payload of the stage on which students draw."""
        split = "univariate" if self.most_features == 1 else "bivariate"
        one = Point(0, self.lam, self.leaf.tree, {})
        no_rows = np.empty(0, np.int64)
        rows = (self.rows, no_rows, no_rows)
        return edit_payload(one, self.data, rows, split=split, cost=1.0, scale=None, lines=self.most_lines)[0]

    @property
    def thresholds(self) -> tuple[float, float]:
        """Return the lowest and highest threshold on `feature`."""
        values = self.X[:, self.feature]
        return float(values.min()), float(values.max())

    def threshold_document(self, at: float) -> dict:
        """Return the document of a tree with one threshold on `feature`."""
        (root,) = self.leaf.document["nodes"]
        below = [root | {"id": root["id"] + k} for k in (1, 2)]
        split = {"left": below[0]["id"], "right": below[1]["id"], "features": [self.feature], "weights": [1.0]}
        return {"nodes": [root | split | {"bias": -at}, *below]}

    def entry(self, document: dict) -> Entry:
        """Return the `Entry` of a tree document.

        Only the lines of the document are used; everything else is computed here. Raises TreecoreError.
        """
        positions = self.target.positions(self.tao_tree)
        nodes = checked_nodes(document, self.tao_tree, positions)
        widths = [len(node["features"]) for node in nodes if node["left"] is not None]
        if len(widths) > self.most_lines:
            raise ContestError(f"You drew {len(widths)} lines (maximum {self.most_lines}). Remove some.")
        if min(widths, default=1) == 0:
            raise ContestError("A line has no direction. Draw it again.")
        if max(widths, default=1) > self.most_features:
            raise ContestError(
                "A line is slanted, but only vertical and horizontal lines are allowed. Draw it along an axis."
            )
        tree = edited_tree(document, self.tao_tree, self.X, self.labels, positions=positions)
        tree = replace(tree, labels=tree.values.argmax(axis=1).astype(tree.labels.dtype))
        errors = round(training_loss(tree))
        return Entry({"nodes": document["nodes"]}, tree, errors, len(widths), tree_objective(tree, self.lam, 1.0))


MOST = 10  # points for a correct guess
FAR = 0.25  # share of the scale between guess and truth from which a guess gets no points


def is_right(guess: Any, value: float) -> bool:
    """Test whether a guess is the correct choice, or as near to the truth as the steps of the scale allow."""
    if guess.choices:
        return value == guess.truth
    return abs(value - guess.truth) <= guess.step / 2 * (1 + 1e-9)


def points_of_guess(guess: Any, value: float) -> int:
    """Return the points of a guess, 0 to MOST. A number near the truth gets a part of them."""
    if guess.choices or is_right(guess, value):
        return MOST * is_right(guess, value)
    share = abs(value - guess.truth) / (guess.high - guess.low)
    return max(0, round(MOST * (1 - share / FAR)))


def points_of_drawing(contest: Any, objective: float) -> int:
    """Return the points of an objective, 0 to MOST: the part of TAO's improvement that the drawing reaches."""
    first, goal = contest.leaf.objective, contest.tao_entry.objective
    if objective <= goal:
        return MOST
    return max(0, round(MOST * (first - objective) / (first - goal))) if goal < first else 0


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


HERE = 12.0  # seconds without a request after which a student is not counted as present
WRONG_KEYS = 1_000  # maximum number of wrong keys that a room remembers
SCREENS = 200  # maximum number of screens whose answers a room keeps


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
