"""Lesson: regression trees."""

import numpy as np

from pages.jobs.settings import Settings
from pages.ui.learn.lessons import claims, elsewhere, formulas, lookup, scenes
from pages.ui.learn.lessons.lesson import BuiltLesson, Guess, Lesson, Moment, Scene
from sample_data import synthetic
from treecore.tree.number_text import number
from treecore.tree.tree import Tree
from viz.charts.path_points import recommended

STEPS = Settings(data_set="hill", split="univariate", init="cart", max_depth=12, n_lambdas=10)
LINES = Settings(data_set="hill", split="bivariate", init="cart", max_depth=12, n_lambdas=10)

FRESH, FRESH_SEED = 20_000, 99
OTHERS = elsewhere.SEEDS[:5]
# other draws on which lines are better, and their least and most leaves; a nightly test trains them
BETTER, FEWEST, MOST = 5, 7, 13


def build() -> BuiltLesson:
    """Build this lesson."""
    steps, lines = scenes.path(STEPS, "One feature per split"), scenes.path(LINES, "Lines")
    one, two = steps.last, next(k for k in range(steps.last, -1, -1) if steps.tree(k).n_leaves == 2)
    best, few = recommended(steps.points)["one_se"], recommended(lines.points)["one_se"]
    y = steps.data.y[steps.rows[0]]
    others = np.append(np.linspace(y.min(), y.max(), 1001), np.median(y))
    claims.hold(
        all(((y - y.mean()) ** 2).sum() <= ((y - other) ** 2).sum() for other in others),
        "a number other than the mean is better",
    )
    X, height = synthetic.hill(FRESH, seed=FRESH_SEED)
    off_lines, off_steps = (one.tree(k).predict(X) - height for one, k in ((lines, few), (steps, best)))
    claims.surely_nearer(off_lines, off_steps)
    claims.hold(lines.tree(few).n_leaves * 4 < steps.tree(best).n_leaves, "the lines save few leaves")
    claims.hold(_rmse(steps, 0, 1) > 2 * _rmse(steps, 0, 0), "the large tree does not overfit")
    widths = np.diff(lines.tree(few).indptr)
    line = int(np.argmax(np.where(widths == 2, lines.tree(few).n_samples, -1)))
    claims.hold(widths[line] == 2, "no split is a line")
    counts = steps.tree(0).n_samples[steps.tree(0).left < 0]
    claims.hold(2 * (counts == 1).sum() > len(counts), "few leaves contain a single point")
    root = steps.tree(two)
    left, right = (lookup.label(steps, two, int(side[0])) for side in (root.left, root.right))
    return BuiltLesson(
        (steps, lines),
        (
            Moment(
                0,
                one,
                (
                    "These data have no classes. Each point is a place, and the tree predicts the **height** of this "
                    "place. The colour shows the height.",
                    f"One leaf predicts the same number everywhere: {lookup.label(steps, one, 0)}, the **mean**.",
                ),
                ask="What is the typical error on the training points?",
                answer=f"{_text(steps, one, 0)}: this is the root of the mean squared error (**RMSE**). No other "
                "constant has a smaller RMSE.",
                guess=Guess(_rmse(steps, one, 0), 0, 40, 1, 1, "m"),
                formula=formulas.SQUARED,
                source="Kairgeldin and Carreira-Perpiñán 2024, appendix A.3.1 (leaves of a regression)",
            ),
            Moment(
                0,
                two,
                (
                    f"One split: {lookup.question(steps, two, 0)}.",
                    f"Two leaves, two means: {left} and {right}. The prediction is constant in each leaf.",
                ),
                ask="What does the tree predict right next to the boundary?",
                answer="One of the two means. So the surface has a step there. Still, the training RMSE fell from "
                f"{_text(steps, one, 0)} to {_text(steps, two, 0)}.",
                guess=Guess(1, choices=("A value between both means", "One of the two means")),
                source="Kairgeldin and Carreira-Perpiñán 2024, appendix A.3.1 (leaves of a regression)",
            ),
            Moment(
                0,
                0,
                (
                    f"This is the largest tree, with {lookup.many(steps.tree(0).n_leaves, 'leaf', 'leaves')}. On the "
                    f"training points, the RMSE is {_text(steps, 0, 0)}.",
                    f"{lookup.count(int((counts == 1).sum()))} of these leaves contain a single point.",
                ),
                ask="What is the RMSE on new points?",
                answer=f"{_text(steps, 0, 1)} on the validation points, far more than on the training points. "
                "Leaves with a single point predict its noise.",
                guess=Guess(_rmse(steps, 0, 1), 0, 20, 1, 1, "m"),
                source="Carreira-Perpiñán and Tavallali 2018, section 1 (large trees overfit)",
            ),
            Moment(
                0,
                best,
                (
                    "λ penalises the splits here, too. The simplest good tree still has "
                    f"{lookup.many(steps.tree(best).n_leaves, 'leaf', 'leaves')}. Its RMSE on the validation points "
                    f"is {_text(steps, best, 1)}.",
                    "In the plane, many small steps approximate the slanted cliff.",
                ),
                ask="A line on two features can run along the cliff. How many leaves does the simplest good tree with "
                "lines have?",
                answer=f"{lookup.count(lines.tree(few).n_leaves)}. The next screen shows this tree.",
                guess=Guess(lines.tree(few).n_leaves, 0, 160, unit="leaves"),
                source="Kairgeldin and Carreira-Perpiñán 2024, section 1 (bivariate trees)",
            ),
            Moment(
                1,
                few,
                (
                    "On the same data, a tree with lines has "
                    f"{lookup.many(lines.tree(few).n_leaves, 'leaf', 'leaves')}. Its RMSE on the validation points is "
                    f"{_text(lines, few, 1)}.",
                    f"{_lines(lines.tree(few))}: {lookup.question(lines, few, line)}.",
                ),
                node=lookup.origin(lines, few, line),
                ask=f"We draw the points {lookup.many(len(OTHERS), 'more time')}. In how many draws is the tree "
                "with lines better on new points?",
                answer=f"In {BETTER}, with {FEWEST} to {MOST} leaves. Here "
                f"the RMSE on {lookup.count(FRESH)} new points is {_root(off_lines, lines)}, and "
                f"{_root(off_steps, steps)} for the tree without lines.",
                guess=Guess(BETTER, 0, len(OTHERS), unit="draws"),
                source="Kairgeldin and Carreira-Perpiñán 2024, section 3 (experiments)",
            ),
            Moment(
                1,
                few,
                (
                    "For regression, two things differ. First, a leaf predicts the **mean** of its points.",
                    "Second, each point at a node votes for the child with the smaller squared error, and **the "
                    "weight of the vote is the difference of the two squared errors**.",
                ),
                ask="Which points do not affect a node?",
                answer="Points with the same squared error in both children. Their vote has weight 0. In "
                "classification, both children classify them correctly, or both do not.",
                source="Kairgeldin and Carreira-Perpiñán 2024, appendix A.3.1 (decision nodes of a regression)",
            ),
        ),
    )


