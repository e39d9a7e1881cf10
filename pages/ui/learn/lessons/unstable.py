"""Lesson: trees are unstable."""

from collections import Counter
from dataclasses import replace

import numpy as np

from pages.jobs.settings import Settings
from pages.ui.learn.lessons import claims, elsewhere, formulas, lookup, scenes
from pages.ui.learn.lessons.fresh import FIRST, Claim, holm, sign_test
from pages.ui.learn.lessons.lesson import BuiltLesson, Figure, Guess, Lesson, Moment, Series
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
    for scene in grown:
        part = data.X[scene.rows[0]].astype(np.float64), data.y[scene.rows[0]]
        lowest = min(claims.best_cuts(x, part[1])["gini"].gini for x in part[0].T)
        share = np.bincount(part[1]) / n
        claims.hold(1 - share @ share < 1.1 * lowest, "in another draw, a first split helps a lot")
    first, second = lookup.features(a, 1, 0)[0], lookup.features(b, 1, 0)[0]
    claims.hold(first != second, "both draws give the same feature in the first split")
    claims.hold(
        lookup.features(c, c.last, 0) != lookup.features(d, d.last, 0), "TAO uses the same feature in both first splits"
    )
    again = sum(lookup.features(scene, 1, 0)[0] == first for scene in grown) - 1
    claims.hold(0 < again < len(DRAWS) - 1, "the first feature never or always comes back")
    both = np.intersect1d(a.rows[0], b.rows[0]).size
    X, y = data.X[a.rows[0]].astype(np.float64), data.y[a.rows[0]]
    ginis = {name: claims.best_cuts(X[:, k], y)["gini"].gini for k, name in enumerate(data.feature_names)}
    shares = np.bincount(y) / n
    whole = float(1 - shares @ shares)
    claims.hold(ginis[first] < ginis[second] < whole < 1.1 * ginis[first], "a first split helps a lot")
    alike, tao_alike, usual, tao_usual = (
        elsewhere.agreement([scene.tree(scene.last) for scene in found], data.X)
        for found in ((a, b), (c, d), grown, tao)
    )
    claims.hold(alike < 0.6 and tao_alike > 0.9, "TAO's trees are not much more alike")
    claims.hold(usual < tao_usual - 0.1, "over all draws, TAO's trees are not more alike")
    drawn, on_planes = ALIKE.stored, {}
    for name in elsewhere.PLANES:
        taken = [elsewhere.plane(FIRST + k) == name for k in range(drawn.n)]
        on_planes[name] = drawn.column(3)[taken]
    significant = holm({name: sign_test(gains) for name, gains in on_planes.items()})
    more = [name for name in significant if on_planes[name].mean() > 0]
    firsts = [Counter(lookup.features(scene, scene.last, 0)[0] for scene in found) for found in (grown, tao)]
    claims.hold(all(min(count[first], count[second]) > 0 for count in firsts), "one feature is always first")
    steady = [name for name in elsewhere.PLANES if first_features(settings[0], name) == 1]
    claims.hold(0 < len(steady) < len(elsewhere.PLANES), "the first feature comes back everywhere or nowhere")
    worse = lookup.wrong(c, c.last, 2) > lookup.wrong(a, a.last, 2)
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
                    f"Then another {lookup.count(n)} of these points are drawn at random.",
                ),
                node=lookup.origin(a, 1, 0),
                ask=f"We draw {len(DRAWS) - 1} more times. How often does the first split use *{first}* again?",
                answer=f"{lookup.many(again, 'time').capitalize()}. Otherwise it uses *{second}*, as on the next "
                "screen.",
                guess=Guess(1, choices=("Never", "Sometimes", "Every time"), ordered=True),
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
                answer=f"{100 * tao_alike:.0f} %. The errors on new points are now {errors[2]} and {errors[3]}; they "
                f"were {errors[0]} and {errors[1]}."
                + (" More alike is not always better: the first tree is worse than before." if worse else ""),
                guess=Guess(100 * tao_alike, 0, 100, unit="%"),
                runs=(0, 1, 2, 3),
                source="Carreira-Perpiñán and Tavallali 2018, section 3",
            ),
            Moment(
                3,
                d.last,
                (
                    f"On {lookup.NUMBERS[len(DRAWS)]} draws of XOR, CART's trees agree for {100 * usual:.0f} % of "
                    f"the points and TAO's trees for {100 * tao_usual:.0f} %. CART finds no good first split there.",
                    "Is TAO always so much more stable?",
                ),
                ask=f"On what share of {lookup.many(len(on_planes), 'other data set')} are TAO's trees significantly "
                "more alike?",
                answer=f"On XOR, they are more alike {drawn.often}. Elsewhere, they are significantly more alike on "
                f"{', '.join(more) or 'no data set'} (corrected). The mean gain is at most "
                f"{max(gains.mean() for gains in on_planes.values()):.1f} percentage points, and "
                f"{drawn.statistic.mean():.0f} on XOR.",
                guess=elsewhere.how_often(len(more), len(on_planes), elsewhere.ON_SETS),
                claim=ALIKE.name,
                figure=Figure(
                    "How often TAO's trees of two draws are more and less alike than CART's",
                    "pairs of draws",
                    tuple(on_planes),
                    tuple(
                        Series(words, tuple(float((sign * gains > 0).sum()) for gains in on_planes.values()), late)
                        for words, sign, late in (("less alike", -1, False), ("more alike", 1, True))
                    ),
                ),
                source="Carreira-Perpiñán and Tavallali 2018, section 3",
            ),
            Moment(
                3,
                d.last,
                (
                    "But the splits of TAO's trees still differ. The first split is "
                    f"**{lookup.question(c, c.last, 0)}** for the first draw and **{lookup.question(d, d.last, 0)}** "
                    "for the second.",
                    "Trees with different splits can make the same *predictions*.",
                ),
                ask=f"How often does TAO's first split use *{first}*, in the {lookup.NUMBERS[len(DRAWS)]} draws?",
                answer=f"In {firsts[1][first]}; CART's in {firsts[0][first]}. On XOR, either feature can be first. On "
                f"{lookup.many(len(steady), 'other data set')} ({', '.join(steady)}), CART always begins with the same "
                "one.",
                guess=elsewhere.how_often(firsts[1][first], len(DRAWS)),
                figure=Figure(
                    f"Feature of the first split, in {lookup.NUMBERS[len(DRAWS)]} draws of XOR",
                    "draws",
                    (first, second),
                    tuple(
                        Series(words, tuple(float(count[name]) for name in (first, second)), late)
                        for count, words, late in zip(firsts, ("CART", "TAO from CART"), (False, True), strict=True)
                    ),
                ),
                source="Carreira-Perpiñán and Tavallali 2018, section 3",
            ),
        ),
    )


