"""Messages in rooms."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "page.room",
    {
        "board.nothing": "This screen has no drawing task.",
        "board.over": "This room has ended.",
        "contest.beaten": "You beat TAO with an objective of {best:g} against {goal:g}.",
        "contest.as_good": "Your objective is as low as the objective of TAO: {best:g}.",
        "contest.not_yet": "Your best objective is {best:g}. TAO reaches {goal:g}.",
        "over": "Room {code} has ended. Thank you for taking part.",
        "no_guess": "This screen has no question. Look at the projector.",
        "guess.wrong": "You guessed {own}; the answer is {truth}.",
        "guess.right": "You guessed {own}: correct.",
        "guess.in": "Your guess: {guess}. You can change it until the answer is shown.",
        "teacher.wait": "Students enter guesses on their own devices, and the guesses appear here.",
        "teacher.link": (
            "This link makes you the teacher of the room. Use it to return, or to control the room from a second "
            "device. Do not share it with students."
        ),
        "teacher.other_window": "Another window controls the room now: '{title}', screen {screen}.",
    },
)
