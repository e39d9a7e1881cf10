"""Test the content, the lifetime and the limits of rooms, and the error messages."""

import contextlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from pages.rooms import room_store
from pages.rooms.room import SCREENS, Screen
from pages.rooms.room_store import NotLeader, RoomError, RoomOver, RoomStore
from pages.ui.learn.lessons.lesson import Guess
from tests.pages.rooms.contests import contest
from tests.refusals import refused

SCREEN = Screen("lesson", 2, "A lesson", ("Words.",), "How many?", "Seven.", Guess(7, 0, 10, unit="leaves"))
CHOICE = replace(SCREEN, moment=3, guess=Guess(1, choices=("less", "more")))


class Clock:
    """A clock that moves only when a test moves it."""

    now = 0.0

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def store(clock):
    return RoomStore(clock, sleep=clock.sleep)


@pytest.fixture
def room(store):
    """Return (secret, code) of a room that shows SCREEN."""
    secret = store.open()
    store.show(secret, SCREEN)
    return secret, store.answers(secret).code


def test_guesses_come_to_the_teacher_and_the_truth_to_the_students(store, room):
    secret, code = room
    ann, bob = store.join(code), store.join(f" {code.lower()} ")
    store.call(code, ann, "  Ann \n B. ")
    store.guess(code, ann, SCREEN.name, "4")
    found = store.answers(secret)
    assert (found.here, found.guesses, found.named) == (2, (4.0,), (("Ann B.", 4.0),))
    assert store.look(code, ann).guess == 4.0
    assert store.look(code, bob).guesses == ()  # students do not see the guesses of others
    store.show(secret, SCREEN, True)
    assert store.look(code, bob).guesses == (4.0,)
    with refused(RoomError, "The answer is already shown, so your guess does not count"):
        store.guess(code, bob, SCREEN.name, 5)


def test_a_returning_student_is_the_same_and_replaces_the_guess(store, room, clock):
    secret, code = room
    token = store.join(code)
    assert store.join(code, token) == token != store.join(code, "somebody else's")
    store.guess(code, token, SCREEN.name, 4)
    with refused(RoomError, "You are guessing too fast"):
        store.guess(code, token, SCREEN.name, 5)
    clock.now += room_store.PAUSE
    store.guess(code, token, SCREEN.name, 6)
    assert store.answers(secret).guesses == (6.0,)
    store.show(secret, CHOICE)
    assert store.answers(secret).guesses == ()
    store.show(secret, SCREEN)
    assert store.look(code, token).guess == 6.0


@pytest.mark.parametrize("value", ["", "  ", None])
def test_an_empty_guess_is_refused_and_keeps_the_previous_one(store, room, clock, value):
    token = store.join(room[1])
    store.guess(room[1], token, SCREEN.name, 4)
    clock.now += room_store.PAUSE
    for screen in (SCREEN, CHOICE):
        store.show(room[0], screen)
        with refused(RoomError, "Your guess is empty"):
            store.guess(room[1], token, screen.name, value)
    store.show(room[0], SCREEN)
    assert store.look(room[1], token).guess == 4.0


@pytest.mark.parametrize("value", ["many", "nan", "inf", -1, 11])
def test_a_guess_off_the_scale_is_refused(store, room, value):
    with refused(RoomError, "'…' is not a valid guess. Enter a number from 0 to 10"):
        store.guess(room[1], store.join(room[1]), SCREEN.name, value)


@pytest.mark.parametrize("value", ["less", 0.5, 2])
def test_a_guess_that_is_not_a_choice_is_refused(store, room, value):
    store.show(room[0], CHOICE)
    with refused(RoomError, "'…' is not one of the 2 choices"):
        store.guess(room[1], store.join(room[1]), CHOICE.name, value)


def test_a_guess_on_a_screen_that_is_gone_or_has_no_question_is_refused(store, room):
    token = store.join(room[1])
    store.show(room[0], replace(CHOICE, guess=None))
    with refused(RoomError, "The class has moved to the next question"):
        store.guess(room[1], token, SCREEN.name, 4)
    with refused(RoomError, "This screen has no question"):
        store.guess(room[1], token, CHOICE.name, 0)


