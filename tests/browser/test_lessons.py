"""Test lessons as a class uses them: by keyboard only, as files without a network and in the app."""

import re
from itertools import pairwise

import pytest

from pages.ui.learn import lessons
from pages.ui.learn.lessons import lookup
from pages.ui.learn.lessons.document import document
from tests.browser.conftest import StagePages, at_rest, save_button
from tests.budget import budget
from tests.refusals import wording
from viz.page.stage_html import lesson_html

pytestmark = pytest.mark.browser

SMALL, LARGE, PHONE = (1280, 720), (1920, 1080), (390, 844)
SHOWN = """([moment, tree, node]) => {
  const find = (root, test) => root.querySelector(`[data-testid=${test}]`) ??
    [...root.querySelectorAll("*")].map((e) => e.shadowRoot && find(e.shadowRoot, test)).find(Boolean);
  const stage = find(document, "stage"), lesson = find(document, "lesson");
  return lesson?.dataset.moment === moment && stage?.dataset.painted === tree && stage.dataset.selected === node;
}"""
FOCUSED = """() => { let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at?.dataset?.testid ?? ""; }"""
SMALLEST = """() => Math.min(...[...document.querySelectorAll(".stage *")].filter((e) => e.checkVisibility() &&
  !e.closest("[role=tree]") && [...e.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()))
  .map((e) => parseFloat(getComputedStyle(e).fontSize)))"""
# Fresh draws are below the answer, where one may scroll to them.
FITS = """(lesson) => { const words = lesson.querySelector(".words"), box = lesson.getBoundingClientRect();
  const fresh = lesson.querySelector(".fresh")?.getBoundingClientRect().height ?? 0;
  return [words.scrollHeight - fresh <= words.clientHeight + 1, words.scrollWidth <= words.clientWidth + 1,
          box.bottom <= innerHeight, box.right <= innerWidth]; }"""


# Everything on the screen and in the accessibility tree, except the words of the lesson itself.
READABLE = """() => { const found = [];
  const shown = (e) => e.checkVisibility({ visibilityProperty: true }) && !e.closest("[data-testid=lesson]");
  const read = (root) => { for (const e of root.querySelectorAll("*")) {
    if (e.shadowRoot) read(e.shadowRoot);
    if (["SCRIPT", "STYLE"].includes(e.tagName) || !shown(e)) continue;
    for (const name of ["aria-label", "aria-valuetext", "title", "alt"])
      if (e.getAttribute(name)) found.push(e.getAttribute(name));
    for (const node of e.childNodes) if (node.nodeType === 3 && node.textContent.trim()) found.push(node.textContent);
  } };
  read(document); return found; }"""
# Numbers that answer questions: errors of a tree or a node, care points, and the leaves of a recommended tree.
RESULT = r"\d\s*(%\s*)?wrong|± ?\d|\d errors|off by more than|errors \d+ to|\d care points|validation error .*leaves"


def wait_for(page, number, moment):
    """Wait until the stage shows the tree and the node of a moment."""
    node = "" if moment.node is None else str(moment.node)
    page.wait_for_function(SHOWN, arg=[str(number), str(moment.step), node])


def press_until(page, key, test):
    """Press a key until the control with this test id has the focus."""
    for _ in range(6):
        if page.evaluate(FOCUSED) == test:
            return
        page.keyboard.press(key)
    pytest.fail(f"{key} does not lead to {test}")


def walk(page, built):
    """Walk through a lesson with Tab and Enter, and open every answer and formula."""
    lesson = page.get_by_test_id("lesson")
    for number, moment in enumerate(built.moments):
        wait_for(page, number, moment)
        assert lesson.evaluate(FITS) == [True] * 4, (number, "words")
        if moment.answer:  # the last screen has a task without an answer
            press_until(page, "Shift+Tab", "lesson-answer")
            page.keyboard.press("Enter")
            assert page.get_by_test_id("lesson-answer-text").is_visible()
            assert lesson.evaluate(FITS) == [True] * 4, (number, "answer")
        if moment.formula is not None:
            press_until(page, "Tab", "lesson-formula")
            page.keyboard.press("Enter")
            assert lesson.locator(".display math").is_visible()
            assert lesson.evaluate(FITS) == [True] * 4, (number, "formula")
            page.keyboard.press("Enter")
        press_until(page, "Tab", "lesson-next")
        page.keyboard.press("Enter")
    assert page.get_by_test_id("lesson-progress").inner_text() == f"{len(built.moments)} of {len(built.moments)}"


