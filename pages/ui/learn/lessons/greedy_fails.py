"""Lesson: greedy growth fails on XOR."""

from typing import NamedTuple

import numpy as np

from pages.jobs.settings import Settings
from pages.ui.learn.lessons import claims, elsewhere, formulas, lookup, scenes
from pages.ui.learn.lessons.fresh import Claim, how_often, sentence
from pages.ui.learn.lessons.lesson import BuiltLesson, Guess, Lesson, Moment, Scene
from treecore.tree.number_text import percent

SMALL = Settings(data_set="fields", split="bivariate", init="bivariate_cart", max_depth=2)
LARGE = Settings(data_set="fields", split="bivariate", init="bivariate_cart", max_depth=12)
GOOD = 0.1  # training error below which four leaves have found the fields


def build() -> BuiltLesson:
    """Build this lesson."""
    small = scenes.growth(SMALL, "Greedy growth")
    tao = scenes.recording(SMALL, "TAO, from the greedy tree")
    large = scenes.growth(LARGE, "Greedy growth, continued")
    X, y = small.data.X[small.rows[0]].astype(np.float64), small.data.y[small.rows[0]]
    n, without = len(y), lookup.wrong(small, 0)
    least = claims.best_line(X, y)
    claims.hold(0.5 * without < least <= lookup.wrong(small, 1), "one line solves the problem")
    start, end = lookup.error(tao, 0), lookup.error(tao, tao.last)
    enough = leaves_needed(large, tao)
    root = lookup.origin(small, 1, 0)
    turn = biggest_gain(tao)
    ends = [lookup.wrong(scene, min(tao.last, scene.last)) for scene in (small, tao, large)]
    claims.hold({scene.tree(scene.last).n_leaves for scene in (small, tao)} == {4}, "there are not four leaves")
    claims.hold(lookup.wrong(tao, tao.last) < GOOD * n, "four leaves do not separate the classes")
    claims.hold(large.tree(enough).n_leaves > 2 * 4, "growth needs hardly any more leaves")
    claims.hold(ends[1] < min(ends[0], ends[2]), "after the number of steps that TAO needs, another tree is as good")
    node = max(tao.recording.steps[turn].nodes, key=lambda one: one.errors_before - one.errors_after)
    claims.hold(node.changed and node.errors_after < node.errors_before, "no split of TAO helps")
    alone, first = root_gain(tao), without - lookup.wrong(small, 1)
    claims.hold(alone < first, "the first line of the good tree corrects as many errors at once")
    drawn = REPAIRED.stored
    greedy, taught, needed = (drawn.usual(k) for k in (1, 2, 3))
    below = int((drawn.column(2) < 100 * GOOD).sum())
    later = int((drawn.column(5) < drawn.column(4)).sum())
    return BuiltLesson(
        (small, tao, large),
        (
            Moment(
                0,
                0,
                (
                    f"{lookup.count(n)} plants: wheat in two *opposite* fields, clover in the other two. Such a "
                    "problem is called **XOR**.",
                    f"Lines in any direction are allowed. Without a split, {without} points are misclassified.",
                ),
                ask="You may draw only *one* line. How many of these errors can it correct?",
                answer=f"At most {without - least}. The best line leaves {least} points misclassified, because both "
                "sides keep points of both classes.",
                guess=Guess(without - least, 0, without // 10 * 10, unit="errors"),
                source="Carreira-Perpiñán and Tavallali 2018, section 1 (greedy growing)",
            ),
            Moment(
                0,
                1,
                (
                    "A **greedy** tree takes the split with the lowest *Gini impurity* and never revises it.",
                    f"Its first line cuts off a corner with {lookup.count(_slice(small))} of {lookup.count(n)} points. "
                    f"It corrects {first} errors at once.",
                ),
                node=root,
                ask=f"A line can correct {without - least} errors. The good tree starts with a line *between* two "
                "fields. Does that line correct more than the corner, or fewer?",
                answer=f"Only {alone}. It helps later, with the lines below it. Greedy growth does not look ahead, "
                f"here and {how_often(later, drawn.n)}.",
                guess=Guess(2, choices=("More", "As many", "Fewer")),
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
                answer=f"{start}. The first line does not run between two fields, and the lines below it cannot make "
                "up for that.",
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
                answer=f"It turns. The errors at this node fall from {lookup.count(node.errors_before)} to "
                f"{lookup.count(node.errors_after)}. The nodes above and below have changed, so now another line is "
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
                ask=f"The points are drawn again and again. How often does TAO end below {percent(GOOD, 0)}?",
                answer=f"{sentence(how_often(below, drawn.n))} In most of them, greedy trees of four leaves "
                f"misclassify {_span(greedy)} %, and TAO {_span(taught)} %. From other initial trees, TAO can still "
                "get stuck.",
                guess=elsewhere.how_often(below, drawn.n),
                claim=REPAIRED.name,
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
                "many does continued growth misclassify, with "
                f"{lookup.many(large.tree(tao.last).n_leaves, 'leaf', 'leaves')}?",
                answer=f"{lookup.count(ends[2])} points. Greedy growth with four leaves misclassifies "
                f"{lookup.count(ends[0])}.",
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
                f"most other draws, it needs {_span(needed)} leaves. It keeps its first lines and adds more around "
                "them.",
                source="Carreira-Perpiñán and Tavallali 2018, section 1; "
                "Kairgeldin and Carreira-Perpiñán 2024, section 1 (a poor optimization)",
                chart=True,
            ),
        ),
    )


class Draw(NamedTuple):
    """Results on another draw of points.

    greedy, tao : training errors of the trees with four leaves, as shares; leaves : number of leaves that greedy growth
    needs to be as good as TAO; first, alone : numbers of errors that the first line of the greedy tree and the root
    line of TAO's tree correct at once.
    """

    greedy: float
    tao: float
    leaves: int
    first: int
    alone: int


def on_another_draw(name: str, seed: int) -> Draw:
    """Return the results on another draw of a data set."""
    data = elsewhere.another(name, seed)
    small, large = scenes.growth(SMALL, "", data), scenes.growth(LARGE, "", data)
    tao = scenes.recording(SMALL, "", data)
    errors = (lookup.wrong(scene, scene.last) / len(scene.rows[0]) for scene in (small, tao))
    leaves = large.tree(leaves_needed(large, tao)).n_leaves
    return Draw(*errors, leaves, lookup.wrong(small, 0) - lookup.wrong(small, 1), root_gain(tao))


def root_gain(tao: Scene) -> int:
    """Return the number of errors that the root line of the last tree corrects without the lines below it."""
    tree, rows = tao.tree(tao.last), tao.rows[0]
    is_left = np.isin(rows, lookup.reaching(tao, tao.last, int(tree.left[0])))
    classes = tao.data.y[rows]
    wrong = [int(np.bincount(classes[side], minlength=2).min()) for side in (is_left, ~is_left)]
    return int(np.bincount(classes).min()) - sum(wrong)


def leaves_needed(growth: Scene, tao: Scene) -> int:
    """Return the index of the first greedy tree that has at most as many errors as TAO's last tree."""
    goal = lookup.wrong(tao, tao.last)
    return next(k for k in range(len(growth.points)) if lookup.wrong(growth, k) <= goal)


def biggest_gain(tao: Scene) -> int:
    """Return the index of the depth level at which the objective falls most."""
    steps = tao.recording.steps
    return max(range(1, len(steps)), key=lambda k: steps[k - 1].objective - steps[k].objective)


def _span(ends: tuple[float, float]) -> str:
    return f"{ends[0]:.0f} to {ends[1]:.0f}"


def _slice(scene: Scene) -> int:
    """Return the number of points on the smaller side of the first split."""
    tree = scene.tree(1)
    return int(tree.n_samples[[tree.left[0], tree.right[0]]].min())


def repaired(seed: int, name: str = "fields") -> tuple[float, ...]:
    """Return the greedy error minus that of TAO (percentage points), both errors, the leaves of growth, and two gains.

    The gains are the numbers of errors that the first line of the greedy tree and the root line of TAO's tree correct.
    """
    found = on_another_draw(name, seed)
    return 100 * (found.greedy - found.tao), 100 * found.greedy, 100 * found.tao, *found[2:]


def _own(built: BuiltLesson) -> float:
    small, tao, _ = built.scenes
    return 100 * float(lookup.wrong(small, small.last) - lookup.wrong(tao, tao.last)) / len(small.rows[0])


REPAIRED = Claim(
    "greedy-and-tao",
    "TAO misclassifies at least five percentage points less than the greedy tree from which it starts.",
    "four fields, 1,000 new points a draw; four leaves",
    "training error of the greedy tree minus that of TAO (percentage points)",
    repaired,
    _own,
    above=5.0,
    least=0.85,
)


LESSON = Lesson(
    "greedy-fails-on-xor",
    "Greedy fails on XOR",
    "Growing a tree split by split fails here. TAO corrects the splits.",
    build,
    icon=":material/close:",
    picture=2,
    keep="A greedy tree never revises a bad first split; TAO can.",
    task="Paint points where greedy growth needs 8 leaves and TAO 4.",
    claims=(REPAIRED,),
)
