"""Story: the Segment data set, after the guided tour of Kairgeldin and Carreira-Perpiñán 2024, section 3.1."""

from collections import Counter
from typing import Any

import numpy as np

from pages.ui.explore.case_studies import CASES
from pages.ui.learn.lessons import claims, elsewhere, formulas, lookup, scenes
from pages.ui.learn.lessons.fresh import Claim
from pages.ui.learn.lessons.lesson import BuiltLesson, Guess, Lesson, Moment, Scene
from treecore.tree.tree import Tree

CASE = CASES[1]
SETTINGS = CASE.settings
PAPER_QUESTIONS = 12
SHARES = ("Less than a quarter", "A quarter to three quarters", "More than three quarters")
OTHERS = range(5)  # seeds of other data splits


def build() -> BuiltLesson:
    """Build this story."""
    scene = scenes.path(SETTINGS, "At most two features")
    k = next(k for k, point in enumerate(scene.points) if point.lam == SETTINGS.lam)
    tree, data = scene.tree(k), scene.data
    lines = lookup.two_feature_nodes(tree)
    clean = _first_clean_leaf(tree)
    above = int(tree.parents[clean])
    line = _largest_line(tree)
    deep = int(np.flatnonzero((tree.left >= 0) & (tree.depths == tree.depths[tree.left >= 0].max()))[0])
    often = Counter(data.feature_names[j] for j in tree.features).most_common(1)[0]
    n_used = np.unique(tree.features).size
    lone = sum(bool((tree.left[[tree.left[i], tree.right[i]]] < 0).any()) for i in np.flatnonzero(tree.left >= 0))
    claims.hold(tree.n_decision == PAPER_QUESTIONS, "the tree differs in size from the paper's")
    claims.hold(tree.depth > 2 * np.log2(tree.n_leaves) and 2 * lone > tree.n_decision, "the tree is broad")
    claims.hold(
        tree.depths[clean] <= 2 and _minority_count(tree, clean) <= 0.01 * tree.n_samples[clean],
        "no class is separated early",
    )
    claims.hold(often[1] > 1, "no feature is used twice")
    claims.hold(tree.n_decision < data.n_features, "as many splits as features")
    claims.hold(
        _share_wrong(tree, deep) > lookup.wrong(scene, k) / len(scene.rows[0]),
        "the patches at the deepest split are not doubtful",
    )
    drawn, (n_train, _, n_test) = LARGE_TREE.stored, map(len, scene.rows)
    long, first = (int(drawn.column(k).sum()) for k in (1, 2))
    claims.hold(2 * long > drawn.n, "the tree is rarely long on other data splits")
    claims.hold(lookup.label(scene, k, clean) == "sky", "another class leaves first")
    return BuiltLesson(
        (scene,),
        (
            Moment(
                0,
                k,
                (
                    f"These are {lookup.count(data.n_rows)} small patches from photographs. What do they show: "
                    f"{', '.join(data.class_names[:-1])} or {data.class_names[-1]}?",
                    f"{data.n_features} features describe colour and position. λ, C and seed were chosen for a tree as "
                    "large as in the paper.",
                ),
                ask="Is the whole tree broad or long?",
                answer=f"Long: it has {lookup.many(tree.n_leaves, 'leaf', 'leaves')}, but depth {tree.depth}. At "
                f"{lone} of {tree.n_decision} splits, one child is a leaf, as in IF … ELSE IF. It is long "
                f"on {long} of {drawn.n} new splits of the rows, too.",
                guess=Guess(1, choices=("Broad", "Long")),
                source="Kairgeldin and Carreira-Perpiñán 2024, section 3.1 (global level)",
            ),
            Moment(
                0,
                k,
                (
                    f"The tree has {lookup.many(tree.n_decision, 'split')}, and {lines} of them are lines. So it has "
                    f"room for {tree.n_decision + lines} features.",
                ),
                ask=f"What share of the {data.n_features} features does it use?",
                answer=f"{n_used}. Some features occur several times: *{often[0]}* is in "
                f"{lookup.many(often[1], 'split')}. The tree selects features, because every split has a penalty.",
                guess=elsewhere.how_often(n_used, data.n_features, SHARES),
                formula=formulas.COST,
                source="Kairgeldin and Carreira-Perpiñán 2024, section 3.1 (feature selection)",
            ),
            Moment(
                0,
                k,
                (
                    "Near the top, a single split separates one class from all other classes: "
                    f"**{lookup.question(scene, k, above)}**?",
                    f"{lookup.count(tree.n_samples[clean])} patches go to the leaf *{lookup.label(scene, k, clean)}*, "
                    "and "
                    f"{lookup.many(_minority_count(tree, clean), 'patch', 'patches')} of another class.".replace(
                        "no patches", "none"
                    ),
                ),
                node=lookup.origin(scene, k, above),
                ask="What is the benefit of such an early split for the patches in this leaf?",
                answer="Their decision paths are short. TAO does not aim at this, because the objective does not "
                "include "
                f"the length of decision paths. On {first} of {drawn.n} new splits, the same class leaves "
                "first.",
                source="Kairgeldin and Carreira-Perpiñán 2024, section 3.1 (local level)",
            ),
            Moment(
                0,
                k,
                (
                    f"This is the largest node with two features: *{' and '.join(lookup.features(scene, k, line))}*.",
                    "Its scatter plot shows the patches that reach this node, on the two features of the split.",
                ),
                node=lookup.origin(scene, k, line),
                ask="Would a threshold be enough? Imagine that the line is vertical, then horizontal.",
                guess=Guess(1, choices=("Yes", "No")),
                answer=f"No. TAO tried thresholds too, and at λ = {SETTINGS.lam:g} and C = "
                f"{SETTINGS.bivariate_cost:g} the line had the lower objective. The combination of two features is "
                "better than each feature alone.",
                formula=formulas.LINE,
                source="Kairgeldin and Carreira-Perpiñán 2024, section 3.1 (bivariate features)",
            ),
            Moment(
                0,
                k,
                (
                    f"This is the deepest split. {lookup.count(tree.n_samples[deep])} of "
                    f"{lookup.count(tree.n_samples[0])} patches reach it. These are the doubtful patches.",
                    f"The condition is **{lookup.question(scene, k, deep)}**?",
                ),
                node=lookup.origin(scene, k, deep),
                ask="Find the leaf with the most errors. Which classes does this leaf confuse?",
                answer=f"The leaf *{lookup.label(scene, k, _worst(tree))}*: "
                f"{lookup.count(_minority_count(tree, _worst(tree)))} of its "
                f"{lookup.count(tree.n_samples[_worst(tree)])} "
                f"patches belong to other classes: {_others(scene, k, _worst(tree))}.",
                source="Kairgeldin and Carreira-Perpiñán 2024, section 3.1",
            ),
            Moment(
                0,
                k,
                (
                    f"The tree misclassifies {lookup.error(scene, k)} of the training patches and "
                    f"{lookup.error(scene, k, 2)} of {len(scene.rows[2])} new ones.",
                    "The paper reports 1.53 % and 2.59 %.",
                ),
                set=2,
                ask=f"The largest tree on the path has {scene.tree(0).n_leaves} leaves. Does it misclassify fewer new "
                "patches?",
                answer=f"The large and the small tree: "
                f"{claims.new_rows(scene, 0, scene, k)}. The large tree is "
                f"{elsewhere.compared(drawn, n_train, n_test)}.",
                claim=LARGE_TREE.name,
                guess=Guess(
                    1 + claims.compared(*(lookup.wrong_rows(scene, step, 2) for step in (0, k))),
                    choices=("Fewer", "Too close to tell", "More"),
                    ordered=True,
                ),
                source="Kairgeldin and Carreira-Perpiñán 2024, section 3.1",
                chart=True,
            ),
        ),
    )