@pytest.fixture(scope="module")
def lesson_file(tmp_path_factory):
    """Return a function that makes the standalone file of a lesson, given its slug, and returns the address."""
    folder = tmp_path_factory.mktemp("lessons")

    def address(slug):
        built = lessons.build(slug)
        text = lesson_html(document(lessons.ALL[slug], built), [scene.content for scene in built.scenes], slug)
        path = folder / f"{slug}.html"
        path.write_text(text, encoding="utf-8")
        return path.as_uri()

    return address


@pytest.fixture(scope="module")
def lesson_pages(browser, lesson_file):
    """Return the `StagePages` that `open_lesson` uses."""
    pages = StagePages(browser, lambda name, _: lesson_file(name))
    yield pages
    pages.close()


@pytest.fixture
def open_lesson(lesson_pages, request):
    """Return a function that opens an offline page, given slug, size, number of the moment and options.

    Afterwards, check that the console is empty and that there was no request.
    """
    lesson_pages.begin()

    def opened(slug, size=SMALL, moment=None, **options):
        page = lesson_pages.open(slug, width=size[0], height=size[1], **options)
        if moment is not None:
            page.goto(f"{page.url}#{moment}")
            page.reload()
            page.wait_for_selector("[data-testid=stage][data-painted]")
        return page

    yield opened
    lesson_pages.end(request.node)


@pytest.mark.nightly
@pytest.mark.parametrize("slug", budget(("what-a-tree-is", "overfitting"), tuple(lessons.ALL)))
def test_a_lesson_is_walked_through_with_the_keyboard_only_and_fits_the_screen(open_lesson, slug):
    page = open_lesson(slug, reduced_motion="reduce", color_scheme="dark" if len(slug) % 2 else "light")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    walk(page, lessons.build(slug))


def test_a_large_projector_gets_larger_type_and_nothing_overflows(open_lesson):
    page = open_lesson("care-points", LARGE)
    assert page.evaluate(SMALLEST) >= 22
    assert page.get_by_test_id("lesson").evaluate(FITS) == [True] * 4


@pytest.mark.parametrize(
    "slug", budget(("care-points", "regression-trees", "overfitting", "unstable"), tuple(lessons.ALL))
)
def test_nothing_on_the_screen_or_for_screen_readers_answers_an_open_guess(open_lesson, slug):
    built = lessons.build(slug)
    page = open_lesson(slug, reduced_motion="reduce")
    for number, moment in enumerate(built.moments):
        if moment.guess is None:
            continue
        page.goto(f"{page.url.partition('#')[0]}#{number + 1}")
        page.reload()
        wait_for(page, number, moment)
        page.wait_for_timeout(200)  # screen readers get their texts when the stage is idle
        texts = page.evaluate(READABLE)
        assert not [text for text in texts if re.search(RESULT, text)], (number, "shown before the answer")
        late = [one.name for one in moment.figure.series if one.late] if moment.figure else []
        shown = [
            text for text in texts for name in late if text == name or re.search(rf"{re.escape(name)} [−\d]", text)
        ]
        assert not shown, (number, late)
        page.get_by_test_id("lesson-answer").click()
        assert [text for text in page.evaluate(READABLE) if any(name in text for name in late)] or not late


def test_page_keys_lead_through_the_lesson_also_from_the_slider_and_arrows_in_the_panel(open_lesson):
    built = lessons.build("care-points")
    page = open_lesson("care-points", moment=2)
    wait_for(page, 1, built.moments[1])
    page.get_by_test_id("stage-slider").focus()
    page.keyboard.press("PageDown")
    page.get_by_test_id("lesson-answer-text").wait_for()  # the answer comes before the next page
    wait_for(page, 1, built.moments[1])
    page.keyboard.press("PageDown")
    wait_for(page, 2, built.moments[2])
    page.get_by_test_id("lesson-back").focus()
    page.keyboard.press("ArrowLeft")
    wait_for(page, 1, built.moments[1])
    page.keyboard.press("PageUp")
    page.keyboard.press("PageUp")
    wait_for(page, 0, built.moments[0])


