"""Test a room as its teacher and its students see it."""

import re

import pytest

from pages.rooms.room import Screen
from pages.ui.learn import lessons
from pages.ui.learn.class_screen import class_screen
from pages.ui.learn.lessons.lesson import Guess
from pages.ui.room import led_room, room_menu, teacher_strip
from pages.ui.room.led_room import rooms
from pages.ui.shell import owner
from tests.refusals import wording
from treecore.messages import counted
from viz.page.guesses_html import guess_text

LESSON, ROOM = "pages/learn.py", "pages/room.py"
SLUG = "lambda-prunes"


@pytest.fixture
def teacher(open_app):
    """Return the page of a teacher with a room at the first screen of a lesson."""
    app = open_app(LESSON, lesson=SLUG)
    app.button(key="room-open").click().run()
    assert not app.exception
    opened = secret(app)
    yield app
    rooms().end(opened)


def secret(app):
    return app.session_state["room_secret"]


def token(student):
    """Return the token of a student's page."""
    return address(student)["student"]


def address(app):
    """Return the part of a page's address that only the browser holds."""
    return app.session_state["_address_said"]


def words(app):
    """Return all text of a page, without the escape characters of Markdown."""
    kinds = ("html", "info", "warning", "success", "caption", "toast")
    found = [one for kind in kinds for one in app.get(kind)]
    return " ".join(str(getattr(one, "value", "") or one.proto.body) for one in found).replace("\\", "")


def code(app):
    return re.search(r'room-code">(\w+)<', words(app))[1]


def test_a_guess_reaches_the_teacher_and_a_reload_loses_nothing(teacher, open_app):
    student = open_app(ROOM, room=code(teacher).lower())
    assert "What percentage of new points" in words(student)
    assert student.button[0].disabled  # the slider has no value yet
    student.select_slider[0].set_value(4.5).run()
    student.button[0].click().run()
    assert "Your guess: 4.5 %. You can change it until the answer is shown." in words(student)
    assert "present, 1 answered" in words(teacher.run())
    assert 'class="guesses"' not in words(teacher)
    assert 'class="guesses"' in words(teacher.toggle(key="room-hide").set_value(False).run())
    teacher.toggle(key="room-hide").set_value(True).run()
    again = open_app(ROOM, **address(student))
    assert "Your guess: 4.5 %. You can change it until the answer is shown." in words(again)
    assert rooms().answers(secret(teacher)).guesses == (4.5,)
    screen = rooms().answers(secret(teacher)).screen
    rooms().show(secret(teacher), screen, True)
    assert all(text in words(again.run()) for text in ("You guessed 4.5", "▲"))
    assert not again.select_slider
    assert 'class="guesses"' in words(teacher.run())
    rooms().show(secret(teacher), screen)  # the teacher hides the answer, which the student now knows
    assert again.run().button[0].disabled
    assert "Your guess: 4.5 %." in words(again)


def test_a_student_who_enters_a_name_stays_the_same(teacher, open_app):
    student = open_app(ROOM, room=code(teacher))
    student.select_slider[0].set_value(4.5).run()
    student.button[0].click().run()
    assert "student" not in student.query_params  # a run has the address with which it started
    student.text_input[0].set_value("Anna").run()
    found = rooms().answers(secret(teacher))
    assert (found.here, len(found.guesses)) == (1, 1)
    assert [who for who, _ in found.named] == ["Anna"]
    assert open_app(ROOM, **address(student)).text_input[0].value == "Anna"
    student.button(key="room-else").click().run()
    assert rooms().answers(secret(teacher)).here == 2


def test_choices_are_buttons_and_the_class_is_stepped_on(teacher, open_app):
    student = open_app(ROOM, room=code(teacher))
    built = lessons.build(SLUG)
    place, moment = next((k, one) for k, one in enumerate(built.moments) if one.guess and one.guess.choices)
    choice = moment.guess.choices[0]
    rooms().show(secret(teacher), Screen(SLUG, place, "λ", moment.text, moment.ask, moment.answer, moment.guess))
    student.run()
    next(button for button in student.button if button.label == choice).click().run()
    assert f"Your guess: {choice}. You can change it until the answer is shown." in words(student)
    assert wording("Another window controls the room now").search(words(teacher.run()))


