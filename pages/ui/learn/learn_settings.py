"""Which run the Learn page shows, and how."""

from dataclasses import dataclass
from typing import ClassVar

from pages.jobs import settings
from pages.jobs.setting import checked, of, setting
from pages.jobs.settings_text import SettingsText
from pages.ui.session.page_settings import PageSettings
from sample_data import painted
from treecore.declarations import Choice, Special, Switch, Whole
from treecore.errors import DataError

INITIAL_TREES = {"cart": "CART"} | dict(settings.INITIAL_TREES) | {"drawn": "drawn by hand"}
LAMBDAS = (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0, 50.0)
LAMBDA_HELP = (
    "What a decision costs, in wrong points: at λ = 3 a decision must mend more than three errors to stay. Of numbers, "
    "in points that are off by the standard deviation of all."
)
POINTS = (10, 2000)
DEPTHS = (1, 8)
COLUMNS = {"two": "two columns (a plane)", "all": "all columns (only the tree)"}
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


def _painted(text):
    try:
        painted.decode(text)
    except DataError:
        return None
    return text


def _hidden(text):
    return tuple(name for name in CONTROLS | PARTS if name in text.split("-"))


def initial_trees(split):
    """{name: words} of the initial trees that trees of such a `split` can start from."""
    possible = {*settings.initial_trees(split), "drawn"}
    return {name: words for name, words in INITIAL_TREES.items() if name in possible}


def _column():
    return setting("", Special(reader=lambda text: text[:200]))


@checked
@dataclass(frozen=True)
class LearnSettings:
    """Everything that decides which run the Learn page shows, and how."""

    kind: ClassVar[str] = "learn"

    data_set: str = settings.of_data_set("xor")  # painted.NAME: the visitor's own points
    painted: str = setting("", Special(reader=_painted))  # their text, see `sample_data.painted`
    columns: str = setting(  # of a table
        "two", Choice(COLUMNS), words="Columns", help="Two columns are a plane with exact regions."
    )
    x: str = _column()  # names of the two, "" for a choice that tells much
    y: str = _column()
    n_points: int = setting(
        500, Whole(*POINTS), words="Training points", help="The other rows test the tree.", is_slider=True, step=10
    )
    # "lesson": the rows that the lessons and the Explore page train on, whatever n_points is
    rows: str = setting("drawn", Choice(dict.fromkeys(("drawn", "lesson"))))
    seed: int = settings.of_seed()
    split: str = of("split", default="bivariate")
    lam: float = of("lam", kind=settings.LAMBDA, words="λ", help=LAMBDA_HELP)
    bivariate_cost: float = settings.of_bivariate_cost(
        words="Price of a second feature", options=settings.COSTS, is_slider=False
    )
    init: str = of(
        "init",
        kind=Choice(INITIAL_TREES),
        options=lambda now: INITIAL_TREES if now is None else initial_trees(now.split),
    )
    max_depth: int = settings.of_depth(3, DEPTHS[1], help="A small tree is easier to follow.")
    max_iter: int = of("max_iter", kind=Whole(1, 30), is_slider=True)
    beside: bool = setting(
        False, Switch(), words="CART beside it", help="CART grows greedily on the same points, split by split."
    )
    hide: tuple[str, ...] = setting((), Special(reader=_hidden))  # of CONTROLS and PARTS
    present: bool = setting(False, Switch())


def is_large(settings):
    """Whether more points are painted than an address holds."""
    return settings.data_set == painted.NAME and len(settings.painted) > painted.CHARACTERS * MOST_IN_LINK


def _kept(settings, texts):
    """A painting that is not shown stays in the session, one that is too large for an address in a file."""
    if settings.data_set != painted.NAME or is_large(settings):
        return {name: text for name, text in texts.items() if name != "painted"}
    return texts


LEARN = PageSettings("learn", SettingsText(LearnSettings(), _kept))
