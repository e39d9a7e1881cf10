"""Story: breast cancer, after the guided tour of Kairgeldin and Carreira-Perpiñán 2024, section 3.2."""

from collections.abc import Sequence

import numpy as np

from pages.jobs.settings import Settings
from pages.ui.explore.case_studies import CASES
from pages.ui.learn.lessons import claims, elsewhere, formulas, lookup, scenes
from pages.ui.learn.lessons.fresh import Claim
from pages.ui.learn.lessons.lesson import BuiltLesson, Guess, Lesson, Moment, Scene
from treecore.tree.tree import Tree

CASE = CASES[0]
BIVARIATE = CASE.settings
UNIVARIATE = Settings(data_set="breast-cancer", split="univariate", init="cart", max_depth=12, n_lambdas=8, seed=3)
SIZE = ("radius", "perimeter", "area")
SHAPE = ("smoothness", "compactness", "concavity", "concave points", "symmetry", "fractal dimension")
TEXTURE = ("texture",)
PAPER_LEAVES, FEW = 5, 12
OTHERS = (0, 1, 2, 4, 5)  # seeds of other data splits


def build() -> BuiltLesson:
    """Build this story."""
    lines, steps = scenes.path(BIVARIATE, "At most two features"), scenes.path(UNIVARIATE, "One feature")
    k = next(k for k, point in enumerate(lines.points) if point.lam == BIVARIATE.lam)
    tree, data = lines.tree(k), lines.data
    names = sorted({data.feature_names[j] for j in tree.features})
    first, second = lookup.features(lines, k, 0)
    deep = int(np.flatnonzero((tree.left >= 0) & (tree.depths == tree.depths[tree.left >= 0].max()))[0])
    leaves = [int(node) for node in np.flatnonzero(tree.left < 0)]
    rare = min(
        (node for node in leaves if lookup.label(lines, k, node) == "malignant"), key=lambda n: tree.n_samples[n]
    )
    kinds = {
        kind: [name for name in names if _is(name, words)]
        for kind, words in (("size", SIZE), ("shape", SHAPE), ("texture", TEXTURE))
    }
    single = as_large(steps, tree)
    few, more = claims.fewer_wrong(lines, k, steps, single)
    claims.hold(tree.n_leaves == PAPER_LEAVES, "the tree differs in size from the paper's")
    claims.hold(2 * len(names) < data.n_features, "the tree uses most of the measurements")
    claims.hold({kind(first), kind(second)} == {"size", "shape"}, "the root does not combine size and shape")
    claims.hold(np.count_nonzero(tree.values[rare]) == 1 and tree.n_samples[rare] <= FEW, "the leaf is large or mixed")
    claims.hold(_side_of(lines, k, rare) != "malignant", "the root sends these rows to the side of their class")
    claims.hold(_usual_depth(tree) < tree.depth, "most rows need all the splits")
    reaches = lookup.reaching(lines, k, rare, 2)
    sick = sum(data.class_names[code] == "malignant" for code in data.y[reaches])
    deep_rows = int(tree.n_samples[deep])
    claims.hold(deep_rows < 0.1 * tree.n_samples[0], "many rows reach the deepest split")
    drawn, (n_train, _, n_test) = TWO_OR_ONE.stored, map(len, lines.rows)
    pairs = int(drawn.column(3).sum())
    claims.hold(2 * pairs > drawn.n, "the root rarely combines size and shape on other data splits")
    return BuiltLesson(
        (lines, steps),
        (
            Moment(
                0,
                k,
                (
                    f"Are these {data.n_rows} tumours **benign** or **malignant**? The data contain {data.n_features} "
                    "measurements of cell nuclei for each tumour.",
                    f"This tree needs {lookup.many(tree.n_decision, 'split')}. It resembles the tree in the paper, "
                    "but it was trained for this lesson on another data split. λ, C and seed were selected to match "
                    "the size.",
                ),
                ask="How many rules does this tree make?",
                answer=f"{lookup.many(tree.n_leaves, 'leaf', 'leaves').capitalize()}, so "
                f"{lookup.many(tree.n_leaves, 'rule')}. The tree in the paper also has five.",
                source="Kairgeldin and Carreira-Perpiñán 2024, section 3.2 and figure 4",
            ),
            Moment(
                0,
                k,
                (
                    f"Of {data.n_features} measurements, the tree uses {len(names)}. This is **feature selection**.",
                    f"Size: {_list(kinds['size'])}. Shape: {_list(kinds['shape'])}. Texture: "
                    f"{_list(kinds['texture'])}.",
                ),
                ask="Radius, perimeter and area all measure the size of a nucleus. Why does the tree not use all of "
                "them?",
                answer="They are nearly equivalent, so another one is rarely worth its penalty. The tree in the paper "
                "also leaves out redundant features.",
                formula=formulas.COST,
                source="Kairgeldin and Carreira-Perpiñán 2024, section 3.2 (global level)",
            ),
            Moment(
                0,
                k,
                (
                    f"The root combines *{first}* and *{second}*: **{lookup.question(lines, k, 0)}**?",
                    "The root in the paper combines the largest radius and the mean concavity.",
                ),
                node=lookup.origin(lines, k, 0),
                ask="Does this root use the same idea?",
                answer=f"Yes: {kind(first)} and {kind(second)}. This split alone sends "
                f"{lookup.count(_to_majority(tree))} of {lookup.count(tree.n_samples[0])} rows to the side of their "
                f"class. On {pairs} of {drawn.n} new splits of the rows, the root combines size and shape, too.",
                guess=Guess(0, choices=("Yes", "No")),
                formula=formulas.LINE,
                source="Kairgeldin and Carreira-Perpiñán 2024, section 3.2 (local level)",
            ),
            Moment(
                0,
                k,
                (
                    f"This small leaf has {lookup.many(int(tree.n_samples[rare]), 'row')}, all malignant. The root "
                    "sends these rows to the side where most rows are benign.",
                    "The split above this leaf separates these rows from the benign rows.",
                ),
                node=lookup.origin(lines, k, rare),
                ask=f"Would you trust this rule? Guess how many of {len(lines.rows[2])} new rows reach this leaf.",
                answer=f"New rows in this leaf: {len(reaches)}. Malignant: {sick}. Few rows do not show "
                "the shares of the classes in a leaf well. With many rows, a mixed leaf is still mixed.",
                guess=Guess(len(reaches), 0, 30, unit="rows"),
                set=0,
                source="Kairgeldin and Carreira-Perpiñán 2024, section 3.2 (leaves as populations)",
            ),
            Moment(
                0,
                k,
                (
                    f"The deepest split: **{lookup.question(lines, k, deep)}**?",
                    f"Only {lookup.many(deep_rows, 'row')} of {lookup.count(tree.n_samples[0])} reach this node.",
                ),
                node=lookup.origin(lines, k, deep),
                ask="Go back to the root and count. How many splits do most of the rows need?",
                answer=f"{lookup.many(_usual_depth(tree), 'split').capitalize()}. This need not hold for other trees, "
                "because the objective does not include the length of decision paths.",
                guess=Guess(_usual_depth(tree), 1, tree.depth, unit="splits"),
                source="Kairgeldin and Carreira-Perpiñán 2024, section 3.2",
            ),
            Moment(
                1,
                single,
                (
                    "This tree splits on one feature, on the same rows.",
                    f"With {lookup.many(steps.tree(single).n_leaves, 'leaf', 'leaves')}, it misclassifies "
                    f"{lookup.count(more)} training rows. The tree with two features misclassifies "
                    f"{lookup.count(few)}, with {lookup.many(tree.n_leaves, 'leaf', 'leaves')}.",
                ),
                ask="Which tree is better on new rows?",
                answer=f"Two features and one: {claims.new_rows(lines, k, steps, single)}. With the "
                f"same λ, two features are {elsewhere.compared(drawn, n_train, n_test)}.",
                claim=TWO_OR_ONE.name,
                guess=elsewhere.better_or_worse(
                    drawn, n_train, n_test, ("Two features", "Too close to tell", "One feature")
                ),
                source="Kairgeldin and Carreira-Perpiñán 2024, section 3.2 and figure 8",
            ),
        ),
    )


