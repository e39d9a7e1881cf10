"""Test a room as its teacher and its students see it."""

import re

import pytest

from pages.rooms import room_store
from pages.rooms.messages import MESSAGES as ROOMS
from pages.ui.learn import lessons
from pages.ui.room.messages import MESSAGES
from pages.ui.room.rooms import rooms
from pages.ui.shell import owner
from tests.refusals import wording

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
    assert MESSAGES("guess.in", guess="4.5 %") in words(student)
    assert "present, 1 answered" in words(teacher.run())
    assert 'class="guesses"' not in words(teacher)
    assert 'class="guesses"' in words(teacher.toggle(key="room-hide").set_value(False).run())
    teacher.toggle(key="room-hide").set_value(True).run()
    again = open_app(ROOM, **address(student))
    assert MESSAGES("guess.in", guess="4.5 %") in words(again)
    assert rooms().answers(secret(teacher)).guesses == (4.5,)
    screen = rooms().answers(secret(teacher)).screen
    rooms().show(secret(teacher), screen, True)
    assert all(text in words(again.run()) for text in ("You guessed 4.5", "▲"))
    assert not again.select_slider
    assert 'class="guesses"' in words(teacher.run())


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
    rooms().show(
        secret(teacher), room_store.Screen(SLUG, place, "λ", moment.text, moment.ask, moment.answer, moment.guess)
    )
    student.run()
    next(button for button in student.button if button.label == choice).click().run()
    assert MESSAGES("guess.in", guess=choice) in words(student)
    assert wording(MESSAGES, "teacher.other_window").search(words(teacher.run()))


@pytest.mark.parametrize("has_cookies", [True, False])
def test_a_teacher_comes_back_by_what_the_address_says(teacher, open_app, monkeypatch, has_cookies):
    monkeypatch.setattr(owner, "browser", lambda cookies: "b" * 32 if has_cookies else None)
    parameters = address(open_app(LESSON, teach=secret(teacher)))
    assert parameters["lesson"] == SLUG
    assert parameters["teach"] == (code(teacher) if has_cookies else secret(teacher))  # a projector shows the address
    assert code(open_app(LESSON, **parameters)) == code(teacher)


def test_no_entry_of_the_history_has_the_secret_of_a_room(teacher, open_app, monkeypatch):
    monkeypatch.setattr(owner, "browser", lambda cookies: "b" * 32)
    for page, query in ((LESSON, {}), (LESSON, {"lesson": "all"}), (LESSON, {"lesson": "none"}), (ROOM, {})):
        app = open_app(page, teach=secret(teacher), **query)
        assert address(app)["teach"] == code(teacher)
        assert app.query_params["teach"] in (secret(teacher), [secret(teacher)])  # replaces the history entry


def test_a_teacher_comes_back_by_the_secret_link_and_ends_the_room(teacher, open_app):
    again = open_app(LESSON, teach=secret(teacher))
    assert code(again) == code(teacher)
    with_code = open_app(LESSON, teach=code(teacher))  # in another browser
    assert wording(ROOMS, "not_leader").search(words(with_code))
    assert "room_secret" not in with_code.session_state
    student = open_app(ROOM, room=code(teacher))
    again.button(key="room-end").click().run()
    assert "room-code" not in words(again)
    assert wording(MESSAGES, "over").search(words(student.run()))
    assert [one.key for one in student.text_input] == ["room-code"]  # the field for the name is gone
    assert wording(ROOMS, "over").search(words(teacher.run()))


@pytest.mark.parametrize("wrong", ["XXXXX", "<b>no</b>", "K"])
def test_a_wrong_code_is_refused_with_a_field_for_another(open_app, wrong):
    app = open_app(ROOM, room=wrong)
    assert wording(ROOMS, "unknown").search(words(app))
    assert not app.exception
    app.text_input[0].set_value("abcde")
    app.button[0].click().run()
    assert wording(ROOMS, "unknown", code="ABCDE").search(words(app))


def test_the_secret_of_a_closed_room_is_reported(open_app):
    app = open_app(LESSON, lesson=SLUG, teach="gone")
    assert wording(ROOMS, "over").search(words(app))
    assert app.button(key="room-open")


def test_lines_that_students_draw_come_to_the_board_of_the_laboratory(open_app):
    lab = open_app(LESSON, data_set="xor", lam="2", init="cart", n_points="200")
    lab.button(key="learn-contest").click().run()
    assert not lab.exception
    opened = secret(lab)
    screen = rooms().answers(opened).screen
    of_link = open_app(LESSON, teach=opened)  # as a lesson link does, without a history entry
    assert "0 present, 0 drew" in words(of_link)
    assert of_link.query_params["teach"] in (opened, [opened])
    board = open_app(ROOM, teach=opened)
    assert "0 present, 0 drew" in words(board)
    assert f"{screen.contest.tao_entry.objective:g}" in words(board)
    token = rooms().join(code(board))
    student = open_app(ROOM, room=code(board), student=token)
    rooms().draw(code(board), token, screen.name, screen.contest.tao_entry.document)
    assert wording(MESSAGES, "contest.as_good").search(words(student.run()))
    assert "1 present, 1 drew" in words(board.run())
    board.button(key="board-reveal").click().run()
    assert rooms().answers(opened).is_shown
    assert "Student 1 (you)" in words(student.run())
    assert not student.exception
    board.button(key="room-end").click().run()
    assert wording(MESSAGES, "over").search(words(student.run()))
    assert not board.exception
    assert board.button(key="lessons")  # this is not the page for students


def test_a_lesson_has_its_class_beat_tao_where_it_asks_for_a_line(open_app):
    app = open_app(LESSON, lesson="split-choice")
    app.button(key="room-open").click().run()
    contest = rooms().answers(secret(app)).screen.contest
    assert (contest.most_lines, contest.most_features, contest.lam) == (1, 1, 0.0)
    assert f">{contest.tao_entry.errors}<" in words(app)
    rooms().end(secret(app))


@pytest.mark.parametrize("query", [{"data_set": "iris", "columns": "all"}, {"data_set": "diabetes"}])
def test_data_without_a_plane_of_classes_open_no_contest(open_app, query):
    button = open_app(LESSON, **query).button(key="learn-contest")
    assert button.disabled
    assert "plane" in button.help
