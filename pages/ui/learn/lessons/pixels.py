"""Lesson: pixels as features."""

from dataclasses import replace
from itertools import combinations

import numpy as np

from pages.jobs.settings import Settings
from pages.ui.learn.lessons import claims, elsewhere, formulas, lookup, scenes
from pages.ui.learn.lessons.fresh import Claim
from pages.ui.learn.lessons.lesson import BuiltLesson, Guess, Lesson, Moment, Scene
from sample_data import DataSet
from treecore.tree.number_text import number
from treecore.tree.tree import Tree

SETTINGS = Settings(data_set="digits", max_depth=4, n_lambdas=8)
OTHERS = range(1, 6)  # seeds of other data splits
PAIR_LAMBDA = 0.1
LAMBDAS = (0.015, 0.774, 2.886)  # many, some and few pixels


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
    drawn, (n_train, _, n_test) = FEWER_PIXELS.stored, map(len, scene.rows)
    means = [drawn.column(k).mean() for k in (1, 2, 3)]
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
                answer=f"Here it misclassifies {lookup.wrong(scene, 0, 2)} of {n_test} new digits, and the other tree "
                f"{lookup.wrong(scene, k, 2)}. But this is one split of the rows: more pixels are "
                f"{elsewhere.compared(drawn, n_train, n_test)}.",
                guess=elsewhere.better_or_worse(
                    drawn, n_train, n_test, ("Usually better", "Too close to tell", "Usually worse")
                ),
                claim=FEWER_PIXELS.name,
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
                f"{', '.join(lookup.error(scene, one, 2) for one in range(k + 3))}. Over {drawn.n} new splits, the "
                "mean "
                f"errors for λ = {', '.join(map(number, LAMBDAS))} are {', '.join(f'{one:.1f} %' for one in means)}.",
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


def fewer_pixels(seed: int) -> tuple[float, ...]:
    """Return the error with some pixels minus that with many on new digits, in percentage points.

    Then the errors for each of `LAMBDAS` (%), and their pixels per node.
    """
    errors, used = [], []
    for lam in LAMBDAS:
        (draw,) = elsewhere.draws(SETTINGS, [seed], with_tao=True, lam=lam)
        errors.append(100 * draw.error(draw.taught, 2))
        used.append(draw.taught.features_per_node)
    return errors[1] - errors[0], *errors, *used


def _own(built: BuiltLesson) -> float:
    (scene,) = built.scenes
    k = readable(scene)
    return 100 * float(lookup.wrong(scene, k, 2) - lookup.wrong(scene, 0, 2)) / len(scene.rows[2])


FEWER_PIXELS = Claim(
    "fewer-pixels",
    "The tree with fewer pixels makes more errors on new digits.",
    "digits, random splits of the rows",
    "error with few pixels minus error with many pixels (percentage points)",
    fewer_pixels,
    _own,
    least=0.1,
    most=0.9,
)


LESSON = Lesson(
    "pixels-as-features",
    "Pixels as features",
    "A split on images shows which pixels it uses.",
    build,
    icon=":material/image:",
    keep="A sparse split on pixels is a picture that you can read.",
    task="Raise λ step by step. How do the pixels of the root and the test error change?",
    claims=(FEWER_PIXELS,),
)