def test_a_knob_brings_another_scene_and_the_next_moment_its_own(open_lesson):
    built = lessons.build("overfitting")
    page = open_lesson("overfitting", moment=4)
    wait_for(page, 3, built.moments[3])
    page.get_by_test_id("lesson-knob-0").press("End")
    page.locator(".figures", has_text=str(built.scenes[-2].tree(0).n_leaves)).wait_for()
    assert page.locator(".heading").inner_text() == built.scenes[-2].title
    assert f"{lookup.wrong(built.scenes[-2], 0, 2)} of 150" in page.get_by_test_id("lesson-interval").inner_text()
    page.get_by_test_id("lesson-next").click()
    wait_for(page, 4, built.moments[4])
    assert page.locator(".heading").inner_text() == built.scenes[built.moments[4].scene].title


@pytest.mark.long
def test_a_forest_votes_before_the_eyes_and_its_planes_go_with_it(open_lesson):
    built = lessons.build("what-a-forest-adds")
    page = open_lesson("what-a-forest-adds", moment=3)
    wait_for(page, 2, built.moments[2])
    page.get_by_test_id("lesson-vote").press("End")
    wrong = built.moments[0].answer.split(" of 300")[0].split()[-1]
    assert page.get_by_test_id("lesson-vote-status").inner_text().startswith(f"{wrong} of 300 test points")
    assert page.get_by_test_id("lesson-forest").locator("canvas").count() == 11
    page.get_by_test_id("lesson-back").click()
    page.get_by_test_id("lesson-back").click()
    wait_for(page, 0, built.moments[0])
    assert page.get_by_test_id("lesson-forest").count() == 0


def test_students_take_draws_before_they_guess_and_see_the_errors_afterwards(open_lesson):
    built = lessons.build("bias-and-variance")
    page = open_lesson("bias-and-variance", reduced_motion="reduce")
    wait_for(page, 0, built.moments[0])
    planes, draw = page.get_by_test_id("lesson-draws"), page.get_by_test_id("lesson-draw")
    status = page.get_by_test_id("lesson-draws-status")
    shown = [planes.locator("canvas").nth(k) for k in (0, 1)]
    first = [plane.evaluate("plane => plane.toDataURL()") for plane in shown]
    draw.focus()
    page.keyboard.press("Enter")
    planes.get_by_text("of 2 trees").wait_for()
    assert all(plane.evaluate("plane => plane.toDataURL()") != one for plane, one in zip(shown, first, strict=True))
    assert not status.is_visible()
    page.get_by_test_id("lesson-answer").click()
    n = len(built.knobs[1].values)
    assert f"Spread of 2 trees: {built.moments[0].draws[n + 1].spread:.1f} m" in status.inner_text()
    assert "mean" not in status.inner_text()
    for _ in range(2):
        page.get_by_test_id("lesson-next").click()
    wait_for(page, 2, built.moments[2])
    page.get_by_test_id("lesson-answer").click()
    page.get_by_test_id("lesson-knob-0").fill("2")
    planes.get_by_text("800 points").wait_for()
    assert page.get_by_test_id("lesson").evaluate(FITS) == [True] * 4
    assert f"mean: {built.moments[2].draws[-1].bias:.1f} m" in status.inner_text()
    draw.click()
    assert page.get_by_text("draw 1 of 10").is_visible()


def test_runs_side_by_side_are_played_by_the_answer_and_by_one_button(open_lesson):
    built = lessons.build("greedy-fails-on-xor")
    place = next(k for k, moment in enumerate(built.moments) if moment.runs)
    page = open_lesson("greedy-fails-on-xor", moment=place + 1)
    wait_for(page, place, built.moments[place])
    runs, step = page.get_by_test_id("lesson-runs"), page.get_by_test_id("lesson-run-step")
    scenes = [built.scenes[scene] for scene in built.moments[place].runs]
    assert runs.locator("canvas").count() == len(scenes)
    assert not step.is_visible()  # no hint appears before the guess
    page.keyboard.press("PageDown")
    page.get_by_label("Pause all").click()
    assert 0 <= int(step.input_value()) < max(scene.last for scene in scenes)
    for at in ("Home", "End"):
        step.press(at)
        for scene, said in zip(scenes, runs.locator("figcaption").all_inner_texts(), strict=True):
            k = 0 if at == "Home" else scene.last
            assert scene.title in said
            assert f"{scene.tree(k).n_leaves} lea" in said
            assert f"{lookup.error(scene, k)} wrong" in said
    page.keyboard.press("PageDown")
    wait_for(page, place + 1, built.moments[place + 1])
    assert runs.count() == 0


