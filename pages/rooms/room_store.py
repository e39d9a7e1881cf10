"""Keep the rooms of classes in the memory of this process only."""

import math
import secrets
import threading
import time
from collections.abc import Callable
from typing import Any

from pages.rooms.room import Entry, Guess, Record, Room, Screen, ScreenName, Student, StudentView, TeacherView
from treecore.errors import TreecoreError

SIGNS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # characters of a code, without characters that look alike
CODE = 5  # number of characters in a code
# Number of characters in a teacher's key: 40 bits. At 10,000 keys per second, a day covers 0.08 % of them. A limit for
# a room, or a low one for a network, would allow students to keep its teacher out.
KEY = 8
ROOMS, STUDENTS, NAME = 50, 200, 24  # maximum numbers: rooms, students per room, letters per name
LEADERS = 8  # maximum number of browsers that lead a room
DAY, AWAY = 86_400.0, 7_200.0  # seconds until a room ends, and until it ends if its teacher is away
GONE = 60.0  # seconds without a request after which a student without an answer makes room for another
OF_BROWSER = 10  # maximum number of students in one browser, such as a shared tablet
OF_NETWORK = 60  # the same in one network, such as a school's, for browsers without cookies, which have no name
NETWORK = 150  # the same in one network for all browsers, because cookies can be forged
PAUSE = 0.5  # shortest time between two guesses of a student, in seconds
DRAW_PAUSE, DRAW_WAIT = 0.25, 1.0  # seconds between two drawings of a student, and longest time that one waits
# time in seconds for which wrong keys count, and their maximum numbers from a browser and from a network
MINUTE, WRONG, WRONG_OF_NETWORK = 60.0, 5, 100
TIMES = (30, 60, 90)  # seconds that a teacher can give for a guess


_TOO_LATE = "The answer is already shown, so your guess does not count."


class RoomError(TreecoreError):
    """Raised for a request that a room cannot fulfil."""


class RoomOver(RoomError):
    """Raised if a room does not exist or has ended."""


class NotLeader(RoomError):
    """Raised if a browser does not lead the room, and the key is missing or wrong."""


