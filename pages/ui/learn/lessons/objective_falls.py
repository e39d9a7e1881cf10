"""Lesson: why the objective never rises."""

import itertools
from collections.abc import Sequence

from pages.jobs.settings import Settings
from pages.ui.learn.lessons import claims, formulas, lookup, scenes
from pages.ui.learn.lessons.lesson import BuiltLesson, Guess, Lesson, Moment
from treecore.training.recording import RecordedStep
from treecore.tree.number_text import number

SETTINGS = Settings(data_set="clouds", split="bivariate", init="random", max_depth=3, seed=2)


def build() -> BuiltLesson:
    """Build this lesson."""
    scene = scenes.recording(SETTINGS, "TAO, from a random tree")
    steps = scene.recording.steps
    first, second = lookup.step_of(scene, 1, 2), lookup.step_of(scene, 1, 0)
    still = next(k for k in range(second, len(steps)) if _is_flat(steps[k]))
    pruned = next(k for k, step in enumerate(steps) if step.kind == "prune" and step.skipped)
    before, after = steps[pruned - 1].tree, steps[pruned].tree
    falls = sum(b.objective < a.objective for a, b in zip(steps, steps[1:], strict=False))
    rises = any(after.objective > before.objective + 1e-9 for before, after in itertools.pairwise(steps))
    claims.hold(not rises, "the objective rises")
    claims.hold(steps[first].objective < steps[first - 1].objective, "the objective does not fall in this step")
    claims.hold(steps[pruned].loss == steps[pruned - 1].loss and after.n_leaves < before.n_leaves, "pruning changes it")
    penalty = steps[0].objective - steps[0].loss
    return BuiltLesson(
        (scene,),
        (
            Moment(
                0,
                0,
                (
                    f"TAO minimises one number, the **objective**: {number(steps[0].objective, 4)} here.",
                    f"It is the number of misclassified points ({lookup.count(steps[0].loss)}) plus the penalty of the "
                    f"splits ({number(penalty, 4)}).",
                ),
                ask="Before you go on: will it ever go up in between?",
                answer="It never does: see the staircase below. The next screens say why.",
                guess=Guess(0, choices=("no, never", "now and then", "at every pass")),
                formula=formulas.OBJECTIVE,
                source="Kairgeldin and Carreira-Perpiñán 2024, section 2, equation 1",
            ),
            Moment(
                0,
                first,
                (
                    f"One step: {lookup.many(len(steps[first].nodes), 'node')} of the same depth are solved.",
                    "No point reaches two of them. So one node's gain cannot cost another.",
                ),
                ask="By how much did the objective fall in this step?",
                answer=f"From {number(steps[first - 1].objective, 4)} to {number(steps[first].objective, 4)}. The "
                "gains of the nodes simply add up.",
                source="Carreira-Perpiñán and Tavallali 2018, section 3, theorem 3.1 (separability)",
            ),
            Moment(
                0,
                second,
                (
                    "Now the root. Everything below stays fixed while it searches.",
                    "Its **old line is also a candidate**. It takes another one only if that is better, or "
                    "as good and simpler.",
                ),
                node=lookup.origin(scene, second, 0),
                ask="What is the worst that can happen?",
                answer="That it keeps its old line. Then the objective stays as it was. It cannot rise.",
                source="Kairgeldin and Carreira-Perpiñán 2024, section 2.1 (monotonic descent)",
            ),
            Moment(
                0,
                still,
                (
                    "Here every node at this depth kept its split. The stair is flat.",
                    "A flat stair is not the end: when other nodes have moved, a node may find something better later.",
                ),
                ask="When may TAO stop?",
                answer="When a whole pass changes nothing. There are only finitely many trees of this shape that "
                "divide the points differently, and each value of the objective occurs once while it falls, so "
                "this happens.",
                source="Kairgeldin and Carreira-Perpiñán 2024, section 2.1; "
                "Carreira-Perpiñán and Tavallali 2018, section 3 (convergence)",
            ),
            Moment(
                0,
                pruned,
                (
                    "At the end the tree is **pruned**: "
                    f"{lookup.many(before.n_leaves - after.n_leaves, 'leaf', 'leaves')} had become useless.",
                    _why(steps[pruned].skipped),
                ),
                ask="Does pruning change a single prediction of a training point?",
                answer=f"No: {lookup.count(steps[pruned - 1].loss)} points are wrong before, "
                f"{lookup.count(steps[pruned].loss)} after. The tree is smaller and predicts the same.",
                source="Carreira-Perpiñán and Tavallali 2018, section 3 (dead branches, pure subtrees)",
            ),
            Moment(
                0,
                scene.last,
                (
                    f"{lookup.many(len(steps) - 1, 'step').capitalize()}: the objective fell "
                    f"{lookup.many(falls, 'time')} and never rose, from {number(steps[0].objective, 4)} to "
                    f"{number(steps[-1].objective, 4)}.",
                    "But downhill from here need not end in the deepest valley.",
                ),
                ask="Is this the best tree of all? Try another initial tree in the laboratory.",
                answer="This is not known: finding the best tree is NP-hard. TAO ends when no level can be "
                "improved alone; "
                "another initial tree may end elsewhere.",
                source="Carreira-Perpiñán and Tavallali 2018, section 3 (convergence)",
            ),
        ),
    )


def _why(removed: Sequence) -> str:
    """Return a sentence on why nodes were pruned.

    removed : `skipped` of a pruning `RecordedStep`.
    """
    reasons = set(removed.values())
    empty, same = bool(reasons & {"dead", "one-sided"}), bool(reasons & {"pure", "same"})
    if empty and same:
        return "Some received no points any more, and others predicted the same as their siblings."
    return "They received no points any more." if empty else "All leaves below a node predicted the same class."


def _is_flat(step: RecordedStep) -> bool:
    """Test whether a step left all splits of its depth level unchanged."""
    decisions = [node for node in step.nodes if not node.is_leaf]
    return bool(decisions) and not any(node.changed for node in step.nodes)


LESSON = Lesson(
    "objective-only-falls",
    "Why the objective only falls",
    "A staircase that never goes up, and the reason for it.",
    build,
    icon=":material/trending_down:",
)
