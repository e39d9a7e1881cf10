"""Sentences in rooms."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "page.room",
    {
        "board.nothing": "This screen has no drawing task.",
        "board.over": "This room has ended.",
        "contest.beaten": "You beat TAO: {best:g} against {goal:g}.",
        "contest.as_good": "As good as TAO: {best:g}.",
        "contest.not_yet": "Your best objective is {best:g}; TAO reaches {goal:g}.",
        "over": "Room {code} has ended. Thank you for guessing.",
        "no_guess": "Look at the projector. This screen has no guess.",
        "guess.wrong": "You guessed {own}; the answer is {truth}.",
        "guess.right": "You guessed {own}: correct.",
        "guess.in": "Your guess: {guess}. You can change it until the answer is shown.",
        "teacher.wait": "Students guess on their own devices. Their guesses appear here.",
        "teacher.link": (
            "This link lets you lead the room. Use it to come back, or to lead from a second device. Do not share"
            " it with students."
        ),
        "teacher.other_window": "Another window leads the room now: “{title}”, screen {screen}.",
    },
)
