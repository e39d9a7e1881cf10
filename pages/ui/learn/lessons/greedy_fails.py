"""Lesson: greedy growth fails on XOR."""

from pages.jobs.settings import Settings
from pages.ui.learn.lessons import claims, formulas, lookup, scenes
from pages.ui.learn.lessons.lesson import BuiltLesson, Guess, Lesson, Moment, Scene

SMALL = Settings(data_set="xor", split="univariate", init="cart", max_depth=2, seed=3)
LARGE = Settings(data_set="xor", split="univariate", init="cart", max_depth=12, seed=3)


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
    claims.hold(off < 0.1 * n, "two lines do not separate the classes")
    return BuiltLesson(
        (small, tao, large),
        (
            Moment(
                0,
                0,
                (
                    f"{lookup.count(n)} points belong to two classes. The points of each class lie in *opposite* "
                    "quadrants. This problem is called **XOR**.",
                    f"A vertical and a horizontal line separate all points but {lookup.count(off)}. Four leaves are "
                    "enough.",
                ),
                ask="If you may draw only one line, parallel to an axis, where does it help?",
                answer=f"Hardly anywhere. Without a split, {without} points are misclassified. With the best split, "
                f"{least} are misclassified, because both sides keep points of both classes.",
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
                ask="How many fewer points are misclassified after this split?",
                answer=f"{_fewer(small, 0, 1)} {lookup.count(lookup.wrong(small, 1))} of {lookup.count(n)} points are "
                "misclassified. No first split looks good, so chance decides.",
                guess=Guess(max(0, lookup.wrong(small, 0) - lookup.wrong(small, 1)), 0, n // 2, unit="points"),
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
                ask="How does this tree compare with a coin toss?",
                answer="A coin toss misclassifies half of the points. This tree misclassifies "
                f"{lookup.error(small, small.last)}.",
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
                    "more.",
                    "The tree still has four leaves, because TAO adds no nodes.",
                ),
                ask=f"The training error was {start}. What is it now?",
                answer=f"{end}, with the same number of nodes. The tree was large enough, but its splits were poor.",
                guess=Guess(100 * lookup.wrong(tao, tao.last) / n, 0, 50, 0.5, 1, "%"),
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
                ask=f"Which tree misclassifies the fewest points after {lookup.many(tao.last, 'step')}?",
                answer=f"TAO's tree, with {lookup.count(ends[1])} errors. Greedy growth makes {lookup.count(ends[2])} "
                f"errors with {lookup.many(large.tree(tao.last).n_leaves, 'leaf', 'leaves')}, and "
                f"{lookup.count(ends[0])} errors with four.",
                guess=Guess(1, choices=("Growth, four leaves", "TAO, four leaves", "Continued growth")),
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
                answer=f"{lookup.count(large.tree(enough).n_leaves)} leaves (error: {lookup.error(large, enough)}). "
                "The first splits were useless, but the tree has to keep them.",
                source="Carreira-Perpiñán and Tavallali 2018, section 1; "
                "Kairgeldin and Carreira-Perpiñán 2024, section 1 (a poor optimization)",
            ),
        ),
    )


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
    return "None." if gain <= 0 else f"Only {lookup.count(gain)}."


LESSON = Lesson(
    "greedy-fails-on-xor",
    "Greedy fails on XOR",
    "Growing a tree split by split fails here. TAO corrects the splits.",
    build,
    icon=":material/close:",
    picture=2,
)
