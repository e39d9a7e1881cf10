"""Test other trees about as good, and the pinned tree in the address, as a visitor uses them."""

import re

import pytest

from tests.browser.conftest import save_button
from tests.browser.test_app import painted

pytestmark = pytest.mark.browser

PATH = "/?data_set=iris&n_lambdas={}&split=univariate&init=cart&max_depth=4"


@pytest.mark.long
def test_a_click_opens_another_tree_and_the_original_one_returns(open_page):
    page = open_page(PATH.format(3))
    save_button(page).wait_for()
    page.get_by_role("button", name="Other trees about as good").click()
    trees = page.get_by_role("group", name="Trees about as good").get_by_role("button")
    trees.first.wait_for()
    assert re.match(r"Original tree\s*Test error .*, \d lea(f|ves)\s*First split: ", trees.first.inner_text())
    other = page.get_by_role("group").get_by_role("button", name="Without petal")
    other.click()
    page.wait_for_url(re.compile(r"without=[23](&|$)"))
    page.get_by_text(re.compile("^Trained without petal")).wait_for()
    save_button(page).wait_for()
    assert "First split: petal" in other.inner_text()
    trees.first.press("Enter")
    page.wait_for_url(lambda url: "without" not in url)


def test_the_address_keeps_the_pinned_tree(open_page):
    page = open_page(PATH.format(6))
    save_button(page).wait_for()
    stage = page.get_by_test_id("stage").first
    page.get_by_test_id("stage-slider").press("Home")
    painted(stage, 0)
    page.get_by_test_id("stage-pin-tree").click()
    page.get_by_test_id("stage-slider").press("End")
    page.wait_for_url(re.compile("tree=5.*pin=0"))
    page.reload()
    page.get_by_test_id("stage-pinned").get_by_text(re.compile("^Pinned: .*λ = ")).wait_for()
    page.get_by_test_id("stage-unpin-tree").click()
    page.wait_for_url(lambda url: "pin=" not in url)
