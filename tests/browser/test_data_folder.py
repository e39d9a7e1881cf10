"""Test that a visitor reads a sample of the folder of the machine, and trains a tree on all of its rows."""

import re

import numpy as np
import pyarrow
import pytest
from playwright.sync_api import expect
from pyarrow import parquet

from pages.ui.data.data_panel import EXPLORE
from sample_data.data_folder.entries import MOST_ROWS, VARIABLE
from tests.browser.conftest import PATIENCE, at_rest, start_server

pytestmark = pytest.mark.browser

NAME, N = "Größe <b>1", MOST_ROWS + 2000  # the sample must be smaller than the table
SETTINGS = "split=univariate&init=cart&max_depth=9&n_lambdas=2&tree=0"  # a tree with hidden nodes


@pytest.fixture
def page(browser, tmp_path):
    """Return a page of an app with a folder of one table of three columns."""
    rng = np.random.default_rng(0)
    x, z = rng.random(N).round(3), rng.random(N).round(3)
    y = np.where((np.sin(30 * x * z) > 0) ^ (rng.random(N) < 0.1), "yes", "no")
    folder = tmp_path / "machine" / NAME
    folder.mkdir(parents=True)
    for k in range(2):
        parquet.write_table(pyarrow.table({"x": x[k::2], "z": z[k::2], "y": y[k::2]}), folder / f"{k}.parquet")
    process, url = start_server(tmp_path, environment={VARIABLE: str(folder.parent), "TAO_WORKERS": "2"})
    context = browser.new_context(base_url=url, viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    yield page
    context.close()
    process.terminate()
    process.wait(timeout=20)


@pytest.mark.long
def test_a_sample_is_read_and_its_tree_trained_on_all_rows(page):
    page.goto("/data?from=folder")
    at_rest(page.get_by_role("button", name="Read sample")).click()
    expect(page.get_by_text(f"sample of {MOST_ROWS:,} of {N:,} rows")).to_be_visible()
    at_rest(page.get_by_role("button", name=EXPLORE)).click()
    page.wait_for_url(re.compile("data_set=own-"))
    name = re.search(r"data_set=(own-\w+)", page.url)[1]
    page.goto(f"/?data_set={name}&{SETTINGS}")
    at_rest(page.get_by_role("button", name="Train on all rows")).click()
    expect(page.get_by_text(re.compile("^Sample: .* All rows: "))).to_be_visible()
    page.reload()  # the result is found again
    pair = page.locator("[data-testid=stage].compact")
    expect(pair).to_have_count(2)
    for stage in pair.all():
        hidden = at_rest(stage.get_by_test_id("stage-hidden"))
        lowest = stage.get_by_test_id("stage-view").bounding_box()
        assert hidden.bounding_box()["y"] >= lowest["y"] + lowest["height"] - 1
    at_rest(page.get_by_role("button", name="Save tree of all rows")).click()
    page.wait_for_url(re.compile("source=model-"))
    n_train = N - MOST_ROWS * 2 // 5
    expect(page.get_by_text(re.compile(f"^The counts .* are those of {n_train:,} rows")).first).to_be_visible()
    expect(page.get_by_role("treeitem", name=f"{n_train:,} rows")).to_be_attached()
