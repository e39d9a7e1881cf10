"""Notes on the lesson about greedy growth on XOR."""

from pages.ui.learn.notes.notes import Notes

NOTES = Notes(
    minutes=8,
    aims=(
        "explain with XOR why the best first step need not lead to the best tree",
        "describe how TAO improves one node of a complete tree while the others stay fixed",
        "state that TAO can end in a local optimum",
    ),
    needs=("The lesson *How a split is chosen*", "The logical operation XOR, or a chessboard of four squares"),
    misconceptions=(
        (
            "The first split of a tree is always its most useful one.",
            "On XOR, the good first line corrects little alone. It is useful as soon as there are lines below it.",
        ),
        (
            "Greedy trees cannot represent XOR.",
            "They can, with more leaves. The first lines run through the fields, but they stay in the tree.",
        ),
        (
            "TAO finds the best tree.",
            "TAO never gets worse, but it improves one node after another, so it can get stuck.",
        ),
    ),
    splits={
        "only *one* line": (
            "Let a student draw the line at the board and count one side. Both sides keep points of each class, so a "
            "line corrects at most {truth}."
        ),
        "Does that line correct more": (
            "Cover the lower lines with a hand: both sides then contain wheat and clover. The gain comes when these "
            "lines return."
        ),
        "percentage does this tree misclassify": (
            "Students with a low guess solved XOR themselves. Repeat that greedy growth keeps its first line. The "
            "answer is {truth}."
        ),
        "ten other draws": (
            "Let optimists and pessimists give a reason. TAO succeeds in {truth}. The lesson *One number for the "
            "whole tree* shows initial trees from which it gets stuck."
        ),
    },
)
