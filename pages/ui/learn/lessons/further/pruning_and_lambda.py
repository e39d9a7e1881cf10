"""Lesson: pruning with CART's α, and TAO's λ."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from pages.jobs.settings import Settings
from pages.ui.learn.lessons import claims, elsewhere, formulas, lookup, scenes
from pages.ui.learn.lessons.fresh import FIRST, Claim
from pages.ui.learn.lessons.lesson import BuiltLesson, Figure, Guess, Lesson, Moment, Scene, Series
from sample_data import DataSet
from treecore.training.prune import cut
from treecore.tree.number_text import number
from treecore.tree.tree import Tree

SETTINGS = Settings(data_set="xor", split="univariate", init="cart", max_depth=8, n_lambdas=8)
AT_MOST = ("TAO is lower", "Both are equal", "TAO is higher")
PENALTY = "Kairgeldin and Carreira-Perpiñán 2024, sections 2 and 2.1.1"
NODES = "Carreira-Perpiñán and Tavallali 2018, section 3"


class Comparison(NamedTuple):
    """How often TAO's objective is lower than, equal to and higher than that of pruning at the same λ."""

    lower: int
    equal: int
    higher: int


def build() -> BuiltLesson:
    """Build this lesson."""
    tao, pruned = both(SETTINGS)
    n, grown = len(tao.rows[0]), pruned.tree(0).n_leaves
    leaves = [(pruned.tree(k).n_leaves, tao.tree(k).n_leaves) for k in range(len(tao.points))]
    gains = [objective(pruned, k) - objective(tao, k) for k in range(len(tao.points))]
    k, bad = int(np.argmax(gains)), int(np.argmin(gains))
    claims.hold(leaves[k][1] < leaves[k][0] and lookup.wrong(tao, k) < lookup.wrong(pruned, k), "TAO is not better")
    claims.hold(gains[bad] < 0 and tao.tree(bad).n_leaves > 1, "TAO is nowhere worse")
    claims.hold(pruned.tree(bad).n_leaves == 1, "pruning keeps a split")
    claims.hold(_one_less(tao.tree(bad), tao.points[bad].lam) >= objective(tao, bad), "one split less is better")
    here = compared(tao, pruned)
    claims.hold(here.lower > here.higher, "TAO is not usually better")
    drawn = LOWER.stored
    there = {}
    for name in elsewhere.PLANES:
        taken = [elsewhere.plane(FIRST + k) == name for k in range(drawn.n)]
        there[name] = Comparison(*drawn.values[taken, 4:7].sum(axis=0).astype(int).tolist())
    others = Comparison(*np.sum(list(there.values()), axis=0).tolist())
    lam = [number(point.lam) for point in tao.points]
    smallest = scenes.some(tao, [0], "TAO, smallest λ")  # no slider, which would show the answer
    return BuiltLesson(
        (pruned, tao, smallest),
        (
            Moment(
                0,
                k,
                (
                    f"CART first grows a large tree, here with {grown} leaves. Then it **prunes**: it cuts off each "
                    "branch that corrects less than **α** points per split.",
                    f"This is the tree for α = {lam[k]}.",
                ),
                ask="Move the slider from left to right. Do the lines that stay ever move?",
                answer=f"No. Pruning removes lines and moves none. With {leaves[k][0]} leaves, "
                f"{lookup.wrong(pruned, k)} of {n} points are misclassified.",
                guess=Guess(1, choices=("Yes", "No")),
                formula=formulas.OBJECTIVE,
                source=PENALTY,
            ),
            Moment(
                2,
                0,
                (
                    "TAO starts from the same large tree and has the same penalty, called **λ**. But TAO optimises "
                    "every split again.",
                    f"The tree here has the smallest λ. Next comes the λ of the last screen, {lam[k]}.",
                ),
                ask="How many leaves will TAO keep there?",
                answer=f"{lookup.many(leaves[k][1], 'leaf', 'leaves').capitalize()}, one for each quadrant. TAO "
                f"moves the first lines, so it needs fewer of them; CART keeps {leaves[k][0]} leaves.",
                guess=Guess(leaves[k][1], 1, grown, unit="leaves"),
                source=PENALTY,
            ),
            Moment(
                1,
                k,
                (
                    f"At λ = {lam[k]}, TAO's tree misclassifies {lookup.wrong(tao, k)} points.",
                    "Now compare the **objectives**: errors + λ × splits.",
                ),
                ask="How much lower is TAO's objective than that of the pruned tree?",
                answer=f"By {number(gains[k], 3)}: it is {number(objective(tao, k), 4)} instead of "
                f"{number(objective(pruned, k), 4)}.",
                guess=Guess(gains[k], 0, 200, 1, unit="points"),
                formula=formulas.OBJECTIVE,
                source=PENALTY,
            ),
            Moment(
                1,
                bad,
                (
                    f"At λ = {lam[bad]}, TAO still has {lookup.many(leaves[bad][1], 'leaf', 'leaves')}. Its objective "
                    f"is {number(objective(tao, bad), 4)}.",
                    f"A single leaf would have {number(objective(pruned, bad), 4)}, and pruning finds it.",
                ),
                ask="Why does TAO not find the single leaf?",
                answer="TAO changes one node after another. Removing either split alone makes the objective "
                "larger; only removing both makes it smaller. Pruning cuts off whole branches.",
                guess=Guess(
                    1, choices=("It has too little time", "It removes one split at a time", "It ignores the penalty")
                ),
                source=NODES,
            ),
            Moment(
                0,
                bad,
                (f"The path has {lookup.many(len(lam), 'value')} of λ, from {lam[0]} to {lam[-1]}.",),
                ask="Compare TAO's objective with that of pruning. Which is true at most of these values?",
                answer=f"At {here.lower}. At {here.equal} it is equal, and at {here.higher} it is higher.",
                guess=Guess(int(np.argmax(here)), choices=AT_MOST, ordered=True),
                figure=Figure(
                    "Objective of both trees, for each penalty",
                    "objective: errors + λ × splits",
                    tuple(f"λ = {one}" for one in lam),
                    tuple(
                        Series(words, tuple(objective(scene, step) for step in range(len(lam))), late)
                        for words, scene, late in (("CART, pruned", pruned, False), ("TAO", tao, True))
                    ),
                ),
                source=PENALTY,
            ),
            Moment(
                1,
                k,
                ("We repeat this on new draws of XOR, and of five other data sets.",),
                ask="How often is TAO's objective lower at more values of λ than it is higher?",
                answer=f"On XOR, {drawn.often}. On the other data sets, TAO's objective is lower in {others.lower} of "
                f"{sum(others)} comparisons, equal in {others.equal} and higher in {others.higher}. The objective "
                "counts *training* errors.",
                guess=elsewhere.how_often(drawn.n_true, drawn.n),
                claim=LOWER.name,
                figure=Figure(
                    f"How often TAO's objective differs, at {len(lam)} values of λ and {drawn.n // len(there)} draws",
                    "comparisons",
                    tuple(there),
                    (
                        Series("higher than CART's", tuple(one.higher for one in there.values())),
                        Series("lower than CART's", tuple(one.lower for one in there.values()), late=True),
                    ),
                ),
                source=PENALTY,
            ),
        ),
    )


