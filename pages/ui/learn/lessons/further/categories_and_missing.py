"""Lesson: columns of categories, and missing values."""

from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

import numpy as np

import sample_data
from pages.jobs.kinds.tasks import PathTask
from pages.jobs.settings import Settings
from pages.ui.learn.lessons import claims, lookup, scenes
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
    claims.surely_nearer(*misses)
    two = next(step for step in range(grouped.last, -1, -1) if grouped.tree(step).n_leaves > 1)
    group = np.unique(grouped.tree(two).split(0)[0]).size
    claims.hold(1 < group < n_bands, "the first split is not on a group")
    draws = [off_elsewhere(seed) for seed in range(1, 6)]
    better = sum(groups < alone for alone, groups in draws)
    claims.hold(better > len(draws) / 2, "groups are rarely better on other draws")
    found = {name: errors(name) for name in HOLES}
    chance, meant = (found[SHOWN][how] for how in HOWS)
    helped, harmed = (
        {how: int(sum((sign * (one[how].filled - one[how].learned) > 0).sum() for one in found.values()))
         for how in HOWS}
        for sign in (1, -1)
    )  # fmt: skip
    wins = int((meant.learned < meant.filled).sum())
    claims.hold(wins > len(DRAWS) / 2, "a learned direction does not help here")
    total = len(HOLES) * len(DRAWS)
    same = total - helped["random"] - harmed["random"]
    claims.hold(same > total / 2, "random holes make a difference")
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
                guess=Guess(2, choices=(f"{n_bands}", f"{n_bands * (n_bands - 1) // 2}", "More than a million")),
                source=SPLITS,
            ),
            Moment(
                1,
                k,
                (
                    "Most programs make a **0/1 feature** of each band instead. A split then tests one band against "
                    "all others.",
                    f"This tree has {SIZE} leaves. Its RMSE on new rows is {number(off[0], 3)} {unit}.",
                ),
                ask=f"What is the RMSE with groups, also with {SIZE} leaves?",
                answer=f"{number(off[1], 3)} {unit}. One split on a group does the work of many splits on one band. On "
                f"{better} of {len(draws)} other draws of the rows, groups are better, too. But bands have an order: "
                "as a "
                f"number, the frequency gives {number(as_number, 3)} {unit}.",
                guess=Guess(off[1], 0, 10, 0.5, 1, unit),
                source=SPLITS,
            ),
            Moment(
                0,
                k,
                ("A new recording has a band that the training rows never had.",),
                ask="Where does a split on a group send it?",
                answer="It goes with all bands outside the group. The tree makes a prediction here, "
                "but it has not learned this band.",
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
                ask=f"In how many of {total} trials, on five data sets, do both make the same test error?",
                answer=f"In {same}. Learned directions are better in {helped['random']} and worse in "
                f"{harmed['random']}. On tumours, the mean errors are {percent(chance.learned.mean())} and "
                f"{percent(chance.filled.mean())}.",
                guess=Guess(same, 0, total, unit="trials"),
                figure=_errors_figure(found, "random", "some values missing at random"),
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
                ask="In how many of ten draws is the learned direction better than the mean?",
                answer=f"In {wins}. The mean test error is {percent(meant.learned.mean())} instead of "
                f"{percent(meant.filled.mean())}, and {percent(meant.whole.mean())} without holes.",
                guess=Guess(wins, 0, len(DRAWS), unit="draws"),
                source=NODE,
            ),
            Moment(
                3,
                0,
                ("We hide the largest values of one column of each of the five data sets, in ten draws.",),
                ask="In how many of the 50 trials is the learned direction better?",
                answer=f"In {helped['large']}; it is worse in {harmed['large']}. So compare both on your data.",
                guess=Guess(helped["large"], 0, total, unit="trials"),
                figure=_errors_figure(found, "large", "the largest values missing"),
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


def errors(name: str) -> dict[str, Errors]:
    """Return {"random", "large": test errors} on a data set with such holes in the column of CART's first split."""
    found: dict[str, list[list[float]]] = {how: [] for how in HOWS}
    for seed in DRAWS:
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
    settings = Settings(data_set=SHOWN, split="univariate", init="cart", max_depth=4)
    task = scenes.task_of(settings)
    column = _first(_cart(task))
    X = task.data.X.astype(np.float64)
    X[holes(task.data, scenes.rows_of(task)[0], column, how, 0), column] = np.nan
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


def _errors_figure(found: dict[str, dict[str, Errors]], how: str, words: str) -> Figure:
    """Return the mean test errors on each data set with holes."""
    return Figure(
        f"Mean test error of {len(DRAWS)} draws, with {words}",
        "test error (%)",
        HOLES,
        tuple(
            Series(words, tuple(100 * getattr(found[name][how], kind).mean() for name in HOLES), late)
            for words, kind, late in (
                ("mean filled in", "filled", False),
                ("nothing missing", "whole", False),
                ("learned direction", "learned", True),
            )
        ),
    )


LESSON = Lesson(
    "categories-and-missing-values",
    "Categories and missing values",
    "Splits on groups of categories, and splits that learn where missing values go.",
    build,
    icon=":material/category:",
    picture=4,
    keep="A group of categories is one split, and a hole in a table can be information.",
    task="Upload a table with text columns on the *Data* page, and train it with groups of categories.",
    is_task_for_laboratory=False,
)
