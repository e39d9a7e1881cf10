"""Lesson: columns of categories, and missing values."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np

import sample_data
from pages.jobs.kinds.tasks import PathTask
from pages.jobs.settings import Settings
from pages.ui.learn.lessons import claims, elsewhere, lookup, scenes, two_features
from pages.ui.learn.lessons.fresh import Claim, holm, split_test
from pages.ui.learn.lessons.lesson import BuiltLesson, Figure, Guess, Lesson, Moment, Scene, Series
from pages.ui.session import data_sets
from sample_data import DataSet
from treecore.tables.table_columns import TableColumn, TableColumns
from treecore.tree.number_text import number, percent
from treecore.tree.tree import Tree

SETTINGS = Settings(data_set="airfoil", split="univariate", init="cart", max_depth=4, n_lambdas=8)
SIZE = 16  # leaves of the compared trees
HOLES = ("breast-cancer", "wine", "iris", "diabetes-classes", "segment")
SHOWN = HOLES[0]
DRAWS = range(10)
HOWS = ("random", "large")  # ways to hide values
SEED = 2  # of the shown splits with missing values
SHARE = 0.3  # of the rows whose value is hidden
SPLITS = "Kairgeldin and Carreira-Perpiñán 2024, section 2 (decision nodes)"
NODE = "Carreira-Perpiñán and Tavallali 2018, section 3 (decision node)"


class Errors(NamedTuple):
    """Test errors for each draw, float[draws]: a direction is learned, the mean is filled in, nothing is hidden."""

    learned: np.ndarray
    filled: np.ndarray
    whole: np.ndarray


def build() -> BuiltLesson:
    """Build this lesson."""
    table = with_bands()
    single, grouped = (
        scenes.generated_path(replace(SETTINGS, categories=kind), title, table)
        for kind, title in (("features", "Each band is a feature"), ("groups", "Groups of bands"))
    )
    as_number = scenes.generated_path(SETTINGS, "", sample_data.load("airfoil")).figure(0, "test_error")
    n_bands = len(table.columns.columns[0].categories) if table.columns is not None else 0
    k = 0
    claims.hold(single.tree(k).n_leaves == grouped.tree(k).n_leaves == SIZE, "the trees differ in size")
    off = [scene.figure(k, "test_error") for scene in (single, grouped)]
    rows = grouped.rows[2]
    misses = [scene.tree(k).predict(table.X[rows]) - table.y[rows] for scene in (grouped, single)]
    claims.significantly_nearer(*misses)
    two = next(step for step in range(grouped.last, -1, -1) if grouped.tree(step).n_leaves > 1)
    group = np.unique(grouped.tree(two).split(0)[0]).size
    claims.hold(1 < group < n_bands, "the first split is not on a group")
    drawn, hole, holes_drawn = GROUPS.stored, LEARNED.stored, LEARNED_ON_TABLES.stored
    n_train, _, n_test = map(len, grouped.rows)
    n = len(HOLES)
    gains = {how: holes_drawn.values[:, 1 + k * n : 1 + (k + 1) * n] for k, how in enumerate(HOWS)}
    same = int((gains["random"] == 0).sum())
    total = gains["random"].size
    significant = {
        how: [name for name in holm({
            name: split_test(gains[how][:, k], *two_features.sizes(name)) for k, name in enumerate(HOLES)
        }) if gains[how][:, HOLES.index(name)].mean() > 0]
        for how in HOWS
    }  # fmt: skip
    by_chance, large = (scene_with_holes(how, title) for how, title in (
        ("random", "Values missing at random"), ("large", "Large values missing"),
    ))  # fmt: skip
    tree = large.tree(large.last)
    outside = _band_row(table, [])
    claims.hold(
        _child(grouped.tree(two), outside) == _child(grouped.tree(two), _band_row(table, _bands_outside(grouped, two))),
        "an unknown band goes with the group",
    )
    unit = table.target.unit
    return BuiltLesson(
        (grouped, single, by_chance, large),
        (
            Moment(
                0,
                two,
                (
                    f"{lookup.count(table.n_rows)} measurements of the noise of a wing in a wind tunnel, in {unit}. "
                    "Here "
                    f"the sound's frequency is a **category** with {n_bands} bands.",
                    "A split sends a **group** of bands to one side.",
                ),
                node=lookup.origin(grouped, two, 0),
                ask=f"In how many ways can {n_bands} bands be divided into two groups?",
                answer=f"In 2^{n_bands - 1} − 1 = {2 ** (n_bands - 1) - 1:,} ways. TAO need not try them all: "
                "it adds up for each band which child is better for its rows.",
                guess=Guess(
                    2, choices=(f"{n_bands}", f"{n_bands * (n_bands - 1) // 2}", "More than a million"), ordered=True
                ),
                source=SPLITS,
            ),
            Moment(
                1,
                k,
                (
                    "Some programs, such as scikit-learn, need a **0/1 feature** for each band. A split then tests "
                    "one band.",
                    f"This tree has {SIZE} leaves. Its RMSE on new rows is {number(off[0], 3)} {unit}.",
                ),
                ask=f"What is the RMSE with groups, also with {SIZE} leaves?",
                answer=f"{number(off[1], 3)} {unit}. Groups are {elsewhere.compared(drawn, n_train, n_test)}. As a "
                f"number, the frequency gives {number(as_number, 3)} {unit}.",
                claim=GROUPS.name,
                guess=Guess(off[1], 0, 10, 0.5, 1, unit),
                source=SPLITS,
            ),
            Moment(
                0,
                k,
                ("A new recording has a band that the training rows never had.",),
                ask="Where does a split on a group send it?",
                answer="It goes with all bands outside the group. The tree predicts, but it has not learned this band.",
                guess=Guess(1, choices=("To the larger child", "With the bands outside the group", "It stops")),
                source=SPLITS,
            ),
            Moment(
                2,
                by_chance.last,
                (
                    f"Now tables with **holes**: {percent(SHARE, 0)} of one measurement is missing, hidden at random.",
                    "Fill in the mean, or let each split learn where rows with a hole go.",
                ),
                ask="On new splits of five data sets, how often do both make the same test error?",
                answer=f"In {same} of {total} trials. Learned directions are better in "
                f"{int((gains['random'] > 0).sum())} and worse in {int((gains['random'] < 0).sum())}; with a "
                "correction "
                f"for {n} tests, significantly better on {', '.join(significant['random']) or 'none'}.",
                guess=elsewhere.how_often(same, total),
                figure=_gains_figure(gains["random"], "some values missing at random"),
                source=NODE,
            ),
            Moment(
                3,
                large.last,
                (
                    "Here we hide the **large** values of one measurement of tumours, like an instrument whose scale "
                    "ends. So the hole itself is information.",
                    f"The tree has {lookup.many(tree.n_leaves, 'leaf', 'leaves')}.",
                ),
                ask="The rows are split again and again. Is the learned direction better than the mean?",
                answer=f"It is {elsewhere.compared(hole, *two_features.sizes(SHOWN))}. The mean test error is "
                f"{hole.column(1).mean():.1f} % instead of {hole.column(2).mean():.1f} %, and "
                f"{hole.column(3).mean():.1f} % without holes.",
                guess=elsewhere.better_or_worse(
                    hole, *two_features.sizes(SHOWN), ("Usually better", "Too close to tell", "Usually worse")
                ),
                claim=LEARNED.name,
                source=NODE,
            ),
            Moment(
                3,
                0,
                (
                    "We hide the largest values of one column of each of the five data sets, in "
                    f"{holes_drawn.n} new splits.",
                ),
                ask="How often is the learned direction better?",
                answer=f"In {int((gains['large'] > 0).sum())} of {total} trials; it is worse in "
                f"{int((gains['large'] < 0).sum())}. With a correction for {n} tests, it is significantly better on "
                f"{', '.join(significant['large']) or 'none'}. So compare both on your data.",
                guess=elsewhere.how_often(int((gains["large"] > 0).sum()), total),
                claim=LEARNED_ON_TABLES.name,
                figure=_gains_figure(gains["large"], "the largest values missing"),
                source=NODE,
            ),
        ),
    )


@cache
def with_bands() -> DataSet:
    """Return the airfoil data with the frequency as a column of categories."""
    data = sample_data.load("airfoil")
    bands = np.unique(data.X[:, 0])
    columns = TableColumns(
        (
            TableColumn("frequency", "category", tuple(f"{band:g} Hz" for band in bands)),
            *map(TableColumn, data.feature_names[1:]),
        )
    )
    X = np.hstack([(data.X[:, :1] == bands).astype(np.float64), data.X[:, 1:]])
    return replace(data, X=X, feature_names=columns.feature_names(), columns=columns, source="prepared for this lesson")


def off_elsewhere(seed: int) -> tuple[float, float]:
    """Return the test RMSE of trees on single bands and on groups, for another draw of the rows."""
    found = []
    for kind in ("features", "groups"):
        task = scenes.task_of(replace(SETTINGS, categories=kind, seed=seed), with_bands())
        tree = task.estimator(lam=scenes.SMALLEST_LAMBDA).fit(*task.train_rows).tree_
        X, y = task.test
        found.append(float(np.sqrt(((tree.predict(X) - y) ** 2).mean())))
    return found[0], found[1]


def holes(data: DataSet, rows: np.ndarray, column: int, how: str, seed: int) -> np.ndarray:
    """Return which values of a column are hidden, bool[n]: at random, or the largest ones of the training rows."""
    if how == "random":
        return np.random.default_rng(seed).random(data.n_rows) < SHARE
    return data.X[:, column] >= np.quantile(data.X[rows, column], 1 - SHARE)


def errors(name: str, draws: Sequence[int] = DRAWS) -> dict[str, Errors]:
    """Return {"random", "large": test errors} on a data set with such holes in the column of CART's first split."""
    found: dict[str, list[list[float]]] = {how: [] for how in HOWS}
    for seed in draws:
        task = scenes.task_of(Settings(data_set=name, split="univariate", init="cart", max_depth=4, seed=seed))
        data, rows, cart = task.data, scenes.rows_of(task), _cart(task)
        column, train = _first(cart), rows[0]
        whole = _error(task, rows, data.X, init=cart)
        for how, pairs in found.items():
            X = data.X.astype(np.float64)
            X[holes(data, train, column, how, seed), column] = np.nan
            filled = X.copy()
            filled[np.isnan(X[:, column]), column] = np.nanmean(X[train, column])
            pairs.append([_error(task, rows, X, missing="learn"), _error(task, rows, filled), whole])
    return {how: Errors(*np.array(pairs).T) for how, pairs in found.items()}


