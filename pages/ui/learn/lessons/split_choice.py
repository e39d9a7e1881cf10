"""Lesson: how a split is chosen."""

import numpy as np

from pages.jobs import row_split
from pages.jobs.settings import Settings
from pages.ui.learn.lessons import claims, elsewhere, formulas, lookup, scenes
from pages.ui.learn.lessons.fresh import Claim, how_often, sentence
from pages.ui.learn.lessons.lesson import BuiltLesson, Guess, Lesson, Moment
from pages.ui.session import data_sets
from treecore.tree.number_text import number

ONE = Settings(data_set="fields", split="univariate", init="cart", max_depth=1)
MORE = Settings(data_set="fields", split="univariate", init="cart", max_depth=4)


def build() -> BuiltLesson:
    """Build this lesson."""
    grown, tao_one = scenes.growth(ONE, "One split (CART)"), scenes.recording(ONE, "One split, by TAO")
    many, tao_many = scenes.growth(MORE, "Greedy growth (CART)"), scenes.recording(MORE, "TAO, from the greedy tree")
    data, rows = grown.data, grown.rows[0]
    feature = int(grown.tree(1).split(0)[0][0])
    name = data.feature_names[feature]
    x, y = data.X[rows, feature].astype(np.float64), data.y[rows]
    best = claims.best_cuts(x, y)
    drawn = MORE_ERRORS.stored
    more, others = drawn.column(0), drawn.column(1)
    cart, tao = lookup.wrong(grown, 1), lookup.wrong(tao_one, tao_one.last)
    claims.hold(cart == best["gini"].wrong, "CART chooses a split that does not have the lowest Gini impurity")
    claims.hold(tao == best["errors"].wrong < cart, "CART makes as few errors")
    claims.hold(best["gini"] == best["entropy"], "Gini impurity and entropy choose different thresholds")
    every = [claims.best_threshold(data.X[rows, k].astype(np.float64), y) for k in range(data.n_features)]
    claims.hold(tao == min(every), "TAO does not find the fewest errors")
    ends = [tao_one.recording.steps[k].objective for k in (0, -1)]
    fewer = claims.fewer_wrong(tao_many, tao_many.last, many, many.last)
    falls = [lookup.wrong(many, k) for k in range(len(many.points))]
    idle = int(sum(np.diff(falls) == 0))
    claims.hold(idle > 1, "at most one split corrects no error")
    n_leaves = many.tree(many.last).n_leaves
    claims.hold(tao_many.tree(tao_many.last).n_leaves == n_leaves, "the trees differ in size")
    return BuiltLesson(
        (grown, tao_one, many, tao_many),
        (
            Moment(
                0,
                1,
                (
                    f"{lookup.count(len(rows))} plants in four fields. The tree has one split: is *{name}* at least "
                    "the **threshold**?",
                    "Each side predicts its majority class. All other points are errors.",
                ),
                ask="Move the line. What is the smallest number of misclassified points?",
                answer=f"{lookup.count(tao)}, at threshold {number(best['errors'].at)}. No other threshold on "
                f"*{name}* misclassifies fewer points.",
                drag=feature,
                beat=1,
                source="Carreira-Perpiñán and Tavallali 2018, section 3 (decision node)",
            ),
            Moment(
                0,
                1,
                (
                    "Most programs measure how *mixed* each side is. "
                    "**Gini impurity**: the probability that two random points differ in class. **Entropy**: the "
                    "bits that describe a class.",
                ),
                ask="Find the lowest Gini impurity. Are the errors lowest there?",
                answer=f"No. Gini impurity is lowest at {number(best['gini'].at)}, with {best['gini'].wrong} errors. "
                f"Entropy is lowest there, too. The errors are lowest at {number(best['errors'].at)}: "
                f"{best['errors'].wrong}.",
                drag=feature,
                formula=formulas.IMPURITY,
                source="Carreira-Perpiñán and Tavallali 2018, section 1 (impurity)",
            ),
            Moment(
                0,
                1,
                (
                    "**CART** tries every threshold on every feature and keeps the split with the lowest Gini "
                    "impurity.",
                    f"Here it chooses: **{lookup.question(grown, 1, 0)}**?",
                ),
                node=lookup.origin(grown, 1, 0),
                ask="The points of the fields are drawn again. How often does CART's first split make more errors "
                "than needed?",
                answer=f"{sentence(drawn.often)} It makes at most {int(more.max())} errors more. On five other data "
                f"sets, it makes more errors {how_often(int((others > 0).sum()), others.size)}. CART never moves this "
                "threshold again.",
                guess=elsewhere.how_often(drawn.n_true, drawn.n),
                claim=MORE_ERRORS.name,
                source="Carreira-Perpiñán and Tavallali 2018, section 1 (greedy growing)",
            ),
            Moment(
                1,
                tao_one.last,
                (
                    "**TAO** optimises the node again. It keeps the predictions of both leaves and counts errors.",
                    f"The threshold moves: **{lookup.question(tao_one, tao_one.last, 0)}**?",
                ),
                node=lookup.origin(tao_one, tao_one.last, 0),
                ask="Step back to the start and forward again. How does the objective change?",
                answer=f"It falls from {number(ends[0], 4)} to {number(ends[1], 4)}, because the errors fall from "
                f"{lookup.count(cart)} to {lookup.count(tao)}. No threshold makes fewer errors here.",
                formula=formulas.REDUCED,
                source="Carreira-Perpiñán and Tavallali 2018, section 3, theorem 3.2",
            ),
            Moment(
                2,
                many.last,
                (
                    "CART continues to split each side separately.",
                    "It chooses every split in the same way as the first one, and never changes a split later.",
                ),
                ask="Does every split of this tree correct errors? Then step back to the start and forward again.",
                answer=f"No. After each split, this many points are misclassified: {', '.join(map(str, falls))}. "
                f"{lookup.many(idle, 'split').capitalize()} correct no error and only lower the mean impurity of "
                "their sides.",
                guess=Guess(1, choices=("Yes", "No")),
                source="Carreira-Perpiñán and Tavallali 2018, section 1 (greedy growing)",
            ),
            Moment(
                3,
                tao_many.last,
                (
                    f"The CART tree misclassified {lookup.error(many, many.last)} of the points. **TAO** has "
                    "optimised this tree node by node.",
                    "TAO chooses each threshold again, given the predictions of the nodes below.",
                ),
                ask="What percentage of the points is misclassified now?",
                answer=f"{lookup.error(tao_many, tao_many.last)}: {lookup.count(fewer[0])} points instead of "
                f"{lookup.count(fewer[1])}. Both trees have {lookup.many(n_leaves, 'leaf', 'leaves')}.",
                guess=Guess(100 * fewer[0] / len(rows), 0, 20, 0.5, 1, "%"),
                source="Carreira-Perpiñán and Tavallali 2018, section 3",
            ),
        ),
    )


