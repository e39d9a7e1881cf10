"""Lesson: pixels as features."""

from dataclasses import replace
from itertools import combinations

import numpy as np

from pages.jobs.settings import Settings
from pages.ui.learn.lessons import claims, elsewhere, formulas, lookup, scenes
from pages.ui.learn.lessons.lesson import BuiltLesson, Guess, Lesson, Moment, Scene
from sample_data import DataSet
from treecore.tree.number_text import number
from treecore.tree.tree import Tree

SETTINGS = Settings(data_set="digits", max_depth=4, n_lambdas=8)
OTHERS = range(1, 6)  # seeds of other data splits
PAIR_LAMBDA = 0.1


def build() -> BuiltLesson:
    """Build this lesson."""
    scene = scenes.path(SETTINGS, "Handwritten digits")
    k = readable(scene)
    tree, data = scene.tree(k), scene.data
    height, width = lookup.image_size(data)
    few = _fewest(scene, k)
    left, right = int(tree.left[few]), int(tree.right[few])
    leaf = _largest_leaf(tree)
    row = _row_in(scene, k, leaf)
    root = lookup.origin(scene, k, 0)
    n_root = len(tree.split(0)[0])
    rows = scene.rows[0]
    pair, n_pair = _best_pixel(data, rows[np.isin(data.y[rows], [3, 8])])
    sides = [_classes_below(scene, k, child) for child in (tree.left[0], tree.right[0])]
    compared = claims.sure(*(lookup.wrong_rows(scene, one, 2) for one in (0, k)))
    claims.hold(compared >= 0, "more pixels help")
    on_others = more_pixels(scene.points[0].lam, scene.points[k].lam)
    helped, harmed = on_others.count(-1), on_others.count(1)
    claims.hold(2 * helped < len(OTHERS), "more pixels surely help on most other data splits")
    sums_better, n_pairs = pairs_better_with_sums()
    claims.hold(2 * sums_better > n_pairs, "weighted sums are rarely better than the best pixel")
    claims.hold(2 * len(scene.tree(0).split(0)[0]) > data.n_features, "the root uses less than half of the image")
    return BuiltLesson(
        (scene,),
        (
            Moment(
                0,
                k,
                (
                    f"Each row is an image of {height} × {width} pixels. **Each pixel is a feature**: the amount of "
                    "ink at one place.",
                    f"So a row has {data.n_features} features. Each leaf shows the mean image of its digits.",
                ),
                ask="What percentage of the 3s and 8s can a single pixel distinguish?",
                answer=f"The best pixel distinguishes {lookup.percent(pair / n_pair)} of them. For all "
                f"{n_pairs} pairs of digits, we compare the best pixel with a weighted sum of several pixels. On new "
                "images, "
                f"the sum is better for {sums_better} pairs.",
                guess=Guess(100 * pair / n_pair, 50, 100, 0.5, 1, "%"),
                source="Carreira-Perpiñán and Tavallali 2018, section 4",
            ),
            Moment(
                0,
                k,
                (
                    f"A split is an image too. It has one **weight** for each pixel. The root uses {n_root} of "
                    f"{data.n_features} pixels. All other pixels have weight 0.",
                    "Ink in pixels of one colour sends a digit to the right, and ink in the other colour to the left.",
                ),
                node=root,
                ask="Which digits go left at the root, and which right?",
                answer=f"Mostly {sides[0]} go left, and mostly {sides[1]} go right.",
                formula=formulas.OBLIQUE,
                source="Carreira-Perpiñán and Tavallali 2018, section 4 (interpretable trees)",
            ),
            Moment(
                0,
                k,
                (
                    f"Follow one image through the tree: a {data.class_names[data.y[row]]}.",
                    "Every node adds a constant to the weighted sum of the ink. If the result is at least 0, the image "
                    "goes right, otherwise left.",
                ),
                node=lookup.origin(scene, k, leaf),
                row=row,
                ask="How many multiplications does a prediction need?",
                answer=f"{lookup.count(_products(scene, k, row))} for this image, at "
                f"{lookup.many(int(tree.depths[leaf]), 'split')}. A nearest-neighbour method would compare all "
                f"{data.n_features} pixels with every training image.",
                guess=Guess(_products(scene, k, row), 0, 4 * data.n_features, unit="multiplications"),
                source="Carreira-Perpiñán and Tavallali 2018, section 4 (inference runtime)",
            ),
            Moment(
                0,
                k,
                (
                    f"This node uses {lookup.many(len(tree.split(few)[0]), 'pixel')}.",
                    f"Digits {_classes_below(scene, k, left)} go left, digits {_classes_below(scene, k, right)} go "
                    "right. The node uses pixels in places where these digits differ.",
                ),
                node=lookup.origin(scene, k, few),
                ask="Draw both digits in the air. Where does only one of them have ink?",
                answer="Compare your answer with the weights. The node uses pixels in these places and ignores the "
                "rest of the image.",
                formula=formulas.OBLIQUE,
                source="Carreira-Perpiñán and Tavallali 2018, section 4 (interpretable trees)",
            ),
            Moment(
                0,
                0,
                (
                    f"λ also controls the number of pixels. Here λ = {number(scene.points[0].lam)}, and a node uses "
                    f"{tree_pixels(scene, 0)} pixels on average.",
                    f"The root alone uses {len(scene.tree(0).split(0)[0])} pixels, over half of the image.",
                ),
                node=lookup.origin(scene, 0, 0),
                ask=f"Is this tree better on new digits than the tree with {tree_pixels(scene, k)} pixels per node?",
                answer=f"This tree and the tree with {tree_pixels(scene, k)} pixels per node: "
                f"{claims.new_rows(scene, 0, scene, k)}. On {len(OTHERS)} other data splits, more pixels "
                f"surely helped on {helped or 'none'} and surely harmed on {harmed or 'none'}.",
                guess=Guess(compared + 1, choices=("Better", "No significant difference", "Worse")),
                formula=formulas.SPARSE,
                source="Carreira-Perpiñán and Tavallali 2018, section 3 (sparse oblique trees)",
            ),
            Moment(
                0,
                k + 1,
                (
                    f"At λ = {number(scene.points[k + 1].lam)}, the tree has {tree_pixels(scene, k + 1)} pixels per "
                    f"node and {lookup.many(scene.tree(k + 1).n_leaves, 'leaf', 'leaves')}.",
                    "Each node now uses pixels in a few places only.",
                ),
                node=lookup.origin(scene, k + 1, 0),
                ask="Drag the slider from left to right. When does the test error begin to rise?",
                answer="The test errors are "
                f"{', '.join(lookup.error(scene, one, 2) for one in range(k + 3))}. A tree with too few pixels is "
                "easy to read, but often wrong.",
                source="Carreira-Perpiñán and Tavallali 2018, section 4 (path of trees)",
            ),
        ),
    )