def same_browser(monkeypatch):
    """Give all tabs the cookies of one browser."""
    monkeypatch.setattr(owner, "browser", lambda cookies: "b" * 32)


def lead(app, key):
    """Enter a teacher's key."""
    app.text_input(key="room-key").set_value(key)
    next(button for button in app.button if button.label == "Lead room").click().run()
    return app


def test_a_reload_leads_the_room_again_in_a_browser_that_has_led_it(open_app, monkeypatch):
    same_browser(monkeypatch)
    app = open_app(LESSON, lesson=SLUG)
    app.button(key="room-open").click().run()
    parameters = address(app)
    assert parameters == {"lesson": SLUG, "teach": code(app)}
    assert code(open_app(LESSON, **parameters)) == code(app)
    rooms().end(secret(app))


def test_another_browser_needs_the_key_and_the_address_never_has_it(teacher, open_app):
    key = rooms().answers(secret(teacher)).key
    for page, query in ((LESSON, {}), (LESSON, {"lesson": SLUG}), (ROOM, {})):
        app = open_app(page, teach=code(teacher), **query)  # what a student reads on the projector
        assert wording("This browser does not lead room").search(words(app))
        assert "room_secret" not in app.session_state
        assert "room-code" not in words(app)
        assert wording("This is not the key of room").search(words(lead(app, code(teacher))))
        assert "room_secret" not in app.session_state
        lead(app, f"{key[:4].lower()} {key[4:]}")
        assert not app.exception
        assert secret(app) == secret(teacher)
        assert [key in str(query) or secret(app) in str(query) for query in (app.query_params, address(app))] == [
            False, False
        ]  # fmt: skip


def test_the_key_is_shown_on_demand_and_leads_to_the_lesson_of_the_room(teacher, open_app):
    key = rooms().answers(secret(teacher)).key
    assert key[:4] not in " ".join(one.value for one in teacher.code)
    teacher.toggle(key="room-show-key").set_value(True).run()
    assert f"{key[:4]} {key[4:]}" in [one.value for one in teacher.code]
    app = open_app(LESSON, teach=code(teacher))
    app = lead(app, key)
    assert code(app) == code(teacher)
    assert address(app) == {"lesson": SLUG, "teach": code(teacher)}
    other = open_app(LESSON, teach=code(teacher))
    next(button for button in other.button if button.label == "Cancel").click().run()
    assert "room-key" not in [one.key for one in other.text_input]


def test_the_key_leads_to_the_same_plan_and_clock(teacher, open_app):
    kept = {"lesson": SLUG, "plan": f"{SLUG}_7.care-points_5", "clock": "p60"}
    app = lead(open_app(LESSON, teach=code(teacher), **kept), rooms().answers(secret(teacher)).key)
    assert address(app) == kept | {"teach": code(teacher)}


def test_after_the_end_of_a_room_in_a_lesson_the_page_of_rooms_opens(open_app):
    app = open_app(LESSON, lesson=SLUG)
    app.button(key="room-open").click().run()
    app.button(key="room-end").click().run()
    app.switch_page(ROOM).run()
    assert not app.exception
    assert [one.key for one in app.text_input] == ["room-code"]


def test_a_room_that_ends_while_the_page_runs_is_reported(teacher, monkeypatch):
    head, opened = teacher_strip.head, secret(teacher)

    def ending():
        found = head()
        rooms().end(opened)
        return found

    monkeypatch.setattr(teacher_strip, "head", ending)
    assert wording("This room has ended").search(words(teacher.run()))
    assert not teacher.exception


def test_a_code_in_a_link_is_no_markup(open_app):
    app = open_app(LESSON, lesson=SLUG, teach="[A](//B.C)")
    assert [one.proto.body.startswith("Room \\[A\\]") for one in app.get("toast")] == [True]


def test_a_teacher_ends_the_room_in_every_browser(teacher, open_app):
    key = rooms().answers(secret(teacher)).key
    again = lead(open_app(LESSON, teach=code(teacher)), key)
    student = open_app(ROOM, room=code(teacher))
    again.button(key="room-end").click().run()
    assert "room-code" not in words(again)
    assert wording("Room … has ended. Thank you for taking part").search(words(student.run()))
    assert [one.key for one in student.text_input] == ["room-code"]  # the field for the name is gone
    assert wording("This room has ended").search(words(teacher.run()))


