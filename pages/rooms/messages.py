"""Messages about rooms and their contests."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "rooms",
    {
        "of_address": (
            "Your network address has reached the maximum of {n} open rooms. End a room, or wait until a class has "
            "ended."
        ),
        "rooms": "The server has reached the maximum of {n} open rooms. Wait until a class has ended.",
        "not_leader": "This browser does not lead room {code}. Enter the teacher's key.",
        "wrong_key": "This is not the key of room {code}. The teacher finds it under 'Room'.",
        "many_keys": "Too many wrong keys for room {code}. Wait a minute, then enter the key again.",
        "many_keys_of_network": (
            "Too many wrong keys for room {code} from your network. Wait a minute, then enter the key again, or use "
            "another network."
        ),
        "empty": "Your guess is empty. Choose a value, then send it.",
        "closed": "Guessing on this question is closed. A guess that you made before still counts.",
        "full": "Room {code} is full ({students}). Share a device with another student.",
        "of_browser": "This browser has reached the maximum of {n} students. Use another device.",
        "of_network": (
            "Your network has reached the maximum of {n} students without cookies. Allow cookies in this browser, then "
            "reload the page."
        ),
        "network_full": (
            "Your network has reached the maximum of {n} students in room {code}. Share a device with another student, "
            "or use another network."
        ),
        "long_name": "The name '{name}…' has {n} letters (maximum {most}).",
        "no_guess": "This screen has no question. Wait for the next question.",
        "no_choice": "'{value}' is not one of the {n} choices. Choose one of them.",
        "no_number": "'{value}' is not a valid guess. Enter a number from {low:g} to {high:g}.",
        "too_fast": "You are guessing too fast. Your previous guess is stored. Wait a second, then guess again.",
        "draws_too_fast": "You are drawing too fast. Your previous drawing is stored. Wait a second, then draw again.",
        "no_drawing": "This screen has no drawing task. Wait for the next question.",
        "over": (
            "This room has ended. A room ends after a day, after two hours without its teacher, or when the server "
            "stops."
        ),
        "unknown": (
            "Room {code:.10} does not exist. Either the room has ended, or the code is mistyped. A code has {length} "
            "letters and digits."
        ),
        "not_in": "You have left this room. Reload the page to join again.",
        "gone_on": "The class has moved to the next question. Answer the new question.",
        "too_late": "The answer is already shown, so your guess does not count.",
        "contest.no_plane": "The contest needs a classification data set with two features. Choose another data set.",
        "contest.missing": "Some points have missing values, so they cannot be drawn in the plane. Choose another "
        "data set.",
        "contest.one_class": "All points have the same class. Use at least two classes.",
        "contest.lines": "You drew {n} lines (maximum {most}). Remove some.",
        "contest.no_direction": "A line has no direction. Draw it again.",
        "contest.slanted": (
            "A line is slanted, but only vertical and horizontal lines are allowed. Draw it along an axis."
        ),
    },
)