def _minority_count(tree: Tree, leaf: int) -> int:
    return int(tree.values[leaf].sum() - tree.values[leaf].max())


def _share_wrong(tree: Tree, node: int) -> float:
    """Return the error of the subtree below a node on the rows that reach it."""
    below = {node}
    for i in range(node, tree.n_nodes):
        if int(tree.parents[i]) in below:
            below.add(i)
    return sum(_minority_count(tree, leaf) for leaf in below if tree.left[leaf] < 0) / tree.n_samples[node]


def _first_clean_leaf(tree: Tree) -> int:
    """Return the leaf nearest to the root; the purest leaf wins a tie."""
    leaves = np.flatnonzero(tree.left < 0)
    return int(min(leaves, key=lambda leaf: (tree.depths[leaf], _minority_count(tree, leaf))))


def _largest_line(tree: Tree) -> int:
    lines = np.flatnonzero((tree.left >= 0) & (np.diff(tree.indptr) == 2))
    return int(lines[np.argmax(tree.n_samples[lines])])


def _worst(tree: Tree) -> int:
    leaves = np.flatnonzero(tree.left < 0)
    return int(leaves[np.argmax([_minority_count(tree, leaf) for leaf in leaves])])


def _others(scene: Scene, step: int, leaf: int) -> str:
    """Return the minority classes of a leaf with their counts, most frequent first."""
    tree = scene.tree(step)
    target = scene.data.target
    codes: Any = target.positions(tree)
    values, names = tree.values[leaf], [target.text(code) for code in codes]
    order = [code for code in np.argsort(-values, kind="stable") if values[code] and code != tree.labels[leaf]]
    return ", ".join(f"*{names[code]}* {values[code]:g}" for code in order)


def on_new_splits(seed: int) -> tuple[float, float, float]:
    """Return the error of the small tree minus that of the largest for a new random split, in percentage points.

    Then 1 if the small tree is long, and 1 if sky leaves first, else 0.
    """
    few, many = (
        elsewhere.draws(SETTINGS.path(), [seed], True, lam)[0]
        for lam in (float(SETTINGS.lam or 0), scenes.SMALLEST_LAMBDA)
    )
    small, large = few.taught, many.taught
    first = str(small.classes[small.labels[_first_clean_leaf(small)]])
    is_long = small.depth > 2 * np.log2(small.n_leaves)
    return 100 * (few.error(small, 2) - many.error(large, 2)), float(is_long), float(first == "sky")


def _own(built: BuiltLesson) -> float:
    (scene,) = built.scenes
    k = next(k for k, point in enumerate(scene.points) if point.lam == SETTINGS.lam)
    return 100 * float(lookup.wrong(scene, k, 2) - lookup.wrong(scene, 0, 2)) / len(scene.rows[2])


LARGE_TREE = Claim(
    "large-tree-on-patches",
    "The largest tree makes fewer errors on new patches than the small tree.",
    "segment, random splits of the rows",
    "error of the small tree minus error of the largest tree (percentage points)",
    on_new_splits,
    _own,
)


LESSON = Lesson(
    "segment",
    "Seven kinds of ground",
    "A tree with simple splits recognises patches from photographs.",
    build,
    "story",
    ":material/landscape:",
    picture=0,
    keep="A long tree reads like a list: easy classes leave first.",
    task="Choose two columns. Which class leaves first?",
    claims=(LARGE_TREE,),
)
