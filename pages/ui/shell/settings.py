"""What the user chose: one frozen value for each page, that lives in the session and in the URL."""

import math
from dataclasses import asdict, dataclass, fields, replace
from typing import ClassVar

import streamlit as st

from sample_data import painted
from treecore import initial
from treecore.comparison.methods import DEFAULT_METHODS, METHODS
from treecore.errors import DataError
from treecore.training.phase import COSTS as PHASE_COSTS

SPLITS = {
    "oblique": "sparse oblique (many features)",
    "bivariate": "up to two features per node",
    "univariate": "one feature per node",
}
COSTS = {cost: f"C = {cost:g}" for cost in PHASE_COSTS}
# offered for a phase diagram
MORE_COSTS = (1.0, 1.05, 1.1, 1.15, 1.2, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0, 4.0, 5.0, 7.0, 10.0)
ROWS = {"standard": "published split, or 60 / 20 / 20 %", "pooled": "75 / 10 / 15 % of all rows"}
LAMBDAS = {"grid": "a geometric grid", "critical": "every λ at which the tree changes"}
_WORDS = {"random": "random complete tree", "cart": "CART", "bivariate_cart": "bivariate CART"}
INITIAL_TREES = {name: _WORDS[name] for name in _WORDS if name in initial.INITIAL_TREES}
SOLVERS = {"cd": "coordinate descent (fast)", "liblinear": "LIBLINEAR (the papers')"}
SURROGATES = {"logistic": "logistic", "squared_hinge": "squared hinge (SVM)"}
DEPTHS = (1, 12)
FULLY_GROWN = 0  # depth of an initial tree
N_LAMBDAS = (2, 60)
SEEDS = (0, 10**6)
COST_RANGE = (1.0, 5.0)
LARGEST_LAMBDA = 1e9
PROTOCOLS = {
    "folds": "cross-validation: every row tests once",
    "splits": "repeated random splits, 20 % to test",
    "published": "the published split, once",
}
RULES = {"min": "smallest validation error", "one_se": "smallest tree within one standard error of it"}
REPEATS, INNER, LIMITS = (2, 20), (2, 10), (1, 600)
LEARN_INITIAL_TREES = {"cart": "CART", "random": "random", "bivariate_cart": "bivariate CART", "drawn": "drawn by hand"}
LEARN_POINTS = (10, 2000)
LEARN_DEPTHS = (1, 8)
LEARN_PASSES = (1, 30)
MOST_IN_LINK = 1000  # painted points
# what a link can hide from a class: controls of the page, and parts of the stage
CONTROLS = {
    "data": "data set", "split": "decision nodes", "init": "initial tree", "lam": "λ", "cost": "price C",
    "points": "points and seed", "passes": "passes", "beside": "CART beside it", "share": "sharing and files",
}  # fmt: skip
PARTS = {
    "paint": "paint tools", "plane": "plane", "staircase": "staircase", "sentence": "sentences", "legend": "legend",
    "figures": "key figures", "inspector": "inspector", "tools": "tools of the stage", "transport": "step buttons",
}  # fmt: skip


@dataclass(frozen=True)
class Settings:
    """Everything that decides which path is trained."""

    kind: ClassVar[str] = "path"

    data_set: str = "mnist-5k"
    split: str = "oblique"
    init: str = "random"
    max_depth: int = 8  # FULLY_GROWN: as far as it goes (8 for a random one)
    n_lambdas: int = 30
    node_solver: str = "cd"
    surrogate: str = "logistic"
    bivariate_cost: float = 1.25
    seed: int = 0
    rows: str = "standard"
    lambdas: str = "grid"  # one of `LAMBDAS`; with "critical" n_lambdas is the largest number of trees


@dataclass(frozen=True)
class BivariateSettings(Settings):
    """A bivariate path, and one more lambda that the visitor asked for."""

    data_set: str = "breast-cancer"
    split: str = "bivariate"
    init: str = "cart"
    max_depth: int = FULLY_GROWN
    lam: float | None = None

    def path(self):
        """`Settings` of the path alone."""
        return Settings(**{field.name: getattr(self, field.name) for field in fields(Settings)})


