"""Draw the page of a class plan: its lessons in order, their minutes, and the link that starts it."""

import streamlit as st

from pages.ui.learn import contests, learn_data, lesson_store, lessons
from pages.ui.learn.class_plan import class_plan, plan_bar
from pages.ui.learn.class_plan.class_plan import BUNDLED, CONTEST, MOST_MINUTES, MOST_PARTS, ClassPlan
from pages.ui.learn.learn_settings import LearnSettings
from pages.ui.room import led_room, teacher_strip
from pages.ui.shell import address, chart
from pages.ui.shell.page_title import page_title
from pages.ui.styles.sheet import sheet
from viz.page.contest_html import points_html

PAGE = "pages/learn.py"
CONTEST_SETTINGS = LearnSettings(data_set="stripes", n_points=300, lam=4.0, bivariate_cost=1.0)
_EDIT = "class_plan_edit"  # text of a plan that a click has just changed


def show_plan(slug: str) -> bool:
    """Draw the page of the plan, or its contest, if the address names one of them. Return whether it does."""
    if slug == plan_bar.PLAN:
        _plan_page()
    elif slug == CONTEST:
        _contest_page()
    return slug in (plan_bar.PLAN, CONTEST)


def _plan_page() -> None:
    if (text := st.session_state.pop(_EDIT, None)) is None:
        text = st.query_params.get("plan", BUNDLED.to_text())
    plan = class_plan.read(text)
    st.html(sheet("no_sidebar"))
    address.write({"lesson": plan_bar.PLAN, "plan": text} | _clock() | led_room.query())
    page_title("Class plan", "Lessons in order, with minutes and a clock for you.")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.page_link(PAGE, label="All lessons", icon=":material/apps:", query_params={"lesson": "all"} | _clock(plan))
        if plan.parts != BUNDLED.parts:
            st.button(
                "Bundled plan", icon=":material/restart_alt:", key="class-bundled", type="tertiary", on_click=_keep,
                args=(BUNDLED,),
                help=f"Replaces these lessons by those of the bundled class of {BUNDLED.minutes()} minutes.",
            )  # fmt: skip
    if plan_bar.clock_text() and plan.parts:
        plan_bar.clock_at(plan, None)
    if plan.fault_words:
        st.warning(plan.fault_words, icon=":material/event_note:")
    parts, side = st.columns([1.6, 1], gap="large")
    with parts.container(key="class-parts"):
        for place in range(len(plan.parts)):
            _row(plan, place)
        _add(plan)
    if plan.parts:
        with side:
            _start(plan)


def _start(plan: ClassPlan) -> None:
    """Draw the total, the button that starts the class, and the link to copy."""
    n = len(plan.parts)
    st.markdown(f"**{n} lesson{'s' * (n != 1)}, {plan.minutes()} minutes**")
    words, help = ("Start class", "Starts the clock and opens the first lesson.")
    if plan_bar.clock_text():
        words, help = ("Open first lesson", "Opens the first lesson. The clock keeps its time.")
    st.button(
        words, type="primary", icon=":material/play_arrow:", key="class-start", on_click=_go, args=(plan,), help=help
    )
    st.caption("Link that plays this plan, for you and for other teachers:")
    st.code(plan_bar.to_copy(plan), language=None, wrap_lines=True)


def _go(plan: ClassPlan) -> None:
    """Start the clock and open the first lesson."""
    plan_bar.start()
    query = {"lesson": plan.parts[0].slug, "plan": plan.to_text()}
    address.leave_for(PAGE, query | _clock() | led_room.query())


