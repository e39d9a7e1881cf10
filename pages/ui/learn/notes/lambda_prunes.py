"""Notes on the lesson about λ."""

from pages.ui.learn.notes.notes import Notes

NOTES = Notes(
    minutes=6,
    aims=(
        "predict how the size of a tree changes with λ",
        "recognise overfitting and underfitting from training and validation errors",
        "choose λ with validation points and explain why test points must not choose it",
    ),
    needs=("The lesson *One number for the whole tree*, or errors plus a penalty for splits",),
    misconceptions=(
        (
            "Each split must correct more than λ errors itself.",
            "Only the last split of a branch must. The first line may correct fewer errors and stays, because the "
            "lines below it correct many.",
        ),
        (
            "A tree with a training error of 0 is perfect.",
            "It has memorised the noise. Its error on new points is higher than that of a smaller tree.",
        ),
        (
            "A larger λ only prunes branches of the same tree.",
            "CART's pruning does that. TAO also changes the splits that stay.",
        ),
        (
            "The test points may choose λ, because the tree was not trained on them.",
            "A choice by test points fits them too, so they no longer test the choice.",
        ),
    ),
    splits={
        "percentage of new points": (
            "Students with a low guess rely on the training error. Point at a box around a single point and predict a "
            "new point there."
        ),
        "ten other draws": (
            "The classes overlap, so a tree that follows fewer points predicts better: in {truth}. With thresholds and "
            "slanted or curved boundaries, the larger tree can be better."
        ),
        "choose λ without cheating": (
            "Let supporters of each choice explain the trees that it favours. The training error rewards "
            "size; the test error then has no independent points left."
        ),
    },
)