@dataclass(frozen=True)
class PhaseSettings:
    """Everything that decides which phase diagram is trained."""

    kind: ClassVar[str] = "phase"

    data_set: str = "breast-cancer"
    init: str = "cart"
    max_depth: int = FULLY_GROWN
    n_lambdas: int = 20
    costs: tuple[float, ...] = PHASE_COSTS
    seed: int = 0
    rows: str = "standard"


@dataclass(frozen=True)
class ComparisonSettings:
    """Everything that decides which comparison is made."""

    kind: ClassVar[str] = "comparison"

    data_set: str = "breast-cancer"
    methods: tuple[str, ...] = DEFAULT_METHODS
    protocol: str = "folds"
    repeats: int = 5  # folds, or random splits
    inner: int = 3  # folds of the training rows, to choose settings by
    rule: str = "min"
    limit: int = 60  # seconds for a method on a fold
    seed: int = 0


@dataclass(frozen=True)
class LearnSettings:
    """Everything that decides which run the Learn page shows, and how."""

    kind: ClassVar[str] = "learn"

    data_set: str = "xor"  # painted.NAME: the visitor's own points
    painted: str = ""  # their text, see `sample_data.painted`
    columns: str = "two"  # of a table: "two" or "all"
    x: str = ""  # names of the two, "" for a choice that tells much
    y: str = ""
    n_points: int = 500
    rows: str = "drawn"  # "lesson": the rows that the lessons and the Explore page train on, whatever n_points is
    seed: int = 0
    split: str = "bivariate"
    lam: float = 1.0
    bivariate_cost: float = 1.25
    init: str = "random"
    max_depth: int = 3
    max_iter: int = 20
    beside: bool = False  # whether CART grows next to it
    hide: tuple[str, ...] = ()  # of CONTROLS and PARTS
    present: bool = False


@dataclass(frozen=True)
class OneTree:
    """The tree of exactly this lambda, trained from a tree of the path (its JSON) or from the initial tree (None)."""

    kind: ClassVar[str] = "tree"

    path: Settings
    lam: float
    start: str | None


class Store:
    """The settings of one page, in the session and in the URL; `readers`: functions from a URL's text, by field."""

    def __init__(self, key, default, readers):
        self.key, self.default, self.readers = key, default, readers
        self.twin = None  # another page that starts from the data set and rows of this one

    def current(self):
        """The settings of this browser tab; a new tab takes them from the URL."""
        if self.key not in st.session_state:
            query = st.query_params.to_dict()
            value = self.from_query(query)
            st.session_state[f"{self.key}_misread"] = self.misread(query)
            if not query and self.twin is not None and self.twin.key in st.session_state:
                value = replace(value, **_shared(self.twin.current()))
            st.session_state[self.key] = value
        return st.session_state[self.key]

    def change(self, **values):
        """Change some settings."""
        st.session_state[self.key] = value = replace(self.current(), **values)
        if self.twin is not None and self.twin.key in st.session_state:
            st.session_state[self.twin.key] = replace(self.twin.current(), **_shared(value))

    def from_query(self, query):
        """Settings from URL parameters; whatever is unknown or out of range is ignored."""
        read = {name: reader(query[name]) for name, reader in self.readers.items() if name in query}
        return replace(self.default, **{name: value for name, value in read.items() if value is not None})

    def misread(self, query):
        """Names of the URL parameters whose values are unknown or out of range."""
        return [name for name, reader in self.readers.items() if name in query and reader(query[name]) is None]

    def to_query(self, settings):
        """URL parameters: the settings that differ from the defaults."""
        default = asdict(self.default)
        return {name: _text(value) for name, value in asdict(settings).items() if value != default[name]}

    def share_in_url(self, **others):
        """Put the settings (and other parameters that are not None) into the URL, so that a reload comes back here."""
        wanted = self.to_query(self.current())
        wanted |= {name: str(value) for name, value in others.items() if value is not None}
        if st.query_params.to_dict() != wanted:
            st.query_params.from_dict(wanted)


