"""Lesson: regression trees."""

from dataclasses import replace

import numpy as np

import sample_data
from pages.jobs.settings import Settings
from pages.ui.learn.lessons import claims, elsewhere, formulas, lookup, scenes
from pages.ui.learn.lessons.fresh import Claim, sentence
from pages.ui.learn.lessons.lesson import BuiltLesson, Guess, Lesson, Moment, Scene
from sample_data import synthetic
from treecore.tree.number_text import number
from treecore.tree.tree import Tree
from viz.charts.path_points import recommended

STEPS = Settings(data_set="hill", split="univariate", init="cart", max_depth=12, n_lambdas=10)
LINES = Settings(data_set="hill", split="bivariate", init="cart", max_depth=12, n_lambdas=10)

FRESH, FRESH_SEED = 20_000, 99
POINTS = 400  # of a fresh draw


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
    claims.significantly_nearer(off_lines, off_steps)
    claims.hold(lines.tree(few).n_leaves * 4 < steps.tree(best).n_leaves, "the lines save few leaves")
    claims.hold(_rmse(steps, 0, 1) > 2 * _rmse(steps, 0, 0), "the large tree does not overfit")
    widths = np.diff(lines.tree(few).indptr)
    line = int(np.argmax(np.where(widths == 2, lines.tree(few).n_samples, -1)))
    claims.hold(widths[line] == 2, "no split is a line")
    counts = steps.tree(0).n_samples[steps.tree(0).left < 0]
    claims.hold(2 * (counts == 1).sum() > len(counts), "few leaves contain a single point")
    root = steps.tree(two)
    left, right = (lookup.label(steps, two, int(side[0])) for side in (root.left, root.right))
    drawn = NEARER.stored
    fewest, most = drawn.usual(1)
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
                ask=f"Now {POINTS} points are drawn again and again. How often is the tree with lines better on new "
                "points?",
                answer=f"{sentence(drawn.often)} In most of them, it has {fewest:.0f} to {most:.0f} leaves. Here the "
                f"RMSE on {lookup.count(FRESH)} new points is {_root(off_lines, lines)}, and "
                f"{_root(off_steps, steps)} for the tree without lines.",
                guess=elsewhere.how_often(drawn.n_true, drawn.n),
                claim=NEARER.name,
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


def lines_nearer(seed: int) -> tuple[float, float]:
    """Return the RMSE of thresholds minus that of lines on new points, in metres, and the leaves with lines."""
    X, y = synthetic.hill(POINTS, seed=seed)
    data = replace(sample_data.load("hill"), X=X, y=y, split=None, source="generated for this lesson")
    X, height = synthetic.hill(FRESH, seed=FRESH_SEED)
    found = [scenes.generated_path(replace(settings, n_lambdas=6), "", data) for settings in (LINES, STEPS)]
    trees = [one.tree(recommended(one.points)["one_se"]) for one in found]
    straight, stairs = (float(np.sqrt(((tree.predict(X) - height) ** 2).mean())) for tree in trees)
    return stairs - straight, float(trees[0].n_leaves)


def _own(built: BuiltLesson) -> float:
    X, height = synthetic.hill(FRESH, seed=FRESH_SEED)
    found = built.scenes
    errors = [one.tree(recommended(one.points)["one_se"]).predict(X) - height for one in found]
    return float(np.subtract(*(np.sqrt((off**2).mean()) for off in errors)))


NEARER = Claim(
    "lines-on-the-hill",
    "Lines predict new heights better than thresholds.",
    f"hill with a cliff, {POINTS} new points a draw; validation points select both trees",
    "RMSE of thresholds minus RMSE of lines (m)",
    lines_nearer,
    _own,
    least=0.75,
)


LESSON = Lesson(
    "regression-trees",
    "Regression trees",
    "How leaves predict numbers, and how to measure the error.",
    build,
    icon=":material/terrain:",
    keep="A leaf predicts the mean of its points, so the surface of a tree has steps.",
    task="Change *Split type* to one feature. Which tree has the smaller test error?",
    claims=(NEARER,),
)