def test_a_room_is_over_after_its_teacher_or_a_day(store, clock):
    secret, left, ended = (store.open() for _ in range(3))
    codes = [store.answers(one).code for one in (secret, left, ended)]
    store.end(ended)
    store.end(ended)
    while clock.now <= room_store.AWAY:
        clock.now += 600
        store.answers(secret)
    for over, code in ((left, codes[1]), (ended, codes[2])):
        with refused(RoomOver, "This room has ended"):
            store.answers(over)
        with refused(RoomOver, f"Room {code:.10} does not exist. Either the room has ended, or the code is mistyped"):
            store.join(code)
    store.join(codes[0])
    while clock.now <= room_store.DAY:
        clock.now += 600
        if clock.now <= room_store.DAY:
            store.answers(secret)
    with pytest.raises(RoomOver):
        store.answers(secret)


def test_there_are_only_so_many_rooms_and_students_and_letters(store, room, clock):
    token = store.join(room[1])
    store.guess(room[1], token, SCREEN.name, 1)
    for _ in range(room_store.STUDENTS - 1):
        store.join(room[1])
    with refused(RoomError, "Room … is full (200). Share a device with another student"):
        store.join(room[1])
    clock.now += room_store.GONE + 1
    store.join(room[1])  # students who left without a guess make room
    assert store.look(room[1], token).guess == 1.0
    with refused(RoomError, "The name '……' has … letters (maximum 24)"):
        store.call(room[1], token, "x" * 25)
    for _ in range(room_store.ROOMS - 1):
        store.open()
    with refused(RoomError, "The server has reached the maximum of 50 open rooms"):
        store.open()


def test_one_client_does_not_take_all_rooms(store, room):
    mine = [store.open("a" * 32, "192.0.2.1") for _ in range(20)]
    for secret in mine[:-3]:
        with pytest.raises(RoomOver):
            store.answers(secret)
    assert {store.answers(secret).code for secret in mine[-3:]}
    for k in range(7):  # without a cookie, every tab is another owner
        store.open(f"{k:032x}", "192.0.2.1")
    with refused(RoomError, "Your network address has reached the maximum of 10 open rooms"):
        store.open("f" * 32, "192.0.2.1")
    assert store.open("b" * 32, "192.0.2.2")
    assert store.answers(room[0])


def test_a_room_that_cannot_be_opened_ends_no_other(clock):
    store = RoomStore(clock, of_owner=1, of_address=1)
    mine = store.open("a" * 32, "192.0.2.1")
    store.open("b" * 32, "192.0.2.2")
    with refused(RoomError, "Your network address has reached the maximum of … open rooms"):
        store.open("a" * 32, "192.0.2.2")
    assert store.answers(mine)


def test_a_room_that_was_led_lately_stays(store, clock):
    first, second, third = (store.open("a" * 32) for _ in range(3))
    clock.now += 10
    store.answers(first)
    store.open("a" * 32)
    assert store.answers(first)
    with pytest.raises(RoomOver):
        store.answers(second)
    assert store.answers(third)


def test_a_browser_leads_a_room_by_its_key_only(store):
    secret = store.open("a" * 32)
    code, key = store.answers(secret).code, store.answers(secret).key
    assert store.lead(code, "a" * 32) == (secret, code)
    for wrong, said in (
        ("", "This browser does not lead room"),
        (code, "This is not the key of room"),
        (key[:-1], "This is not the key of room"),
        (secret, "This is not the key of room"),
    ):
        with refused(NotLeader, said, code=code):
            store.lead(code, "b" * 32, wrong)
    with refused(RoomOver, "Room … does not exist"):
        store.lead(secret, "b" * 32)  # a secret does not work in a link
    typed = f" {key[:4].lower()}-{key[4:]} "
    assert store.lead(code, "b" * 32, typed) == store.lead(code.lower(), "b" * 32) == (secret, code)
    for k in range(30):
        store.lead(code, f"{k:032x}", key)
    assert store.lead(code, "a" * 32) == (secret, code)
    store.end(secret)
    with refused(RoomOver, f"Room {code:.10} does not exist. Either the room has ended, or the code is mistyped"):
        store.lead(code, "a" * 32, key)


def test_two_teachers_have_a_room_each_or_lead_one_together(store, room):
    other = store.open()
    store.show(other, CHOICE)
    assert store.answers(other).code != room[1]
    assert store.answers(room[0]).screen is SCREEN
    store.show(room[0], CHOICE)
    assert store.look(room[1], store.join(room[1])).screen is CHOICE


def test_fifty_at_once_lose_nothing(store, room):
    secret, code = room

    def guess(number):
        token = store.join(code)
        store.call(code, token, f"{number}")
        store.guess(code, token, SCREEN.name, number % 11)
        store.answers(secret)
        return store.look(code, token).guess

    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(guess, range(50))) == [number % 11 for number in range(50)]
    found = store.answers(secret)
    assert found.here == 50
    assert sorted(found.named) == sorted((f"{number}", float(number % 11)) for number in range(50))