def test_a_guess_comes_before_the_figures_that_would_tell_and_is_kept(open_lesson):
    built = lessons.build("what-a-tree-is")
    page = open_lesson("what-a-tree-is")
    wait_for(page, 0, built.moments[0])
    figures, answer = page.locator(".figures"), page.get_by_test_id("lesson-answer-text")
    assert not figures.is_visible()
    slider, submit = page.get_by_test_id("lesson-guess"), page.get_by_test_id("lesson-guess-made")
    assert not submit.is_enabled()  # the slider has no value yet
    low, high = built.moments[0].guess.low, built.moments[0].guess.high
    assert page.locator(".guess output").inner_text() == f"Click or drag: {low} to {high}\u00a0points"
    assert slider.bounding_box()["width"] >= 300
    slider.focus()
    page.keyboard.press("End")  # arrow and similar keys move the guess, not the pages
    page.keyboard.press("ArrowLeft")
    submit.click()
    guess = built.moments[0].guess
    verdict = f"You guessed {guess.high - 1}\u00a0points; the answer is {guess.truth}\u00a0points."
    assert page.get_by_test_id("lesson-verdict").inner_text() == verdict
    assert not page.locator(".view").is_visible()  # the tree is not shown yet
    assert page.locator(".lesson .scale i").count() == 2
    assert page.get_by_test_id("lesson").evaluate(FITS) == [True] * 4
    page.get_by_test_id("lesson-next").click()
    wait_for(page, 1, built.moments[1])
    assert figures.is_visible()
    page.get_by_test_id("lesson-back").click()
    wait_for(page, 0, built.moments[0])
    assert answer.is_visible()
    place = max(k for k, moment in enumerate(built.moments) if moment.guess and not moment.guess.choices)
    page.goto(page.url.split("#")[0] + f"#{place + 1}")
    page.reload()
    wait_for(page, place, built.moments[place])
    guess = built.moments[place].guess
    slider.press("End")
    for _ in range(guess.high - guess.truth):
        slider.press("ArrowLeft")
    submit.click()
    assert page.get_by_test_id("lesson-verdict").inner_text().endswith("correct.")


def test_the_first_key_or_press_gives_a_guess_a_value(open_lesson):
    guess = lessons.build("pruning-and-lambda").moments[1].guess
    middle = (guess.low + guess.high) / 2
    page = open_lesson("pruning-and-lambda", moment=2)
    slider, submit = page.get_by_test_id("lesson-guess"), page.get_by_test_id("lesson-guess-made")
    values = {"ArrowRight": middle + 1, "ArrowDown": middle - 1, "Home": guess.low, "End": guess.high, "press": middle}
    for key, value in values.items():
        page.reload()
        page.locator(".guess output").get_by_text("Click or drag").click()  # these words do not set the slider
        assert not submit.is_enabled()
        slider.click() if key == "press" else slider.press(key)
        assert submit.is_enabled(), key
        assert float(slider.input_value()) == value
    slider.press("PageDown")  # shows the answer in the place of the guess
    assert page.evaluate(FOCUSED) == "lesson-answer"
    page.keyboard.press("PageUp")
    wait_for(page, 0, lessons.build("pruning-and-lambda").moments[0])
    assert page.evaluate(FOCUSED) == "lesson-next"


