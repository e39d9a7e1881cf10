"""Sentences on rooms and their contests."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "rooms",
    {
        "of_address": (
            "{n} rooms are open from your network address, and there can be no more. End one, or wait until a "
            "class has ended."
        ),
        "rooms": "{n} rooms are open, and there can be no more. Wait until a class has ended.",
        "not_leader": "This browser does not lead the room {code}. Open the link of its teacher.",
        "full": "The room {code} is full: {students} are in it. Look on with somebody.",
        "long_name": "“{name}…” has {n} letters; a name has up to {most}.",
        "no_guess": "Nothing is guessed on this screen. Wait for the next question.",
        "no_choice": "“{value}” cannot be guessed here. Guess one of {n} choices.",
        "no_number": "“{value}” cannot be guessed here. Guess a number from {low:g} to {high:g}.",
        "too_fast": "That was too fast: your guess before is kept. Guess again in a second.",
        "no_drawing": "Nothing is drawn on this screen. Wait for the next question.",
        "over": "This room is over: a room ends after a day, two hours without its teacher, or with the server.",
        "unknown": (
            "There is no room {code:.10}: it is over, or a letter is wrong. A code has {length} letters and digits."
        ),
        "not_in": "You are not in this room any more. Reload the page to come in again.",
        "gone_on": "The class has gone on to another question. Look at that one.",
        "too_late": "The answer is shown already; yours came too late.",
        "contest.no_plane": "Lines are drawn over a plane: choose data with two features, and with classes.",
        "contest.missing": "Some points miss a value and have no place on the plane. Choose other data.",
        "contest.one_class": "All points have one class: there is nothing to part. Take two classes at least.",
        "contest.lines": "There are {n} lines; there may be {most:count line}. Remove some.",
        "contest.no_direction": "A line has no direction. Draw it again.",
        "contest.slanted": "A line is slanted; here lines are upright or level. Draw it along an axis.",
    },
)