def test_one_browser_is_one_student_however_many_tabs_it_opens(store, room):
    _, code = room
    first = store.join(code, None, "browser")
    assert store.join(code, None, "browser") == first
    other = store.join(code)  # another student on the same device
    assert other != first
    assert store.join(code, other, "browser") == other


def test_a_timer_closes_guessing_at_zero_and_the_teacher_reopens_it(store, room, clock):
    secret, code = room
    early, late = store.join(code), store.join(code)
    assert store.answers(secret).left is store.look(code, early).left is None
    store.close(secret, 30)
    store.guess(code, early, SCREEN.name, 4)
    clock.now += 29.9
    assert store.look(code, late).left == pytest.approx(0.1)
    clock.now += 0.1
    assert store.answers(secret).left == store.look(code, late).left == 0
    with refused(RoomError, "Guessing on this question is closed"):
        store.guess(code, late, SCREEN.name, 5)
    assert store.look(code, early).guess == 4.0
    store.close(secret, None)
    store.guess(code, late, SCREEN.name, 5)
    store.close(secret)
    clock.now += 1
    with refused(RoomError, "Guessing on this question is closed"):
        store.guess(code, early, SCREEN.name, 5)
    store.show(secret, CHOICE)  # a new question has no limit
    store.guess(code, early, CHOICE.name, 1)
    assert sorted(store.record(secret).asked[0][1], key=lambda one: one.student)[0].value == 4.0


def test_the_score_counts_answers_that_were_shown_and_only_the_first_time(store, room, clock):
    secret, code = room
    exact, near, far, none = (store.join(code) for _ in range(4))
    for token, value in ((exact, 7), (near, 6), (far, 0)):
        store.guess(code, token, SCREEN.name, value)
    store.keep_score(secret, True)
    assert [one.points for one in store.answers(secret).score] == [0, 0, 0]  # the answer is still hidden
    store.show(secret, SCREEN, True)
    assert [(one.place, one.who, one.points) for one in store.answers(secret).score] == [
        (1, "Student 1", 10), (2, "Student 2", 6), (3, "Student 3", 0)
    ]  # fmt: skip
    store.show(secret, SCREEN)  # the teacher hides the answer, which the class now knows
    clock.now += 1
    with refused(RoomError, "The answer is already shown, so your guess does not count"):
        store.guess(code, far, SCREEN.name, 7)
    store.guess(code, none, SCREEN.name, 7)  # who has not answered may still do so, without points
    store.show(secret, SCREEN, True)
    assert [(one.value, one.is_right) for one in store.record(secret).asked[0][1]] == [
        (7, True), (6, False), (0, False), (7, True)
    ]  # fmt: skip
    store.show(secret, CHOICE)
    clock.now += 1
    store.guess(code, near, CHOICE.name, 1)
    store.guess(code, exact, CHOICE.name, 0)
    store.show(secret, CHOICE, True)
    assert [(one.place, one.points) for one in store.answers(secret).score] == [(1, 16), (2, 10), (3, 0), (3, 0)]
    assert [one.who for one in store.look(code, near).score if one.is_own] == ["Student 2"]
    assert not any(one.is_own for one in store.look(code, store.join(code)).score)
    store.keep_score(secret, False)
    assert store.look(code, near).score == store.answers(secret).score == ()


def test_thirty_students_with_one_name_are_told_apart(store, room):
    secret, code = room
    tokens = [store.join(code) for _ in range(30)]
    for token in tokens:
        store.call(code, token, "Anna")
        store.guess(code, token, SCREEN.name, 7)
    store.call(code, tokens[0], "anna")
    store.call(code, tokens[1], "TAO")
    store.call(code, tokens[2], "Ben")
    store.call(code, tokens[4], "Anna (4)")
    names = [one.who for one in store.answers(secret).seats]
    assert len({name.casefold() for name in names}) == 30
    assert names[:5] == ["anna (1)", "TAO (2)", "Ben", "Anna (4)", "Anna (4) (5)"]
    assert store.look(code, tokens[3]).who == "Anna (4)"
    assert len(dict(store.answers(secret).named)) == 30