def both(settings: Settings, data: DataSet | None = None) -> tuple[Scene, Scene]:
    """Return the scenes of TAO's path and of CART's tree, pruned with the same values of λ.

    data : replaces the data set of the settings.
    """
    tao = scenes.path(settings, "TAO, with λ") if data is None else scenes.generated_path(settings, "", data)
    task = scenes.task_of(settings, data)
    large = task.estimator(lam=0.0, max_iter=0).fit(*task.train_rows).tree_
    points = tuple(scenes.Point(point.lam, pruned_tree(large, point.lam), {}) for point in tao.points)
    return tao, replace(tao, title="CART, pruned with α", points=points, places=(None,) * len(points))


def pruned_tree(tree: Tree, lam: float) -> Tree:
    """Return the subtree with the smallest objective; the smaller one wins a tie."""
    least = np.asarray(tree.values.sum(axis=1) - tree.values.max(axis=1), float)
    is_end = tree.left < 0
    for node in range(tree.n_nodes - 1, -1, -1):  # a parent's position is before its children's
        if tree.left[node] >= 0:
            below = lam + least[tree.left[node]] + least[tree.right[node]]
            is_end[node] = least[node] <= below
            least[node] = min(least[node], below)
    return cut(tree, is_end)


def objective(scene: Scene, step: int) -> float:
    """Return the misclassified training points plus λ for each split."""
    return lookup.wrong(scene, step) + scene.points[step].lam * scene.tree(step).n_decision


def compared(tao: Scene, pruned: Scene) -> Comparison:
    """Compare TAO with pruning at all values of λ."""
    gains = np.array([objective(pruned, k) - objective(tao, k) for k in range(len(tao.points))])
    return Comparison(int((gains > 1e-9).sum()), int((abs(gains) <= 1e-9).sum()), int((gains < -1e-9).sum()))


def _one_less(tree: Tree, lam: float) -> float:
    """Return the smallest objective of the trees with one split less that keep all other splits and leaves."""
    errors = tree.values.sum(axis=1) - tree.values.max(axis=1)
    ends = tree.left < 0
    found = []
    for node in np.flatnonzero(~ends):
        if ends[tree.left[node]] and ends[tree.right[node]]:
            more = errors[node] - errors[tree.left[node]] - errors[tree.right[node]]
            found.append(errors[ends].sum() + more + lam * (tree.n_decision - 1))
    return float(min(found))


def lower_objectives(seed: int) -> tuple[float, ...]:
    """Return at how many λ TAO's objective is lower minus at how many it is higher, on a new draw of XOR.

    Then the numbers of lower, equal and higher objectives there, and on another plane.
    """
    found = [
        compared(*both(replace(SETTINGS, data_set=name), elsewhere.another(name, seed)))
        for name in ("xor", elsewhere.plane(seed))
    ]
    return tuple(map(float, (found[0].lower - found[0].higher, *found[0], *found[1])))


def _own(built: BuiltLesson) -> float:
    pruned, tao, _ = built.scenes
    here = compared(tao, pruned)
    return float(here.lower - here.higher)


LOWER = Claim(
    "objective-of-pruning",
    "TAO's objective is lower than that of pruning at more values of λ than it is higher.",
    "XOR, 1,000 new points a draw; 8 values of λ",
    "values of λ with a lower objective minus values with a higher one",
    lower_objectives,
    _own,
)


LESSON = Lesson(
    "pruning-and-lambda",
    "Pruning and λ",
    "CART's α only cuts branches off. TAO's λ also moves the splits that stay.",
    build,
    icon=":material/compare_arrows:",
    picture=2,
    keep="With the same penalty, TAO's objective is often lower than that of pruning, but not always.",
    task="Lower λ step by step. When does TAO keep more than four leaves?",
    claims=(LOWER,),
)
