"""Define the parts of a lesson: scenes with trees, and moments that lead through them."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np

from pages.ui.learn.lessons.fresh import Claim
from sample_data import DataSet
from treecore.training.recording import Recording
from treecore.tree.tree import Tree
from viz.charts.path_points import recommended as recommended_of
from viz.payload.recording_payload import recording_payload
from viz.payload.stage_payload import stage_payload

SHUFFLE = 276  # seed of the order of choices; a test checks that right answers are in each place about equally often
KINDS = {"lesson": "Lesson", "story": "Story"}


@dataclass(frozen=True)
class Scene:
    """Trees on the stage: a path over λ, or a recording of TAO or of greedy growth.

    Parameters
    ----------
    title : str
        Words above the tree.
    data : DataSet
    rows : tuple of ndarray
        Training, validation and test row numbers.
    points : tuple
        Objects with `tree`, `lam` and a dict `figures`, in the order of the slider.
    recording : Recording, optional
        Recording of these trees.
    settings : Settings, optional
        Settings of the path with the same trees.
    places : tuple of int or None
        For each point, the index of its tree on that path.
    is_made : bool, default=False
        Whether the data were generated for the lesson, so that no page has this path.
    grows : bool, default=False
        Whether each tree adds one split, with points that fall into it.
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
        """Return the bytes for the stage."""
        if self.recording is not None:
            return recording_payload(self.recording, self.data, self.rows)
        return stage_payload(self.points, self.data, self.rows, recommended_of(self.points))

    @property
    def is_recorded(self) -> bool:
        """Test whether the scene is a recording of TAO."""
        return self.recording is not None and self.recording.estimator is not None

    @property
    def is_growth(self) -> bool:
        """Test whether the scene is a recording of greedy growth."""
        return self.recording is not None and self.recording.estimator is None

    @property
    def last(self) -> int:
        """Return the index of the last tree."""
        return len(self.points) - 1

    def tree(self, step: int) -> Tree:
        """Return the tree of an index."""
        return self.points[step].tree

    def figure(self, step: int, name: str) -> float:
        """Return a metric of a tree, such as "test_error" (a share) or "n_leaves"."""
        return self.points[step].figures[name]


@dataclass(frozen=True)
class Guess:
    """A guess before the answer is shown: a number on a scale, or one of several choices.

    truth : the correct number, or the position of the correct choice; low, high, step : range and step of the scale;
    digits : decimal places; unit : word after the number; choices : tuple of str, () for a scale; ordered : whether
    the choices are in order of size, so that only their direction is drawn by lot.
    """

    truth: float
    low: float = 0
    high: float = 1
    step: float = 1
    digits: int = 0
    unit: str = ""
    choices: tuple[str, ...] = ()
    ordered: bool = False

    def placed(self, key: str) -> "Guess":
        """Return the guess with its choices in an order that is drawn by lot.

        key : text that determines the order.
        """
        if not self.choices:
            return self
        n = len(self.choices)
        lot = int.from_bytes(hashlib.sha256(f"{SHUFFLE} {key}".encode()).digest()[:8], "big")
        orders = [tuple(range(n)), tuple(range(n))[::-1]] if self.ordered else list(permutations(range(n)))
        order = orders[lot % len(orders)]
        return replace(self, truth=order.index(int(self.truth)), choices=tuple(self.choices[k] for k in order))


class Series(NamedTuple):
    """Values of a figure, one for each of its places; None leaves a place empty.

    late : whether they are shown with the answer only.
    """

    name: str
    values: tuple[float | None, ...]
    late: bool = False


