"""Test the Explain page in a browser: a followed row, changed values of this row, the counterfactual on the stage."""

import numpy as np
import pytest

from tests.browser import stage_driver as driver
from tests.browser.stage_examples import made
from treecore import TAOClassifier
from treecore.explain.counterfactuals import counterfactual
from treecore.explain.explanation import explain
from treecore.tree.classes import Classes
from viz.page.explanation_html import shares_html, verdict_html, way_html

pytestmark = pytest.mark.browser
VALUES = "() => Array.from(stage.state.whatIf ?? stage.state.row.values)"


def predicted(page):
    """Return the prediction that the panel shows."""
    return page.get_by_test_id("stage-verdict").locator("b").first.inner_text()


def test_sliders_move_the_row_through_the_tree(open_stage):
    page = open_stage("wine x")
    found = made("wine x")
    tree, row = found.trees[driver.painted(page)], int(found.sampled(0)[0])
    columns = page.evaluate("() => Array.from(stage.path.columns)")
    page.evaluate("() => stage.follow(0)")
    driver.rest(page)
    before = predicted(page)
    point = counterfactual(tree, found.data.X[row], scale=found.data.X.std(axis=0)).point
    x = found.data.X[row].astype(float)
    for feature in np.flatnonzero(point != x):
        field = page.get_by_label(f"x{feature}, exact")
        field.fill(repr(float(point[feature])))
        field.press("Tab")
        x[feature] = point[feature]
        shown = x.copy()
        shown[feature] = float(field.input_value())
        assert predicted(page) == tree.predict(x[None])[0] == tree.predict(shown[None])[0]
    assert page.evaluate(VALUES) == x[columns].tolist()
    assert predicted(page) != before
    assert "without the changes" in page.get_by_test_id("stage-verdict").inner_text()
    assert page.locator(".status").inner_text() == f"Now predicted {predicted(page)} instead of {before}."
    assert page.locator(".feature-value.changed").count() == np.count_nonzero(point != found.data.X[row])
    lit = page.evaluate("() => stage.store.way.map((step) => step.node)")
    assert lit == tree.path_of(x).tolist()
    page.get_by_test_id("stage-back-to-row").click()
    assert predicted(page) == before
    assert page.locator(".feature-value.changed").count() == 0


def test_a_slider_is_moved_by_keys_and_by_the_pointer_without_letting_go(open_stage):
    page = open_stage("iris univariate")
    page.evaluate("() => stage.follow(0)")
    driver.rest(page)
    knob = page.get_by_test_id("stage-feature-value").first
    knob.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    driver.rest(page)
    assert page.evaluate("() => stage.element.getRootNode().activeElement.dataset.testid") == "stage-feature-value"
    box = knob.bounding_box()
    page.mouse.move(box["x"] + 8, box["y"] + box["height"] / 2)
    page.mouse.down()
    labels = set()
    for share in np.linspace(0, 1, 12):
        page.mouse.move(box["x"] + 8 + share * (box["width"] - 16), box["y"] + box["height"] / 2)
        labels.add(predicted(page))
        assert page.evaluate(
            f"() => stage.path.target.answer(stage.tree, stage.tree.way(({VALUES})()).at(-1).node)"
        ) == (predicted(page))
    page.mouse.up()
    driver.rest(page)
    assert len(labels) > 1


def test_a_category_is_chosen_as_a_whole(open_stage):
    page = open_stage("categories")
    tree = made("categories").trees[0]
    shipped = page.evaluate("() => Array.from(stage.path.columns)")
    red = page.evaluate(
        "j => Array.from({ length: stage.path.sample.n }, (_, i) => i).find((i) => stage.path.sample.rows[i] === j)",
        int(np.flatnonzero((made("categories").data.X[:, 0] == 1) & (made("categories").data.X[:, 4] < 3))[0]),
    )
    page.evaluate("row => stage.follow(row)", red)
    driver.rest(page)
    before, x = predicted(page), np.zeros(5)
    page.get_by_label("colour", exact=True).select_option(label="green")
    x[shipped] = page.evaluate(VALUES)
    assert x[:4].tolist() == [0, 1, 0, 0]
    assert predicted(page) == tree.predict(x[None])[0] != before
    page.get_by_label("colour, reset to").click()
    assert predicted(page) == before


def test_pen_and_eraser_change_a_followed_image(open_stage):
    page = open_stage("digits")
    page.evaluate("() => stage.follow(0)")
    driver.rest(page)
    before = page.evaluate(VALUES)
    box = page.get_by_test_id("stage-pad").bounding_box()
    row, column = divmod(int(np.argmax(before)), 8)
    inked = (box["x"] + (column + 0.5) * box["width"] / 8, box["y"] + (row + 0.5) * box["height"] / 8)
    page.get_by_role("button", name="Eraser").click()
    driver.rest(page)
    page.mouse.move(*inked)
    page.mouse.down()
    page.mouse.up()
    driver.rest(page)
    after = page.evaluate(VALUES)
    assert sum(after) < sum(before)
    assert "changed" in page.locator(".inspector .body").inner_text()
    page.get_by_test_id("stage-back-to-row").click()
    assert page.evaluate(VALUES) == before


def test_the_counterfactual_goes_on_the_stage(open_page):
    page = open_page("/explain?data_set=iris&n_lambdas=5&row=83&part=change")
    page.wait_for_selector("[data-testid=stage][data-painted]")
    before = predicted(page)
    page.get_by_role("button", name="Show on stage").click()
    page.get_by_text("without the changes").wait_for()
    assert predicted(page) != before
    page.get_by_test_id("stage-back-to-row").click()
    page.get_by_role("button", name="Show on stage").click()
    page.get_by_text("without the changes").wait_for()


@pytest.mark.parametrize("width", [300, 420])
def test_long_names_without_a_break_stay_in_their_column(browser, width):
    labels = [sign * 98 for sign in "ab"]
    X = np.arange(20.0)[:, None]
    tree = TAOClassifier(split="univariate").fit(X, np.repeat(labels, 10)).tree_.with_names(["f" * 120])
    found = explain(tree, X[0], deviation=X.std(axis=0))
    parts = [
        way_html(found, tree),
        verdict_html(f"{'f' * 99} 3", labels[0], f"Row {'r' * 99} ends in leaf 1:", f"✗ it is {labels[1]}"),
        shares_html(found.shares, [0, 1], Classes(tuple(labels))),
    ]
    page = browser.new_page()
    page.set_content("".join(f'<div class="column" style="width:{width}px">{part}</div>' for part in parts))
    sizes = page.evaluate(
        "() => [...document.querySelectorAll('.column')].map((e) => [e.scrollWidth, e.getBoundingClientRect().height])"
    )
    page.close()
    assert [size for size, _ in sizes] == [width] * 3
    if width == 300:  # the names are visible, on several lines with any font
        assert all(height > 40 for _, height in sizes)