def test_those_who_left_are_told_apart_and_come_back_with_their_guess(store, room, clock):
    secret, code = room
    asleep, away, here, idle = (store.join(code, None, f"browser {k}") for k in range(4))
    for token in (asleep, here):
        store.guess(code, token, SCREEN.name, 4)
    clock.now += 3000
    for token in (here, idle):
        store.look(code, token)
    found = {one.who: (one.is_here, one.has_answered) for one in store.answers(secret).seats}
    assert found == {
        "Student 1": (False, True), "Student 2": (False, False), "Student 3": (True, True), "Student 4": (True, False)
    }  # fmt: skip
    assert store.answers(secret).here == 2
    assert store.join(code, asleep) == store.join(code, None, "browser 0") == asleep
    view = store.look(code, asleep)
    assert (view.guess, view.who) == (4.0, "Student 1")
    assert store.answers(secret).here == 3
    assert store.join(code, away) == away


def test_a_room_keeps_the_answers_of_its_latest_screens(store, room):
    for k in range(2 * SCREENS):
        store.show(room[0], replace(SCREEN, moment=k))
    assert [screen.moment for screen, _ in store.record(room[0]).asked] == list(range(SCREENS, 2 * SCREENS))


def test_the_answers_of_older_screens_are_deleted_and_their_points_remain(store, room):
    secret, code = room
    token = store.join(code)
    store.guess(code, token, SCREEN.name, 7)
    store.keep_score(secret, True)
    store.show(secret, SCREEN, True)
    for k in range(SCREENS):
        store.show(secret, replace(SCREEN, moment=100 + k))
    store.show(secret, SCREEN)
    assert store.look(code, token).guess is None
    assert [one.points for one in store.answers(secret).score] == [10]


def test_drawings_of_a_student_come_one_after_another_and_the_latest_counts(store, clock):
    secret = store.open()
    screen = Screen("", 1, "Beat TAO", (), contest=contest(feature=0, most_features=1))
    store.show(secret, screen)
    code = store.answers(secret).code
    ann, bob = store.join(code), store.join(code)
    for at in (0.2, 0.4, 0.6):
        store.draw(code, ann, screen.name, screen.contest.threshold_document(at))
    assert clock.now == pytest.approx(2 * room_store.DRAW_PAUSE)
    store.draw(code, bob, screen.name, screen.contest.threshold_document(0.5))
    assert clock.now == pytest.approx(2 * room_store.DRAW_PAUSE)  # another student does not wait
    last = next(one.last for one in store.answers(secret).board if one.who == "Student 1")
    assert last.document["nodes"][0]["bias"] == -0.6


def test_a_flood_of_drawings_is_refused(clock):
    store = RoomStore(clock, sleep=lambda _: None)  # as if many tabs of a student waited
    secret = store.open()
    screen = Screen("", 1, "Beat TAO", (), contest=contest(feature=0, most_features=1))
    store.show(secret, screen)
    code = store.answers(secret).code
    token = store.join(code)
    most = 1 + int(room_store.DRAW_WAIT / room_store.DRAW_PAUSE)
    for _ in range(most):
        store.draw(code, token, screen.name, screen.contest.threshold_document(0.5))
    with refused(RoomError, "You are drawing too fast"):
        store.draw(code, token, screen.name, screen.contest.threshold_document(0.5))


def test_one_browser_cannot_take_all_seats(store, room, clock):
    secret, code = room
    first = store.join(code, browser="b")
    more = [store.join(code, None, "b", True) for _ in range(room_store.OF_BROWSER - 1)]
    assert len({first, *more}) == room_store.OF_BROWSER
    with refused(
        RoomError, f"This browser has reached the maximum of {room_store.OF_BROWSER} students. Use another device"
    ):
        store.join(code, None, "b", True)
    assert store.join(code, browser="b") == first  # a tab without the token is the first student
    store.join(code, browser="c")
    for token in (first, more[0]):
        store.guess(code, token, SCREEN.name, 4)
    clock.now += room_store.GONE + 1
    store.look(code, more[1])
    assert store.join(code, None, "b", True)  # in the seat of a student who left without an answer
    assert [one.who for one in store.answers(secret).seats] == [f"Student {k}" for k in (1, 2, 3, 11, 12)]


def test_browsers_without_cookies_are_limited_by_their_network(store, room):
    secret, code = room
    tokens = [store.join(code, network="school") for _ in range(room_store.OF_NETWORK)]
    assert len(set(tokens)) == room_store.OF_NETWORK  # each is a student of their own
    with refused(
        RoomError, f"Your network has reached the maximum of {room_store.OF_NETWORK} students without cookies"
    ):
        store.join(code, network="school")
    assert store.join(code, tokens[0], network="school") == tokens[0]
    store.join(code, network="home")
    store.join(code, browser="b", network="school")  # a browser with cookies has its own limit
    assert len(store.answers(secret).seats) == room_store.OF_NETWORK + 2


