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
    claims.hold(first != second, "both draws give the same feature in the first split")
    claims.hold(
        lookup.features(c, c.last, 0) != lookup.features(d, d.last, 0), "TAO uses the same feature in both first splits"
    )
    both = np.intersect1d(a.rows[0], b.rows[0]).size
    X, y = data.X[a.rows[0]].astype(np.float64), data.y[a.rows[0]]
    ginis = {name: claims.best_cuts(X[:, k], y)["gini"].gini for k, name in enumerate(data.feature_names)}
    shares = np.bincount(y) / n
    whole = float(1 - shares @ shares)
    claims.hold(ginis[first] < ginis[second] < whole < 1.1 * ginis[first], "a first split helps a lot")
    alike, tao_alike = agreement(a, b), agreement(c, d)
    usual, tao_usual = (float(np.mean([agreement(*two) for two in combinations(found, 2)])) for found in (grown, tao))
    claims.hold(alike < 0.6 and tao_alike > 0.9, "TAO's trees are not much more alike")
    claims.hold(usual < tao_usual - 0.1, "over all draws, TAO's trees are not more alike")
    errors = [lookup.error(scene, scene.last, 2) for scene in (a, b, c, d)]
    return BuiltLesson(
        (a, b, c, d),
        (
            Moment(
                0,
                1,
                (
                    f"{lookup.count(n)} of {lookup.count(data.n_rows)} points are drawn at random. **CART** chooses "
                    f"this first split: **{lookup.question(a, 1, 0)}**?",
                    f"Now another {lookup.count(n)} of these points are drawn at random.",
                ),
                node=lookup.origin(a, 1, 0),
                ask="Will the first split use the same feature?",
                answer=f"No: it is **{lookup.question(b, 1, 0)}**.",
                guess=Guess(1, choices=("Yes, the same feature", "No, the other feature")),
                source=GREEDY,
            ),
            Moment(
                1,
                1,
                (
                    f"This is the second draw. CART chooses this first split: **{lookup.question(b, 1, 0)}**?",
                    "The points look almost the same as before.",
                ),
                node=lookup.origin(b, 1, 0),
                ask=f"How many of these {lookup.count(n)} points were also in the first draw?",
                answer=f"{lookup.count(both)}. So {lookup.count(n - both)} different points were enough to change the "
                "tree.",
                guess=Guess(both, 0, n, unit="points"),
                source=GREEDY,
            ),
            Moment(
                0,
                1,
                (
                    "Why are so few enough? Look for the threshold with the lowest *Gini impurity*.",
                    f"Without a split, the impurity is {number(whole)}.",
                ),
                ask=f"Drag the line over *{first}*. What is the lowest impurity?",
                answer=f"{number(ginis[first], 4)} on *{first}*, and {number(ginis[second], 4)} on *{second}*. No "
                "split is much better than another, so a few points decide.",
                drag=data.feature_names.index(first),
                formula=formulas.IMPURITY,
                source="Carreira-Perpiñán and Tavallali 2018, section 1 (impurity)",
            ),
            Moment(
                1,
                b.last,
                (
                    "The subtree below a split depends on that split. A new root changes the whole tree.",
                    "Now both trees are grown to depth three.",
                ),
                ask=f"For what percentage of the {lookup.count(data.n_rows)} points do the two trees make the same "
                "prediction?",
                answer=f"{100 * alike:.0f} %; two coin tosses would agree for 50 %. The errors on new points are "
                f"{errors[0]} and {errors[1]}.",
                guess=Guess(100 * alike, 0, 100, unit="%"),
                source=GREEDY,
            ),
            Moment(
                2,
                c.last,
                (
                    "**TAO** starts from the tree of the first draw and optimises every node again.",
                    "TAO also optimises the tree of the second draw.",
                ),
                ask="For what percentage of all points do these two trees make the same prediction?",
                answer=f"{100 * tao_alike:.0f} %. The errors on new points are {errors[2]} and {errors[3]}.",
                guess=Guess(100 * tao_alike, 0, 100, unit="%"),
                source="Carreira-Perpiñán and Tavallali 2018, section 3",
            ),
            Moment(
                3,
                0,
                (
                    "These are all four runs, step by step. CART grows a tree on each draw, and TAO continues from "
                    "each tree.",
                    "Watch the boundaries, not the numbers.",
                ),
                ask="Which two trees look most alike at the end?",
                answer=f"TAO's trees. They make the same prediction for {100 * tao_alike:.0f} % of the points, and "
                f"CART's trees on {100 * alike:.0f} %.",
                guess=Guess(1, choices=("CART's trees", "TAO's trees")),
                runs=(0, 1, 2, 3),
                source="Carreira-Perpiñán and Tavallali 2018, section 3",
            ),
            Moment(
                3,
                d.last,
                (
                    "But the splits of TAO's trees still differ. The first split is "
                    f"**{lookup.question(d, d.last, 0)}** in this tree and **{lookup.question(c, c.last, 0)}** in the "
                    "other.",
                    "The *predictions* of the trees are more alike than their splits.",
                ),
                ask="Were these two draws chosen to look good?",
                answer="They were chosen to look different. Over ten draws, two CART trees make the same prediction "
                f"for {100 * usual:.0f} % of the points, and two TAO trees for {100 * tao_usual:.0f} %.",
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
    "How much a tree changes when it is trained on other points, and what stays.",
    build,
    icon=":material/shuffle:",
    picture=3,
)
