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
        "contest.best": "Your fewest misclassified points so far: {best:g}.",
        "summary.empty": "The room has no answers.",
        "summary.students": "{n:count student} answered. The summary contains no names.",
        "gift.empty": "This room has shown no question yet.",
        "gift.picture": "The question of screen {n} of '{title}' needs the picture of the screen.",
        "gift.drawing": "'{title}' is a drawing task, which GIFT does not support.",
        "over": "Room {code} has ended. Thank you for taking part.",
        "lost": "No connection. The page continues when this device is connected again.",
        "no_guess": "This screen needs no guess. Look at the projector.",
        "guess.wrong": "You guessed {own}; the answer is {truth}.",
        "guess.right": "You guessed {own}: correct.",
        "guess.near": "You guessed {own}: correct. The exact answer is {truth}.",
        "guess.in": "Your guess: {guess}. You can change it until the answer is shown.",
        "guess.kept": "Your guess: {guess}.",
        "closed": "Guessing is closed.",
        "nickname": "Tables show it instead of your number. It is deleted when the room ends.",
        "seats.left": "{n} left ({done} of them answered)",
        "teacher.wait": "Students enter guesses on their own devices, and the guesses appear here.",
        "teacher.link": (
            "To lead the room from a second device, open this link there and enter the key. Students cannot lead the "
            "room without the key."
        ),
        "teacher.no_guesses": "The room has no answers yet, so the files contain questions only.",
        "teacher.save": "{n:count answer} from {students:count student}, without names. Save them before the room "
        "ends.",
        "teacher.no_answer": "No student answered this question.",
        "teacher.ends": "The room contains {n:count answer}. Save the files above first, if you need them.",
        "teacher.other_window": "Another window controls the room now: '{title}', screen {screen}.",
    },
)
