"""Show lessons and stories on the Learn page: cards to choose from, and a chosen lesson on the stage."""

from dataclasses import asdict

import streamlit as st

from pages.jobs import settings_text
from pages.ui.learn import draw_again, learn_data, learn_link, learn_settings, lesson_store, lessons, notes_page
from pages.ui.learn.class_plan import class_plan, plan_bar, plan_page
from pages.ui.learn.class_screen import class_screen
from pages.ui.learn.lesson_cards import lesson_cards
from pages.ui.learn.lessons.document import document
from pages.ui.learn.lessons.lesson import BuiltLesson, Lesson, Moment, Scene
from pages.ui.room import led_room, teacher_strip
from pages.ui.room.board_page import board_page
from pages.ui.session import choose_tree, page_settings, shown_path
from pages.ui.shell import address, chart, stage
from pages.ui.shell.markdown_text import plain
from pages.ui.shell.page_title import page_title
from pages.ui.shell.save_button import save_button
from pages.ui.styles.sheet import sheet
from sample_data import painted
from viz.page.stage_html import lesson_html

PAGE = "pages/learn.py"
OTHER_TREES = "The laboratory trains one tree step by step, so its numbers differ slightly from the lesson."
OVERVIEW = "all"  # replaces the name of a lesson in a link


def show_linked() -> bool:
    """Show the lesson of the link, or a replacement. Return whether the link names a lesson."""
    screen, slug = led_room.begin(), st.query_params.get("lesson")
    if slug is None and screen is not None and "teach" in st.query_params:
        slug = screen.lesson
        if not slug:  # the page of the room would be one more history entry
            board_page(plan_bar.query(), plan_bar.on_board)
            return True
        address.is_from_address("lesson_opens")  # the room decides which lesson is shown
        st.session_state["lesson_opens"] = (slug, screen.moment)
    slug = plan_bar.first(slug)
    if slug is None:
        return False
    if notes_page.show(slug) or plan_page.show_plan(slug):
        return True
    lesson = lessons.ALL.get(slug)
    if lesson is None:
        if slug != OVERVIEW:
            st.warning(
                f"The lesson '{plain(slug[:60])}' does not exist. Choose a lesson below.", icon=":material/link_off:"
            )
        address.write({"lesson": slug} | _kept())
        overview_page()
        return True
    st.html(sheet("no_sidebar"))
    with st.spinner("Training the trees of this lesson …"):  # the first visitor waits for up to a minute
        built = lesson_store.opened(slug)
    _show(lesson, built)
    return True


def overview_page() -> None:
    """Draw a page with the overview alone."""
    st.html(sheet("no_sidebar"))
    page_title("Lessons")
    with st.container(horizontal=True):
        st.page_link(PAGE, label="Laboratory", icon=":material/science:")
        plan_bar.link()
    overview()


def link() -> None:
    """Draw the button that leads to the lessons, in the sidebar of the laboratory."""
    if not _is_bare():
        # A link to the current page would lose its parameter while the address changes.
        with st.sidebar:
            if st.button("Lessons and stories", icon=":material/school:", key="lessons", width="stretch"):
                _go_to_overview()


def _go_to_overview() -> None:
    st.query_params.from_dict({"lesson": OVERVIEW} | _kept())
    st.rerun(scope="app")


def _kept() -> dict[str, str]:
    """Return the parameters of the room and of the class plan."""
    return plan_bar.query() | led_room.query()


def _is_bare() -> bool:
    """Test whether a link shows a class the laboratory alone."""
    chosen = learn_settings.LEARN.current()
    return bool(chosen.hide) or chosen.present


def below() -> None:
    """Draw the overview below the laboratory."""
    if not _is_bare():
        overview()


def overview() -> None:
    """Draw the cards of all lessons and stories."""
    slug = lesson_cards(chart.theme())
    if slug in lessons.ALL:
        address.go_to(PAGE, {"lesson": slug})


def _show(lesson: Lesson, built: BuiltLesson) -> None:
    name = f"lesson-{lesson.slug}-{address.turn()}"
    opens = opening_moment(lesson, built)
    with st.container(key="lesson"):
        # Draw in a fragment, so that the stage stays mounted with its content.
        if _is_presented():
            st.html(sheet("presented_lesson"))
        st.fragment(_page)(lesson, built, name, opens)


