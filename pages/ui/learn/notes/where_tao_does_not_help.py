"""Notes on the lesson about data on which TAO is not better than CART."""

from pages.ui.learn.lessons import lookup
from pages.ui.learn.lessons.lesson import BuiltLesson
from pages.ui.learn.notes.notes import Notes


def _figures(built: BuiltLesson) -> dict[str, str]:
    patients = built.scenes[2]
    return {"before": lookup.error(patients, 0), "after": lookup.error(patients, patients.last)}


NOTES = Notes(
    minutes=8,
    aims=(
        "separate a lower training error from a lower error on new rows",
        "name data on which TAO cannot improve CART's tree, and explain why",
        "use several draws and a sign test before a method is called better",
    ),
    needs=("The lesson *Overfitting*", "The lesson *Greedy fails on XOR*", "Training rows and new rows"),
    misconceptions=(
        (
            "TAO never makes a tree worse.",
            "This holds for the training rows only. On new rows of the tumours and of the patients, TAO is not surely "
            "better than CART.",
        ),
        (
            "A lower training error means that the tree has learned more.",
            "It may have learned noise. For the patients, TAO lowers the training error from {before} to {after} and "
            "does not become better on new rows.",
        ),
        (
            "The method with the smaller mean error is better.",
            "The difference may be chance. The sign test counts the draws in which each method is better.",
        ),
    ),
    splits={
        "change the test error": (
            "Ask which training rows TAO should correct. CART's tree leaves almost none, so the answer is {truth}."
        ),
        "mean error on new rows": (
            "Let students repeat what TAO guarantees, and for which rows. New rows have no guarantee: {truth}."
        ),
        "TAO's tree better on new rows": (
            "Students with a high guess rely on the training error. Let them name reasons for noise in these "
            "measurements, then show {truth}."
        ),
        "mean test error, with the same depth": (
            "Show CART's first split: no threshold separates the spirals, so everything below it begins badly. In most "
            "draws, TAO moves the first split, too. The error is {truth}."
        ),
        "TAO's mean test error smaller": (
            "Collect data sets with bad early splits, such as XOR, and count them. The answer is {truth}."
        ),
        "*surely* better": (
            "Let students toss a coin for each draw: a few more heads than tails prove nothing. Fewer data sets pass "
            "this test than have a smaller mean: {truth}."
        ),
    },
    figures=_figures,
)
