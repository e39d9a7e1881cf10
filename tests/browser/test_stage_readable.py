"""Test that the text of a tree is readable at once: conditions of the upper levels, no text of another tree."""

import re
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from benchmarks.stage import IN_THE_APP, shown_conditions
from tests.browser import stage_driver as driver
from tests.browser.stage_examples import made
from viz.payload.choice_facts import choice_facts


@pytest.mark.parametrize("name", ["bivariate", "cancer univariate", "moons", "wine", "categories", "digits"])
def test_the_upper_levels_have_their_whole_condition(open_stage, name):
    page = open_stage(name, **IN_THE_APP)
    driver.rest(page)
    conditions = shown_conditions(page, made(name).trees, made(name).data)
    assert conditions
    assert {one.how for one in conditions} <= {"words", "image", "N more"}  # bars show more weights of a sum


def test_places_are_kept_and_ghosts_come_while_the_slider_is_held(open_stage):
    page = open_stage("moons")
    driver.rest(page)
    ghosts = "() => stage.view.ghosts.length"
    assert page.evaluate(ghosts) == 0
    page.evaluate("""() => {
      const slider = document.querySelector("[data-testid=stage-slider]");
      slider.value = slider.max;
      slider.dispatchEvent(new Event("input", { bubbles: true }));
    }""")
    page.wait_for_function("() => stage.view.ghosts.length > 0")
    page.evaluate("""() => document.querySelector("[data-testid=stage-slider]").dispatchEvent(new Event("change"))""")
    driver.rest(page)
    assert page.evaluate(ghosts) == 0


def test_a_recommended_tree_opens_without_a_note(open_stage):
    page = open_stage("digits", opened_up=False)
    path = made("digits").path
    assert driver.painted(page) == path.best_index("one_se")
    assert page.get_by_test_id("stage-cost").is_hidden()


def folds_for(points, best):
    """Return the facts of folds that select one tree of a path."""
    judged = [
        SimpleNamespace(
            lam=point.lam, tree=point.tree, cross_validated_error=0.1 if i == best else 0.6, cross_validated_spread=0.01
        )
        for i, point in enumerate(points)
    ]
    return choice_facts(judged)


def test_the_tree_that_folds_select_is_shown_until_the_visitor_has_chosen_one(open_stage):
    page, points = open_stage("digits"), made("digits").path.points
    page.evaluate("() => stage.set({ simple: true })")
    page.evaluate("() => stage.load(bytes('trees'), { usual: true })")
    driver.rest(page)
    opened = driver.painted(page)
    others = [i for i in range(len(points)) if points[i].n_leaves != points[opened].n_leaves]
    page.evaluate("choice => stage.set({ choice })", folds_for(points, others[0]))
    driver.rest(page)
    assert driver.painted(page) == others[0]
    change = page.get_by_test_id("stage-replaced")
    assert f"instead of the one with {points[opened].n_leaves} leaves" in change.inner_text()
    change.get_by_role("button", name="Show that tree").click()
    driver.rest(page)
    assert driver.painted(page) == opened
    assert change.is_hidden()
    driver.step(page, others[1])
    page.evaluate("choice => stage.set({ choice })", folds_for(points, opened))
    driver.rest(page)
    assert driver.painted(page) == others[1]


@pytest.mark.parametrize("how", ["button", "slider", "again"])
def test_folds_do_not_move_a_tree_that_the_visitor_has_chosen_without_moving(open_stage, how):
    page, points = open_stage("digits"), made("digits").path.points
    page.evaluate("() => stage.load(bytes('trees'), { usual: true, whole: 'a', turn: 0 })")
    driver.rest(page)
    opened = driver.painted(page)
    if how == "slider":
        for key in ("ArrowLeft", "ArrowRight"):
            page.get_by_test_id("stage-slider").press(key)
    else:
        page.get_by_test_id("stage-one-se").click()
    if how == "again":  # as when the last trees of a path arrive
        page.evaluate("() => stage.load(bytes('trees'), { usual: true, whole: 'a', turn: 0 })")
    other = next(i for i in range(len(points)) if points[i].n_leaves != points[opened].n_leaves)
    page.evaluate("choice => stage.set({ choice })", folds_for(points, other))
    driver.rest(page)
    assert driver.painted(page) == opened


def test_a_tree_of_a_link_keeps_its_place_and_has_a_note_when_folds_prefer_another(open_stage):
    page, points = open_stage("digits"), made("digits").path.points
    opened = driver.painted(page)
    best = next(i for i in range(len(points)) if points[i].n_leaves != points[opened].n_leaves)
    page.evaluate("tree => stage.load(bytes('trees'), { tree })", opened)
    page.evaluate("choice => stage.set({ choice })", folds_for(points, best))
    driver.rest(page)
    assert driver.painted(page) == opened
    note, better = page.get_by_test_id("stage-cost"), page.get_by_test_id("stage-better")
    assert note.inner_text().startswith(f"Simplest good tree: {points[best].n_leaves} leaves, ")
    assert better.inner_text().endswith(f" {points[best].n_leaves} leaves")
    better.click()
    assert driver.painted(page) == best
    assert better.inner_text().endswith(f" {points[opened].n_leaves} leaves")


