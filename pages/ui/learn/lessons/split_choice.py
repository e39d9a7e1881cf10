"""Lesson: how a split is chosen."""

import numpy as np

from pages.jobs.settings import Settings
from pages.ui.learn.lessons import claims, formulas, lookup, scenes
from pages.ui.learn.lessons.lesson import BuiltLesson, Guess, Lesson, Moment
from treecore.tree.number_text import number

ONE = Settings(data_set="moons", split="univariate", init="cart", max_depth=1)
MORE = Settings(data_set="moons", split="univariate", init="cart", max_depth=4)


def build() -> BuiltLesson:
    """Build this lesson."""
    grown, tao_one = scenes.growth(ONE, "One question (CART)"), scenes.recording(ONE, "One question, by TAO")
    many, tao_many = scenes.growth(MORE, "Greedy growth (CART)"), scenes.recording(MORE, "TAO, from the greedy tree")
    data, rows = grown.data, grown.rows[0]
    feature = int(grown.tree(1).split(0)[0][0])
    name = data.feature_names[feature]
    x, y = data.X[rows, feature].astype(np.float64), data.y[rows]
    best = claims.best_cuts(x, y)
    cart, tao = lookup.wrong(grown, 1), lookup.wrong(tao_one, tao_one.last)
    claims.hold(cart == best["gini"].wrong, "CART does not take the lowest Gini impurity")
    claims.hold(tao == best["errors"].wrong < cart < best["entropy"].wrong, "the three choices are not in this order")
    claims.hold(tao == claims.best_threshold(x, y), "TAO does not find the fewest errors")
    fewer = claims.fewer_wrong(tao_many, tao_many.last, many, many.last)
    falls = [lookup.wrong(many, k) for k in range(len(many.points))]
    claims.hold(sum(np.diff(falls) == 0) == 1, "not exactly one split corrects no error")
    n_leaves = many.tree(many.last).n_leaves
    claims.hold(tao_many.tree(tao_many.last).n_leaves == n_leaves, "the trees differ in size")
    return BuiltLesson(
        (grown, tao_one, many, tao_many),
        (
            Moment(
                0,
                1,
                (
                    f"{lookup.count(len(rows))} points of two half circles, and one question: is *{name}* at least "
                    "some **threshold**?",
                    "Each side predicts its majority class. Points of the other class count as errors.",
                ),
                ask="Move the line, on the plane or with the slider. How few points can you get wrong?",
                answer=f"At {number(best['errors'].at)} there are {lookup.count(tao)}: no threshold on *{name}* has "
                "fewer. All of them were tried.",
                drag=feature,
                beat=1,
                source="Carreira-Perpiñán and Tavallali 2018, section 3 (decision node)",
            ),
            Moment(
                0,
                1,
                (
                    "Most programs do not count errors. They measure how *mixed* the sides are.",
                    "**Gini**: how often two points of a side, drawn at random, differ. **Entropy**: how many bits "
                    "are needed to tell the class of a point.",
                ),
                ask="Look for the lowest Gini. Are the errors lowest there too?",
                answer=f"No. Gini is lowest at {number(best['gini'].at)} ({best['gini'].wrong} errors), entropy at "
                f"{number(best['entropy'].at)} ({best['entropy'].wrong}), errors at {number(best['errors'].at)}.",
                drag=feature,
                formula=formulas.IMPURITY,
                source="Carreira-Perpiñán and Tavallali 2018, section 1 (impurity)",
            ),
            Moment(
                0,
                1,
                (
                    "**CART** tries every threshold of every feature and keeps the lowest Gini.",
                    f"Here it asks: **{lookup.question(grown, 1, 0)}**?",
                ),
                node=lookup.origin(grown, 1, 0),
                ask=f"How many more errors than with the best threshold on *{name}*?",
                answer=f"{cart - tao}: {lookup.count(cart)} errors and not {lookup.count(tao)}. Few, but this node is "
                "never looked at again.",
                guess=Guess(cart - tao, 0, 20, unit="more"),
                source="Carreira-Perpiñán and Tavallali 2018, section 1 (greedy growing)",
            ),
            Moment(
                1,
                tao_one.last,
                (
                    "**TAO** looks at the node again, with its two answers as they are, and counts errors.",
                    f"The threshold moves: **{lookup.question(tao_one, tao_one.last, 0)}**?",
                ),
                node=lookup.origin(tao_one, tao_one.last, 0),
                ask="Step back to the start and forward again. What does the objective do?",
                answer=f"It falls, by {cart - tao} errors: from {lookup.count(cart)} to {lookup.count(tao)}, the "
                "fewest that a threshold can have here.",
                formula=formulas.REDUCED,
                source="Carreira-Perpiñán and Tavallali 2018, section 3, theorem 3.2",
            ),
            Moment(
                2,
                many.last,
                (
                    "One question is not a tree. CART asks on, on each side by itself.",
                    "Every node is chosen as the first one was, and none is looked at again.",
                ),
                ask="Step back to the start and forward again. How does the error fall?",
                answer=f"{', '.join(map(str, falls))} are wrong, question by question. One split corrects no error: "
                "it only makes both sides purer.",
                source="Carreira-Perpiñán and Tavallali 2018, section 1 (greedy growing)",
            ),
            Moment(
                3,
                tao_many.last,
                (
                    f"It got {lookup.error(many, many.last)} of the points wrong. **TAO** has gone over this tree, "
                    "node by node.",
                    "Each threshold is chosen again, given the predictions of the nodes below.",
                ),
                ask="How many of the points are wrong now?",
                answer=f"{lookup.error(tao_many, tao_many.last)}: {lookup.count(fewer[0])} points and not "
                f"{lookup.count(fewer[1])}. Both trees have {lookup.many(n_leaves, 'leaf', 'leaves')}.",
                guess=Guess(100 * fewer[0] / len(rows), 0, 20, 0.5, 1, "%"),
                source="Carreira-Perpiñán and Tavallali 2018, section 3",
            ),
        ),
    )


LESSON = Lesson(
    "split-choice",
    "How a split is chosen",
    "Drag a threshold: errors, Gini and entropy, and what CART and TAO make of them.",
    build,
    icon=":material/swap_vert:",
)
