"""Lesson: care points and the reduced problem."""

from collections.abc import Sequence
from dataclasses import replace

from pages.jobs.settings import Settings
from pages.ui.learn.lessons import claims, elsewhere, formulas, lookup, scenes
from pages.ui.learn.lessons.fresh import Claim
from pages.ui.learn.lessons.lesson import BuiltLesson, Guess, Lesson, Moment
from treecore.training.recording import RecordedStep, record

SETTINGS = Settings(data_set="fields", split="bivariate", init="random", max_depth=2, seed=1)


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
    drawn = FREE.stored
    free_low, free_high = drawn.usual()
    claims.hold(child.errors_after < child.errors_before, "the errors at the node do not fall")
    claims.hold(root.errors_after < root.errors_before, "the new line at the root is not better")
    claims.hold(
        4 * free > root.n and min(left, right) > 0, "few points are don't-care points, or all have the same pseudolabel"
    )
    claims.hold(lookup.wrong(scene, scene.last) < 0.2 * lookup.wrong(scene, 0), "TAO corrects little")
    return BuiltLesson(
        (scene,),
        (
            Moment(
                0,
                0,
                (
                    f"Four fields, {lookup.count(n)} plants. This **random** tree has random lines. "
                    f"It misclassifies {lookup.error(scene, 0)} of the points.",
                    "TAO adds no nodes to this tree. It moves the lines, one depth level after another.",
                ),
                ask="Where would you begin, at the top or at the bottom?",
                answer="TAO begins with the leaves and ends a pass at the root. It optimises all nodes at one depth "
                "together, because no point reaches two of them.",
                guess=Guess(1, choices=("At the top", "At the bottom")),
                source="Carreira-Perpiñán and Tavallali 2018, section 3, theorem 3.1",
            ),
            Moment(
                0,
                leaves,
                (
                    "The lowest level consists of **leaves**. A leaf has an easy problem.",
                    "A leaf predicts the majority class of the points that reach it. This leaf has "
                    f"{lookup.count(leaf.n)} points.",
                ),
                node=leaf.origin,
                ask="How many of these points does the leaf misclassify in the best case?",
                answer=f"{lookup.count(leaf.errors_after)}. Only a node above the leaf can send these points "
                "elsewhere.",
                guess=Guess(leaf.errors_after, 0, leaf.n, unit="points"),
                source="Carreira-Perpiñán and Tavallali 2018, section 3 (leaf)",
            ),
            Moment(
                0,
                low,
                (
                    f"Now a decision node. {lookup.count(child.n)} points reach node {child.origin}. They are its "
                    "**reduced set**. No other point affects this node.",
                    "The dashed line is the previous split.",
                ),
                node=child.origin,
                ask="The nodes below stay fixed. Which child should each point go to?",
                answer="To the child that classifies the point correctly. So the node solves a problem with two "
                "classes, left and right: the **reduced problem**. The errors at this node fall from "
                f"{lookup.count(child.errors_before)} to {lookup.count(child.errors_after)}.",
                formula=formulas.REDUCED,
                source="Carreira-Perpiñán and Tavallali 2018, section 3, theorem 3.2; "
                "Kairgeldin and Carreira-Perpiñán 2024, section 2.1",
            ),
            Moment(
                0,
                top,
                (
                    f"All {lookup.count(root.n)} points reach the root. The side of a faded point does not matter "
                    "here.",
                    "Either both children classify it correctly, or both misclassify it.",
                ),
                node=root.origin,
                ask="For how many points does the side matter?",
                answer=f"{lookup.count(root.rows.size)}. The other {lookup.count(free)} are **don't-care points**, and "
                f"the line can run through them. At most random roots on {drawn.n} new draws of other data, "
                f"{free_low:.0f} to {free_high:.0f} % are.",
                claim=FREE.name,
                guess=Guess(root.rows.size, 0, root.n, unit="points"),
                source="Carreira-Perpiñán and Tavallali 2018, section 3 (care points)",
            ),
            Moment(
                0,
                top,
                (
                    f"The remaining {lookup.count(root.rows.size)} points are **care points**. Their colour shows the "
                    f"better child: left for {lookup.count(left)} points, right for {lookup.count(right)}.",
                    "The better child is called the *pseudolabel* of a point. It is not the class of the point!",
                ),
                node=root.origin,
                ask="Find a line that separates the two colours. How many points remain on the wrong side?",
                answer=f"TAO's line leaves {lookup.count(root.errors_after)}. The old line left "
                f"{lookup.count(root.errors_before)}. Each error here is exactly one error of the whole tree.",
                formula=formulas.REDUCED,
                source="Carreira-Perpiñán and Tavallali 2018, section 3, theorem 3.2",
            ),
            Moment(
                0,
                scene.last,
                (
                    "Going once from the leaves to the root is a **pass**. After a pass, points reach other nodes, "
                    "and TAO starts again at the bottom.",
                    f"Here {lookup.many(steps[-1].iteration, 'pass', 'passes')} were enough.",
                ),
                ask="Play the steps from the start. Which step helped most?",
                answer=f"Depth {steps[_best(steps)].depth} of pass {steps[_best(steps)].iteration}. Altogether, the "
                f"training error falls from {lookup.error(scene, 0)} to {lookup.error(scene, scene.last)}.",
                source="Carreira-Perpiñán and Tavallali 2018, section 3",
            ),
        ),
    )


def _best(steps: Sequence[RecordedStep]) -> int:
    return max(range(1, len(steps)), key=lambda k: steps[k - 1].loss - steps[k].loss)


def free_share(seed: int) -> tuple[float]:
    """Return the share of don't-care points at the root of a random tree in the first pass, in percent."""
    name = elsewhere.plane(seed)
    task = scenes.task_of(replace(SETTINGS, data_set=name, seed=seed), elsewhere.another(name, seed))
    run = record(task.estimator(lam=scenes.SMALLEST_LAMBDA, max_iter=1), *task.train_rows)
    (root,) = next(step.nodes for step in run.steps if (step.kind, step.depth) == ("level", 0))
    return (100 * (1 - root.rows.size / root.n),)


def _own(built: BuiltLesson) -> float:
    scene = built.scenes[0]
    (root,) = scene.recording.steps[lookup.step_of(scene, 1, 0)].nodes
    return 100 * float(1 - root.rows.size / root.n)


FREE = Claim(
    "dont-care-points",
    "At least a tenth of the points at the root are don't-care points.",
    "random trees of depth 2; new points of five planes in turn",
    "share of don't-care points at the root (%)",
    free_share,
    _own,
    above=10.0,
)


LESSON = Lesson(
    "care-points",
    "Care points and the reduced problem",
    "The problem that each node solves, and the points that do not matter to a node.",
    build,
    icon=":material/filter_center_focus:",
    picture=3,
    keep="A node must be right only for the points that one child classifies correctly and the other does not.",
    task="Start from a random tree. At which node are most points don't-care points?",
    claims=(FREE,),
)
