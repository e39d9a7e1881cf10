"""Sentences on rooms and their contests."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "rooms",
    {
        "of_address": (
            "Your network address has {n} open rooms, the maximum. End a room, or wait until a class has ended."
        ),
        "rooms": "The server has {n} open rooms, the maximum. Wait until a class has ended.",
        "not_leader": "This browser does not lead room {code}. Open the link of the teacher.",
        "full": "Room {code} is full ({students}). Share a device with another student.",
        "long_name": "“{name}…” has {n} letters; the maximum is {most}.",
        "no_guess": "This screen has no guess. Wait for the next question.",
        "no_choice": "“{value}” is not one of the choices. Choose one of {n}.",
        "no_number": "“{value}” is not a valid guess. Enter a number from {low:g} to {high:g}.",
        "too_fast": "Too fast: your previous guess is stored. Guess again in a second.",
        "no_drawing": "This screen has no drawing task. Wait for the next question.",
        "over": (
            "This room has ended. A room ends after a day, after two hours without its teacher, or with the server."
        ),
        "unknown": (
            "Room {code:.10} does not exist. It has ended, or the code has a typing error. A code has "
            "{length} letters and digits."
        ),
        "not_in": "You have left this room. Reload the page to join again.",
        "gone_on": "The class has moved to the next question. Answer that one.",
        "too_late": "The answer is already shown, so your guess does not count.",
        "contest.no_plane": "The contest needs a classification data set with two features. Choose such data.",
        "contest.missing": "Some points have missing values and no place on the plane. Choose other data.",
        "contest.one_class": "All points have the same class. Use at least two classes.",
        "contest.lines": "You drew {n} lines; the maximum is {most:count line}. Remove some.",
        "contest.no_direction": "A line has no direction. Draw it again.",
        "contest.slanted": (
            "A line is slanted, but only vertical and horizontal lines are allowed. Draw it along an axis."
        ),
    },
)
