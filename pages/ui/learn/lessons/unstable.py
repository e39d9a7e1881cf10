"""Lesson: trees are unstable."""

from collections import Counter
from dataclasses import replace

import numpy as np

from pages.jobs.settings import Settings
from pages.ui.learn.lessons import claims, elsewhere, formulas, lookup, scenes
from pages.ui.learn.lessons.lesson import BuiltLesson, Figure, Guess, Lesson, Moment, Series
from treecore.tree.number_text import number

DRAWS, SHOWN = range(10), {0: "first draw", 3: "second draw"}
HOW_MANY = ("On none", "On one or two", "On three or four", "On all")  # of five data sets
SOME = 5  # draws of each other data set
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
    others = agreement_elsewhere(settings[0])
    more = [name for name, (greedy, after) in others.items() if after > greedy + 0.01]
    claims.hold(0 < len(more) < len(others), "TAO's trees are more alike everywhere or nowhere")
    claims.hold(
        all(abs(after - greedy) < 0.5 * (tao_usual - usual) for greedy, after in others.values()),
        "another data set gains nearly as much",
    )
    firsts = [Counter(lookup.features(scene, scene.last, 0)[0] for scene in found) for found in (grown, tao)]
    claims.hold(all(min(count[first], count[second]) > 0 for count in firsts), "one feature is always first")
    steady = [name for name in elsewhere.PLANES if first_features(settings[0], name) == 1]
    claims.hold(0 < len(steady) < len(elsewhere.PLANES), "the first feature comes back everywhere or nowhere")
    rest = max(abs(after - greedy) for name, (greedy, after) in others.items() if name not in more)
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
                guess=Guess(again, 0, len(DRAWS) - 1, unit="times"),
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
                    f"Over {lookup.NUMBERS[len(DRAWS)]} draws of XOR, CART's trees agree for {100 * usual:.0f} % of "
                    f"the points and TAO's trees for {100 * tao_usual:.0f} %. CART finds no good first split there.",
                    "Is TAO always so much more stable?",
                ),
                ask=f"On how many of {lookup.many(len(others), 'other data set')} are TAO's trees more alike than "
                "CART's, by more than one percentage point?",
                answer=f"On {lookup.many(len(more), 'data set')}: {', '.join(more)}. On the others, TAO's trees are "
                f"about as unstable as CART's: their agreement differs by at most {100 * rest:.1f} percentage points.",
                guess=Guess((len(more) + 1) // 2, choices=HOW_MANY),
                figure=Figure(
                    f"How alike trees are, over {lookup.NUMBERS[SOME]} draws of each data set",
                    "points with the same prediction (%)",
                    tuple(others),
                    tuple(
                        Series(words, tuple(100 * pair[k] for pair in others.values()), late)
                        for k, (words, late) in enumerate((("CART", False), ("TAO from CART", True)))
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
                ask=f"In how many of the {lookup.NUMBERS[len(DRAWS)]} draws does TAO's first split use *{first}*?",
                answer=f"In {firsts[1][first]}; CART's in {firsts[0][first]}. On XOR, either feature can be first. On "
                f"{lookup.many(len(steady), 'other data set')} ({', '.join(steady)}), CART always begins with the same "
                "one.",
                guess=Guess(firsts[1][first], 0, len(DRAWS), unit="draws"),
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


def agreement_elsewhere(settings: Settings) -> dict[str, tuple[float, float]]:
    """Return {data set: (agreement of CART's trees, agreement of TAO's trees)} over random draws of other data sets."""
    found = {
        name: elsewhere.draws(replace(settings, data_set=name), DRAWS[:SOME], with_tao=True)
        for name in elsewhere.PLANES
    }
    return {
        name: (
            elsewhere.agreement([draw.cart for draw in drawn], drawn[0].data.X),
            elsewhere.agreement([draw.tao for draw in drawn if draw.tao], drawn[0].data.X),
        )
        for name, drawn in found.items()
    }


LESSON = Lesson(
    "unstable",
    "Trees are unstable",
    "How much a tree changes when it is trained on other points, and when TAO changes less.",
    build,
    icon=":material/shuffle:",
    picture=3,
    keep="Other points can give another tree: trust a split only if it comes back.",
    task="Change *Random seed* ten times. How often does the root test another feature?",
)
