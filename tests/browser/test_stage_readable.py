"""What can be read of a tree at once: the conditions of its upper levels, and nothing that is not of this tree."""

import pytest

from benchmarks.stage import IN_THE_APP, cut_conditions
from tests.browser import stage_driver as driver
from tests.browser.stage_examples import made


@pytest.mark.parametrize("name", ["bivariate", "cancer univariate", "moons", "wine", "categories"])
def test_the_upper_levels_have_their_whole_condition(open_stage, name):
    page = open_stage(name, **IN_THE_APP)
    driver.rest(page)
    n, cut = cut_conditions(page, made(name).trees, made(name).data)
    assert n > 0
    assert cut == []


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


def test_what_opens_tells_what_it_costs(open_stage):
    page = open_stage("digits", opened_up=False)
    note = page.get_by_test_id("stage-cost")
    opened = driver.painted(page)
    path = made("digits").path
    assert path.trees[opened].n_leaves <= 10
    if opened in path.good_indices("one_se"):
        assert note.is_hidden()
        return
    assert f"Shown: {path.trees[opened].n_leaves} leaves" in note.inner_text()
    page.get_by_test_id("stage-better").click()
    assert driver.painted(page) == path.best_index("one_se")
    assert note.inner_text().strip() == f"Show a readable tree: {path.trees[opened].n_leaves} leaves"
    page.get_by_test_id("stage-better").click()
    assert driver.painted(page) == opened


def test_leaves_tell_their_class_their_confidence_or_their_errors(open_stage):
    page = open_stage("wine")
    driver.step(page, 0)
    colors = {}
    for shade in ("class", "confidence", "errors"):
        driver.set_state(page, shade=shade)
        colors[shade] = page.evaluate("""() => [...stage.view.boxes.keys()].filter((node) => stage.tree.isLeaf(node))
            .map((node) => [stage.tree.figures(0).losses[node] > 0, stage.view.picture.leafColor(node)])""")
    for (is_wrong, own), (_, paler) in zip(colors["class"], colors["confidence"], strict=True):
        assert (own != paler) == is_wrong
    surface = page.evaluate("() => stage.store.colors.theme.surface")
    assert [color != surface for _, color in colors["errors"]] == [is_wrong for is_wrong, _ in colors["errors"]]