@pytest.mark.parametrize("wrong", ["XXXXX", "<b>no</b>", "K"])
def test_a_wrong_code_is_refused_with_a_field_for_another(open_app, wrong):
    app = open_app(ROOM, room=wrong)
    assert wording("Room … does not exist").search(words(app))
    assert not app.exception
    app.text_input[0].set_value("abcde")
    app.button[0].click().run()
    assert wording("Room ABCDE does not exist").search(words(app))


def test_the_code_of_a_closed_room_is_reported(open_app):
    app = open_app(LESSON, lesson=SLUG, teach="GONE2")
    assert wording("Room GONE2 does not exist").search(words(app))
    assert app.button(key="room-open")


def test_lines_that_students_draw_come_to_the_board_and_a_reload_loses_nothing(open_app, monkeypatch):
    same_browser(monkeypatch)
    lab = open_app(LESSON, data_set="xor", lam="2", init="cart", n_points="200")
    lab.button(key="learn-contest").click().run()
    assert not lab.exception
    opened, public = secret(lab), rooms().answers(secret(lab)).code
    screen = rooms().answers(opened).screen
    of_link = open_app(LESSON, teach=public)  # as a lesson link does, without a history entry
    assert "0 present, 0 drew" in words(of_link)
    board = open_app(ROOM, teach=public)
    assert "0 present, 0 drew" in words(board)
    tao = screen.contest.tao_entry
    assert f"{tao.objective:g}" in words(board)  # the objective to beat
    assert f">{tao.errors}<" not in words(board)  # but not how TAO reaches it
    token = rooms().join(public)
    student = open_app(ROOM, room=public, student=token)
    rooms().draw(public, token, screen.name, tao.document)
    assert wording("Your objective is as low as the objective of TAO").search(words(student.run()))
    assert "1 present, 1 drew" in words(board.run())
    board = open_app(ROOM, **address(board))  # a reload in the middle of the contest
    assert "1 present, 1 drew" in words(board)
    rooms().close(opened)
    assert "Guessing is closed." in words(student.run())
    assert "Guessing is closed." in words(board.run())
    board.button(key="board-reveal").click().run()
    assert rooms().answers(opened).is_shown
    assert f">{tao.errors}<" in words(board)
    assert "Student 1 (you)" in words(student.run())
    assert not student.exception
    board.button(key="room-end").click().run()
    assert f"The room contains {counted(1, 'answer')}. Save the files above first, if you need them." in words(board)
    board.button(key="room-keep").click().run()
    board.button(key="room-end").click().run()
    assert not rooms().record(opened).is_empty  # a room with answers needs a second press
    board.button(key="room-end-now").click().run()
    assert wording("Room … has ended. Thank you for taking part").search(words(student.run()))
    assert not board.exception
    assert board.button(key="lessons")  # this is not the page for students


def test_a_class_moves_a_threshold_and_nobody_sees_the_result_of_tao_before_the_answer(open_app):
    app = open_app(LESSON, lesson="split-choice")
    app.button(key="room-open").click().run()
    screen = rooms().answers(secret(app)).screen
    contest, goal = screen.contest, f">{screen.contest.tao_entry.errors}<"
    assert (contest.most_lines, contest.most_features, contest.lam) == (1, 1, 0.0)
    student = open_app(ROOM, room=code(app))
    assert ">TAO<" not in words(app) + words(student)
    rooms().draw(code(app), token(student), screen.name, contest.threshold_document(0.3))
    student.slider[0].set_value(student.slider[0].value).run()
    assert "292 misclassified points" not in words(student)  # the slider keeps its own place
    student.slider[0].set_value(0.3).run()
    assert "292 misclassified points" in words(student)
    assert wording("Your fewest misclassified points so far").search(words(student))
    assert "1 present, 1 drew" in words(app.run())
    assert ">TAO<" not in words(app) + words(student)
    rooms().show(secret(app), screen, True)
    for page in (app, student):
        assert goal in words(page.run())
    assert not student.slider
    rooms().end(secret(app))