def _error(task: PathTask, rows: tuple[np.ndarray, ...], X: np.ndarray, **settings: Any) -> float:
    """Return the test error of TAO on these values."""
    (train, _, test), labels = rows, task.data.labels()
    tree = task.estimator(lam=scenes.SMALLEST_LAMBDA, **settings).fit(X[train], labels[train]).tree_
    return float((tree.predict(X[test]) != labels[test]).mean())


def scene_with_holes(how: str, title: str) -> Scene:
    """Return a scene that trains on tumours with holes."""
    settings = Settings(data_set=SHOWN, split="univariate", init="cart", max_depth=4, seed=SEED)
    task = scenes.task_of(settings)
    column = _first(_cart(task))
    X = task.data.X.astype(np.float64)
    X[holes(task.data, scenes.rows_of(task)[0], column, how, SEED), column] = np.nan
    data = replace(data_sets.load(SHOWN), X=X, source="prepared for this lesson")
    return replace(scenes.recording(settings, title, data), is_made=True)


def _bands_outside(scene: Scene, step: int) -> list[int]:
    """Return a band that the root's split does not name."""
    n_bands = len(with_bands().feature_names) - 4
    return [int(np.setdiff1d(np.arange(n_bands), scene.tree(step).split(0)[0])[0])]


def _band_row(data: DataSet, bands: list[int]) -> np.ndarray:
    """Return a row in which only these bands are 1."""
    row = data.X[0].copy()
    row[:-4] = 0.0
    row[bands] = 1.0
    return row


