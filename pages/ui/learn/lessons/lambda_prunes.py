"""Lesson: how λ prunes a tree."""

from dataclasses import replace

import numpy as np

from pages.jobs.settings import Settings
from pages.ui.learn.lessons import claims, elsewhere, formulas, lookup, scenes
from pages.ui.learn.lessons.fresh import Claim, sentence
from pages.ui.learn.lessons.lesson import BuiltLesson, Guess, Lesson, Moment, Scene
from sample_data import synthetic
from treecore.tree.number_text import number
from treecore.tree.tree import Tree
from viz.charts.path_points import recommended

SETTINGS = Settings(data_set="fields", split="bivariate", init="cart", max_depth=12, n_lambdas=8)
THRESHOLDS = replace(SETTINGS, split="univariate")
FRESH, FRESH_SEED = 20_000, 99


def build() -> BuiltLesson:
    """Build this lesson."""
    scene = scenes.path(SETTINGS, "A path of trees")
    best = recommended(scene.points)["one_se"]
    over = next(k for k, point in enumerate(scene.points) if point.tree.n_leaves == 1)
    middle = next(k for k, point in enumerate(scene.points) if point.tree.n_leaves <= scene.tree(0).n_leaves // 2)
    claims.fewer_wrong(scene, best, scene, 0, 1)  # 1 stands for the validation rows
    claims.fewer_wrong(scene, best, scene, over, 1)
    claims.fewer_wrong(scene, 0, scene, best)
    claims.fewer_wrong(scene, best, scene, over)
    claims.hold(lookup.wrong(scene, 0) < 0.01 * len(scene.rows[0]), "the largest tree has not memorised the points")
    sizes = [point.tree.n_leaves for point in scene.points]
    claims.hold(sizes == sorted(sizes, reverse=True) and sizes[-1] == 1, "the trees do not shrink to one leaf")
    claims.hold(sizes[best] == 4, "the tree does not keep the four fields")
    claims.hold(sizes[over - 1] == 4, "the last lines do not go together")
    drawn, on_planes = SMALLER.stored, SMALLER_ON_PLANES.stored
    plain = int((on_planes.column(1) > 0).sum())
    weight, least, reached = pruning_alone()
    claims.hold(reached < least, "pruning alone reaches as low an objective")
    cost = SETTINGS.bivariate_cost
    claims.hold(int(scene.points[middle].lam) == int(cost * scene.points[middle].lam), "lines must correct more points")
    claims.hold(all(gain > lam for gain, lam in last_splits(scene)), "a last split corrects too few points")
    gained = lookup.wrong(scene, over) - lookup.wrong(scene, over - 1)
    charged = cost * scene.points[over].lam * scene.tree(over - 1).n_decision
    claims.hold(lookup.two_feature_nodes(scene.tree(over - 1)) == 3 and gained < charged, "the lines are worth it")
    lam = [number(point.lam) for point in scene.points]
    leaves = [lookup.many(point.tree.n_leaves, "leaf", "leaves") for point in scene.points]
    return BuiltLesson(
        (scene,),
        (
            Moment(
                0,
                0,
                (
                    f"This tree has {leaves[0]} and misclassifies {lookup.count(lookup.wrong(scene, 0))} training "
                    "points.",
                    "Is it perfect? Small regions around single points show that the tree has memorised the noise.",
                ),
                ask="What percentage of new points does the tree misclassify?",
                answer=f"{lookup.error(scene, 0, 1)}. The training error is {lookup.error(scene, 0)}. This difference "
                "is the **optimism** of the training error. The tree **overfits** if a smaller tree is better on new "
                "points.",
                guess=Guess(100 * lookup.wrong(scene, 0, 1) / len(scene.rows[1]), 0, 30, 0.5, 1, "%"),
                source="Carreira-Perpiñán and Tavallali 2018, section 1 (large trees overfit)",
            ),
            Moment(
                0,
                middle,
                (
                    f"So every split gets a penalty: **λ** (lambda), and {number(cost)} λ for a line on two features. "
                    "CART prunes with such a penalty, too, and calls it **α**.",
                    "The last split of a branch stays only if it corrects more errors than its penalty. Here λ = "
                    f"{lam[middle]}, so it must correct at least {_at_least(scene.points[middle].lam)}.",
                ),
                ask="Drag the slider to the right. What happens to the tree?",
                answer=f"It shrinks from {leaves[0]} at the left end to {leaves[middle]} here and "
                f"{lookup.many(scene.tree(scene.last).n_leaves, 'leaf', 'leaves')} at the right end.",
                formula=formulas.OBJECTIVE,
                source="Kairgeldin and Carreira-Perpiñán 2024, sections 2 and 2.1.1",
                chart=True,
            ),
            Moment(
                0,
                best,
                (
                    f"At λ = {lam[best]}, the tree has {leaves[best]}. The boxes around single points are gone. The "
                    "four fields remain.",
                    f"The training error *rose* to {lookup.error(scene, best)}.",
                ),
                ask="The points are drawn again and again. How often is the smaller tree better on new points?",
                answer=f"{sentence(drawn.often)} The classes overlap. On five other data sets, it is better "
                f"{on_planes.often}, and with thresholds alone in {plain}. Here the validation error fell from "
                f"{lookup.error(scene, 0, 1)} to {lookup.error(scene, best, 1)}.",
                guess=elsewhere.how_often(drawn.n_true, drawn.n),
                claim=SMALLER.name,
                source="Carreira-Perpiñán and Tavallali 2018, section 4 (path of trees)",
                chart=True,
            ),
            Moment(
                0,
                over,
                (
                    f"At λ = {lam[over]}, a single leaf is left. Now the penalty is too high.",
                    f"The last three lines went together. They corrected {lookup.count(gained)} errors, and their "
                    f"penalty would now be {number(charged, 3)}.",
                ),
                ask="Which error shows this?",
                answer=f"Both do. The training error is {lookup.error(scene, over)}, and the validation error is "
                f"{lookup.error(scene, over, 1)}. This is **underfitting**.",
                source="Carreira-Perpiñán and Tavallali 2018, section 4 (path of trees)",
                chart=True,
            ),
            Moment(
                0,
                best,
                (
                    "CART only prunes branches of the large tree. TAO also changes the splits that stay.",
                    f"With thresholds alone and λ = {number(weight)}, the best pruning of the large tree has an "
                    f"objective of {number(least, 4)}, and TAO's tree {number(reached, 4)}.",
                ),
                ask="How do you choose λ without cheating?",
                answer="Use points that were kept aside. *Simplest good tree* below selects the largest λ with a "
                f"validation error near the smallest: λ = {lam[best]}, with a test error of "
                f"{lookup.error(scene, best, 2)}.",
                guess=Guess(
                    1,
                    choices=(
                        "Error on the training points",
                        "Error on points kept aside to select",
                        "Error on the test points",
                    ),
                ),
                source="Kairgeldin and Carreira-Perpiñán 2024, section 2.1.2 and appendix C.1",
                chart=True,
            ),
        ),
    )


def pruning_alone() -> tuple[float, float, float]:
    """Return λ, the lowest objective that pruning the largest tree of thresholds reaches, and the objective of TAO."""
    scene = scenes.path(THRESHOLDS, "")
    k = recommended(scene.points)["one_se"]
    lam, tree = scene.points[k].lam, scene.tree(k)
    return lam, pruned_objective(scene.tree(0), lam), lookup.wrong(scene, k) + lam * tree.n_decision


def last_splits(scene: Scene) -> list[tuple[float, float]]:
    """Return (errors that a split above two leaves corrects, λ) for all these splits on a path."""
    found = []
    for point in scene.points:
        tree, errors = point.tree, point.tree.values.sum(axis=1) - point.tree.values.max(axis=1)
        ends = tree.left < 0
        for node in np.flatnonzero(~ends):
            if ends[tree.left[node]] and ends[tree.right[node]]:
                found.append((float(errors[node] - errors[tree.left[node]] - errors[tree.right[node]]), point.lam))
    return found


def new_error(settings: Settings, seed: int) -> tuple[float, float]:
    """Return the errors of the largest and of the selected tree on new points, for another draw of the data set."""
    scene = scenes.generated_path(settings, "", elsewhere.another(settings.data_set, seed))
    X, y = getattr(synthetic, settings.data_set)(FRESH, seed=FRESH_SEED)
    target = scene.data.target
    large, small = (
        float(target.is_wrong(target.outputs(tree)[tree.apply(X)], y).mean())
        for tree in (scene.tree(k) for k in (0, recommended(scene.points)["one_se"]))
    )
    return large, small


def pruned_objective(tree: Tree, lam: float) -> float:
    """Return the smallest objective of a univariate tree whose branches are cut off but whose splits stay."""
    least = np.asarray(tree.values.sum(axis=1) - tree.values.max(axis=1), float)
    for node in range(tree.n_nodes - 1, -1, -1):  # a parent's position is before its children's
        if tree.left[node] >= 0:
            least[node] = min(least[node], lam + least[tree.left[node]] + least[tree.right[node]])
    return float(least[0])


def _at_least(lam: float) -> str:
    return lookup.many(int(lam) + 1, "point")


def smaller_wins(seed: int) -> tuple[float]:
    """Return how much better the selected tree is than the largest one on new points, in percentage points."""
    return (100 * float(np.subtract(*new_error(SETTINGS, seed))),)


def smaller_wins_on_planes(seed: int) -> tuple[float, float]:
    """Return how much better the selected tree is on new points of another plane, for lines and for thresholds."""
    chosen = (replace(one, data_set=elsewhere.plane(seed)) for one in (SETTINGS, THRESHOLDS))
    lines, steps = (100 * float(np.subtract(*new_error(one, seed))) for one in chosen)
    return lines, steps


def _own_planes(_: BuiltLesson) -> float:
    return smaller_wins_on_planes(0)[0]


def _own(built: BuiltLesson) -> float:
    scene = built.scenes[0]
    best = recommended(scene.points)["one_se"]
    X, y = synthetic.fields(FRESH, seed=FRESH_SEED)
    names = np.array(scene.data.class_names)[y]
    large, small = ((scene.tree(k).predict(X) != names).mean() for k in (0, best))
    return 100 * float(large - small)


SMALLER = Claim(
    "smaller-tree",
    "The tree that the validation points select is better on new points than the largest tree.",
    "four fields, 1,000 new points a draw; trees of lines",
    "error of the largest tree minus error of the selected tree (percentage points)",
    smaller_wins,
    _own,
    least=0.8,
)
SMALLER_ON_PLANES = Claim(
    "smaller-tree-on-planes",
    "The tree of lines that the validation points select is better on new points than the largest tree.",
    "new points of five planes in turn",
    "error of the largest tree minus error of the selected tree (percentage points)",
    smaller_wins_on_planes,
    _own_planes,
    least=0.4,
)


LESSON = Lesson(
    "lambda-prunes",
    "λ prunes",
    "A penalty for every split, and a path from large trees to small ones.",
    build,
    icon=":material/content_cut:",
    picture=0,
    keep="A split costs as much as λ errors, so a larger λ gives a smaller tree.",
    task="Lower λ step by step, and look at the last step. When do boxes around single points return?",
    claims=(SMALLER, SMALLER_ON_PLANES),
)