def test_a_timer_runs_on_all_devices_and_a_late_guess_is_refused(teacher, open_app):
    student = open_app(ROOM, room=code(teacher))
    student.select_slider[0].set_value(4.5).run()
    teacher.button(key="room-clock-30 s").click().run()
    for page in (teacher, student):
        assert 20 < int(re.search("--seconds:([0-9]+)", words(page.run()))[1]) <= 30
    teacher.button(key="room-clock-Close guessing").click().run()
    student.button[0].click().run()  # the page of the student does not know yet
    assert wording("Guessing on this question is closed").search(words(student))
    assert student.button[0].disabled
    assert student.select_slider[0].disabled
    assert rooms().answers(secret(teacher)).guesses == ()
    teacher.button(key="room-clock-Reopen guessing").click().run()
    assert not student.run().button[0].disabled
    student.button[0].click().run()
    assert rooms().answers(secret(teacher)).guesses == (4.5,)


def test_the_score_is_shown_if_the_teacher_wants_it(teacher, open_app):
    student = open_app(ROOM, room=code(teacher))
    truth = rooms().answers(secret(teacher)).screen.guess.truth
    rooms().guess(code(teacher), token(student), rooms().answers(secret(teacher)).screen.name, truth)
    rooms().show(secret(teacher), rooms().answers(secret(teacher)).screen, True)
    assert "<table" not in words(student.run()) + words(teacher.run())
    teacher.toggle(key="room-score").set_value(True).run()
    assert "<td>Student 1 (you)</td><td>10</td>" in words(student.run())
    assert "<td>Student 1</td><td>10</td>" in words(teacher.run())


def test_students_who_left_are_counted_separately(teacher, open_app, monkeypatch):
    student = open_app(ROOM, room=code(teacher))
    rooms().guess(code(teacher), token(student), rooms().answers(secret(teacher)).screen.name, 4.5)
    other = open_app(ROOM, room=code(teacher))
    later = rooms()._clock() + 3000
    monkeypatch.setattr(rooms(), "_clock", lambda: later)
    other.run()
    assert "1 present, 1 answered" in words(teacher.run())
    assert f"{1} left ({1} of them answered)" in words(teacher)
    assert "Your guess: 4.5 %. You can change it until the answer is shown." in words(
        open_app(ROOM, **address(student))
    )  # the phone wakes
    assert "2 present, 1 answered" in words(teacher.run())


@pytest.mark.parametrize(
    ("slug", "asks", "tells"), [("what-a-tree-is", [1], [1, 2]), ("breast-cancer", [0], [1])]
)  # the number of layers: points and regions of a tree, or a tree
def test_the_picture_of_the_lesson_has_no_tree_while_a_question_is_open(teacher, open_app, slug, asks, tells):
    student = open_app(ROOM, room=code(teacher))
    found = {True: set(), False: set()}
    for number, moment in enumerate(lessons.build(slug).moments):
        for is_shown in (False, True):
            rooms().show(secret(teacher), class_screen(slug, number), is_shown)
            layers = re.findall('<img alt="([^"]*)"', words(student.run()))
            found[bool(moment.ask) and not is_shown].add(len(layers))
            assert not student.exception
    assert found[True] == set(asks)
    assert found[False] <= set(tells)
    assert max(found[False]) == max(tells)


@pytest.mark.parametrize("query", [{"data_set": "iris", "columns": "all"}, {"data_set": "diabetes"}])
def test_data_without_a_plane_of_classes_open_no_contest(open_app, query):
    button = open_app(LESSON, **query).button(key="learn-contest")
    assert button.disabled
    assert "plane" in button.help


def test_a_tab_keeps_its_room_if_a_link_names_another_and_can_switch_between_rooms(open_app, monkeypatch):
    same_browser(monkeypatch)
    app = open_app(LESSON, lesson=SLUG)
    app.button(key="room-open").click().run()
    first, opened = code(app), secret(app)
    foreign = rooms().open("another teacher")
    for other in ("GONE2", rooms().answers(foreign).code):  # as after Back, or in a request that is sent late
        app.session_state["_address_determined"] = {"room_code"}
        app.query_params["teach"] = other
        app.run()
        assert (code(app), secret(app)) == (first, opened)
    next(button for button in app.button if button.label == "Cancel").click().run()
    assert address(app)["teach"] == first
    second = rooms().open("b" * 32)
    public = rooms().answers(second).code
    app.run()
    app.button(key=f"room-switch-{public}").click().run()
    assert not app.exception
    assert secret(app) == second
    rooms().end(second)
    app = open_app(LESSON, lesson=SLUG)
    app.button(key="room-return").click().run()
    assert code(app) == first
    for one in (opened, foreign):
        rooms().end(one)


