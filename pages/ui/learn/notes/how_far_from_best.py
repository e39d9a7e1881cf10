"""Notes on the lesson about the best tree of a size."""

from pages.ui.learn.lessons import lookup
from pages.ui.learn.lessons.lesson import BuiltLesson
from pages.ui.learn.notes.notes import Notes
from treecore.tree.number_text import count


def _figures(built: BuiltLesson) -> dict[str, str]:
    tao, best = built.scenes
    return {
        "local": count(lookup.wrong(tao, tao.last)),
        "best": count(lookup.wrong(best, best.last)),
        "n_new": count(len(tao.rows[2])),
        "local_new": count(lookup.wrong(tao, tao.last, 2)),
        "best_new": count(lookup.wrong(best, best.last, 2)),
    }


NOTES = Notes(
    minutes=8,
    aims=(
        "explain the meaning and the limits of a certificate of a best tree",
        "compute the gap between a tree and the best tree of its shape",
        "describe a local optimum of TAO and two remedies",
    ),
    needs=("The lesson *Greedy fails on XOR*", "The lesson *One number for the whole tree*"),
    misconceptions=(
        (
            "If no single split can be improved, the tree is the best one.",
            "It is a local optimum. TAO's tree misclassifies {local} training points and the best tree {best}, because "
            "root and children must change together.",
        ),
        (
            "To find the best tree, a program must try all trees one by one.",
            "For each first threshold, both subtrees can be searched separately, so far fewer searches are enough.",
        ),
        (
            "The best tree is also certified for new points.",
            "The certificate is about training points. Of {n_new} new points, the best tree misclassifies {best_new} "
            "and TAO's tree {local_new}.",
        ),
    ),
    splits={
        "How many such trees": (
            "Count the thresholds on both features and multiply three choices. Then show how the separate search of "
            "both sides avoids this product."
        ),
        "How many does the best tree have": (
            "Let students draw three lines that misclassify fewer points than CART's. The best possible result is "
            "{truth}."
        ),
        "does TAO close": (
            "Students with a high guess remember that TAO repairs CART's splits. Here a change of one split alone "
            "gains nothing: {truth}."
        ),
        "comes nearer to the best tree": (
            "Random trees help by chance. Two levels at a time change root and children together, and exactly this is "
            "necessary here."
        ),
        "new points does the best tree misclassify": (
            "The certificate promises nothing for new points. Let students predict which tree is better there, then "
            "show {truth}."
        ),
        "find a best tree": "Students who guess none generalise from the spirals. The answer is {truth}.",
    },
    figures=_figures,
)