def more_errors(seed: int) -> tuple[float, float]:
    """Return how many more errors the lowest Gini impurity makes than the best threshold, on the fields and a plane."""
    found = []
    for name in ("fields", elsewhere.plane(seed)):
        data = elsewhere.another(name, seed)
        rows = row_split.split_rows(data, seed, ONE.rows)[0]
        found.append(float(_more_errors(data.X[rows], data.y[rows])))
    return found[0], found[1]


def _more_errors(X: np.ndarray, y: np.ndarray) -> int:
    cuts = [claims.best_cuts(x.astype(np.float64), y) for x in X.T]
    return min((cut["gini"] for cut in cuts), key=lambda cut: cut.gini).wrong - min(cut["errors"].wrong for cut in cuts)


def _own(_: BuiltLesson) -> float:
    data = data_sets.load("fields")
    rows = row_split.split_rows(data, 0, ONE.rows)[0]
    return float(_more_errors(data.X[rows], data.y[rows]))


MORE_ERRORS = Claim(
    "more-errors",
    "CART's first split makes more errors than another threshold would.",
    "four fields, 1,000 new points a draw",
    "additional errors of CART's first split (points)",
    more_errors,
    _own,
    least=0.3,
)


LESSON = Lesson(
    "split-choice",
    "How a split is chosen",
    "Drag a threshold to compare errors, Gini impurity and entropy, and see how CART and TAO choose.",
    build,
    icon=":material/swap_vert:",
    keep="CART lowers impurity and TAO counts errors, so their best thresholds can differ.",
    task="Set *Maximum depth* to 1 and switch on *Compare with CART*.",
    claims=(MORE_ERRORS,),
)
