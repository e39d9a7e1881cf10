"""Test class plans: links with several lessons, their clock, and the walk from the first to the last lesson."""

from dataclasses import replace
from urllib.parse import parse_qsl

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.ui.learn import lessons
from pages.ui.learn.class_plan import class_plan, plan_bar
from pages.ui.learn.class_plan.class_plan import BUNDLED, CONTEST, MOST_MINUTES, MOST_PARTS
from pages.ui.learn.class_plan.clock import DAY, Clock, clock_words
from pages.ui.learn.notes import minutes_of
from pages.ui.room.led_room import rooms
from tests.refusals import wording

PAGE = "pages/learn.py"
SHORT = "split-choice_7.objective-only-falls_6.contest_5.care-points_9"  # lessons that build quickly


def links(app):
    """Return {label: parameters} of the links on the page."""
    return {one.proto.label: dict(parse_qsl(one.proto.query_string)) for one in app.get("page_link")}


def follow(app, label):
    found = links(app)[label]
    for name in list(app.query_params):
        del app.query_params[name]
    for name, value in found.items():
        app.query_params[name] = value
    return app.run()


def clock_of(app):
    return next(
        one.proto.body for one in app.get("html") if "class-time" in one.proto.body and "role" in one.proto.body
    )


def test_the_bundled_plan_is_a_class_of_45_minutes_with_the_contest_at_its_end():
    assert BUNDLED.minutes() == 45
    assert [part.slug for part in BUNDLED.parts] == [
        "what-a-tree-is", "split-choice", "greedy-fails-on-xor", "care-points", "overfitting", CONTEST,
    ]  # fmt: skip
    assert {part.slug for part in BUNDLED.parts} < class_plan.titles().keys()
    assert not {CONTEST, plan_bar.PLAN} & lessons.ALL.keys(), "These names are pages of class plans, not lessons."


@given(
    st.lists(st.sampled_from([*lessons.ALL, CONTEST]), min_size=1, unique=True).flatmap(
        lambda slugs: st.tuples(*(st.tuples(st.just(slug), st.integers(1, MOST_MINUTES)) for slug in slugs))
    )
)
def test_a_plan_survives_its_link(entries):
    plan = class_plan.of_lessons(entries)
    found = class_plan.read(plan.to_text())
    assert found.parts == plan.parts
    assert found.faults == ()
    assert "%" not in plan.to_text()


@given(st.text(max_size=300) | st.text("ab_.-0123456789%<>\n\x00٣", max_size=3000))
def test_any_text_gives_lessons_that_exist_and_words_about_the_rest(text):
    plan = class_plan.read(text)
    assert len(plan.parts) <= MOST_PARTS
    assert all(part.slug in class_plan.titles() and 1 <= part.minutes <= MOST_MINUTES for part in plan.parts)
    assert plan.faults or plan.to_text() == text.strip(".") or "_" not in text
    assert not [fault for fault in plan.faults if "<" in fault.replace("\\<", "") or "\n" in fault]


def test_lessons_that_are_gone_or_doubled_are_named_and_skipped_and_the_others_stay():
    plan = class_plan.read("care-points_9.<b>gone</b>_3.staircases_x.care-points_2.mnist_0")
    assert [(part.slug, part.minutes) for part in plan.parts] == [
        ("care-points", 9),
        ("staircases", minutes_of("staircases")),
        ("mnist", minutes_of("mnist")),
    ]
    assert plan.gone == {"<b>gone</b>": 1}
    for key, fault in zip(("gone", "minutes", "more than once", "minutes"), plan.faults, strict=True):
        assert wording(key).search(fault)
    assert wording("This class plan contains no lesson").search(class_plan.read("nothing_3").faults[-1])
    assert wording("This class plan is too long").search(class_plan.read("x." * 2000).faults[-1 - 1])


def test_a_fraction_of_a_minute_is_one_fault_and_keeps_the_lesson():
    plan = class_plan.read("care-points_7.5.mnist_4.staircases.9")
    assert [part.slug for part in plan.parts] == ["care-points", "mnist", "staircases"]
    assert wording("The minutes '…' of '…' are not a number from 1 to 90").search(plan.faults[0])
    assert "7\\.5" in plan.faults[0]


