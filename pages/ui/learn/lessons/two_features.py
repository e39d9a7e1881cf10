"""Lesson: splits on one feature, two, or many."""

from dataclasses import replace

import numpy as np

from pages.jobs.settings import Settings, bivariate
from pages.ui.learn.lessons import claims, elsewhere, formulas, lookup, scenes
from pages.ui.learn.lessons.fresh import Claim, holm, sign_test, split_test
from pages.ui.learn.lessons.lesson import BuiltLesson, Figure, Guess, Lesson, Moment, Scene, Series
from treecore.tree.number_text import number

COSTS = (1.25, 2.0, 3.0)
SETTINGS = tuple(bivariate(data_set="breast-cancer", bivariate_cost=cost, n_lambdas=8) for cost in COSTS)
MANY = Settings(data_set="breast-cancer", split="oblique", init="random", max_depth=4, n_lambdas=8)
OTHERS = range(1, 6)  # seeds of other data splits
SETS, ENDS = ("iris", "wine", "diabetes-classes", "segment", "xor"), slice(0, None, 2)  # cheapest and dearest lines
LAM = 5.35  # λ of the compared trees
STEP = 3  # index on the path; its λ is the same for every C


def build() -> BuiltLesson:
    """Build this lesson."""
    cheap, costly, never = (scenes.path(chosen, f"C = {cost:g}") for chosen, cost in zip(SETTINGS, COSTS, strict=True))
    many = scenes.path(MANY, "Any number of features")
    k, lone = simplest_two_leaf(many), last_line(cheap)
    lines = [lookup.two_feature_nodes(scene.tree(STEP)) for scene in (cheap, costly, never)]
    one, other = lookup.features(cheap, lone, 0)
    changed = _became_threshold(cheap, costly)
    lam = number(cheap.points[STEP].lam)
    alone = [best_threshold(cheap, j) for j in cheap.tree(lone).split(0)[0]]
    claims.hold(min(alone) > lookup.wrong(cheap, lone), "a threshold is as good as the line")
    claims.hold(len({scene.tree(STEP).n_leaves for scene in (cheap, costly, never)}) == 1, "the trees differ in size")
    claims.hold(lines[0] > lines[1] > lines[2] == 0, "a larger C does not give fewer lines")
    claims.fewer_wrong(cheap, STEP, costly, STEP)
    claims.fewer_wrong(costly, STEP, never, STEP)
    counts, errors = on_other_splits(cheap.points[STEP].lam)
    claims.hold((np.diff(counts, axis=1) <= 0).all(), "on another data split, a larger C gives more lines")
    claims.hold((np.diff(errors[0], axis=1) >= 0).all(), "on another data split, a larger C gives a smaller error")
    found = {name: on_other_splits(cheap.points[STEP].lam, name, ENDS)[0] for name in SETS}
    claims.hold(all((np.diff(one, axis=1) <= 0).all() for one in found.values()), "elsewhere, C gives more lines")
    claims.hold(abs(cheap.points[STEP].lam - LAM) < 0.01, "the compared trees have another λ")
    tumours, sets = LINES_PAY.stored, LINES_ON_SETS.stored
    n_train, _, n_test = map(len, cheap.rows)
    gains = {name: sets.column(1 + k) for k, name in enumerate(SETS)}
    significant = holm(
        {name: sign_test(gain) if name == "xor" else split_test(gain, *sizes(name)) for name, gain in gains.items()}
    )
    paid = [name for name in significant if gains[name].mean() > 0]
    lost = [name for name in significant if gains[name].mean() < 0]
    compared = claims.compared(lookup.wrong_rows(many, k, 2), lookup.wrong_rows(cheap, lone, 2))
    n_features = cheap.data.n_features
    used = len(lookup.features(many, k, 0))
    return BuiltLesson(
        (cheap, costly, never, many),
        (
            Moment(
                0,
                lone,
                (
                    f"Each row is a tumour with {n_features} measurements.",
                    f"This tree has one split, on **two** features: *{one}* and *{other}*. So we can draw it: a line "
                    "in a plane.",
                ),
                node=lookup.origin(cheap, lone, 0),
                ask=f"The line misclassifies {lookup.count(lookup.wrong(cheap, lone))} rows. Cover one axis with your "
                "hand. How many rows does the best threshold on one of these features misclassify?",
                answer=f"{lookup.count(min(alone))}. The best threshold on the other feature misclassifies "
                f"{lookup.count(max(alone))}.",
                guess=Guess(min(alone), 0, 60, unit="rows"),
                formula=formulas.LINE,
                source="Kairgeldin and Carreira-Perpiñán 2024, section 1",
            ),
            Moment(
                0,
                STEP,
                (
                    "A line can separate everything that a threshold can separate, and more. So a tree would use "
                    "lines everywhere.",
                    "To keep the tree simple, a line has a larger penalty, **C**. A threshold costs 1 and a line "
                    f"costs C = {COSTS[0]:g}. Both are multiplied by λ = {lam}.",
                ),
                ask="How many splits in this tree are lines?",
                answer=f"{lookup.many(lines[0], 'line').capitalize()} among "
                f"{lookup.many(cheap.tree(STEP).n_decision, 'split')}. "
                f"The training error is {lookup.error(cheap, STEP)}.",
                formula=formulas.COST,
                source="Kairgeldin and Carreira-Perpiñán 2024, section 2, equation 2",
            ),
            Moment(
                1,
                STEP,
                (
                    f"λ is the same, but now a line costs C = {COSTS[1]:g}.",
                    "At this node, a line is no longer worth its penalty. The split is now: "
                    f"**{lookup.question(costly, STEP, changed[1])}**?",
                ),
                node=lookup.origin(costly, STEP, changed[1]),
                ask="How many more training rows does the simpler split misclassify?",
                answer=f"{lookup.count(lookup.wrong(costly, STEP))} training rows are misclassified instead of "
                f"{lookup.count(lookup.wrong(cheap, STEP))}, and {lookup.many(lines[1], 'line')} is left.".replace(
                    "lines is", "lines are"
                ),
                guess=Guess(lookup.wrong(costly, STEP) - lookup.wrong(cheap, STEP), 0, 20, unit="rows more"),
                formula=formulas.COST,
                source="Kairgeldin and Carreira-Perpiñán 2024, section 2.1.1",
            ),
            Moment(
                2,
                STEP,
                (
                    f"At C = {COSTS[2]:g}, lines cost too much, and only thresholds are left.",
                    "Most programs for decision trees allow only thresholds.",
                ),
                node=lookup.origin(never, STEP, 0),
                ask="The rows of the tumours are split again and again. Are lines better on new rows?",
                answer=f"Lines are {elsewhere.compared(tumours, n_train, n_test)}. Here the training errors are "
                f"{lookup.error(cheap, STEP)}, "
                f"{lookup.error(costly, STEP)} and {lookup.error(never, STEP)}, with "
                f"{lookup.many(never.tree(STEP).n_leaves, 'leaf', 'leaves')} each.",
                guess=elsewhere.better_or_worse(tumours, n_train, n_test, ("Better", "Too close to tell", "Worse")),
                claim=LINES_PAY.name,
                source="Kairgeldin and Carreira-Perpiñán 2024, appendix C.1 (phase diagram)",
            ),
            Moment(
                3,
                k,
                (
                    f"Why not use more features? Here a split can use all {n_features}. A single node with "
                    f"{lookup.many(used, 'feature')} is enough. But can you explain it to a doctor?",
                ),
                node=lookup.origin(many, k, 0),
                ask="Is this node better on new rows than the single line?",
                answer=f"This node and the single line: {claims.new_rows(many, k, cheap, lone)}. A sum of "
                f"{lookup.many(used, 'number')} cannot be drawn; a flat drawing can show at most two features. This is "
                "a trade-off, and you decide.",
                guess=Guess(
                    1 + compared, choices=("Yes, better", "The difference may be chance", "No, worse"), ordered=True
                ),
                source="Kairgeldin and Carreira-Perpiñán 2024, section 1 and appendix A.3",
            ),
            Moment(
                0,
                STEP,
                (
                    f"Do lines pay on other data, too? C is {COSTS[0]:g} or {COSTS[-1]:g}, and λ is the same.",
                    f"In all {sum(map(len, found.values()))} draws, a larger C never gave more lines.",
                ),
                ask=f"On {lookup.many(len(SETS), 'other data set')}, do lines usually win on new rows?",
                answer=f"With a correction for {len(SETS)} tests, lines are significantly better on "
                f"{', '.join(paid) or 'none'} and worse on {', '.join(lost) or 'none'}. The classes of xor lie in four "
                "quadrants, so thresholds suffice there.",
                guess=Guess(
                    0 if len(paid) > 3 else 1 if paid else 2,
                    choices=("On nearly all of them", "On some of them", "On none of them"),
                    ordered=True,
                ),
                claim=LINES_ON_SETS.name,
                figure=Figure(
                    f"How often lines have fewer and more errors on new rows, in {sets.n} draws",
                    "draws",
                    SETS,
                    tuple(
                        Series(words, tuple(float((sign * gains[name] > 0).sum()) for name in SETS), late)
                        for words, sign, late in (
                            ("more errors than thresholds", -1, False),
                            ("fewer errors than thresholds", 1, True),
                        )
                    ),
                ),
                source="Kairgeldin and Carreira-Perpiñán 2024, appendix C.1 (phase diagram)",
            ),
        ),
    )