def _child(tree: Tree, row: np.ndarray) -> int:
    return int(tree.path_of(row)[1])


def _cart(task: PathTask) -> Tree:
    return task.estimator(lam=0.0, max_iter=0).fit(*task.train_rows).tree_


def _first(tree: Tree) -> int:
    """Return the feature of the first split."""
    return int(tree.split(0)[0][0])


def _gains_figure(gains: np.ndarray, words: str) -> Figure:
    """Return how often a learned direction makes more and fewer errors than the mean. gains : float[splits, tables]."""
    return Figure(
        f"How often a learned direction has more and fewer errors than the mean, with {words}",
        "splits of the rows",
        HOLES,
        tuple(
            Series(name, tuple((sign * gains > 0).sum(axis=0).astype(float).tolist()), late)
            for name, sign, late in (("more errors", -1, False), ("fewer errors", 1, True))
        ),
    )


def groups_nearer(seed: int) -> tuple[float, float, float]:
    """Return the RMSE with single bands minus that with groups, for a new random split, then both."""
    single, groups = off_elsewhere(seed)
    return single - groups, single, groups


def holes_elsewhere(seed: int) -> tuple[float, ...]:
    """Return on how many tables a learned direction makes fewer errors than the mean if large values are missing.

    Then the error with the mean minus that with a learned direction for each table in `HOLES`, with values missing at
    random, and with large values missing, in percentage points.
    """
    found = [errors(name, [seed]) for name in HOLES]
    gains = [[_gain(one[how]) for one in found] for how in HOWS]
    return float(sum(gain > 0 for gain in gains[1])), *gains[0], *gains[1]


