"""Lesson: the parts of a tree."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pages.jobs.settings import Settings
from pages.ui.learn.lessons import claims, elsewhere, formulas, lookup, scenes
from pages.ui.learn.lessons.fresh import Claim, sentence
from pages.ui.learn.lessons.lesson import BuiltLesson, Guess, Lesson, Moment, Scene
from treecore.tree.tree import Tree

SETTINGS = Settings(data_set="fields", split="univariate", init="cart", max_depth=12, n_lambdas=8)
MOST_LEAVES = 6


def build() -> BuiltLesson:
    """Build this lesson."""
    path = scenes.path(SETTINGS, "Four fields")
    k = next(k for k, point in enumerate(path.points) if point.tree.n_leaves <= MOST_LEAVES)
    scene = scenes.growth_of(path, k, "A tree of thresholds")
    last, data = scene.last, scene.data
    tree = scene.tree(last)
    splits = [_new_split(scene, step) for step in range(1, last + 1)]
    row = _row_to_follow(scene)
    leaf = int(tree.apply(data.X[[row]])[0])
    path_nodes = tree.path_of(data.X[row]).tolist()
    worst = _worst_leaf(tree)
    n, wrong = len(scene.rows[0]), [lookup.wrong(scene, step) for step in range(last + 1)]
    claims.hold(last == 5, "the number of screens does not match the number of splits")
    claims.hold(sorted(wrong, reverse=True) == wrong, "the error does not fall with each split")
    second = scene.tree(2)
    drawn = NEW_ERROR.stored
    claims.hold(lookup.wrong(scene, last, 2) / len(scene.rows[2]) > wrong[last] / n, "the test error is not larger")
    side = "right" if second.right[0] == splits[1] else "left"
    claims.hold(second.parents[splits[1]] == 0, "the second split is not below the root")
    return BuiltLesson(
        (scene,),
        (
            Moment(
                0,
                0,
                (
                    f"Four fields, seen from above. Each of the {lookup.count(n)} points is a plant, *wheat* or "
                    "*clover*. Each class has one colour.",
                    "We want a **tree** that separates the classes by one split after another.",
                ),
                ask="A tree without a split predicts one class for all points. How many points does it misclassify?",
                answer=f"{lookup.count(wrong[0])}: it is right for one class only. The next screens add one split "
                "after another. Each split divides the plane or a part of the plane.",
                guess=Guess(wrong[0], 0, n, unit="points"),
                bare=True,
                source="Carreira-Perpiñán and Tavallali 2018, section 1",
            ),
            Moment(
                0,
                1,
                (
                    f"The first split: **{lookup.question(scene, 1, 0)}**? "
                    "Points that meet this condition go right, all other points left.",
                    "The node with this split is the **root**. Every decision path starts there.",
                ),
                node=lookup.origin(scene, 1, 0),
                ask="Look for the line of this split in the plane. In which direction does it run?",
                answer=f"{'Horizontally' if tree.split(0)[0][0] else 'Vertically'}. The line is never slanted, "
                "because the split uses only one feature. Such a node is called *axis-aligned* or *univariate*.",
                formula=formulas.THRESHOLD,
                source="Carreira-Perpiñán and Tavallali 2018, section 1",
            ),
            Moment(
                0,
                2,
                (
                    f"**{lookup.question(scene, 2, splits[1])}**? This split receives only the points that went "
                    f"{side}: {lookup.count(second.n_samples[splits[1]])} of {lookup.count(n)} points.",
                    "So the line crosses only the region of this node, not the whole plane.",
                ),
                node=lookup.origin(scene, 2, splits[1]),
                ask="Click the other child of the root. Which part of the plane has a frame?",
                answer="The other part of the plane. The two parts never overlap, because each point goes to one "
                "child only.",
                source="Carreira-Perpiñán and Tavallali 2018, section 1",
            ),
            Moment(
                0,
                3,
                (
                    f"The third split: **{lookup.question(scene, 3, splits[2])}**?",
                    "A node without a split is a **leaf**. It predicts one class for every point that reaches "
                    "it: the "
                    "majority class.",
                ),
                node=lookup.origin(scene, 3, splits[2]),
                ask=f"How many leaves will there be after {lookup.many(last, 'split')}?",
                answer=f"{lookup.many(tree.n_leaves, 'leaf', 'leaves').capitalize()}. Each split "
                "replaces one leaf by two.",
                guess=Guess(tree.n_leaves, 1, 2 * tree.n_leaves, unit="leaves"),
                source="Carreira-Perpiñán and Tavallali 2018, section 1",
            ),
            Moment(
                0,
                4,
                (
                    f"The fourth split: **{lookup.question(scene, 4, splits[3])}**?",
                    f"The trees so far misclassified {', '.join(map(str, wrong[:4]))} points. This tree misclassifies "
                    f"{wrong[4]}.",
                ),
                node=lookup.origin(scene, 4, splits[3]),
                ask="How many points are misclassified after the last split?",
                answer=f"{wrong[last]}. The last split is at a node whose points are still mixed.",
                guess=Guess(wrong[last], 0, wrong[4], unit="points"),
                source="Carreira-Perpiñán and Tavallali 2018, section 1",
            ),
            Moment(
                0,
                last,
                (
                    f"The tree has all {lookup.many(last, 'split')}. Follow one point down the tree. It passes "
                    f"{lookup.NUMBERS[len(path_nodes) - 1]} of the splits and ends in a **leaf**.",
                    f"The leaf predicts *{lookup.label(scene, last, leaf)}*. So this is the tree's prediction for the "
                    "point.",
                ),
                node=lookup.origin(scene, last, leaf),
                row=row,
                ask="Read the path as one rule: IF … AND … THEN …",
                answer=f"IF {_rule(scene, path_nodes)} THEN {lookup.label(scene, last, leaf)}. A tree is a list of "
                f"such rules, one for each leaf. This tree has {lookup.many(tree.n_leaves, 'rule')}.",
                source="Carreira-Perpiñán and Tavallali 2018, section 1",
            ),
            Moment(
                0,
                last,
                (
                    f"The tree has {lookup.many(tree.n_leaves, 'leaf', 'leaves')}, and the plane has as many regions.",
                    "Each leaf takes a vote in its region, and the class with the most points wins.",
                    f"In this leaf {lookup.label(scene, last, worst)} wins.",
                ),
                node=lookup.origin(scene, last, worst),
                ask="Is every point in this region in that class?",
                answer=f"No: {lookup.count(_wrong_in(tree, worst))} of its {lookup.count(tree.n_samples[worst])} "
                "points are in another class. The tree misclassifies these points.",
                guess=Guess(1, choices=("Yes", "No")),
                source="Carreira-Perpiñán and Tavallali 2018, section 3 (leaves)",
            ),
            Moment(
                0,
                last,
                (
                    f"All leaves together misclassify {lookup.count(lookup.wrong(scene, last))} of {lookup.count(n)} "
                    f"points. The **training error** is {lookup.error(scene, last)}.",
                    "Now the plane shows points that the tree has *not* seen before. The error on these points, the "
                    f"**test error**, is {lookup.error(scene, last, 2)}.",
                ),
                set=2,
                ask="More trees are trained on new draws of five other data sets. How often is the test error larger "
                "than the training error?",
                answer=f"{sentence(drawn.often)} A tree fits its training points, so only new points show how good it "
                "is.",
                guess=elsewhere.how_often(drawn.n_true, drawn.n),
                claim=NEW_ERROR.name,
                source="Carreira-Perpiñán and Tavallali 2018, section 4",
            ),
        ),
    )


def _new_split(scene: Scene, step: int) -> int:
    """Return the node that this step split."""
    tree, before = scene.tree(step), scene.tree(step - 1)
    new = np.setdiff1d(tree.origin[tree.left >= 0], before.origin[before.left >= 0])
    return lookup.place(scene, step, new[0])


def _row_to_follow(scene: Scene) -> int:
    """Return a training row in the middle of a deepest leaf."""
    tree, X = scene.tree(scene.last), scene.data.X
    leaves = np.flatnonzero((tree.left < 0) & (tree.depths == tree.depth))
    leaf = int(leaves[np.argmax(tree.n_samples[leaves])])
    rows = lookup.reaching(scene, scene.last, leaf)
    return int(rows[np.argmin(((X[rows] - X[rows].mean(axis=0)) ** 2).sum(axis=1))])


def _rule(scene: Scene, path_nodes: Sequence[int]) -> str:
    """Return the conditions on a decision path, root first."""
    tree, parts = scene.tree(scene.last), []
    for node, after in zip(path_nodes, path_nodes[1:], strict=False):
        words = lookup.question(scene, scene.last, node)
        parts.append(words if tree.right[node] == after else f"NOT {words}")
    return " AND ".join(parts)


def _wrong_in(tree: Tree, leaf: int) -> int:
    return int(tree.values[leaf].sum() - tree.values[leaf].max())


def _worst_leaf(tree: Tree) -> int:
    leaves = np.flatnonzero(tree.left < 0)
    return int(leaves[np.argmax([_wrong_in(tree, leaf) for leaf in leaves])])


def larger_on_new_points(seed: int) -> tuple[float]:
    """Return the error of CART's tree on new points minus its training error, in percentage points."""
    name = elsewhere.plane(seed)
    (draw,) = elsewhere.draws(replace(SETTINGS, data_set=name, max_depth=4), [seed], is_new=True)
    return (elsewhere.new_error(draw.cart, name, seed) - 100 * draw.error(draw.cart, 0),)


def _own(built: BuiltLesson) -> float:
    scene = built.scenes[0]
    on_new, on_old = (lookup.wrong(scene, scene.last, part) / len(scene.rows[part]) for part in (2, 0))
    return 100 * float(on_new - on_old)


NEW_ERROR = Claim(
    "new-error",
    "A tree misclassifies a larger share of new points than of its training points.",
    "CART, depth 4; new points of five planes in turn",
    "error on new points minus training error (percentage points)",
    larger_on_new_points,
    _own,
    least=0.8,
)


LESSON = Lesson(
    "what-a-tree-is",
    "What a tree is",
    "Splits, leaves and regions: how a tree divides a plane.",
    build,
    icon=":material/account_tree:",
    keep="A tree divides the plane with one split after another; each region predicts one class.",
    task="Choose the initial tree *your drawing* and separate the fields with as few lines as you can.",
    claims=(NEW_ERROR,),
)