def pairs_better_with_sums() -> tuple[int, int]:
    """Return for how many pairs of digits a weighted sum is better on test images than the best pixel, and all pairs.

    Both are trees with one split, on the training images of two digits.
    """
    task = scenes.task_of(replace(SETTINGS, max_depth=1, init="cart"))
    (X, y), (new, digits) = task.train_rows, task.test
    found = []
    for pair in combinations(np.unique(y), 2):
        rows, tests = np.isin(y, pair), np.isin(digits, pair)
        one, many = (
            task.estimator(lam=PAIR_LAMBDA, split=split).fit(X[rows], y[rows]).tree_
            for split in ("univariate", "oblique")
        )
        found.append(
            (many.predict(new[tests]) == digits[tests]).sum() > (one.predict(new[tests]) == digits[tests]).sum()
        )
    return int(sum(found)), len(found)


def more_pixels(many: float, few: float) -> list[int]:
    """Return for each other data split -1 if the tree of λ = `many` is surely better than that of λ = `few`.

    The value is 1 if it is surely worse, else 0.
    """
    found = [elsewhere.draws(SETTINGS, OTHERS, with_tao=True, lam=lam) for lam in (many, few)]
    pairs = [(one, one.tao, other.tao) for one, other in zip(*found, strict=True) if one.tao and other.tao]
    return [claims.sure(draw.wrong(large, 2), draw.wrong(small, 2)) for draw, large, small in pairs]


def readable(scene: Scene) -> int:
    """Return the index of the last tree whose validation error is at most 11 %."""
    return max(k for k, point in enumerate(scene.points) if point.figures["validation_error"] <= 0.11)


def _best_pixel(data: DataSet, rows: np.ndarray) -> tuple[int, int]:
    """Return (number of rows that the best threshold on one pixel classifies correctly, number of rows)."""
    _, right, alone = claims.best_feature(data.X[rows], data.y[rows])
    claims.hold(right > alone, "no pixel helps")
    return right, len(rows)


def tree_pixels(scene: Scene, k: int) -> str:
    """Return the mean number of pixels per node, in words."""
    return f"{scene.tree(k).features_per_node:.1f}"


def _fewest(scene: Scene, k: int) -> int:
    """Return the node with the fewest pixels, but at least three, that separates two groups of digits.

    Each of its children is reached by most rows of at least one digit.
    """
    tree = scene.tree(k)
    counts = np.diff(tree.indptr)
    fits = [
        node
        for node in np.flatnonzero((tree.left >= 0) & (counts >= 3))
        if _classes_below(scene, k, tree.left[node]) and _classes_below(scene, k, tree.right[node])
    ]
    return int(min(fits, key=lambda node: counts[node]))


def _largest_leaf(tree: Tree) -> int:
    leaves = np.flatnonzero((tree.left < 0) & (tree.depths == tree.depth))
    return int(leaves[np.argmax(tree.n_samples[leaves])])


def _row_in(scene: Scene, k: int, leaf: int) -> int:
    """Return the training image of the leaf's class that is nearest to the mean image of the leaf."""
    rows = lookup.reaching(scene, k, leaf)
    names = np.array(scene.data.class_names)[scene.data.y[rows]]
    rows = rows[names == lookup.label(scene, k, leaf)]
    X = scene.data.X[rows].astype(np.float64)
    return int(rows[np.argmin(((X - X.mean(axis=0)) ** 2).sum(axis=1))])


def _classes_below(scene: Scene, k: int, node: int) -> str:
    """Return, in words, the classes that have most of their rows at this node."""
    tree = scene.tree(k)
    share = tree.values[node] / np.maximum(tree.values[0], 1)
    names = [str(tree.classes[c]) for c in np.flatnonzero(share > 0.5)]
    return ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else "".join(names)


def _products(scene: Scene, k: int, row: int) -> int:
    tree = scene.tree(k)
    return sum(len(tree.split(node)[0]) for node in tree.path_of(scene.data.X[row]))


LESSON = Lesson(
    "pixels-as-features",
    "Pixels as features",
    "A split on images shows which pixels it uses.",
    build,
    icon=":material/image:",
    keep="A sparse split on pixels is a picture that you can read.",
    task="Raise λ step by step. How do the pixels of the root and the test error change?",
)
