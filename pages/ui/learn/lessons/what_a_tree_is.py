"""Lesson 1: what a tree is."""

import numpy as np

from pages.jobs.settings import Settings
from pages.ui.learn.lessons import formulas, lookup, scenes
from pages.ui.learn.lessons.lesson import Guess, Lesson, Moment, Told

SETTINGS = Settings(data_set="clouds", split="univariate", init="cart", max_depth=12, n_lambdas=8)
MOST_LEAVES = 6


def tell():
    """`Told` of this lesson."""
    path = scenes.path(SETTINGS, "Five clouds of points")
    k = next(k for k, point in enumerate(path.points) if point.tree.n_leaves <= MOST_LEAVES)
    scene = scenes.some(path, [k], "A tree of thresholds")
    tree, data = scene.tree(0), scene.data
    root, child = 0, int(tree.right[0])
    row = _row_to_follow(scene)
    leaf = int(tree.apply(data.X[[row]])[0])
    way = tree.decision_path(data.X[row]).tolist()
    worst = _worst_leaf(tree)
    n = len(scene.rows[0])
    return Told(
        (scene,),
        (
            Moment(
                0,
                0,
                (
                    f"In the plane: {lookup.count(n)} points of "
                    f"{lookup.many(len(data.class_names), 'class', 'classes')}, one colour each.",
                    "The **tree** gives every point a class. It asks one question after the other, and each answer "
                    "says which question comes next.",
                ),
                ask="How many questions does the tree need at most?",
                answer=f"{lookup.many(tree.depth, 'question').capitalize()}: that is its **depth**.",
                guess=Guess(tree.depth, 1, 2 * tree.depth, unit="questions"),
                source="Carreira-Perpiñán and Tavallali 2018, section 1",
            ),
            Moment(
                0,
                0,
                (
                    "The top node is the **root**. All points start here.",
                    f"It asks: **{lookup.question(scene, 0, root)}**? "
                    "Points for which that is true go right, the others left.",
                ),
                node=lookup.origin(scene, 0, root),
                ask="Look for the straight cut in the plane that belongs to this question. Which way does it run?",
                answer=f"Straight {'across' if tree.split(root)[0][0] else 'up'}. It can never be slanted, since the "
                "question is about one feature only. Such a node is called *axis-aligned* or *univariate*.",
                formula=formulas.THRESHOLD,
                source="Carreira-Perpiñán and Tavallali 2018, section 1",
            ),
            Moment(
                0,
                0,
                (
                    f"Only points for which it is true come to the next node: {lookup.count(tree.n_samples[child])} of "
                    f"{lookup.count(n)}.",
                    f"It asks: **{lookup.question(scene, 0, child)}**? The cut does not go through the whole plane, "
                    "only through the part that is left.",
                ),
                node=lookup.origin(scene, 0, child),
                ask="Click the node on the other side of the root. Which part of the plane is framed?",
                answer="The rest. The two parts never overlap: each point goes one way only.",
                source="Carreira-Perpiñán and Tavallali 2018, section 1",
            ),
            Moment(
                0,
                0,
                (
                    f"Follow one point down. It answers {lookup.many(len(way) - 1, 'question')} and ends in a "
                    f"**leaf**.",
                    f"The leaf says *{lookup.label(scene, 0, leaf)}*. So this is what the tree predicts for the point.",
                ),
                node=lookup.origin(scene, 0, leaf),
                row=row,
                ask="Read the way as one sentence: IF … AND … THEN …",
                answer=f"IF {_rule(scene, way)} THEN {lookup.label(scene, 0, leaf)}. A tree is a list of such rules, "
                f"one for each leaf: {lookup.many(tree.n_leaves, 'rule')} here.",
                source="Carreira-Perpiñán and Tavallali 2018, section 1",
            ),
            Moment(
                0,
                0,
                (
                    f"The tree has {lookup.many(tree.n_leaves, 'leaf', 'leaves')}, and the plane falls into as many "
                    "boxes.",
                    "In its box a leaf takes a vote: the class with the most points wins.",
                    f"In this leaf {lookup.label(scene, 0, worst)} wins.",
                ),
                node=lookup.origin(scene, 0, worst),
                ask="Is every point of this box of that class?",
                answer=f"No: {lookup.count(_wrong_in(tree, worst))} of its {lookup.count(tree.n_samples[worst])} "
                "points are of another class. The tree gets them wrong.",
                source="Carreira-Perpiñán and Tavallali 2018, section 3 (leaves)",
            ),
            Moment(
                0,
                0,
                (
                    f"All leaves together get {lookup.count(lookup.wrong(scene, 0))} of {lookup.count(n)} points "
                    f"wrong: a **training error** of {lookup.error(scene, 0)}.",
                    "Now the plane shows points that the tree has *not* seen before.",
                ),
                set=2,
                ask="Will the error on new points be smaller, the same, or larger?",
                answer=f"It is {lookup.error(scene, 0, 2)}, the **test error**. New points are the honest exam, and a "
                "tree mostly does worse there than at home.",
                guess=Guess(_sign(scene), choices=("smaller", "the same", "larger")),
                source="Carreira-Perpiñán and Tavallali 2018, section 4",
            ),
        ),
    )


def _sign(scene):
    """0, 1, 2: whether the test error is smaller than the training error, the same, or larger."""
    shares = [lookup.wrong(scene, 0, part) / len(scene.rows[part]) for part in (0, 2)]
    return int(np.sign(shares[1] - shares[0])) + 1


def _row_to_follow(scene):
    """A training row in a deepest leaf, right, and amid its leaf."""
    tree, X = scene.tree(0), scene.data.X
    leaves = np.flatnonzero((tree.left < 0) & (tree.depths == tree.depth))
    leaf = int(leaves[np.argmax(tree.n_samples[leaves])])
    rows = lookup.reaching(scene, 0, leaf)
    return int(rows[np.argmin(((X[rows] - X[rows].mean(axis=0)) ** 2).sum(axis=1))])


def _rule(scene, way):
    """The conditions on a way, root first."""
    tree, parts = scene.tree(0), []
    for node, after in zip(way, way[1:], strict=False):
        words = lookup.question(scene, 0, node)
        parts.append(words if tree.right[node] == after else f"NOT {words}")
    return " AND ".join(parts)


def _wrong_in(tree, leaf):
    return int(tree.values[leaf].sum() - tree.values[leaf].max())


def _worst_leaf(tree):
    leaves = np.flatnonzero(tree.left < 0)
    return int(leaves[np.argmax([_wrong_in(tree, leaf) for leaf in leaves])])


LESSON = Lesson(
    "what-a-tree-is",
    "What a tree is",
    "Questions, answers, leaves: how a tree cuts a plane into boxes.",
    tell,
    icon=":material/account_tree:",
)