class LearnStore(Store):
    """As `Store`; a painting that is not shown, or too large for an address, stays in the session."""

    def to_query(self, settings):
        """As of `Store`."""
        query = super().to_query(settings)
        if settings.data_set != painted.NAME or len(settings.painted) > painted.CHARACTERS * MOST_IN_LINK:
            query.pop("painted", None)
        return query


def natural(text):
    """int of up to eight digits, else None."""
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 9 else None


def decimal(text):
    """float of a plain finite number, else None."""
    try:
        value = float(text) if text is not None and text.isascii() and len(text) < 30 else math.nan
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _shared(value):
    return {name: getattr(value, name) for name in ("data_set", "init", "max_depth", "seed", "rows")}


def _text(value):
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, tuple):
        return "-".join(part if isinstance(part, str) else f"{part:g}" for part in value)
    return str(value)


def _one_of(options):
    return lambda text: text if text in options else None


def _between(read, low, high):
    def reader(text):
        value = read(text)
        return value if value is not None and low <= value <= high else None

    return reader


def _costs(text):
    values = [decimal(part) for part in text.split("-")]
    known = {value for value in values if value in MORE_COSTS}
    return tuple(sorted(known)) if known and len(known) == len(values) else None


def _methods(text):
    names = tuple(dict.fromkeys(name for name in text.split("-") if name in METHODS))
    return names or None


def _painted(text):
    try:
        painted.decode(text)
    except DataError:
        return None
    return text


def _hidden(text):
    return tuple(name for name in CONTROLS | PARTS if name in text.split("-"))


def _switch(text):
    return {"0": False, "1": True}.get(text)


_COMMON = {
    "data_set": lambda text: text[:100],
    "init": _one_of(INITIAL_TREES),
    "n_lambdas": _between(natural, *N_LAMBDAS),
    "seed": _between(natural, *SEEDS),
    "rows": _one_of(ROWS),
}
_COST = {"bivariate_cost": _between(decimal, *COST_RANGE)}
_LAMBDAS = {"lambdas": _one_of(LAMBDAS)}
_ANY_DEPTH = {"max_depth": _between(natural, FULLY_GROWN, DEPTHS[1])}

EXPLORE = Store(
    "settings", Settings(),
    _COMMON | _COST | {
        "max_depth": _between(natural, *DEPTHS), "split": _one_of(SPLITS), "node_solver": _one_of(SOLVERS),
        "surrogate": _one_of(SURROGATES),
    },
)  # fmt: skip
BIVARIATE = Store(
    "bivariate",
    BivariateSettings(),
    _COMMON | _COST | _LAMBDAS | _ANY_DEPTH | {"lam": _between(decimal, 0.0, LARGEST_LAMBDA)},
)
PHASE = Store("phase", PhaseSettings(), _COMMON | _ANY_DEPTH | {"costs": _costs})
COMPARE = Store(
    "compare", ComparisonSettings(),
    {name: _COMMON[name] for name in ("data_set", "seed")} | {
        "methods": _methods, "protocol": _one_of(PROTOCOLS), "rule": _one_of(RULES),
        "repeats": _between(natural, *REPEATS), "inner": _between(natural, *INNER), "limit": _between(natural, *LIMITS),
    },
)  # fmt: skip
LEARN = LearnStore(
    "learn", LearnSettings(),
    {name: _COMMON[name] for name in ("data_set", "seed")} | _COST | {
        "painted": _painted, "columns": _one_of(("two", "all")), "x": lambda text: text[:200],
        "y": lambda text: text[:200], "n_points": _between(natural, *LEARN_POINTS),
        "rows": _one_of(("drawn", "lesson")), "split": _one_of(SPLITS),
        "lam": _between(decimal, 0.0, LARGEST_LAMBDA), "init": _one_of(LEARN_INITIAL_TREES),
        "max_depth": _between(natural, FULLY_GROWN, LEARN_DEPTHS[1]), "max_iter": _between(natural, *LEARN_PASSES),
        "beside": _switch, "hide": _hidden, "present": _switch,
    },
)  # fmt: skip
BIVARIATE.twin, PHASE.twin = PHASE, BIVARIATE