def hole_of_tumours(seed: int) -> tuple[float, ...]:
    """Return the error of the filled mean minus that of a learned direction if large values of tumours are missing.

    In percentage points; then the errors (%) with a learned direction, with the mean, and without holes.
    """
    one = errors(SHOWN, [seed])["large"]
    return _gain(one), *(100 * float(part[0]) for part in one)


def _gain(found: Errors) -> float:
    return 100 * float((found.filled - found.learned)[0])


def _own_groups(built: BuiltLesson) -> float:
    grouped, single, *_ = built.scenes
    return float(single.figure(0, "test_error") - grouped.figure(0, "test_error"))


def _own_holes(_: BuiltLesson) -> float:
    return holes_elsewhere(SEED)[0]


def _own_tumours(_: BuiltLesson) -> float:
    return hole_of_tumours(SEED)[0]


GROUPS = Claim(
    "groups-of-bands",
    "Groups of bands predict the noise better than single bands.",
    "wing noise, random splits of the rows; depth 4",
    "RMSE of single bands minus RMSE of groups (dB)",
    groups_nearer,
    _own_groups,
    least=0.9,
)
LEARNED = Claim(
    "learned-direction",
    "If large values are missing, a learned direction makes fewer errors than the mean.",
    "breast cancer, random splits of the rows",
    "error with the mean minus error with a learned direction (percentage points)",
    hole_of_tumours,
    _own_tumours,
    least=0.25,
)
LEARNED_ON_TABLES = Claim(
    "learned-direction-on-tables",
    "If large values are missing, a learned direction makes fewer errors on at least one of five tables.",
    "random splits of five tables",
    "tables on which a learned direction makes fewer errors",
    holes_elsewhere,
    _own_holes,
    n_draws=30,
)


LESSON = Lesson(
    "categories-and-missing-values",
    "Categories and missing values",
    "Splits on groups of categories, and splits that learn where missing values go.",
    build,
    icon=":material/category:",
    picture=4,
    keep="A group of categories is one split, and a split can learn where rows with a hole go.",
    task="Upload a table with text columns on the *Data* page, and train it with groups of categories.",
    is_task_for_laboratory=False,
    claims=(GROUPS, LEARNED, LEARNED_ON_TABLES),
)
