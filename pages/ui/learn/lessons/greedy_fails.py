"""Lesson: greedy growth fails on XOR."""

from pages.jobs.settings import Settings
from pages.ui.learn.lessons import claims, elsewhere, formulas, lookup, scenes
from pages.ui.learn.lessons.lesson import BuiltLesson, Guess, Lesson, Moment, Scene
from treecore.tree.number_text import percent

SMALL = Settings(data_set="xor", split="univariate", init="cart", max_depth=2, seed=3)
LARGE = Settings(data_set="xor", split="univariate", init="cart", max_depth=12, seed=3)
GOOD = 0.1  # training error below which four leaves have found the quadrants


def build() -> BuiltLesson:
    """Build this lesson."""
    small = scenes.growth(SMALL, "Greedy growth (CART)")
    tao = scenes.recording(SMALL, "TAO, from the greedy tree")
    large = scenes.growth(LARGE, "Greedy growth, continued")
    X, y = small.data.X[small.rows[0]], small.data.y[small.rows[0]]
    n, without = len(y), lookup.wrong(small, 0)
    least = min(claims.best_threshold(X[:, feature], y) for feature in range(X.shape[1]))
    claims.hold(0.95 * without < least < without, "one split helps a lot, or not at all")
    start, end = lookup.error(tao, 0), lookup.error(tao, tao.last)
    enough = leaves_needed(large, tao)
    root = lookup.origin(small, 1, 0)
    turn = biggest_gain(tao)
    ends = [lookup.wrong(scene, min(tao.last, scene.last)) for scene in (small, tao, large)]
    claims.hold({scene.tree(scene.last).n_leaves for scene in (small, tao)} == {4}, "there are not four leaves")
    claims.hold(large.tree(enough).n_leaves > 2 * 4, "growth needs hardly any more leaves")
    claims.hold(ends[1] < min(ends[0], ends[2]), "after the number of steps that TAO needs, another tree is as good")
    node = max(tao.recording.steps[turn].nodes, key=lambda one: one.errors_before - one.errors_after)
    claims.hold(node.changed and node.errors_after < node.errors_before, "no split of TAO helps")
    crossed = (X[:, 0] >= 0) == (X[:, 1] >= 0)
    off = int(min((crossed == y).sum(), (crossed != y).sum()))
    claims.hold(off < GOOD * n, "two lines do not separate the classes")
    claims.hold(lookup.wrong(small, 1) > least, "the first split of CART corrects as many errors as the best split")
    late = large.tree(tao.last).n_decision - 3  # splits before the last three
    early = without - lookup.wrong(large, late)
    claims.hold(early < 0.2 * (without - ends[2]), "the first splits of continued growth help")
    others = [on_another_draw(seed) for seed in elsewhere.SEEDS]
    good = [taught for _, taught, _ in others if taught < GOOD]
    stuck = [taught for _, taught, _ in others if taught >= GOOD]
    claims.hold(len(good) > len(others) / 2 and stuck, "TAO repairs few trees, or all of them")
    claims.hold(all(taught < grown for grown, taught, _ in others), "a greedy tree is as good on another draw")
    grown, needed = [one[0] for one in others], [one[2] for one in others]
    claims.hold(min(needed) > 4, "greedy growth needs as few leaves on another draw")
    return BuiltLesson(
        (small, tao, large),
        (
            Moment(
                0,
                0,
                (
                    f"{lookup.count(n)} points belong to two classes. The points of each class lie in *opposite* "
                    "quadrants. This problem is called **XOR**.",
                    "A vertical and a horizontal line nearly separate them. Without a split, "
                    f"{without} points are misclassified.",
                ),
                ask="You may draw only *one* line, parallel to an axis. How many of these errors can it correct?",
                answer=f"At most {without - least}. With the best split, {least} points are misclassified, because "
                "both "
                "sides keep points of both classes.",
                guess=Guess(without - least, 0, without // 10 * 10, unit="errors"),
                source="Carreira-Perpiñán and Tavallali 2018, section 1 (greedy growing)",
            ),
            Moment(
                0,
                1,
                (
                    "A **greedy** tree chooses each split by its *immediate* gain, and never revises it.",
                    f"Its first split: **{lookup.question(small, 1, 0)}**? It separates "
                    f"{lookup.count(_slice(small))} of {lookup.count(n)} points.",
                ),
                node=root,
                ask=f"The best split corrects {without - least} errors. Does this split correct as many?",
                answer=f"No. {_fewer(small, 0, 1)} CART minimises the impurity instead of the errors, and all splits "
                "have nearly the same impurity. So chance decides.",
                guess=Guess(1, choices=("Yes, as many", "No, fewer")),
                formula=formulas.IMPURITY,
                source="Carreira-Perpiñán and Tavallali 2018, section 1 (impurity)",
            ),
            Moment(
                0,
                small.last,
                (
                    "Each side gets one more split. Now the greedy tree has its four leaves.",
                    "The root did not change any more, because greedy growth never revises a split.",
                ),
                ask="A coin toss misclassifies half of the points. What percentage does this tree misclassify?",
                answer=f"{start}. One bad split at the root spoils the splits below.",
                guess=Guess(100 * lookup.wrong(small, small.last) / n, 0, 50, 0.5, 1, "%"),
                source="Carreira-Perpiñán and Tavallali 2018, section 1",
            ),
            Moment(
                1,
                turn,
                (
                    "**TAO** starts from this tree, keeps its shape, and optimises *one node after another*, from the "
                    "bottom up.",
                    f"Here TAO optimises node {node.origin}.",
                ),
                node=node.origin,
                ask="Step back once, then forward. What happens to the line?",
                answer=f"It jumps. The errors at this node fall from {lookup.count(node.errors_before)} to "
                f"{lookup.count(node.errors_after)}. The nodes above and below have changed, so now another split is "
                "best.",
                formula=formulas.REDUCED,
                source="Carreira-Perpiñán and Tavallali 2018, section 3, theorem 3.2",
            ),
            Moment(
                1,
                tao.last,
                (
                    f"After {lookup.many(tao.recording.steps[-1].iteration, 'pass', 'passes')}, nothing changes any "
                    f"more. The training error fell from {start} to {end}, with four leaves as before.",
                ),
                ask=f"We repeat this on {lookup.NUMBERS[len(others)]} other draws of XOR. In how many draws does "
                "TAO end "
                f"below {percent(GOOD, 0)}?",
                answer=f"In {len(good)}. Greedy trees of four leaves misclassify {percent(min(grown))} to "
                f"{percent(max(grown))} there. TAO can get stuck, because it improves one node after another: "
                f"{'one draw ends' if len(stuck) == 1 else 'the worst draw ends'} with {percent(max(stuck))}.",
                guess=Guess(len(good), 0, len(others), unit="draws"),
                source="Carreira-Perpiñán and Tavallali 2018, section 3",
            ),
            Moment(
                2,
                tao.last,
                (
                    "These are three runs, step by step: greedy growth with four leaves, TAO from that tree, and "
                    "continued greedy growth.",
                    f"TAO finishes after {lookup.many(tao.last, 'step')}.",
                ),
                ask=f"After {lookup.many(tao.last, 'step')}, TAO misclassifies {lookup.count(ends[1])} points. How "
                "many "
                "does continued growth misclassify, with "
                f"{lookup.many(large.tree(tao.last).n_leaves, 'leaf', 'leaves')}?",
                answer=f"{lookup.count(ends[2])} points. Greedy growth with four leaves misclassifies "
                f"{lookup.count(ends[0])}. The first "
                f"{lookup.many(late, 'split')} of this growth corrected only {early} errors: more splits help late.",
                guess=Guess(ends[2], 0, n // 2, unit="points"),
                runs=(0, 1, 2),
                source="Carreira-Perpiñán and Tavallali 2018, section 1",
            ),
            Moment(
                2,
                enough,
                (
                    "Can greedy growth reach the same error? Yes, if the tree may grow larger.",
                    "Play the run from the start and watch the error.",
                ),
                ask="How many leaves does greedy growth need to be as good as TAO with four?",
                answer=f"{lookup.count(large.tree(enough).n_leaves)} leaves (error: {lookup.error(large, enough)}). On "
                f"the other draws, greedy growth needs {min(needed)} to {max(needed)} leaves to be as good as TAO. The "
                "first splits were useless, but the tree has to keep them.",
                source="Carreira-Perpiñán and Tavallali 2018, section 1; "
                "Kairgeldin and Carreira-Perpiñán 2024, section 1 (a poor optimization)",
                chart=True,
            ),
        ),
    )


def on_another_draw(seed: int) -> tuple[float, float, int]:
    """Return the training errors of the greedy tree and of TAO on another draw, and the leaves that growth needs.

    The errors are shares of points. Growth needs these leaves to be as good as TAO.
    """
    data = elsewhere.another("xor", seed)
    small, large = scenes.growth(SMALL, "", data), scenes.growth(LARGE, "", data)
    tao = scenes.recording(SMALL, "", data)
    grown, taught = (lookup.wrong(scene, scene.last) / len(scene.rows[0]) for scene in (small, tao))
    return grown, taught, large.tree(leaves_needed(large, tao)).n_leaves


def leaves_needed(growth: Scene, tao: Scene) -> int:
    """Return the index of the first greedy tree that has at most as many errors as TAO's last tree."""
    goal = lookup.wrong(tao, tao.last)
    return next(k for k in range(len(growth.points)) if lookup.wrong(growth, k) <= goal)


def biggest_gain(tao: Scene) -> int:
    """Return the index of the depth level at which the objective falls most."""
    steps = tao.recording.steps
    return max(range(1, len(steps)), key=lambda k: steps[k - 1].objective - steps[k].objective)


def _slice(scene: Scene) -> int:
    """Return the number of points on the smaller side of the first split."""
    tree = scene.tree(1)
    return int(tree.n_samples[[tree.left[0], tree.right[0]]].min())


def _fewer(scene: Scene, before: int, after: int) -> str:
    gain = lookup.wrong(scene, before) - lookup.wrong(scene, after)
    return "It corrects none." if gain <= 0 else f"It corrects only {lookup.count(gain)}."


LESSON = Lesson(
    "greedy-fails-on-xor",
    "Greedy fails on XOR",
    "Growing a tree split by split fails here. TAO corrects the splits.",
    build,
    icon=":material/close:",
    picture=2,
    keep="A greedy tree never revises a bad first split; TAO can.",
    task="Paint points where greedy growth needs 8 leaves and TAO 4.",
)