class RoomStore:
    """All rooms of a server. Every method may be called from any thread.

    The session of a teacher has a secret, which never leaves the server, and the teacher has a key for other browsers.
    A class has a code, which is short enough to read aloud, and a student has a token. clock : function that returns
    seconds; of_owner, of_address : maximum number of open rooms per owner and per network address; sleep : function
    that waits. All methods raise RoomError with a message for the user.
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        of_owner: int = 3,
        of_address: int = 10,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._clock, self._sleep, self._lock = clock, sleep, threading.Lock()
        self._of_owner, self._of_address = of_owner, of_address
        self._rooms: dict[str, Room] = {}  # rooms by secret

    def open(self, owner: str = "", address: str = "") -> str:
        """Open a room and return its secret.

        If the owner has too many rooms, the room whose teacher has been away longest ends.
        """
        with self._lock:
            now = self._sweep()
            mine = [secret for secret, room in self._rooms.items() if owner and room.leaders[0] == owner]
            oldest = sorted(mine, key=lambda secret: self._rooms[secret].teacher_seen)
            ending = oldest[: max(len(mine) + 1 - self._of_owner, 0)]
            staying = [room for secret, room in self._rooms.items() if secret not in ending]
            if address and sum(room.address == address for room in staying) >= self._of_address:
                raise RoomError(
                    f"Your network address has reached the maximum of {self._of_address} open rooms. End a room, "
                    "or wait until a class has ended."
                )
            if len(staying) >= ROOMS:
                raise RoomError(
                    f"The server has reached the maximum of {ROOMS} open rooms. Wait until a class has ended."
                )
            for secret in ending:
                del self._rooms[secret]
            taken = {room.code for room in self._rooms.values()}
            while (code := _signs(CODE)) in taken:
                pass
            secret = secrets.token_urlsafe(16)
            self._rooms[secret] = Room(code, _signs(KEY), now, now, address, [owner])
            return secret

    def lead(self, code: str, owner: str, key: str = "", network: str = "") -> tuple[str, str]:
        """Return (secret, code) of a room that an owner leads, or leads from now on by its key.

        network : name of the owner's network, which limits wrong keys. Raises NotLeader.
        """
        with self._lock:
            room, key = self._of_code(code), "".join(filter(str.isalnum, key)).upper()
            if owner not in room.leaders:
                if not key:
                    raise NotLeader(f"This browser does not lead room {room.code}. Enter the teacher's key.")
                self._check_key(room, owner, key, network)
                room.leaders.append(owner)
                if len(room.leaders) > LEADERS:
                    del room.leaders[1]
            return next(secret for secret, one in self._rooms.items() if one is room), room.code

    def led(self, owner: str) -> tuple[str, ...]:
        """Return the codes of the open rooms that an owner leads, the most recent first."""
        with self._lock:
            self._sweep()
            found = [room for room in self._rooms.values() if owner and owner in room.leaders]
            return tuple(room.code for room in sorted(found, key=lambda room: -room.teacher_seen))

    def renew_key(self, secret: str, owner: str) -> str:
        """Give a room another key, and return its new secret.

        Only the browser that opened the room and this owner still lead it. The others need the new key.
        """
        with self._lock:
            room, renewed = self._room_of_teacher(secret), secrets.token_urlsafe(16)
            room.key = _signs(KEY)
            room.wrong.clear()
            room.leaders = list(dict.fromkeys([room.leaders[0], owner]))
            self._rooms[renewed] = self._rooms.pop(secret)
            return renewed

    def show(self, secret: str, screen: Screen | None, is_shown: bool = False) -> None:
        """Show a `Screen` to the class.

        is_shown : whether the answer is visible; guessing then ends.
        """
        with self._lock:
            self._room_of_teacher(secret).show(screen, is_shown)

    def close(self, secret: str, seconds: float | None = 0.0) -> None:
        """Close guessing on the current screen after some seconds; None opens it without a limit."""
        with self._lock:
            self._room_of_teacher(secret).closes = math.inf if seconds is None else self._clock() + seconds

    def keep_score(self, secret: str, is_on: bool) -> None:
        """Show or hide the running score."""
        with self._lock:
            self._room_of_teacher(secret).has_score = is_on

    def answers(self, secret: str) -> TeacherView:
        """Return the `TeacherView` of the current screen."""
        with self._lock:
            room, now = self._room_of_teacher(secret), self._clock()
            guesses, names = room.guesses(), room.names()
            named = tuple((names[token], guess) for token, guess in guesses.items() if room.students[token].name)
            return TeacherView(
                room.code, room.key, room.screen, room.is_shown, room.left(now), room.seats(now),
                tuple(guesses.values()), named, tuple(room.board().values()), room.has_score, room.score(),
            )  # fmt: skip

    def record(self, secret: str) -> Record:
        """Return the `Record` of all answers so far."""
        with self._lock:
            return self._room_of_teacher(secret).record()

    def end(self, secret: str) -> None:
        """End a room, if it has not ended yet."""
        with self._lock:
            self._rooms.pop(secret, None)

    def join(
        self, code: str, token: str | None = None, browser: str = "", is_new: bool = False, network: str = ""
    ) -> str:
        """Return the token of a new or returning student.

        browser : name of the browser, which identifies a student who has lost the token; "" if it has none; is_new :
        whether this is another student in the same browser; network : name of the network, which limits its students.
        """
        with self._lock:
            room, now = self._of_code(code), self._clock()
            if token in room.students:
                return token
            place, most = (browser, OF_BROWSER) if browser else (network, OF_NETWORK)
            same = [t for t, one in room.students.items() if place and one.place == place]
            if same and browser and not is_new:
                return same[0]
            near = [t for t, one in room.students.items() if network and one.network == network]
            for crowded, limit in ((same, most), (near, NETWORK), (list(room.students), STUDENTS)):
                there = [one for one in crowded if one in room.students]
                if len(there) >= limit:
                    room.free_seats(there, now, GONE, is_first=not same)
            if len(room.students) >= STUDENTS:
                raise RoomError(f"Room {room.code} is full ({STUDENTS}). Share a device with another student.")
            if sum(one in room.students for one in same) >= most:
                raise RoomError(
                    f"This browser has reached the maximum of {most} students. Use another device."
                    if browser
                    else (
                        f"Your network has reached the maximum of {most} students without cookies. Allow cookies "
                        "in this browser, then reload the page."
                    )
                )
            if sum(one in room.students for one in near) >= NETWORK:
                raise RoomError(
                    f"Your network has reached the maximum of {NETWORK} students in room {room.code}. Share a "
                    "device with another student, or use another network."
                )
            token = secrets.token_urlsafe(9)
            room.join(token, now, place, network)
            return token

    def look(self, code: str, token: str) -> StudentView:
        """Return the `StudentView` of a student, and mark the student as present."""
        with self._lock:
            room, student = self._student(code, token)
            own = student.guesses.get(room.name) if room.name else None
            guesses = tuple(room.guesses().values()) if room.is_shown else ()
            board = room.board()
            return StudentView(
                room.screen, room.is_shown, room.left(self._clock()), room.names()[token], student.name,
                None if own is None else own[0], room.name in student.points, guesses, board.get(token),
                tuple(board.values()), room.score(token),
            )  # fmt: skip

    def call(self, code: str, token: str, name: str) -> None:
        """Set the name of a student; "" removes it."""
        name = " ".join("".join(sign if sign.isprintable() else " " for sign in name).split())
        if len(name) > NAME:
            raise RoomError(f"The name '{name[:NAME]}…' has {len(name)} letters (maximum {NAME}).")
        with self._lock:
            self._student(code, token)[1].name = name

    def guess(self, code: str, token: str, name: ScreenName, value: object) -> None:
        """Store a guess for the screen `name`, (lesson, moment), and replace the previous guess.

        Raises RoomError if the answer was shown after the previous guess.
        """
        with self._lock:
            room, student = self._student(code, token)
            question = self._open_task(room, name, "guess")
            if question is None:
                raise RoomError("This screen has no question. Wait for the next question.")
            if name in student.points:  # the answer was shown and is hidden again
                raise RoomError(_TOO_LATE)
            value = check_guess(question, value)
            now = self._clock()
            if now - student.guessed < PAUSE:
                raise RoomError(
                    "You are guessing too fast. Your previous guess is stored. Wait a second, then guess again."
                )
            student.guessed, student.guesses[name] = now, (value, now)

    def draw(self, code: str, token: str, name: ScreenName, document: dict) -> Entry:
        """Store a student's tree for the screen `name` and return its `Entry`. Raises TreecoreError.

        A drawing waits until DRAW_PAUSE has passed since the previous one. Meanwhile, the page of the student keeps
        only the latest of the drawings that follow.
        """
        with self._lock:
            room, student = self._student(code, token)
            contest, now = self._open_task(room, name, "contest"), self._clock()
            if contest is None:
                raise RoomError("This screen has no drawing task. Wait for the next question.")
            begins = max(now, student.drawn + DRAW_PAUSE)
            if begins - now > DRAW_WAIT:
                raise RoomError(
                    "You are drawing too fast. Your previous drawing is stored. Wait a second, then draw again."
                )
            student.drawn = begins
        if begins > now:
            self._sleep(begins - now)
        entry = contest.entry(document)  # computed outside the lock, so that it blocks no other request
        with self._lock:
            room, student = self._student(code, token)
            self._open_task(room, name, "contest")
            best, when, _ = student.trees.get(name, (entry, self._clock(), None))
            if entry.objective < best.objective:
                best, when = entry, self._clock()
            student.trees[name] = best, when, entry
            return entry

    def _check_key(self, room: Room, owner: str, key: str, network: str) -> None:
        """Raise NotLeader for a wrong key, and for any key after too many from the same browser or network."""
        now = self._clock()
        while room.wrong and now - room.wrong[0][0] >= MINUTE:
            room.wrong.popleft()
        if sum(who == owner for _, who, _ in room.wrong) >= WRONG:
            raise NotLeader(f"Too many wrong keys for room {room.code}. Wait a minute, then enter the key again.")
        if network and sum(where == network for *_, where in room.wrong) >= WRONG_OF_NETWORK:
            raise NotLeader(
                f"Too many wrong keys for room {room.code} from your network. Wait a minute, then enter the key "
                "again, or use another network."
            )
        if not secrets.compare_digest(key.encode(), room.key.encode()):
            room.wrong.append((now, owner, network))
            raise NotLeader(f"This is not the key of room {room.code}. The teacher finds it under 'Room'.")

    def _sweep(self) -> float:
        """Remove rooms that have ended and return the current time."""
        now = self._clock()
        over = [s for s, room in self._rooms.items() if now - room.opened > DAY or now - room.teacher_seen > AWAY]
        for secret in over:
            del self._rooms[secret]
        return now

    def _room_of_teacher(self, secret: str) -> Room:
        now = self._sweep()
        if secret not in self._rooms:
            raise RoomOver(
                "This room has ended. A room ends after a day, after two hours without its teacher, or when the "
                "server stops."
            )
        self._rooms[secret].teacher_seen = now
        return self._rooms[secret]

    def _of_code(self, code: str) -> Room:
        self._sweep()
        code = tidy(code)
        room = next((room for room in self._rooms.values() if room.code == code), None)
        if room is None:
            raise RoomOver(
                f"Room {code:.10} does not exist. Either the room has ended, or the code is mistyped. A code has "
                f"{CODE} letters and digits."
            )
        return room

    def _student(self, code: str, token: str) -> tuple[Room, Student]:
        room = self._of_code(code)
        if token not in room.students:
            raise RoomError("You have left this room. Reload the page to join again.")
        student = room.students[token]
        student.seen = self._clock()
        return room, student

    def _open_task(self, room: Room, name: ScreenName, what: str) -> Any:
        """Return the `guess` or `contest` of the screen `name`.

        Raises RoomError if the room shows another screen or the answer, or if guessing is closed.
        """
        screen = room.screen
        if screen is None or screen.name != name:
            raise RoomError("The class has moved to the next question. Answer the new question.")
        if room.is_shown:
            raise RoomError(_TOO_LATE)
        if room.closes <= self._clock():
            raise RoomError("Guessing on this question is closed. A guess that you made before still counts.")
        return getattr(screen, what)


def _signs(count: int) -> str:
    return "".join(map(secrets.choice, [SIGNS] * count))


def tidy(code: str) -> str:
    """Return a code in its canonical form: capitals without spaces."""
    return "".join(code.split()).upper()


def check_guess(guess: Guess, value: Any) -> float:
    """Return a guess as a number within the limits of `guess`. Raises RoomError."""
    if value is None or (isinstance(value, str) and not value.strip()):
        raise RoomError("Your guess is empty. Choose a value, then send it.")
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    low, high = (0, len(guess.choices) - 1) if guess.choices else (guess.low, guess.high)
    if not low <= number <= high or (guess.choices and number != int(number)):
        shown = str(value)[:30]
        if guess.choices:
            raise RoomError(f"'{shown}' is not one of the {len(guess.choices)} choices. Choose one of them.")
        raise RoomError(f"'{shown}' is not a valid guess. Enter a number from {low:g} to {high:g}.")
    return number