@dataclass(frozen=True)
class Figure:
    """A chart in the place of the tree: a dot plot, or lines.

    title, axis : title, and name of the values with their unit; places : names of the rows of a dot plot, or numbers
    below the lines; series : at most three, those of the answer last; across : name of the horizontal
    axis of lines, "" for a dot plot.
    """

    title: str
    axis: str
    places: tuple[str | float, ...]
    series: tuple[Series, ...]
    across: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the figure, without the series of the answer, as a JSON-compatible dict."""
        own = {"title": self.title, "axis": self.axis, "across": self.across}
        return own | {"places": list(self.places), "series": self._plain(late=False)}

    def late_series(self) -> list[dict[str, Any]]:
        """Return the series of the answer as JSON-compatible dicts."""
        return self._plain(late=True)

    def _plain(self, late: bool) -> list[dict[str, Any]]:
        return [
            {"name": one.name, "values": [None if value is None else float(value) for value in one.values]}
            for one in self.series
            if one.late is late
        ]


@dataclass(frozen=True)
class Knob:
    """A parameter that students can change next to a question.

    values : its values as texts, in order.
    """

    name: str
    values: tuple[str, ...]


class Drawn(NamedTuple):
    """Errors of several trees in the unit of the target.

    bias : error of the mean of their predictions, None if a later screen asks for it; spread : standard deviation.
    """

    bias: float | None
    spread: float


@dataclass(frozen=True)
class Moment:
    """One screen of a lesson.

    Parameters
    ----------
    scene : int
        Position of the scene in the lesson.
    step : int
        Index of the tree.
    text : tuple of str
        Paragraphs with ``**bold**`` and ``*emphasis*``.
    node : int, optional
        Origin id of the selected node.
    ask, answer : str
        Question that makes students try something, and its answer.
    guess : Guess, optional
        Guess before the answer.
    drag : int, optional
        Feature whose threshold at the root can be dragged.
    knobs : tuple of int
        Positions of the knobs to show.
    vote : int, default=0
        Initial number of voting trees; 0 without a vote.
    draws : tuple of Drawn
        For each scene, the errors of the trees of its draw and of all draws before; () without draws. A button shows
        the next draw, next to the mean of the trees so far. The last knob is the draw.
    runs : tuple of int
        Scenes that play side by side on the plane.
    beat : int, optional
        Scene whose last tree a class in a room tries to beat with one axis-aligned line.
    formula : Formula, optional
    figure : Figure, optional
        Chart in the place of the tree.
    source : str
        Authors, year and section.
    row : int, optional
        Number of the row whose decision path is shown.
    set : int, default=0
        Rows to draw: 0 for training, 1 for validation, 2 for test rows.
    bare : bool, default=False
        Whether to show points without a tree.
    chart : bool, default=False
        Whether to show the chart below the tree, because the moment is about it.
    claim : str, default=""
        Name of the `Claim` of which visitors can take fresh draws; "" for none.
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
    draws: tuple[Drawn, ...] = ()
    runs: tuple[int, ...] = ()
    beat: int | None = None
    formula: object = None
    figure: Figure | None = None
    source: str = ""
    row: int | None = None
    set: int = 0
    bare: bool = False
    chart: bool = False
    claim: str = ""


@dataclass(frozen=True)
class BuiltLesson:
    """A lesson with its trees.

    A lesson with knobs has a scene for each combination of their values; the last knob changes fastest.
    """

    scenes: tuple[Scene, ...]
    moments: tuple[Moment, ...]
    knobs: tuple[Knob, ...] = ()


@dataclass(frozen=True)
class Lesson:
    """A lesson or a story before its trees are trained.

    slug : name in links; about : sentence for the list; build : function that makes the `BuiltLesson` from a bundled
    data set; picture : position of the moment whose tree becomes the thumbnail; keep : sentence to remember; task :
    experiment, mostly for the laboratory. The last screen shows both. claims : statements about other draws.
    """

    slug: str
    title: str
    about: str
    build: Callable[[], BuiltLesson]
    kind: str = "lesson"
    icon: str = ":material/school:"
    picture: int = -1
    keep: str = ""
    task: str = ""
    is_task_for_laboratory: bool = True
    claims: tuple[Claim, ...] = ()