def opening_moment(lesson: Lesson, built: BuiltLesson) -> int:
    """Return the moment at which a lesson opens.

    The moment is part of the payload, so it stays the same while the visitor moves on.
    """
    kept = st.session_state.get("lesson_opens")
    if address.is_from_address("lesson_opens") or kept is None or kept[0] != lesson.slug:
        text = st.query_params.get("moment")
        number = settings_text.natural(text)
        if text is not None and not (number and number <= len(built.moments)):
            st.toast(
                f"Screen {plain(text[:20])} does not exist in this lesson. Showing the first screen.",
                icon=":material/link_off:",
            )
        moment = number - 1 if number and number <= len(built.moments) else 0
        kept = st.session_state["lesson_opens"] = (lesson.slug, moment)
    return kept[1]


def _page(lesson: Lesson, built: BuiltLesson, name: str, opens: int) -> None:
    address.leave()  # a click in this fragment may have opened another room
    seen = stage.latest_view(name, "lesson") or stage.View(None)
    moment = min(opens if seen.moment is None else seen.moment, len(built.moments) - 1)
    at = built.moments[moment]
    before, following = _beside(lesson.slug)
    sides = [side for side, other in ((-1, before), (1, following)) if other is not None]
    if (other := {1: following, 2: before}.get(seen.leaves)) is not None:
        _leave(other, other is before)
    _share(lesson, moment)
    led_room.show(class_screen(lesson.slug, moment), seen.answer == 1)
    plan_bar.clock(lesson.slug, has_buttons=not _is_presented())
    with st.container(key="lesson-bar", horizontal=True, horizontal_alignment="left", vertical_alignment="center"):
        if not _is_presented():
            _bar(lesson, built, seen, at, moment)
    content = b"".join(scene.content for scene in built.scenes)
    drawn = draw_again.drawn(at.claim, seen.draws or 0)
    with st.container(key="lesson-stage"):
        stage.mount(
            name,
            content,
            slot="lesson",
            options=stage.Options(
                lesson=(
                    document(lesson, built, sides, _then(lesson.slug, following)) | plan_bar.kicker(lesson.slug),
                    opens,
                ),
                present=_is_presented(),
                drawn=drawn,
            ),
        )
        teacher_strip.strip((lesson.slug, moment))
    if _is_presented() and st.button(
        "Exit presentation", icon=":material/close_fullscreen:", type="tertiary", key="lesson-leave"
    ):
        _present(False, lesson, moment)


def _beside(slug: str) -> tuple[str | None, str | None]:
    """Return the names of the previous and the next lesson, each of which may be None."""
    if (planned := plan_bar.neighbours(slug)) is not None:
        return planned
    series = (None, *lessons.ALL, None)
    place = series.index(slug)
    return series[place - 1], series[place + 1]


def _then(slug: str, following: str | None) -> str:
    """Return the words that lead from the last screen to the next lesson."""
    if following is not None:
        return f"Next: *{class_plan.titles()[following]}*."
    if plan_bar.neighbours(slug) is not None:
        return "This class plan ends here."
    return "Now train your own table on the *Data* page."


def _leave(slug: str, is_back: bool) -> None:
    """Open the first screen of a lesson, or the last screen when going back."""
    is_last = is_back and slug in lessons.ALL
    moment = {"moment": str(len(lesson_store.opened(slug).moments))} if is_last else {}
    kept = {name: st.query_params[name] for name in ("present", "hide") if name in st.query_params}
    st.query_params.from_dict({"lesson": slug} | moment | kept | _kept())
    st.session_state.pop("lesson_opens", None)
    st.rerun(scope="app")


def _is_presented() -> bool:
    return st.query_params.get("present") == "1"


def _present(on: bool, lesson: Lesson, moment: int) -> None:
    """Start or end the presentation at the current moment."""
    st.session_state["lesson_opens"] = (lesson.slug, moment)
    if on:
        st.query_params["present"] = "1"
    else:
        del st.query_params["present"]
    st.rerun(scope="app")


def _share(lesson: Lesson, moment: int) -> None:
    texts = {"lesson": lesson.slug} | ({"moment": str(moment + 1)} if moment else {})
    texts |= {name: st.query_params[name] for name in ("present", "hide") if name in st.query_params}
    address.write(texts | _kept())


