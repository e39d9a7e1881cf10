"""What a lesson is: scenes to look at, and moments that lead through them."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from sample_data import DataSet
from treecore.training.recording import Recording
from treecore.tree.tree import Tree
from viz.charts.values.path_points import recommended as recommended_of
from viz.payload.recording_payload import recording_payload
from viz.payload.stage_payload import stage_payload

KINDS = {"lesson": "Lesson", "story": "Story"}


@dataclass(frozen=True)
class Scene:
    """Trees on the stage: a path over lambda, or a recording of TAO or of growth.

    title : words above the tree; data : DataSet; rows : (train, validation, test) row numbers; points : objects with
    `tree`, `lam` and a dict `figures`, in the order of the slider; recording :
    `treecore.training.recording.Recording` of these
    trees, or None; settings : of the path with the same trees; places : for each point the index of its tree on that
    path, None when it is not there; is_made : whether the lesson has made the data, so that no page has that path;
    grows : whether each tree has one question more, into which points fall when it comes.
    """

    title: str
    data: DataSet
    rows: tuple[np.ndarray, ...]
    points: tuple[Any, ...]
    recording: Recording | None = None
    settings: Any = None
    places: tuple[int | None, ...] = ()
    is_made: bool = False
    grows: bool = False

    @cached_property
    def content(self) -> bytes:
        """Bytes for the stage."""
        if self.recording is not None:
            return recording_payload(self.recording, self.data, self.rows)
        return stage_payload(self.points, self.data, self.rows, recommended_of(self.points))

    @property
    def is_growth(self) -> bool:
        """Whether it is a recording of greedy growth."""
        return self.recording is not None and self.recording.estimator is None

    @property
    def last(self) -> int:
        """Index of the last tree."""
        return len(self.points) - 1

    def tree(self, step: int) -> Tree:
        """Tree of an index."""
        return self.points[step].tree

    def figure(self, step: int, name: str) -> float:
        """Figure of a tree, such as "test_error" (a share) or "n_leaves"."""
        return self.points[step].figures[name]


@dataclass(frozen=True)
class Guess:
    """What is guessed before an answer is shown: a number of a scale, or one of some choices.

    truth : the number, or the place of the right choice; low, high, step : of the scale; digits : of the number behind
    its point; unit : word after it; choices : tuple of str, () for a scale.
    """

    truth: float
    low: float = 0
    high: float = 1
    step: float = 1
    digits: int = 0
    unit: str = ""
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class Knob:
    """What can be turned beside a question; values : texts, in their order."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True)
class Moment:
    """One screen of a lesson.

    scene : position among the scenes; step : index of the tree; node : origin id of the selected node, or None; near :
    whether it and its children fill the view; bare : whether there are points and no tree yet; row : row number of the
    data that is followed down the tree, or None; set : which rows are drawn (0 train, 1 validation, 2 test); text :
    paragraphs, in which ``**bold**`` and ``*emphasis*`` are the only markup; ask : a question that makes people try
    something, with its answer; guess : what they guess before it, or None; drag : feature on which a threshold at the
    root is dragged, or None; knobs : positions of the knobs that can be turned; vote : how many trees of the scene vote
    at first, 0 where they do not; runs : scenes on the plane that play side by side; beat : scene whose last tree a
    class in a room tries to beat by one line along an axis, or None; formula : `formulas.Formula` or None; source :
    authors, year and section.
    """

    scene: int
    step: int
    text: tuple[str, ...]
    node: int | None = None
    ask: str = ""
    answer: str = ""
    guess: Guess | None = None
    drag: int | None = None
    knobs: tuple[int, ...] = ()
    vote: int = 0
    runs: tuple[int, ...] = ()
    beat: int | None = None
    formula: object = None
    source: str = ""
    row: int | None = None
    set: int = 0
    near: bool = False
    bare: bool = False


@dataclass(frozen=True)
class Told:
    """A lesson whose trees are there; with knobs there is a scene for all that they can say, the last knob turning
    first."""

    scenes: tuple[Scene, ...]
    moments: tuple[Moment, ...]
    knobs: tuple[Knob, ...] = ()


@dataclass(frozen=True)
class Lesson:
    """A lesson or a story before its trees are made.

    slug : its name in links; about : one sentence for the list; tell : function that makes its `Told` from a bundled
    data set; picture : place of the moment whose tree stands in the list.
    """

    slug: str
    title: str
    about: str
    tell: Callable[[], Told]
    kind: str = "lesson"
    icon: str = ":material/school:"
    picture: int = -1
