"""Lesson: care points and the reduced problem."""

from collections.abc import Sequence

from pages.jobs.settings import Settings
from pages.ui.learn.lessons import claims, formulas, lookup, scenes
from pages.ui.learn.lessons.lesson import BuiltLesson, Guess, Lesson, Moment
from treecore.training.recording import RecordedStep

SETTINGS = Settings(data_set="moons", split="bivariate", init="random", max_depth=2, seed=3)


def build() -> BuiltLesson:
    """Build this lesson."""
    scene = scenes.recording(SETTINGS, "TAO, from a random tree")
    steps = scene.recording.steps
    n = len(scene.rows[0])
    leaves, low, top = (lookup.step_of(scene, 1, depth) for depth in (2, 1, 0))
    child = max(steps[low].nodes, key=lambda node: node.errors_before - node.errors_after)
    root = steps[top].nodes[0]
    free = root.n - root.rows.size
    left, right = int((root.sides < 0).sum()), int((root.sides > 0).sum())
    leaf = max(steps[leaves].nodes, key=lambda node: node.errors_after)
    claims.hold(child.errors_after < child.errors_before, "the errors at the node do not fall")
    claims.hold(root.errors_after < root.errors_before, "the new line at the root is not better")
    claims.hold(2 * free > root.n and min(left, right) > 0, "most points care, or all want one side")
    claims.hold(lookup.wrong(scene, scene.last) < 0.2 * lookup.wrong(scene, 0), "TAO corrects little")
    return BuiltLesson(
        (scene,),
        (
            Moment(
                0,
                0,
                (
                    f"Two moons, {lookup.count(n)} points. The tree is **random**: its lines lie anywhere, and "
                    f"{lookup.error(scene, 0)} of the points are wrong.",
                    "TAO will not grow it. It will move the lines, one depth level after the other.",
                ),
                ask="Where would you begin, at the top or at the bottom?",
                answer="TAO begins with the leaves and ends a pass at the root. It does all nodes of a level at once: "
                "they have different points, so none disturbs another.",
                source="Carreira-Perpiñán and Tavallali 2018, section 3, theorem 3.1",
            ),
            Moment(
                0,
                leaves,
                (
                    "The lowest level: **leaves**. A leaf has an easy problem.",
                    f"It takes the majority class of the points that reach it. This one has {lookup.count(leaf.n)}.",
                ),
                node=leaf.origin,
                ask="How many of them stay wrong, whatever the leaf predicts?",
                answer=f"{lookup.count(leaf.errors_after)}. Only a node above can send them elsewhere.",
                guess=Guess(leaf.errors_after, 0, leaf.n, unit="points"),
                source="Carreira-Perpiñán and Tavallali 2018, section 3 (leaf)",
            ),
            Moment(
                0,
                low,
                (
                    f"Now a decision. {lookup.count(child.n)} points reach node {child.origin}: its **reduced set**. "
                    "The other points do not affect this node.",
                    "The dashed line is where it was before.",
                ),
                node=child.origin,
                ask="The nodes below stay fixed. Which child should each point go to?",
                answer="The child that classifies it correctly. So the node has a problem with two answers, left or "
                f"right: the **reduced problem**. Its errors fall from {lookup.count(child.errors_before)} to "
                f"{lookup.count(child.errors_after)}.",
                formula=formulas.REDUCED,
                source="Carreira-Perpiñán and Tavallali 2018, section 3, theorem 3.2; "
                "Kairgeldin and Carreira-Perpiñán 2024, section 2.1",
            ),
            Moment(
                0,
                top,
                (
                    f"At the root all {lookup.count(root.n)} points arrive. But {lookup.count(free)} of them are "
                    f"faded.",
                    "Send such a point left or right: both children predict it correctly, or both wrongly.",
                ),
                node=root.origin,
                ask="Should the root worry about the faded points?",
                answer="No. Their fate does not depend on it. They are **don't-care points**, and the root may cut "
                "right through them.",
                source="Carreira-Perpiñán and Tavallali 2018, section 3 (care points)",
            ),
            Moment(
                0,
                top,
                (
                    f"This leaves {lookup.count(root.rows.size)} **care points**. Their colour is their "
                    f"better child: {lookup.count(left)} left, {lookup.count(right)} right.",
                    "This is not their class! It is called a *pseudolabel*.",
                ),
                node=root.origin,
                ask="Find a line that separates the two sides. How many points stay on the wrong one?",
                answer=f"TAO's line leaves {lookup.count(root.errors_after)}; the old one left "
                f"{lookup.count(root.errors_before)}. An error here is an error of the whole tree, no more and no "
                f"less.",
                formula=formulas.REDUCED,
                source="Carreira-Perpiñán and Tavallali 2018, section 3, theorem 3.2",
            ),
            Moment(
                0,
                scene.last,
                (
                    "From the leaves to the root is one **pass**. Then the points reach other nodes, and TAO starts "
                    "again at the bottom.",
                    f"Here {lookup.many(steps[-1].iteration, 'pass', 'passes')} were enough.",
                ),
                ask="Play it from the start. Which step helped most?",
                answer=f"Depth {steps[_best(steps)].depth} of pass {steps[_best(steps)].iteration}. In the end "
                f"{lookup.error(scene, scene.last)} of the points are wrong, from {lookup.error(scene, 0)}.",
                source="Carreira-Perpiñán and Tavallali 2018, section 3",
            ),
        ),
    )


def _best(steps: Sequence[RecordedStep]) -> int:
    return max(range(1, len(steps)), key=lambda k: steps[k - 1].loss - steps[k].loss)


LESSON = Lesson(
    "care-points",
    "Care points and the reduced problem",
    "The problem that one node solves, and the points that do not affect it.",
    build,
    icon=":material/filter_center_focus:",
    picture=3,
)