def test_a_threshold_is_dragged_on_the_plane_and_with_keys(open_lesson):
    built = lessons.build("split-choice")
    page = open_lesson("split-choice")
    wait_for(page, 0, built.moments[0])
    errors, threshold = page.locator(".measures dd").first, page.get_by_test_id("lesson-threshold")
    first = int(errors.inner_text())
    plane = page.get_by_test_id("stage-plane").bounding_box()
    at = plane["x"] + plane["width"] / 2
    page.mouse.move(at, plane["y"] + plane["height"] * 0.8)
    page.mouse.down()
    page.mouse.move(at, plane["y"] + plane["height"] * 0.5, steps=4)
    page.mouse.up()
    assert int(errors.inner_text()) < first
    wrong = page.locator("[data-testid=lesson-measures]").inner_text()
    threshold.press("End")
    assert page.locator("[data-testid=lesson-measures]").inner_text() != wrong
    page.get_by_test_id("lesson-answer").click()
    scene = built.scenes[0]
    least = lookup.wrong(built.scenes[1], built.scenes[1].last)
    assert errors.locator("b").inner_text() == f"least {least}"
    assert not page.locator(".figures").is_visible()  # the figures would belong to another tree
    for _ in range(3):
        page.keyboard.press("PageDown")
    wait_for(page, 2, built.moments[2])
    page.get_by_test_id("lesson-answer").click()
    assert page.locator(".figures").get_by_text(f"{lookup.wrong(scene, 1)}", exact=True).is_visible()


def test_a_moment_waits_for_a_scene_that_is_still_loading(open_lesson):
    built = lessons.build("greedy-fails-on-xor")
    scenes = [moment.scene for moment in built.moments]
    number = next(i for i in range(2, len(scenes)) if scenes[i - 2] != scenes[i - 1] == scenes[i])
    page = open_lesson("greedy-fails-on-xor", moment=number - 1)
    wait_for(page, number - 2, built.moments[number - 2])
    page.get_by_test_id("lesson-next").evaluate("(button) => { button.click(); button.click(); }")
    wait_for(page, number, built.moments[number])
    title = page.locator(".heading").inner_text()
    page.wait_for_timeout(300)
    wait_for(page, number, built.moments[number])
    assert page.locator(".heading").inner_text() == title


def test_the_visitor_may_leave_the_way_and_next_goes_on_from_there(open_lesson):
    built = lessons.build("objective-only-falls")
    page = open_lesson("objective-only-falls")
    slider = page.get_by_test_id("stage-slider")
    slider.fill("7")
    page.wait_for_function("document.querySelector('[data-testid=stage]').dataset.painted === '7'")
    page.get_by_test_id("lesson-next").click()
    wait_for(page, 1, built.moments[1])


def test_words_are_read_out_and_markup_is_never_html(open_lesson):
    page = open_lesson("what-a-tree-is")
    assert page.locator(".lesson .words").get_attribute("aria-live") == "polite"
    assert page.get_by_test_id("lesson").get_attribute("aria-label") == lessons.ALL["what-a-tree-is"].title
    assert "<strong>tree</strong>" in page.locator(".lesson .plain > p").nth(1).inner_html()


@pytest.mark.parametrize(("slug", "moment"), [("two-features", 5), ("mnist", 4), ("care-points", 3)])
def test_the_plot_is_large_next_to_the_tree_and_no_label_is_cut(open_lesson, slug, moment):
    built = lessons.build(slug)
    page = open_lesson(slug, LARGE, moment=moment, reduced_motion="reduce")
    wait_for(page, moment - 1, built.moments[moment - 1])
    plot, tree = (
        page.locator(":is(.plane, .node-plot) canvas:visible").bounding_box(),
        page.locator(".view").bounding_box(),
    )
    assert min(plot["width"], plot["height"]) >= 700
    assert plot["width"] > tree["width"] >= 400
    assert not page.locator(".curves").is_visible()  # the chart is folded
    shown = [text for text in page.locator(".labels .label:visible").all_inner_texts() if text]
    assert not [text for text in shown if "…" in text]
    if slug == "care-points":  # its sentences name this node
        assert str(built.moments[moment - 1].node) in shown
    if built.moments[moment - 1].guess is not None:  # an open guess hides the chart
        page.get_by_test_id("lesson-answer").click()
    page.get_by_test_id("lesson-chart").click()
    page.locator(".curves").wait_for()


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_the_three_planes_of_xor_are_in_one_row(open_lesson, size):
    number = next(k for k, moment in enumerate(lessons.build("greedy-fails-on-xor").moments) if moment.runs)
    page = open_lesson("greedy-fails-on-xor", size, moment=number + 1)
    planes = page.get_by_test_id("lesson-runs").locator("canvas")
    planes.nth(2).wait_for()
    boxes = [plane.bounding_box() for plane in planes.all()]
    assert len(boxes) == 3
    assert len({box["y"] for box in boxes}) == 1
    assert all(box["x"] > 0 and box["x"] + box["width"] < size[0] for box in boxes)
    assert all(box["y"] + box["height"] < size[1] for box in boxes)


