"""Test a visitor who opens a scikit-learn tree, improves it with TAO, compares both trees and keeps the better one."""

import re

import pytest
from sklearn.tree import DecisionTreeClassifier

import sample_data
from tests.browser.conftest import at_rest
from tests.skops_content import skops_content

pytestmark = pytest.mark.browser


@pytest.mark.long
def test_a_tree_is_opened_improved_and_kept(open_page, tmp_path):
    data = sample_data.load("iris")
    model = DecisionTreeClassifier(random_state=0).fit(data.X, data.labels())
    path = tmp_path / "mine.skops"
    path.write_bytes(skops_content(model))
    page = open_page("/data?from=tree&data_set=iris")
    upload = page.locator("input[type=file]")
    upload.wait_for(state="attached")
    upload.set_input_files(path)
    at_rest(page.get_by_role("button", name="Open this tree")).click()
    painted = page.locator("[data-testid=stage][data-painted]")
    painted.first.wait_for()
    opened = re.compile("mine: Iris flowers, .*scikit-learn")
    page.get_by_text(opened).wait_for()
    at_rest(page.get_by_role("button", name="Improve tree")).click()
    page.get_by_text(f"Your tree: {model.get_n_leaves()} leaves").wait_for(timeout=180_000)
    painted.nth(2).wait_for()
    assert painted.count() == 3
    at_rest(page.get_by_role("button", name="Save the TAO tree")).click()
    page.get_by_text(re.compile("^mine after .*: Iris flowers")).wait_for()
    page.wait_for_url("**source=model-mine+after+TAO")
    page.go_back()
    page.get_by_text(opened).wait_for()
