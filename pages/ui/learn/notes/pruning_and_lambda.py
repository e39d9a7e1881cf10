"""Notes on the lesson about pruning and λ."""

import numpy as np

from pages.ui.learn.lessons.further.pruning_and_lambda import objective
from pages.ui.learn.lessons.lesson import BuiltLesson
from pages.ui.learn.notes.notes import Notes
from treecore.tree.number_text import count, number


def _figures(built: BuiltLesson) -> dict[str, str]:
    pruned, tao = built.scenes[:2]
    gains = [objective(pruned, k) - objective(tao, k) for k in range(len(tao.points))]
    best, worst = int(np.argmax(gains)), int(np.argmin(gains))
    return {
        "pruned": count(pruned.tree(best).n_leaves),
        "moved": count(tao.tree(best).n_leaves),
        "lam": number(tao.points[worst].lam),
        "higher": number(objective(tao, worst), 4),
        "lower": number(objective(pruned, worst), 4),
    }


NOTES = Notes(
    minutes=8,
    aims=(
        "compute the objective of a tree from its errors, its splits and λ",
        "contrast pruning, which only removes branches, with TAO, which also moves the splits that stay",
        "explain why TAO's objective is usually lower and sometimes higher than that of pruning",
    ),
    needs=("The lesson *One number for the whole tree*", "The lesson *λ prunes*"),
    misconceptions=(
        (
            "The penalties α and λ are different.",
            "Both are the penalty of one split. If they are equal, pruning keeps {pruned} leaves here and TAO needs "
            "{moved}, because TAO moves splits.",
        ),
        (
            "TAO's objective is always lower, because TAO may change more.",
            "TAO changes one node after another, so it finds a local optimum. At λ = {lam}, its objective is {higher}, "
            "and that of pruning is {lower}.",
        ),
        (
            "Pruning lowers the training error.",
            "Pruning never lowers it. It lowers the objective, because fewer splits mean a smaller penalty.",
        ),
    ),
    splits={
        "Do the lines that stay": "Choose one line and let the class follow it while you move the slider.",
        "How many leaves will TAO keep": (
            "Students with a high guess expect that branches are only cut off. Let them draw as few lines as possible "
            "that separate the quadrants: {truth}."
        ),
        "How much lower": (
            "Write errors + λ × splits of both trees on the board and subtract: {truth}. Fewer errors and fewer splits "
            "both contribute."
        ),
        "not find the single leaf": (
            "Let one student remove one split, and another remove both. Compare the additional errors with the "
            "penalty that each change saves."
        ),
        "At how many of them": (
            "Students who guess all values forget the last screen. Those with a low guess weigh this exception too "
            "much: {truth}."
        ),
        "In how many is TAO's objective": "One data set proves little, so the lesson repeats the comparison: {truth}.",
    },
    figures=_figures,
)
