"""The settings of the Learn page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from pages.jobs import settings
from pages.jobs.setting import check_settings, of, setting
from pages.jobs.settings_text import SettingsText
from pages.ui.session.page_settings import PageSettings
from sample_data import painted
from treecore.declarations import Choice, Special, Switch, Whole
from treecore.errors import DataError

INITIAL_TREES = {"cart": "CART"} | dict(settings.INITIAL_TREES) | {"drawn": "your drawing"}
LAMBDAS = (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0, 50.0)
LAMBDA_HELP = (
    "Penalty for a split, in misclassified points. At λ = 3, TAO keeps a split only if it corrects more than three "
    "errors. For regression, the unit is the variance of the target."
)
POINTS = (10, 2000)
DEPTHS = (1, 8)
COLUMNS = {"two": "two columns (a plane)", "all": "all columns (tree only)"}
MOST_IN_LINK = 1000  # maximum number of painted points
# Controls of the page and parts of the stage that a link can hide.
CONTROLS = {
    "data": "data set", "split": "split type", "init": "initial tree", "lam": "λ", "cost": "bivariate cost C",
    "points": "points and seed", "passes": "passes", "beside": "comparison with CART", "share": "sharing and files",
}  # fmt: skip
PARTS = {
    "paint": "paint tools", "plane": "plane", "staircase": "staircase", "sentence": "sentences", "legend": "legend",
    "figures": "metrics", "inspector": "inspector", "tools": "tools of the stage", "transport": "step buttons",
}  # fmt: skip


def _read_painted(text: str) -> str | None:
    try:
        painted.decode(text)
    except DataError:
        return None
    return text


def _read_hidden(text: str) -> tuple[str, ...]:
    return tuple(name for name in CONTROLS | PARTS if name in text.split("-"))


def initial_trees(split: str) -> dict[str, str]:
    """Return {name: words} for the initial trees that suit a `split`."""
    possible = {*settings.initial_trees(split), "drawn"} - {"optimal"}  # its search takes too long for a slider
    return {name: words for name, words in INITIAL_TREES.items() if name in possible}


def _column() -> Any:
    return setting("", Special(reader=lambda text: text[:200]))


@check_settings
@dataclass(frozen=True)
class LearnSettings:
    """The settings that determine the run of the Learn page and its display."""

    kind: ClassVar[str] = "learn"

    data_set: str = settings.of_data_set("xor")  # painted.NAME stands for the visitor's own points
    painted: str = setting("", Special(reader=_read_painted))  # text of painted points, see `sample_data.painted`
    columns: str = setting(  # columns of a table
        "two",
        Choice(COLUMNS),
        words="Columns",
        help="Features of the tree. With *two columns*, the plane shows the exact regions.",
    )
    x: str = _column()  # names of the two columns; "" chooses one automatically
    y: str = _column()
    n_points: int = setting(
        500,
        Whole(*POINTS),
        words="Training points",
        help="Number of training points. All other rows are test rows.",
        is_slider=True,
        step=10,
    )
    # "lesson" uses the training rows of lessons and of the Tree page, for any n_points
    rows: str = setting("drawn", Choice(dict.fromkeys(("drawn", "lesson"), "")))
    seed: int = settings.of_seed()
    split: str = of("split", default="bivariate")
    lam: float = of("lam", default=1.0, kind=settings.LAMBDA, words="λ", help=LAMBDA_HELP)
    bivariate_cost: float = settings.of_bivariate_cost(
        words="Bivariate cost C", options=settings.COSTS, is_slider=False
    )
    init: str = of(
        "init",
        default="random",
        kind=Choice(INITIAL_TREES),
        options=lambda now: INITIAL_TREES if now is None else initial_trees(now.split),
    )
    max_depth: int = settings.of_depth(
        3, DEPTHS[1], help="Maximum depth of the initial tree. Small trees are easier to follow."
    )
    max_iter: int = of("max_iter", kind=Whole(1, 30), is_slider=True)
    beside: bool = setting(
        False,
        Switch(),
        words="Compare with CART",
        help="Shows CART on the same points. CART grows its tree greedily, split by split.",
    )
    hide: tuple[str, ...] = setting((), Special(reader=_read_hidden))  # names in CONTROLS and PARTS
    present: bool = setting(False, Switch())


def is_large(settings: LearnSettings) -> bool:
    """Test whether there are too many painted points for an address."""
    return settings.data_set == painted.NAME and len(settings.painted) > painted.CHARACTERS * MOST_IN_LINK


def _without_painting(settings: LearnSettings, texts: dict[str, str]) -> dict[str, str]:
    """Return the texts for the address, without hidden points and without points that are too many.

    Too many points are stored in a file.
    """
    if settings.data_set != painted.NAME or is_large(settings):
        return {name: text for name, text in texts.items() if name != "painted"}
    return texts


LEARN = PageSettings("learn", SettingsText(LearnSettings(), _without_painting))