def as_large(steps: Scene, tree: Tree) -> int:
    """Return the index of the smallest univariate tree with at least as many leaves as `tree`."""
    return max(j for j, point in enumerate(steps.points) if point.tree.n_leaves >= tree.n_leaves)


def _is(name: str, words: Sequence[str]) -> bool:
    return any(name.endswith(word) or name.endswith(f"{word} error") or f" {word}" in name for word in words)


def kind(name: str) -> str:
    """Return the group of a feature: "size", "shape" or "texture"."""
    return "size" if _is(name, SIZE) else "shape" if _is(name, SHAPE) else "texture"


def _side_of(scene: Scene, step: int, node: int) -> str:
    """Return the majority class of the root's child above a node."""
    tree = scene.tree(step)
    while tree.parents[node] > 0:
        node = int(tree.parents[node])
    return lookup.label(scene, step, node)


def _list(names: Sequence[str]) -> str:
    return ", ".join(f"*{name}*" for name in names) or "none"


def _to_majority(tree: Tree) -> int:
    return int(sum(tree.values[child].max() for child in (tree.left[0], tree.right[0])))


def _usual_depth(tree: Tree) -> int:
    """Return the depth at which most rows reach a leaf."""
    leaves = tree.left < 0
    return int(np.argmax(np.bincount(tree.depths[leaves], tree.n_samples[leaves])))


def on_new_splits(seed: int) -> tuple[float, float, float, float]:
    """Return the error of thresholds minus that of lines for a new random split, in percentage points.

    Then both errors (%), and 1 if the root of the lines combines size and shape, else 0.
    """
    lam = float(BIVARIATE.lam or 0)
    lines, steps = (elsewhere.draws(one, [seed], True, lam)[0] for one in (BIVARIATE.path(), UNIVARIATE))
    first, second = (100 * one.error(one.taught, 2) for one in (steps, lines))
    root = {kind(lines.data.feature_names[j]) for j in lines.taught.split(0)[0]}
    return first - second, first, second, float(root == {"size", "shape"})


def _own(built: BuiltLesson) -> float:
    lines, steps = built.scenes
    k = next(k for k, point in enumerate(lines.points) if point.lam == BIVARIATE.lam)
    other = as_large(steps, lines.tree(k))
    return 100 * float(lookup.wrong(steps, other, 2) - lookup.wrong(lines, k, 2)) / len(lines.rows[2])


TWO_OR_ONE = Claim(
    "two-features-on-tumours",
    "The tree with two features makes fewer errors on new rows than the tree with one.",
    "breast cancer, random splits of the rows",
    "error with one feature minus error with two (percentage points)",
    on_new_splits,
    _own,
)


LESSON = Lesson(
    "breast-cancer",
    "Breast cancer in a few lines",
    "A tour of one tree, with five rules that a doctor can check.",
    build,
    "story",
    ":material/biotech:",
    picture=0,
    keep="A short tree can be checked, rule by rule, by someone who knows the subject.",
    task="Choose two columns and change them. Which pair separates best?",
    claims=(TWO_OR_ONE,),
)
