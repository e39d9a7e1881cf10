"""Lesson: trees are unstable."""

from itertools import combinations

import numpy as np

from pages.jobs.settings import Settings
from pages.ui.learn.lessons import claims, formulas, lookup, scenes
from pages.ui.learn.lessons.lesson import BuiltLesson, Guess, Lesson, Moment, Scene
from treecore.tree.number_text import number

DRAWS, SHOWN = range(10), {0: "first draw", 3: "second draw"}
GREEDY = "Carreira-Perpiñán and Tavallali 2018, section 1 (greedy growing)"


def build() -> BuiltLesson:
    """Build this lesson."""
    settings = [Settings(data_set="xor", split="univariate", init="cart", max_depth=3, seed=seed) for seed in DRAWS]
    grown = [scenes.growth(one, f"CART, {SHOWN.get(one.seed)}") for one in settings]
    tao = [scenes.recording(one, f"TAO, {SHOWN.get(one.seed)}") for one in settings]
    (a, b), (c, d) = ([found[seed] for seed in SHOWN] for found in (grown, tao))
    data, n = a.data, len(a.rows[0])
    first, second = lookup.features(a, 1, 0)[0], lookup.features(b, 1, 0)[0]
    claims.hold(first != second, "both draws use the same feature first")
    claims.hold(lookup.features(c, c.last, 0) != lookup.features(d, d.last, 0), "TAO uses the same feature in both")
    both = np.intersect1d(a.rows[0], b.rows[0]).size
    X, y = data.X[a.rows[0]].astype(np.float64), data.y[a.rows[0]]
    ginis = {name: claims.best_cuts(X[:, k], y)["gini"].gini for k, name in enumerate(data.feature_names)}
    shares = np.bincount(y) / n
    whole = float(1 - shares @ shares)
    claims.hold(ginis[first] < ginis[second] < whole < 1.1 * ginis[first], "a first split helps much")
    alike, tao_alike = agreement(a, b), agreement(c, d)
    usual, tao_usual = (float(np.mean([agreement(*two) for two in combinations(found, 2)])) for found in (grown, tao))
    claims.hold(alike < 0.6 and tao_alike > 0.9, "the trees of TAO are not much more alike")
    claims.hold(usual < tao_usual - 0.1, "over all draws the trees of TAO are not more alike")
    errors = [lookup.error(scene, scene.last, 2) for scene in (a, b, c, d)]
    return BuiltLesson(
        (a, b, c, d),
        (
            Moment(
                0,
                1,
                (
                    f"{lookup.count(n)} of {lookup.count(data.n_rows)} points are drawn, and **CART** chooses its "
                    f"first split: **{lookup.question(a, 1, 0)}**?",
                    f"Now {lookup.count(n)} of the same points are drawn *again*.",
                ),
                node=lookup.origin(a, 1, 0),
                ask="Will the first split use the same feature?",
                answer=f"No: it is **{lookup.question(b, 1, 0)}**.",
                guess=Guess(1, choices=("yes, the same one", "no, the other one")),
                source=GREEDY,
            ),
            Moment(
                1,
                1,
                (
                    f"This is the second draw and its first split: **{lookup.question(b, 1, 0)}**?",
                    "The points look as they did before.",
                ),
                node=lookup.origin(b, 1, 0),
                ask=f"How many of these {lookup.count(n)} points were in the first draw as well?",
                answer=f"{lookup.count(both)}. So {lookup.count(n - both)} other points were enough for another tree.",
                guess=Guess(both, 0, n, unit="points"),
                source=GREEDY,
            ),
            Moment(
                0,
                1,
                (
                    "Why so few? Look for the threshold with the lowest *Gini*.",
                    f"Without a split it is {number(whole)}.",
                ),
                ask=f"Drag the line over *{first}*. How low does Gini get?",
                answer=f"To {number(ginis[first], 4)}; on *{second}* to {number(ginis[second], 4)}. No split is "
                "much better than another, so a few points decide.",
                drag=data.feature_names.index(first),
                formula=formulas.IMPURITY,
                source="Carreira-Perpiñán and Tavallali 2018, section 1 (impurity)",
            ),
            Moment(
                1,
                b.last,
                (
                    "The subtree below a split depends on that split. A new root changes the whole tree.",
                    "Both trees are grown now, to depth three.",
                ),
                ask=f"On how many of all {lookup.count(data.n_rows)} points do the two predict the same?",
                answer=f"{100 * alike:.0f} %; a coin would get 50. On new points {errors[0]} and {errors[1]} are "
                "wrong.",
                guess=Guess(100 * alike, 0, 100, unit="%"),
                source=GREEDY,
            ),
            Moment(
                2,
                c.last,
                (
                    "**TAO** takes the tree of the first draw and looks at every node again.",
                    "It does the same with the tree of the second draw.",
                ),
                ask="On how many of all points do these two trees predict the same?",
                answer=f"{100 * tao_alike:.0f} %. On new points {errors[2]} and {errors[3]} are wrong.",
                guess=Guess(100 * tao_alike, 0, 100, unit="%"),
                source="Carreira-Perpiñán and Tavallali 2018, section 3",
            ),
            Moment(
                3,
                0,
                (
                    "All four at once, step by step: CART grows on both draws, and TAO goes on from where each ended.",
                    "Watch the boundaries, not the numbers.",
                ),
                ask="Which two end as nearly the same picture?",
                answer=f"TAO's. They predict the same on {100 * tao_alike:.0f} % of the points, those of CART on "
                f"{100 * alike:.0f} %.",
                guess=Guess(1, choices=("the two of CART", "the two of TAO")),
                runs=(0, 1, 2, 3),
                source="Carreira-Perpiñán and Tavallali 2018, section 3",
            ),
            Moment(
                3,
                d.last,
                (
                    f"Their splits still differ: here the first is **{lookup.question(d, d.last, 0)}**, there "
                    f"**{lookup.question(c, c.last, 0)}**.",
                    "The *predictions* of the trees are more alike than their splits.",
                ),
                ask="Were these two draws chosen to look good?",
                answer=f"They were chosen to look different. Over ten draws two trees of CART predict the same on "
                f"{100 * usual:.0f} % of the points, two of TAO on {100 * tao_usual:.0f} %.",
                source="Carreira-Perpiñán and Tavallali 2018, section 3",
            ),
        ),
    )


def agreement(one: Scene, other: Scene) -> float:
    """Return the share of all points for which the last trees of two scenes make the same prediction."""
    X = one.data.X
    return float((one.tree(one.last).predict(X) == other.tree(other.last).predict(X)).mean())


LESSON = Lesson(
    "unstable",
    "Trees are unstable",
    "Other points of the same kind, another tree: what flips, and what stays.",
    build,
    icon=":material/shuffle:",
    picture=3,
)