def on_another_draw(seed: int) -> tuple[float, float, int]:
    """Return the RMSE on new points with lines and without, and the number of leaves with lines."""
    data = elsewhere.another("hill", seed)
    X, height = synthetic.hill(FRESH, seed=FRESH_SEED)
    found = [scenes.generated_path(settings, "", data) for settings in (LINES, STEPS)]
    trees = [one.tree(recommended(one.points)["one_se"]) for one in found]
    straight, stairs = (float(np.sqrt(((tree.predict(X) - height) ** 2).mean())) for tree in trees)
    return straight, stairs, trees[0].n_leaves


def _lines(tree: Tree) -> str:
    n = lookup.two_feature_nodes(tree)
    many = f"{lookup.many(n, 'split').capitalize()} are lines. Most points reach this line"
    return "One split is a line" if n == 1 else many


def _rmse(scene: Scene, step: int, part: int) -> float:
    return scene.figure(step, ("train_error", "validation_error", "test_error")[part])


def _root(off: np.ndarray, scene: Scene) -> str:
    return f"{number(float(np.sqrt((off**2).mean())), 3)} {scene.data.target.unit}"


def _text(scene: Scene, step: int, part: int) -> str:
    return f"{number(_rmse(scene, step, part), 3)} {scene.data.target.unit}"


LESSON = Lesson(
    "regression-trees",
    "Regression trees",
    "How leaves predict numbers, and how to measure the error.",
    build,
    icon=":material/terrain:",
    keep="A leaf predicts the mean of its points, so the surface of a tree has steps.",
    task="Change *Split type* to one feature. Which tree has the smaller test error?",
)
