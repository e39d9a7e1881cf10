"""Show the class plan of the address next to a lesson: the place in the plan, and the clock."""

import time
from collections.abc import Callable
from html import escape

import streamlit as st

from pages.ui.learn.class_plan import class_plan
from pages.ui.learn.class_plan.class_plan import ClassPlan
from pages.ui.learn.class_plan.clock import Clock, clock_words
from pages.ui.shell import address

PAGE = "pages/learn.py"
PLAN = "plan"  # replaces the name of a lesson in the link to the page of the plan
EVERY = 5.0  # seconds between two updates of the clock
_CLOCK, _TOLD = "class_clock", "class_plan_told"


def current() -> ClassPlan | None:
    """Return the plan of the address, or None."""
    text = st.query_params.get("plan")
    plan = None if text is None else class_plan.read(text)
    return plan if plan is not None and plan.parts else None


def first(slug: str | None) -> str | None:
    """Return the lesson to show: `slug`, the first lesson of the plan, or the lesson after one that is gone.

    A plan without a lesson leads to its page. The first run with a plan reports its faults.
    """
    plan = current()
    if slug is None and plan is None and "plan" in st.query_params:
        return PLAN
    if slug != PLAN:  # this page shows the faults itself
        _report(st.query_params.get("plan"))
    if plan is None or slug in class_plan.titles():
        return slug
    if slug is None:
        return plan.parts[0].slug
    place = (plan.gone or {}).get(slug)
    return slug if place is None else plan.parts[min(place, len(plan.parts) - 1)].slug


def _report(text: str | None) -> None:
    """Report the faults of a plan once."""
    if text is not None and st.session_state.get(_TOLD) != text:
        st.session_state[_TOLD] = text
        if words := class_plan.read(text).fault_words:
            st.toast(words, icon=":material/event_note:", duration="long")


def query() -> dict[str, str]:
    """Return the parameters of the plan and its clock for the address."""
    plan = current()
    if plan is None:
        return {}
    texts = {"plan": plan.to_text(), "clock": clock_text()}
    return {name: text for name, text in texts.items() if text}


def neighbours(slug: str) -> tuple[str | None, str | None] | None:
    """Return the previous and the next lesson of the plan, or None if the plan does not contain this lesson."""
    plan = current()
    return None if plan is None or plan.place(slug) is None else plan.beside(slug)


def kicker(slug: str) -> dict[str, str]:
    """Return {"kicker": "Lesson 2 of 6"}, or {} if the plan does not contain this lesson."""
    plan = current()
    place = None if plan is None else plan.place(slug)
    return {} if plan is None or place is None else {"kicker": f"Lesson {place + 1} of {len(plan.parts)}"}


def link() -> None:
    """Draw the link to the page of the plan."""
    st.page_link(
        PAGE, label="Class plan", icon=":material/event_note:", query_params={"lesson": PLAN} | query(),
        help="Plays several lessons in order, with a clock for you.",
    )  # fmt: skip


def clock(slug: str, has_buttons: bool = True) -> None:
    """Draw the clock, if the plan contains this lesson."""
    plan = current()
    if plan is not None and (place := plan.place(slug)) is not None:
        clock_at(plan, place, has_buttons)


def clock_at(plan: ClassPlan, place: int | None, has_buttons: bool = True) -> None:
    """Draw the clock at a place of a plan, or without the minutes left for a lesson."""
    with st.container(key="class-clock", horizontal=True, vertical_alignment="center", gap="small", width="content"):
        st.fragment(_time, run_every=EVERY)(plan, place)
        if has_buttons:
            now = _clock()
            words, icon = ("Pause clock", "pause") if now.is_running else ("Start clock", "play_arrow")
            st.button(
                words, icon=f":material/{icon}:", key="class-clock-run", type="tertiary", on_click=_set,
                args=(now.toggled,),
            )  # fmt: skip
            if not now.is_running and now.kept:
                st.button(
                    "Reset clock", icon=":material/restart_alt:", key="class-clock-reset", type="tertiary",
                    on_click=_set, args=(lambda _: Clock(),),
                )  # fmt: skip


def clock_text() -> str:
    """Return the clock for the address, "" while it is at 0."""
    return _clock().to_text()


def start() -> None:
    """Start the clock, unless it already shows a time."""
    if not clock_text():
        _set(_clock().toggled)


def on_board(is_shown: bool, kept: dict[str, str]) -> None:
    """Draw the place in the plan, the clock and the next lesson above the board of a contest.

    is_shown : whether the answer is visible; Page Down then leads to the next lesson; kept : parameters of the room.
    """
    if current() is None:
        return
    slug = class_plan.CONTEST
    with st.container(key="class-bar", horizontal=True, vertical_alignment="center"):
        st.html(f'<b class="class-place">{escape(kicker(slug).get("kicker", ""))}</b>')
        link()
        following = (neighbours(slug) or (None, None))[1]
        if following is not None:
            st.button(
                "Next lesson", icon=":material/chevron_right:", icon_position="right", key="class-next",
                type="tertiary", on_click=address.leave_for, args=(PAGE, {"lesson": following} | query() | kept),
                help=class_plan.titles()[following], shortcut="pagedown" if is_shown else None,
            )  # fmt: skip
        st.space("stretch")
        clock(slug)


def to_copy(plan: ClassPlan) -> str:
    """Return the link that starts a plan on any device."""
    return address.link_to(st.context.url, {"plan": plan.to_text()})


def _time(plan: ClassPlan, place: int | None) -> None:
    now, total = _clock(), plan.minutes()
    seconds = now.seconds(time.time())
    if not now.to_text():
        words = f"{total} min planned"
    elif place is None:
        words = f"{seconds // 60} of {total} min"
    else:
        words = clock_words(seconds, total, plan.minutes(place), plan.minutes(place + 1))
    st.html(f'<span class="class-time" role="timer" aria-label="Clock of the class">{escape(words)}</span>')


def _clock() -> Clock:
    """Return the clock of this tab. A reloaded page reads it from the address."""
    if _CLOCK not in st.session_state:
        st.session_state[_CLOCK] = Clock.read(st.query_params.get("clock"), time.time()).to_text()
    return Clock.read(st.session_state[_CLOCK], time.time())


def _set(change: Callable[[float], Clock]) -> None:
    st.session_state[_CLOCK] = change(time.time()).to_text()
