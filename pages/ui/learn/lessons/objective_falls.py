"""Lesson: the objective, and why no step of TAO raises it."""

import itertools
from collections.abc import Sequence

import numpy as np

from pages.jobs.settings import Settings
from pages.ui.learn.lessons import claims, elsewhere, formulas, lookup, scenes
from pages.ui.learn.lessons.fresh import Claim
from pages.ui.learn.lessons.lesson import BuiltLesson, Guess, Lesson, Moment
from treecore.training.recording import RecordedStep, record
from treecore.tree.number_text import number

SETTINGS = Settings(data_set="fields", split="bivariate", init="random", max_depth=3, seed=6)
LOWEST = 22.2  # just above the lowest known objective


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
    each = penalty / steps[0].tree.n_decision
    claims.hold(lookup.two_feature_nodes(steps[0].tree) == steps[0].tree.n_decision, "the penalties of splits differ")
    claims.hold(each < 2, "the penalty of a split is at least two errors")
    claims.hold(steps[-1].iteration == steps[pruned].iteration + 1, "not one pass follows")
    claims.hold(steps[-1].objective == steps[pruned].objective, "the pass after pruning changes something")
    ends = ENDS.stored.statistic
    lower = int((ends < steps[-1].objective).sum())
    return BuiltLesson(
        (scene,),
        (
            Moment(
                0,
                0,
                (
                    f"TAO minimises one number, the **objective**: {number(steps[0].objective, 4)} here.",
                    f"The objective is the number of misclassified points ({lookup.count(steps[0].loss)}) plus the "
                    f"penalty of the splits ({number(penalty, 4)}).",
                ),
                ask="A change would remove one split and add two errors. What happens to the objective?",
                answer=f"It rises by {number(2 - each, 4)}: two errors more, and a penalty of {number(each, 4)} less. "
                "TAO never keeps such a change.",
                guess=Guess(2, choices=("It falls", "It stays the same", "It rises")),
                formula=formulas.OBJECTIVE,
                source="Kairgeldin and Carreira-Perpiñán 2024, section 2, equation 1",
                chart=True,
            ),
            Moment(
                0,
                first,
                (
                    f"In one step, TAO optimises {lookup.many(len(steps[first].nodes), 'node')} at the same depth.",
                    "Each node gets the line that suits the points that reach it.",
                ),
                ask="Can an improvement at one of these nodes add errors at another?",
                answer="No, because no point reaches two of these nodes. So the improvements simply add up: the "
                f"objective falls from {number(steps[first - 1].objective, 4)} to {number(steps[first].objective, 4)}.",
                guess=Guess(1, choices=("Yes", "No")),
                source="Carreira-Perpiñán and Tavallali 2018, section 3, theorem 3.1 (separability)",
                chart=True,
            ),
            Moment(
                0,
                second,
                (
                    "Now TAO optimises the root. All nodes below stay fixed.",
                    "The **old line of the root is also a candidate**. TAO replaces the old line only by a line that "
                    "is better, or as good and simpler.",
                ),
                node=lookup.origin(scene, second, 0),
                ask="What is the worst that can happen?",
                answer="That the root keeps its old line. Then the objective stays the same. It cannot rise.",
                source="Kairgeldin and Carreira-Perpiñán 2024, section 2.1 (monotonic descent)",
                chart=True,
            ),
            Moment(
                0,
                still,
                (
                    "Here every node at this depth kept its split, so this step is flat.",
                    "A flat step does not mean that TAO has converged. After other nodes have changed, "
                    "a node may find a better split.",
                ),
                ask="When may TAO stop?",
                answer="When a whole pass changes nothing. This must happen: trees of this shape can divide the "
                "points in only finitely many ways. Even then, one node may have a better line, because TAO does "
                "not try all lines.",
                source="Kairgeldin and Carreira-Perpiñán 2024, section 2.1; "
                "Carreira-Perpiñán and Tavallali 2018, section 3 (convergence)",
                chart=True,
            ),
            Moment(
                0,
                pruned,
                (
                    f"After pass {steps[pruned].iteration}, TAO **prunes** the tree, because "
                    f"{lookup.many(before.n_leaves - after.n_leaves, 'leaf', 'leaves')} had become useless.",
                    _why(steps[pruned].skipped),
                ),
                ask="Does pruning change the prediction for any training point?",
                answer=f"No: {lookup.count(steps[pruned - 1].loss)} points are misclassified before and after. A new "
                f"point may reach a removed leaf, so its prediction can change. Pass "
                f"{steps[-1].iteration}, over the smaller tree, changes nothing.",
                guess=Guess(1, choices=("Yes", "No")),
                source="Carreira-Perpiñán and Tavallali 2018, section 3 (dead branches, pure subtrees)",
                chart=True,
            ),
            Moment(
                0,
                scene.last,
                (
                    f"In {lookup.many(len(steps) - 1, 'step')}, the objective fell from "
                    f"{number(steps[0].objective, 4)} to {number(steps[-1].objective, 4)}. It fell "
                    f"{lookup.many(falls, 'time')} and never rose.",
                    "A walk downhill need not end in the deepest valley.",
                ),
                ask=f"TAO starts from {len(ends)} other random trees. How many end lower than here?",
                answer=f"{lower} do, the best at {number(min(ends), 4)}. Finding the best tree is "
                "NP-hard. On six small tables, TAO from CART (depth 3) ends 16 % above the optimum on average. Ten "
                "starts and two levels at a time end 0.5 % above.",
                guess=elsewhere.how_often(lower, len(ends)),
                claim=ENDS.name,
                source="Carreira-Perpiñán and Tavallali 2018, section 3 (convergence)",
                chart=True,
            ),
        ),
    )


def _why(removed: Sequence) -> str:
    """Return a sentence that explains why nodes were pruned.

    removed : `skipped` of a pruning `RecordedStep`.
    """
    reasons = set(removed.values())
    empty, same = bool(reasons & {"dead", "one-sided"}), bool(reasons & {"pure", "same"})
    if empty and same:
        return "Some leaves no longer received points. Other leaves predicted the same class as their siblings."
    return "These leaves no longer received points." if empty else "All leaves below a node predicted the same class."


def _is_flat(step: RecordedStep) -> bool:
    """Test whether a step left all splits on its depth level unchanged."""
    decisions = [node for node in step.nodes if not node.is_leaf]
    return bool(decisions) and not any(node.changed for node in step.nodes)


def end_of_run(seed: int) -> tuple[float, float]:
    """Return the objective at which TAO ends from another random tree on the same rows, and the largest rise."""
    task = scenes.task_of(SETTINGS)
    run = record(task.estimator(lam=scenes.SMALLEST_LAMBDA, random_state=seed), *task.train_rows)
    values = np.array([step.objective for step in run.steps])
    return float(values[-1]), float(np.diff(values).max())


def _own(built: BuiltLesson) -> float:
    return built.scenes[0].recording.steps[-1].objective


ENDS = Claim(
    "ends-of-runs",
    "TAO ends above the lowest objective that is known for these points.",
    "the points of this lesson; a new random tree in each draw",
    "objective at the end",
    end_of_run,
    _own,
    above=LOWEST,
    least=0.75,
)


LESSON = Lesson(
    "objective-only-falls",
    "One number for the whole tree",
    "The objective of TAO, and the effect of one step on it.",
    build,
    icon=":material/trending_down:",
    keep="A step of TAO lowers the objective or leaves it, but the end need not be the lowest point.",
    task="Start from five random trees. Which ends lowest?",
    claims=(ENDS,),
)