def first_features(settings: Settings, name: str) -> int:
    """Return the number of features in the first splits of CART's trees over all draws of another data set."""
    drawn = elsewhere.draws(replace(settings, data_set=name), DRAWS)
    return len({int(draw.cart.split(0)[0][0]) for draw in drawn})


def more_alike(seed: int) -> tuple[float, float, float, float]:
    """Return how much more alike TAO's trees are than CART's on two new draws of XOR, in percentage points.

    Then both agreements (%), and the difference on another plane.
    """
    on_xor, on_plane = (agreements(name, seed) for name in ("xor", elsewhere.plane(seed)))
    return on_xor[1] - on_xor[0], *on_xor, on_plane[1] - on_plane[0]


def agreements(name: str, seed: int) -> tuple[float, float]:
    """Return the agreement of CART's trees and of TAO's trees on two new draws of a plane, in percent."""
    settings = Settings(data_set=name, split="univariate", init="cart", max_depth=3)
    pair = elsewhere.draws(settings, (seed, seed + elsewhere.APART), with_tao=True, is_new=True)
    X = elsewhere.another(name, seed + 2 * elsewhere.APART).X
    greedy, tao = (
        elsewhere.agreement(trees, X) for trees in zip(*((draw.cart, draw.taught) for draw in pair), strict=True)
    )
    return 100 * greedy, 100 * tao


def _own(built: BuiltLesson) -> float:
    a, b, c, d = built.scenes
    greedy, tao = (
        elsewhere.agreement([scene.tree(scene.last) for scene in pair], a.data.X) for pair in ((a, b), (c, d))
    )
    return 100 * float(tao - greedy)


ALIKE = Claim(
    "agreement-on-xor",
    "TAO's trees of two draws are more alike than CART's.",
    "XOR, 1,000 new points a draw; thresholds, depth 3",
    "agreement of TAO's trees minus agreement of CART's trees (percentage points)",
    more_alike,
    _own,
    least=0.8,
)


LESSON = Lesson(
    "unstable",
    "Trees are unstable",
    "How much a tree changes when it is trained on other points, and when TAO changes less.",
    build,
    icon=":material/shuffle:",
    picture=3,
    keep="Other points can give another tree: trust a split only if it comes back.",
    task="Change *Random seed* ten times. How often does the root test another feature?",
    claims=(ALIKE,),
)