def test_a_tree_that_a_link_names_is_the_one_to_come_back_to(open_stage):
    page = open_stage("digits")
    named = 0
    assert driver.painted(page) != named
    page.evaluate("tree => stage.load(bytes('trees'), { tree })", named)
    driver.rest(page)
    note = page.get_by_test_id("stage-cost")
    assert "Return to" not in note.inner_text()
    driver.step(page, 1)
    assert note.is_hidden() or f"tree with {made('digits').trees[named].n_leaves} " in note.inner_text()


def test_rows_of_a_node_that_are_left_out_are_counted(open_stage):
    page = open_stage("wine")
    left_out = set()
    for node in page.evaluate("() => [...stage.tree.origin]"):
        driver.select(page, node)
        here = page.locator("details", has=page.get_by_role("toolbar", name="Rows here"))
        conditions, shown = here.locator("summary").inner_text(), here.locator("button.row").count()
        rows = int(re.search(r"\((\d+) in the sample", conditions)[1])
        assert (f", {shown} shown)" in conditions) == (shown < rows), conditions
        left_out.add(shown < rows)
    assert left_out == {True, False}


def test_the_words_for_errors_above_the_chart_lie_on_top_of_lines_and_marker(open_stage):
    page = open_stage("digits")
    driver.step(page, page.evaluate("() => stage.path.trees.length - 1"))
    words = page.get_by_text("↑ up to")
    expect(words).to_be_visible()
    assert not words.evaluate("(one) => getComputedStyle(one).backgroundColor").startswith("rgba(0, 0, 0, 0")
    at_top = """(one) => {
      one.style.pointerEvents = "auto";
      const { left, top, width, height } = one.getBoundingClientRect();
      const middle = top + height / 2;
      return [0.01, 0.5, 0.99].map((share) => document.elementFromPoint(left + share * width, middle) === one);
    }"""
    assert words.evaluate(at_top) == [True, True, True]


def test_nodes_tell_their_class_their_confidence_or_their_errors(open_stage):
    page = open_stage("wine")
    driver.step(page, 0)
    colors = {}
    for shade in ("class", "confidence", "errors"):
        driver.set_state(page, shade=shade)
        colors[shade] = page.evaluate("""() => [...stage.view.boxes.keys()].filter((node) => stage.tree.isLeaf(node))
            .map((node) => [stage.tree.figures(0).losses[node] > 0, stage.view.picture.nodeColor(node)])""")
    for (is_wrong, own), (_, paler) in zip(colors["class"], colors["confidence"], strict=True):
        assert (own != paler) == is_wrong
    surface = page.evaluate("() => stage.store.colors.theme.surface")
    assert [color != surface for _, color in colors["errors"]] == [is_wrong for is_wrong, _ in colors["errors"]]
    key = page.get_by_test_id("stage-nodes-key")
    assert key.locator(".color").count() > 1
    driver.set_state(page, shade="class")
    assert "class" in key.inner_text()
    assert key.locator(".color").count() == 0


def test_leaves_are_found_by_rows_and_confidence(open_stage):
    page = open_stage("wine")
    driver.step(page, 0)
    page.get_by_test_id("stage-view").click()
    status, chip = page.get_by_test_id("stage-leaves-status"), page.get_by_test_id("stage-leaves")
    rows = page.get_by_test_id("stage-leaf-filter").get_by_role("spinbutton").first
    rows.fill("1000000")
    expect(status).to_have_text(re.compile(r"\b\d+ leaves\b.*\b\d+ rows"))
    assert page.evaluate("() => stage.store.litNodes") is None
    rows.fill("")
    rows.press("Tab")  # the keyboard moves on to the confidence
    page.keyboard.press("Tab")
    page.keyboard.type("100")
    found = page.evaluate("() => stage.store.filteredLeaves.leaves.length")
    leaves = page.evaluate("() => (stage.tree.n + 1) / 2")
    assert 0 < found <= leaves
    expect(status).to_have_text(f"{found} of {leaves} leaves")
    page.keyboard.press("Escape")
    expect(chip).to_contain_text(f"{found} of {leaves} leaves")
    chip.get_by_label("Clear the leaf filter").click()
    expect(chip).to_be_hidden()
    assert page.evaluate("() => stage.state.leafFilter") is None


def test_trees_of_a_training_that_continues_are_marked_as_preliminary(open_stage):
    page, headline = open_stage("digits"), "[data-testid=stage-headline]"
    page.evaluate("() => stage.set({ simple: true, isGrowing: true })")
    driver.rest(page)
    assert "Preliminary tree" in page.locator(headline).inner_text()
    page.evaluate("() => stage.set({ isGrowing: false })")
    driver.rest(page)
    assert "Preliminary" not in page.locator(headline).inner_text()


def test_a_tree_without_errors_is_doubted(open_stage):
    page, headline = open_stage("wine"), "[data-testid=stage-headline]"
    assert "Too good to be true" not in page.locator(headline).inner_text()
    page.evaluate("() => { Object.getPrototypeOf(stage.store.path.target).errorText = () => '0.0 %'; }")
    page.evaluate("() => stage.set({ k: 2 })")
    driver.rest(page)
    doubt = page.locator(headline).inner_text().replace("\xa0", " ").split("Too good to be true: test whether ")[1]
    root = page.evaluate("() => stage.store.path.features[stage.tree.split(0).features[0]]")
    assert doubt.startswith(f"'{root}'")
    page.evaluate("() => stage.set({ k: stage.store.path.trees.length - 1 })")  # a tree without a split
    driver.rest(page)
    assert page.evaluate("() => stage.tree.n") > 1 or "Too good" not in page.locator(headline).inner_text()