def test_forged_cookies_of_one_network_leave_seats_to_others(store, room, clock):
    secret, code = room
    early = store.join(code, browser="early", network="school")
    for cookie in range(20):
        for _ in range(room_store.OF_BROWSER):
            with contextlib.suppress(RoomError):
                store.join(code, None, f"forged {cookie}", True, "school")
    assert len(store.answers(secret).seats) == room_store.NETWORK
    with refused(
        RoomError,
        (
            f"Your network has reached the maximum of {room_store.NETWORK} students in room …. Share a device with "
            "another student, or use another network"
        ),
    ):
        store.join(code, None, "early", True, "school")
    # students of other networks have seats, and so has the first student of each browser of this one
    at_home = [store.join(code, browser=f"home {k}", network="home") for k in range(room_store.STUDENTS - 150)]
    at_school = [store.join(code, browser=f"mine {k}", network="school") for k in range(100)]
    assert len(store.answers(secret).seats) == room_store.STUDENTS
    for token in (early, *at_home, *at_school):
        store.look(code, token)
    assert store.join(code, browser="forged 3", network="school") in {
        token for token, one in store._rooms[secret].students.items() if one.place == "forged 3"
    }


def test_a_student_with_an_answer_keeps_the_seat_in_a_crowd(store, room, monkeypatch):
    monkeypatch.setattr(room_store, "NETWORK", 3)
    _, code = room
    tokens = [store.join(code, None, "tablet", True, "school") for _ in range(3)]
    for token in tokens[:2]:
        store.guess(code, token, SCREEN.name, 1)
    store.join(code, browser="b", network="school")
    assert [store.look(code, token).guess for token in tokens[:2]] == [1.0, 1.0]
    with refused(RoomError, "You have left this room"):
        store.look(code, tokens[2])
    with refused(RoomError, "Your network has reached the maximum of 3 students in room"):
        store.join(code, browser="c", network="school")


def test_wrong_keys_of_forged_cookies_are_limited_and_forgotten(store, room, clock):
    secret, code = room
    key = store.answers(secret).key
    for k in range(room_store.WRONG_OF_NETWORK):
        with refused(NotLeader, "This is not the key of room"):
            store.lead(code, f"forged {k}", "AAAA AAAA", "school")
    for given in ("AAAA AAAA", key):
        with refused(
            NotLeader,
            (
                f"Too many wrong keys for room {code} from your network. Wait a minute, then enter the key again, "
                "or use another network"
            ),
        ):
            store.lead(code, "forged again", given, "school")
    assert store.lead(code, "tom", key, "home") == (secret, code)
    for k in range(50):
        for j in range(100):
            with pytest.raises(NotLeader):
                store.lead(code, f"forged {j}", "AAAA AAAA", f"network {k}")
    assert len(store._rooms[secret].wrong) <= 1_000
    clock.now += room_store.MINUTE
    assert store.lead(code, "ann", key, "school") == (secret, code)
    assert not store._rooms[secret].wrong


def test_wrong_keys_are_limited_for_a_browser_and_never_keep_others_out(store, room, clock):
    secret, code = room
    key = store.answers(secret).key
    for _ in range(room_store.WRONG):
        with refused(NotLeader, "This is not the key of room"):
            store.lead(code, "eve", "AAAA AAAA")
    with refused(NotLeader, f"Too many wrong keys for room {code}. Wait a minute, then enter the key again"):
        store.lead(code, "eve", key)
    for k in range(100):  # a student whose browser stores no cookies has another name in each tab
        with refused(NotLeader, "This is not the key of room"):
            store.lead(code, f"eve {k}", "AAAA AAAA")
    assert store.lead(code, "tom", key) == (secret, code)
    clock.now += room_store.MINUTE
    assert store.lead(code, "eve", key) == (secret, code)


def test_a_new_key_revokes_the_previous_one_and_the_browsers_that_used_it(store):
    secret = store.open("ann")
    found = store.answers(secret)
    for owner in ("bob", "eve"):
        store.lead(found.code, owner, found.key)
    renewed = store.renew_key(secret, "bob")
    assert store.answers(renewed).key != found.key
    with refused(RoomOver, "This room has ended"):
        store.answers(secret)
    for owner in ("ann", "bob"):
        assert store.lead(found.code, owner) == (renewed, found.code)
    with refused(NotLeader, "This is not the key of room"):
        store.lead(found.code, "eve", found.key)
    assert (store.led("bob"), store.led("eve"), store.led("")) == ((found.code,), (), ())