def _row(plan: ClassPlan, place: int) -> None:
    """Draw a lesson of the plan, with its minutes and the buttons that move and remove it."""
    part, last = plan.parts[place], len(plan.parts) - 1
    at = f"{part.slug}-{part.minutes}-{place}"  # a widget of another plan must not keep its value
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        with st.container(key=f"class-title-{at}", width="content"):
            st.page_link(
                PAGE, label=f"{place + 1}. {part.title}",
                query_params={"lesson": part.slug, "plan": plan.to_text()} | _clock(),
            )  # fmt: skip
        st.space("stretch")
        st.number_input(
            f"Minutes of {part.title}", 1, MOST_MINUTES, part.minutes, key=f"class-minutes-{at}", width=130,
            label_visibility="collapsed", on_change=_time, args=(plan, place, f"class-minutes-{at}"),
        )  # fmt: skip
        st.html("min", width="content")
        for name, icon, words, change, is_off in (
            ("up", "arrow_upward", "Move up", plan.moved(place, -1), place == 0),
            ("down", "arrow_downward", "Move down", plan.moved(place, 1), place == last),
            ("remove", "close", "Remove", plan.without(place), False),
        ):
            st.button(
                f":material/{icon}:", key=f"class-{name}-{at}", type="tertiary", help=f"{words}: {part.title}",
                disabled=is_off, on_click=_keep, args=(change,),
            )  # fmt: skip


def _add(plan: ClassPlan) -> None:
    """Draw the field that adds a lesson."""
    others = [slug for slug in class_plan.titles() if plan.place(slug) is None]
    if others and len(plan.parts) < MOST_PARTS:
        st.selectbox(
            "Add lesson", others, None, class_plan.titles().__getitem__, key=f"class-add-{len(plan.parts)}",
            placeholder="Choose a lesson, a story or the contest", width=440,
            on_change=_added, args=(plan, f"class-add-{len(plan.parts)}"),
        )  # fmt: skip


def _added(plan: ClassPlan, key: str) -> None:
    if st.session_state[key] is not None:
        _keep(plan.with_part(st.session_state[key]))


def _time(plan: ClassPlan, place: int, key: str) -> None:
    if st.session_state[key] is not None:  # the field is empty
        _keep(plan.timed(place, st.session_state[key]))


def _keep(plan: ClassPlan) -> None:
    st.session_state[_EDIT] = plan.to_text()


def _clock(plan: ClassPlan | None = None) -> dict[str, str]:
    """Return the parameter of the clock, and of a plan."""
    text = plan_bar.clock_text()
    return ({"clock": text} if text else {}) | ({"plan": plan.to_text()} if plan and plan.parts else {})


def _contest_page() -> None:
    """Draw the points of the contest, its rules, and the button that opens it in the room."""
    address.write({"lesson": CONTEST} | plan_bar.query() | led_room.query())
    st.html(sheet("no_sidebar"))
    found = learn_data.of(CONTEST_SETTINGS)
    page_title(class_plan.CONTEST_TITLE)
    before, following = plan_bar.neighbours(CONTEST) or (None, None)
    with st.container(key="class-bar", horizontal=True, vertical_alignment="center"):
        if words := plan_bar.kicker(CONTEST).get("kicker"):
            st.markdown(f"**{words}**")
        if before is not None:
            st.button(
                "Previous", icon=":material/chevron_left:", key="contest-back", type="tertiary", shortcut="pageup",
                on_click=_back, args=(before,), help=class_plan.titles()[before],
            )  # fmt: skip
        if following is not None:
            st.page_link(
                PAGE, label="Next lesson", icon=":material/chevron_right:", icon_position="right",
                query_params={"lesson": following} | plan_bar.query(), help=class_plan.titles()[following],
            )  # fmt: skip
        plan_bar.link()
        st.space("stretch")
        plan_bar.clock(CONTEST)
    left, right = st.columns([0.85, 1], gap="large")
    with left:
        data, rows = found.data, found.rows[0]
        assert data is not None
        st.html(points_html(data.X[rows], data.y[rows], f"Points of the contest: {data.title}", chart.theme()))
    with right:
        st.markdown(
            "Everybody separates the same points with straight lines. Each misclassified point costs 1, each "
            f"line costs λ = {CONTEST_SETTINGS.lam:g}. The lowest sum wins, and TAO takes part."
        )
        contests.contest_button(CONTEST_SETTINGS, found, None, shortcut="pagedown")
        teacher_strip.waiting()


def _back(slug: str) -> None:
    """Open the last screen of the previous lesson."""
    moment = {"moment": str(len(lesson_store.opened(slug).moments))} if slug in lessons.ALL else {}
    st.session_state.pop("lesson_opens", None)
    address.leave_for(PAGE, {"lesson": slug} | moment | plan_bar.query() | led_room.query())