def test_equal_faults_are_named_once_and_many_are_counted():
    assert len(class_plan.read("x_1.x_2.x_3.mnist_4").faults) == 1
    assert class_plan.read("x_1.mnist_4").fault_words == class_plan.read("x_1.mnist_4").faults[0]
    words = class_plan.read(".".join(f"x{k}_1" for k in range(20)) + ".mnist_4").fault_words.split("\n")
    assert len(words) == class_plan.MOST_FAULTS + 1
    assert wording("more entries were skipped or changed").search(words[-1])
    assert class_plan.read("mnist_4").fault_words == ""


def test_parts_move_change_their_minutes_and_go():
    plan = class_plan.read("care-points_9.staircases_5.mnist_4")
    assert plan.moved(0, 1).to_text() == "staircases_5.care-points_9.mnist_4"
    assert plan.moved(0, -1).to_text() == plan.to_text()
    assert plan.moved(2, 1).to_text() == plan.to_text()
    assert plan.timed(1, 8).without(0).to_text() == "staircases_8.mnist_4"
    assert plan.with_part(CONTEST).beside("mnist") == ("staircases", CONTEST)
    assert plan.beside("care-points") == (None, "staircases")
    assert plan.beside("unstable") == (None, None)


def test_the_clock_runs_stands_and_survives_its_link():
    now = 1_700_000_000.0
    clock = Clock().toggled(now)
    assert clock.seconds(now + 90) == 90
    stopped = clock.toggled(now + 90)
    assert (stopped.seconds(now + 500), stopped.toggled(now + 500).seconds(now + 510)) == (90, 100)
    for one in (clock, stopped, Clock()):
        assert Clock.read(one.to_text(), now + 90) == one
    for text in (None, "", "r", "r-1", "p1e9", "r٣", f"r{int(now) + 500}", f"r{int(now) - DAY - 9}", "r1\n", "<b>"):
        assert Clock.read(text, now) == Clock()


def test_the_clock_names_the_minutes_left_ahead_and_late():
    assert clock_words(60 * 12 + 5, 45, 8, 15) == "12 of 45 min, 3 min left for this lesson"
    assert clock_words(60 * 6, 45, 8, 15) == "6 of 45 min, 2 min ahead"
    assert clock_words(60 * 15, 45, 8, 15).endswith("time for the next lesson")
    assert clock_words(60 * 17, 45, 8, 15).endswith("2 min late")


def test_a_link_plays_a_plan_from_its_first_to_its_last_lesson(open_app):
    app = open_app(PAGE, plan=SHORT)
    plan = class_plan.read(SHORT)
    for k, part in enumerate(plan.parts):
        assert not app.exception
        if k:  # the first address has no lesson, so that the link is short
            assert app.query_params["lesson"] in (part.slug, [part.slug])
        following = plan.beside(part.slug)[1]
        label = "Next lesson" if part.slug == CONTEST else following and class_plan.titles()[following]
        assert (label in links(app)) == (following is not None)
        assert f"{plan.minutes()} min planned" in clock_of(app)
        assert links(app)["Class plan"]["plan"] == SHORT
        if following is not None:
            assert links(app)[label]["plan"] == SHORT
            app = follow(app, label)
    assert links(app)["Previous"]["lesson"] == CONTEST


def test_a_reload_in_the_middle_keeps_the_place_and_the_clock(open_app):
    app = open_app(PAGE, plan=SHORT, lesson="objective-only-falls", moment="3", clock="p600")
    assert "10 of 27 min, 3 min left for this lesson" in clock_of(app)
    assert links(app)["Class plan"]["clock"] == "p600"
    app.button(key="class-clock-run").click().run()
    assert links(app)["Class plan"]["clock"].startswith("r")
    app.button(key="class-clock-run").click().run()
    app.button(key="class-clock-reset").click().run()
    assert "27 min planned" in clock_of(app)
    assert not app.exception