def on_other_splits(
    lam: float, name: str = "breast-cancer", which: slice = slice(None)
) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers of lines, int[splits, costs], and the training and test errors, float[2, splits, costs].

    name : data set; which : costs.
    """
    chosen = (replace(one, data_set=name) for one in SETTINGS[which])
    found = [elsewhere.draws(one.path(), OTHERS, with_tao=True, lam=lam) for one in chosen]
    trees = [[(draw, draw.tao) for draw in one if draw.tao] for one in found]
    counts = [[lookup.two_feature_nodes(tree) for _, tree in one] for one in trees]
    errors = [[[draw.error(tree, part) for draw, tree in one] for one in trees] for part in (0, 2)]
    return np.array(counts).T, np.array(errors).transpose(0, 2, 1)


def sizes(name: str) -> tuple[int, int]:
    """Return the numbers of training and test rows of a data set."""
    train, _, test = scenes.rows_of(scenes.task_of(replace(SETTINGS[0], data_set=name)))
    return len(train), len(test)


def simplest_two_leaf(many: Scene) -> int:
    """Return the index of the two-leaf tree with the smallest validation error; fewer features win a tie."""
    lone = [k for k, point in enumerate(many.points) if point.tree.n_leaves == 2]
    return min(lone, key=lambda k: (many.figure(k, "validation_error"), many.tree(k).features.size))


def best_threshold(scene: Scene, feature: int) -> int:
    """Return the smallest number of training rows that a threshold on one feature misclassifies."""
    rows = scene.rows[0]
    return claims.best_threshold(scene.data.X[rows, feature], scene.data.y[rows])


def last_line(scene: Scene) -> int:
    """Return the index of the last tree with a single, bivariate split."""
    return max(
        k
        for k, point in enumerate(scene.points)
        if point.tree.n_leaves == lookup.two_feature_nodes(point.tree) + 1 == 2
    )


def _became_threshold(cheap: Scene, costly: Scene) -> tuple[int, int]:
    """Return the positions of a node in both trees that is bivariate in the first one and univariate in the second."""
    a, b = cheap.tree(STEP), costly.tree(STEP)
    for node in range(b.n_nodes):
        found = np.flatnonzero(a.origin == b.origin[node])
        if found.size and len(a.split(found[0])[0]) == 2 and len(b.split(node)[0]) == 1:
            return int(found[0]), node
    raise LookupError("no line became a threshold")


def gain_of_lines(seed: int, name: str = "breast-cancer") -> tuple[float]:
    """Return the error of thresholds minus that of lines for a new split of a table, or new points of XOR, in %."""
    lines, steps = (
        elsewhere.draws(replace(one, data_set=name).path(), [seed], True, LAM, name == "xor")[0]
        for one in SETTINGS[ENDS]
    )
    on_steps, on_lines = (
        elsewhere.new_error(one.taught, name, seed) if name == "xor" else 100 * one.error(one.taught, 2)
        for one in (steps, lines)
    )
    return (on_steps - on_lines,)


def gains_of_lines(seed: int) -> tuple[float, ...]:
    """Return on how many of `SETS` lines have the smaller error, then the differences on each, in percentage points."""
    gains = [gain_of_lines(seed, name)[0] for name in SETS]
    return float(sum(gain > 0 for gain in gains)), *gains


def _own_sets(_: BuiltLesson) -> float:
    return gains_of_lines(0)[0]


def _own(built: BuiltLesson) -> float:
    cheap, _, never, _ = built.scenes
    return 100 * float(lookup.wrong(never, STEP, 2) - lookup.wrong(cheap, STEP, 2)) / len(cheap.rows[2])


LINES_PAY = Claim(
    "lines-on-tumours",
    "Lines misclassify fewer new rows than thresholds.",
    "breast cancer, random splits of the rows",
    "error of thresholds minus error of lines (percentage points)",
    gain_of_lines,
    _own,
)
LINES_ON_SETS = Claim(
    "lines-on-five-sets",
    "Lines have the smaller error on at least one of five data sets.",
    "random splits of four tables, new points of XOR",
    "data sets on which lines have the smaller error",
    gains_of_lines,
    _own_sets,
    n_draws=30,
)


LESSON = Lesson(
    "two-features",
    "One feature, two, or many",
    "When a line is better than a threshold, and how C penalises lines.",
    build,
    icon=":material/scatter_plot:",
    picture=1,
    keep="A line pays if two features together separate what neither separates alone.",
    task="Raise *Bivariate cost C* until no line is left.",
    claims=(LINES_PAY, LINES_ON_SETS),
)
