"""Sentences in rooms."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "page.room",
    {
        "board.nothing": "The class draws nothing now.",
        "board.over": "This room is over.",
        "contest.beaten": "You beat TAO: {best:g} and not {goal:g}.",
        "contest.as_good": "As good as TAO: {best:g}.",
        "contest.not_yet": "Your best pays {best:g}, TAO pays {goal:g}.",
        "over": "The room {code} is over. Thank you for guessing.",
        "no_guess": "Look at the screen of the class. Nothing is guessed here.",
        "guess.wrong": "You guessed {own}; it is {truth}.",
        "guess.right": "You guessed {own}, and that is right.",
        "guess.in": "Your guess is in: {guess}. You may change it until the answer is shown.",
        "teacher.wait": "The class guesses on their own devices; what they guess comes here.",
        "teacher.link": "Whoever has this link leads the room: to come back with, or to lead it from two places.",
        "teacher.other_window": "Another window leads now: “{title}”, screen {screen}.",
    },
)