def test_a_room_follows_from_lesson_to_lesson_and_its_board_shows_the_place_in_the_plan(open_app):
    app = open_app(PAGE, plan=SHORT, lesson="split-choice")
    app.button(key="room-open").click().run()
    secret = app.session_state["room_secret"]
    drawn = rooms().answers(secret).screen
    assert (drawn.lesson, drawn.contest is None) == ("split-choice", False)
    app = follow(app, class_plan.titles()["objective-only-falls"])
    assert rooms().answers(secret).screen.lesson == "objective-only-falls"
    rooms().show(secret, replace(drawn, lesson=""))  # as a contest of the laboratory
    board = open_app("pages/room.py", teach=secret, plan=SHORT, clock="p600")
    assert not board.exception
    assert any("Lesson 3 of 4" in one.proto.body for one in board.get("html"))
    assert "10 of 27 min, 3 min ahead" in clock_of(board)
    board.button(key="class-next").click().run()
    assert board.session_state["_address_said"] == {"lesson": "care-points", "plan": SHORT, "clock": "p600"}
    rooms().end(secret)


def test_the_contest_of_a_plan_shows_the_room_and_leads_back_to_the_last_screen(open_app):
    app = open_app(PAGE, plan=SHORT, lesson="split-choice")
    app.button(key="room-open").click().run()
    secret = app.session_state["room_secret"]
    rooms().join(code := rooms().answers(secret).code)
    app.query_params["lesson"] = "contest"
    app.run()
    html = " ".join(one.proto.body for one in app.get("html"))
    assert f'room-code">{code}<' in html
    assert ">1 present<" in html
    app.button(key="contest-back").click().run()
    last = str(len(lessons.build("objective-only-falls").moments))
    assert app.session_state["_address_said"] == {
        "lesson": "objective-only-falls", "moment": last, "plan": SHORT, "teach": code,
    }  # fmt: skip
    rooms().end(secret)


def test_a_lesson_that_is_gone_leads_to_the_next_one_in_words(open_app):
    app = open_app(PAGE, plan="split-choice_7.gone_3.care-points_9", lesson="gone")
    assert not app.exception
    assert any(
        wording("This class plan contains the lesson '…', which does not exist").search(one.value) for one in app.toast
    )
    assert links(app)["Previous"]["lesson"] == "split-choice"
    app = open_app(PAGE, plan="gone_3", lesson="plan")
    assert not app.exception
    assert any(wording("This class plan contains no lesson").search(one.value) for one in app.warning)


def test_a_plan_without_a_lesson_opens_its_page_and_the_bundled_plan_is_one_click_away(open_app):
    app = open_app(PAGE, plan="gone_3")
    assert not app.exception
    assert any(wording("This class plan contains no lesson").search(one.value) for one in app.warning)
    app.button(key="class-bundled").click().run()
    assert not app.warning
    assert app.code[0].value.endswith(f"?plan={BUNDLED.to_text()}")
    assert "class-bundled" not in [one.key for one in app.button]


def test_the_page_of_a_running_plan_shows_the_clock(open_app):
    app = open_app(PAGE, lesson="plan", plan=SHORT, clock="p600")
    assert "10 of 27 min<" in clock_of(app)
    assert app.button(key="class-start").label == "Open first lesson"
    app.button(key="class-clock-reset").click().run()
    assert app.button(key="class-start").label == "Start class"


def test_the_key_of_a_remote_control_opens_the_contest(open_app):
    app = open_app(PAGE, lesson=CONTEST, plan=SHORT)
    assert app.button(key="learn-contest").proto.shortcut == "pagedown"
    assert not open_app(PAGE).button(key="learn-contest").proto.shortcut


def test_a_plan_is_made_by_hand_and_started(open_app):
    app = open_app(PAGE, lesson="plan", plan="split-choice_7.care-points_9")
    add = app.selectbox[0]
    assert "split-choice" not in add.options
    add.set_value("mnist").run()
    assert "split-choice_7.care-points_9.mnist" in app.code[0].value
    next(one for one in app.button if one.key.startswith("class-up-care-points")).click().run()
    next(one for one in app.number_input if "split-choice" in one.key).set_value(12).run()
    next(one for one in app.button if one.key.startswith("class-remove-mnist")).click().run()
    assert app.code[0].value.endswith("?plan=care-points_9.split-choice_12")
    app.button(key="class-start").click().run()
    assert not app.exception
    assert "0 of 21 min, 9 min left for this lesson" in clock_of(app)


@pytest.mark.parametrize("page", ["pages/room.py", PAGE])
def test_students_see_no_clock(open_app, page):
    app = open_app(page, room="ABCDE") if page != PAGE else open_app(page, lesson="care-points")
    assert not [one for one in app.get("html") if "class-time" in one.proto.body and "role" in one.proto.body]