def test_on_a_phone_the_three_planes_of_xor_are_in_one_column(open_lesson):
    number = next(k for k, moment in enumerate(lessons.build("greedy-fails-on-xor").moments) if moment.runs)
    page = open_lesson("greedy-fails-on-xor", PHONE, moment=number + 1)
    planes = page.get_by_test_id("lesson-runs").locator("canvas")
    planes.nth(2).wait_for()
    boxes = [plane.bounding_box() for plane in planes.all()]
    assert max(box["x"] for box in boxes) - min(box["x"] for box in boxes) < 1
    assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"]
    assert boxes[2]["y"] + boxes[2]["height"] < page.locator(".lesson .words").bounding_box()["y"]


def test_a_chart_shows_the_rest_with_the_answer_and_next_is_the_main_button_afterwards(open_lesson):
    moment = lessons.build("pruning-and-lambda").moments[4]
    page = open_lesson("pruning-and-lambda", moment=5)
    wait_for(page, 4, moment)
    chart, following = page.get_by_test_id("lesson-figure"), page.get_by_test_id("lesson-next")
    rows = len(moment.figure.places)
    assert chart.locator("circle title").count() == rows
    assert "TAO" not in chart.get_attribute("aria-label")
    assert "primary" not in (following.get_attribute("class") or "")
    page.get_by_test_id("lesson-choice-0").click()
    assert chart.locator("circle title").count() == 2 * rows
    assert "TAO" in chart.get_attribute("aria-label")
    assert "primary" in following.get_attribute("class")
    following.click()
    wait_for(page, 5, lessons.build("pruning-and-lambda").moments[5])
    assert chart.count() == 1


@pytest.mark.parametrize(("slug", "moment"), [("two-features", 1), ("care-points", 2), ("care-points", 3)])
def test_on_a_phone_the_picture_comes_first_and_next_stays_in_view(open_lesson, slug, moment):
    page = open_lesson(slug, PHONE, moment=moment, reduced_motion="reduce")
    wait_for(page, moment - 1, lessons.build(slug).moments[moment - 1])
    picture, words = page.locator(".picture").bounding_box(), page.locator(".lesson .words").bounding_box()
    plot, head = (
        page.locator(":is(.plane, .node-plot) canvas:visible").bounding_box(),
        page.locator(".head").bounding_box(),
    )
    assert head["height"] <= 64  # a line of buttons, two of metrics
    assert plot["width"] >= 340
    assert plot["y"] + plot["height"] <= picture["y"] + picture["height"] + 1 <= words["y"] < PHONE[1] - 100
    boxes = [page.locator(one).bounding_box() for one in (".pair", ".legend", ".lesson header")]
    gaps = [below["y"] - above["y"] - above["height"] for above, below in pairwise(boxes)]
    assert gaps[1] <= 24
    assert gaps[0] <= 24 or page.locator(".step-text").is_visible()  # hidden words leave no gap
    assert page.locator(".legend").evaluate("(one) => one.scrollHeight <= one.clientHeight + 1")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for _ in range(2):
        following = page.get_by_test_id("lesson-next").bounding_box()
        assert 0 < following["y"] < following["y"] + following["height"] <= PHONE[1]
        page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")


@pytest.mark.nightly
@pytest.mark.parametrize("slug", ["care-points", *budget((), ("lambda-prunes",))])
def test_the_same_in_the_app_where_a_reload_comes_back_to_the_moment(open_page, slug):
    built = lessons.build(slug)
    page = open_page(f"/learn?lesson={slug}")
    page.set_viewport_size({"width": 1280, "height": 720})
    wait_for(page, 0, built.moments[0])
    page.get_by_test_id("lesson-next").focus()
    for number, moment in enumerate(built.moments):
        wait_for(page, number, moment)
        if moment.answer:
            page.get_by_test_id("lesson-answer").click()
        assert page.get_by_test_id("lesson").evaluate(FITS) == [True] * 4, number
        if number + 1 < len(built.moments):
            page.get_by_test_id("lesson-next").click()
    page.wait_for_url(f"**/learn?lesson={slug}&moment={len(built.moments)}")
    page.reload()
    wait_for(page, len(built.moments) - 1, built.moments[-1])


