"""Which run the Learn page shows, and how."""

from dataclasses import dataclass
from typing import ClassVar

from pages.jobs import settings
from pages.jobs.settings import FULLY_GROWN, SPLITS
from pages.jobs.settings_text import COST, DATA_AND_SEED, LAMBDA, SettingsText, between, natural, one_of
from pages.ui.session.page_settings import PageSettings
from sample_data import painted
from treecore.errors import DataError

INITIAL_TREES = {"cart": "CART"} | settings.INITIAL_TREES | {"drawn": "drawn by hand"}
LAMBDAS = (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0, 50.0)
LAMBDA_HELP = (
    "What a decision costs, in wrong points: at λ = 3 a decision must mend more than three errors to stay. Of numbers, "
    "in points that are off by the standard deviation of all."
)
POINTS = (10, 2000)
DEPTHS = (1, 8)
PASSES = (1, 30)
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


def initial_trees(split):
    """{name: words} of the initial trees that trees of such a `split` can start from."""
    possible = {*settings.initial_trees(split), "drawn"}
    return {name: words for name, words in INITIAL_TREES.items() if name in possible}


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


def is_large(settings):
    """Whether more points are painted than an address holds."""
    return settings.data_set == painted.NAME and len(settings.painted) > painted.CHARACTERS * MOST_IN_LINK


def _kept(settings, texts):
    """A painting that is not shown stays in the session, one that is too large for an address in a file."""
    if settings.data_set != painted.NAME or is_large(settings):
        return {name: text for name, text in texts.items() if name != "painted"}
    return texts


LEARN = PageSettings(
    "learn",
    SettingsText(
        LearnSettings(),
        DATA_AND_SEED
        | COST
        | {
            "painted": _painted,
            "columns": one_of(("two", "all")),
            "x": lambda text: text[:200],
            "y": lambda text: text[:200],
            "n_points": between(natural, *POINTS),
            "rows": one_of(("drawn", "lesson")),
            "split": one_of(SPLITS),
            "lam": LAMBDA,
            "init": one_of(INITIAL_TREES),
            "max_depth": between(natural, FULLY_GROWN, DEPTHS[1]),
            "max_iter": between(natural, *PASSES),
            "beside": _switch,
            "hide": _hidden,
            "present": _switch,
        },
        _kept,
    ),
)