def _bar(lesson: Lesson, built: BuiltLesson, seen: stage.View, at: Moment, moment: int) -> None:
    """Draw the bar: all lessons, the previous and next lesson, and links that open the scene on other pages."""
    if plan_bar.current() is not None:
        plan_bar.link()
    elif st.button("All lessons", icon=":material/apps:", key="lesson-all", type="tertiary"):
        _go_to_overview()
    for step, icon, words, other in zip(
        (-1, 1), (":material/chevron_left:", ":material/chevron_right:"), ("Previous lesson", "Next lesson"),
        _beside(lesson.slug), strict=True,
    ):  # fmt: skip
        if other is not None:
            title = class_plan.titles()[other]
            label = title if step > 0 else "Previous"
            st.page_link(
                PAGE, label=label, icon=icon, icon_position="left" if step < 0 else "right",
                query_params={"lesson": other} | plan_bar.query(), help=f"{words}: {title}",
            )  # fmt: skip
    st.space("stretch")
    scene = built.scenes[at.scene if seen.scene is None else min(seen.scene, len(built.scenes) - 1)]
    step = at.step if seen.tree is None else min(seen.tree, scene.last)
    node = at.node if seen.tree is None else seen.node
    if not scene.is_made and st.button(
        "Open on Tree page", icon=":material/account_tree:", key="lesson-explore", type="tertiary"
    ):
        _open_in_explorer(scene, step, node)
    if st.button("Open in laboratory", icon=":material/science:", key="lesson-lab", type="tertiary"):
        _open_in_lab(scene, step, node)
    notes_page.link(lesson.slug)
    teacher_strip.button()
    if st.button(
        "Present", icon=":material/slideshow:", key="lesson-present", type="tertiary", help="Shows the lesson only."
    ):
        _present(True, lesson, moment)
    save_button(
        "Save (HTML)", lambda: lesson_html(document(lesson, built), [s.content for s in built.scenes], lesson.title),
        f"lesson-{lesson.slug}.html", "text/html", key="lesson-save",
        type="tertiary", help="Saves the lesson as one file that works offline.",
    )  # fmt: skip


def _open_in_explorer(scene: Scene, step: int, node: int | None) -> None:
    """Open the Tree page, which trains this path, at the current tree and node."""
    place = scene.places[step]
    store = page_settings.EXPLORE
    store.change(**{"lam": None} | asdict(scene.settings))
    name = shown_path.submit(store.current(), scene.data).name
    place = next(p for p in (place, *reversed(scene.places), 0) if p is not None)
    node = node if node in scene.tree(step).origin.tolist() else None
    shown_path.open_at(store, name, stage.View(place, node))
    address.go_to(*choose_tree.PATH_PAGE)


def _open_in_lab(scene: Scene, step: int, node: int | None) -> None:
    """Open the laboratory with the rows and settings of the scene, at the λ of its tree.

    A recorded run is the same there, so it opens at the same step and node.
    """
    chosen, data = scene.settings, scene.data
    painting = learn_data.as_painting(learn_data.LearnData(data, scene.rows, ())) if scene.is_made else None
    least, most = learn_settings.POINTS
    deepest = learn_settings.DEPTHS[1]
    is_same = scene.is_recorded
    learn_settings.LEARN.change(
        n_points=min(max(len(scene.rows[0]), least), most),
        rows="drawn" if scene.is_made else "lesson",
        **{name: getattr(chosen, name) for name in ("data_set", "split", "init", "bivariate_cost", "seed")}
        | ({"data_set": painted.NAME, "painted": painting} if painting else {}),
        lam=float(scene.points[step].lam / data.target.loss_unit),
        max_depth=chosen.max_depth if chosen.max_depth <= deepest else 0,
        columns="all" if data.n_features > 2 else "two",
        beside=scene.is_growth,
    )
    if not is_same:
        learn_link.add(learn_settings.LEARN, OTHER_TREES)
    st.session_state.pop("learn_view", None)
    at = {"step": step, "node": node} if is_same else {}
    st.query_params.from_dict({name: str(value) for name, value in at.items() if value is not None})
    st.rerun(scope="app")