@pytest.mark.long
def test_a_card_opens_its_lesson_here_or_in_another_tab_and_back_leads_to_the_list(open_page):
    page = open_page("/learn?lesson=all")
    cards = page.locator(".cards a")
    cards.first.wait_for()
    assert cards.count() == len(lessons.ALL)
    assert all(
        box["height"] >= 60 for box in [at_rest(card).bounding_box() for card in page.locator(".cards img").all()]
    )
    with page.context.expect_page() as opened:
        cards.nth(1).click(modifiers=["Control"])
    opened.value.get_by_test_id("lesson").wait_for()
    cards.first.focus()
    page.keyboard.press("Enter")
    page.get_by_test_id("lesson").wait_for()
    assert f"lesson={next(iter(lessons.ALL))}" in page.url
    page.go_back()
    cards.first.wait_for()


# click a button like *Present* until the screen is filled
LISTENS = """() => {
  const place = document.createElement("div");
  place.className = "st-key-learn-present";
  const button = place.appendChild(document.createElement("button"));
  document.body.append(place);
  button.click();
  place.remove();
  return window.filled;
}"""


def test_present_fills_the_screen_and_works_without_it(open_page):
    page = open_page("/learn?lesson=what-a-tree-is")
    page.evaluate(
        "() => { Element.prototype.requestFullscreen = () => ((window.filled = true), Promise.reject(new Error())); }"
    )
    page.wait_for_function(LISTENS)  # the listeners arrive after the page
    page.evaluate("window.filled = false")
    page.get_by_role("button", name="Present", exact=True).click()
    page.get_by_role("button", name="Exit presentation").wait_for()
    assert page.evaluate("window.filled")
    page.get_by_role("button", name="Exit presentation").press("Enter")
    page.get_by_role("button", name="Present", exact=True).wait_for()
    page.wait_for_function("document.activeElement.matches('.st-key-lesson button')")  # near the button that is gone


@pytest.mark.long
def test_open_in_the_explorer_shows_the_same_tree_and_a_room_follows_its_teacher(open_page):
    built = lessons.build("staircases")
    page = open_page("/learn?lesson=split-choice")
    page.get_by_role("button", name="Open room").click()
    student = open_page(f"/room?room={page.locator('.room-code').inner_text()}")
    student.get_by_role("slider").press("ArrowRight")
    page.get_by_text("present, 1 drew").wait_for()
    page.get_by_role("link", name="Why thresholds form staircases").click()
    for moment in range(4):
        wait_for(page, moment, built.moments[moment])
        if moment < 3:
            page.get_by_role("button", name="Next", exact=True).click()
    student.get_by_text(built.moments[3].ask).wait_for()  # earlier questions have sliders too
    student.get_by_role("slider", name="Your guess").press("ArrowRight")
    student.get_by_role("button", name="Send guess").click()
    page.get_by_text("present, 1 answered").wait_for()
    page.keyboard.press("PageDown")
    student.locator(".guesses").wait_for()  # the answer that the teacher has shown
    page.locator(".st-key-lesson-room [data-testid=stPopoverButton]").click()
    page.get_by_role("button", name="End room").click()
    page.get_by_role("button", name="End and delete").click()
    student.get_by_text(wording("Room … has ended. Thank you for taking part")).wait_for()
    leaves = built.scenes[1].tree(built.moments[3].step).n_leaves
    page.get_by_role("button", name="Open on Tree page").click()
    save_button(page).wait_for()
    page.wait_for_function(
        "(k) => [...document.querySelectorAll('*')].some(e => e.shadowRoot?.querySelector('[data-testid=stage]')"
        "?.dataset.painted === k)",
        arg=str(built.moments[3].step),
    )
    assert page.locator(".figures .leaves dd").first.inner_text() == str(leaves)
    assert "split=bivariate" in page.url