def test_an_address_that_is_sent_late_does_not_forget_a_new_room(open_app, monkeypatch):
    same_browser(monkeypatch)
    app = open_app(LESSON, lesson=SLUG)
    app.query_params["teach"] = "GONE2"
    app.button(key="room-open").click().run()
    assert code(app) == rooms().answers(secret(app)).code
    rooms().end(secret(app))


def test_a_new_key_leaves_the_room_to_this_browser(teacher, open_app):
    before = rooms().answers(secret(teacher)).key
    other = lead(open_app(LESSON, lesson=SLUG, teach=code(teacher)), before)
    teacher.toggle(key="room-show-key").set_value(True).run()
    teacher.button(key="room-new-key").click().run()
    key = rooms().answers(secret(teacher)).key
    assert before != key
    assert f"{key[:4]} {key[4:]}" in [one.value for one in teacher.code]
    assert wording("This browser does not lead room").search(words(other.run()))
    assert "room-code" not in words(other)


def test_files_get_the_new_secret_after_another_tab_has_made_a_new_key(monkeypatch):
    runs = []
    monkeypatch.setattr(led_room.st, "session_state", {"room_secret": "new"})
    monkeypatch.setattr(room_menu.st, "rerun", lambda scope: runs.append(scope))
    for captured in ("new", "old"):
        room_menu._saved(captured)
    assert runs == ["app"]


def test_a_guess_as_near_as_the_scale_allows_is_correct(teacher, open_app):
    student = open_app(ROOM, room=code(teacher))
    guess = Guess(45.17, 0, 100, step=0.5, digits=1, unit="%")
    screen = Screen(SLUG, 90, "λ", (), ask="How many?", guess=guess)
    rooms().show(secret(teacher), screen)
    rooms().guess(code(teacher), token(student), screen.name, 45.0)
    rooms().show(secret(teacher), screen, True)
    own, truth = (guess_text(guess, value) for value in (45.0, 45.17))
    assert f"You guessed {own}: correct. The exact answer is {truth}." in words(student.run())


def test_best_guesses_name_only_students_who_get_points(teacher, open_app):
    choice = Screen(SLUG, 90, "λ", (), "Which?", guess=Guess(1, choices=("less", "more")))
    scale = Screen(SLUG, 91, "λ", (), "How many?", guess=Guess(50, 0, 100))
    tokens = {name: rooms().join(code(teacher)) for name in ("Ada", "Bob")}
    for name, own in tokens.items():
        rooms().call(code(teacher), own, name)
    teacher.toggle(key="room-names").set_value(True).run()
    for screen, guesses in ((choice, (1, 0)), (scale, (52, 99))):
        rooms().show(secret(teacher), screen)
        for own, guess in zip(tokens.values(), guesses, strict=True):
            rooms()._rooms[secret(teacher)].students[own].guessed = -1  # no pause between two guesses
            rooms().guess(code(teacher), own, screen.name, guess)
        rooms().show(secret(teacher), screen, True)
        nearest = next(one.value for one in teacher.run().caption if one.value.startswith("Nearest"))
        assert ("Ada" in nearest, "Bob" in nearest) == (True, False)


def test_a_question_without_guesses_has_no_empty_chart(teacher, open_app):
    student = open_app(ROOM, room=code(teacher))
    rooms().show(secret(teacher), rooms().answers(secret(teacher)).screen, True)
    assert "No student answered this question." in words(teacher.run())
    assert 'class="guesses"' not in words(teacher) + words(student.run())


def test_a_phone_shows_the_scale_and_replaces_the_notice_of_a_lost_connection_in_every_run(teacher, open_app):
    student = open_app(ROOM, room=code(teacher))
    assert student.select_slider[0].label == "Your guess: 0.0 to 30.0\u00a0%"
    before = [
        one.proto.body
        for one in student.get("html")
        if "No connection. The page continues when this device is connected again." in one.proto.body
    ]
    after = [
        one.proto.body
        for one in student.run().get("html")
        if "No connection. The page continues when this device is connected again." in one.proto.body
    ]
    assert len(before) == len(after) == 1
    assert before != after
