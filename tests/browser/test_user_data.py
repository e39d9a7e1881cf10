"""Test that a new visitor needs only a few clicks from a file to a list of rules and a figure."""

import contextlib
import re
import sqlite3
import zipfile
from pathlib import PurePath

import numpy as np
import pandas
import pytest
from playwright.sync_api import expect

from pages.ui.data.user_panel import SPLITS
from tests.browser.conftest import at_rest, open_save_menu, save_button
from tests.browser.test_app import stage_of
from tests.refusals import wording

pytestmark = pytest.mark.browser

CLICKS = 4  # including the click that opens the file chooser
N_ROWS = 1200


@pytest.fixture
def file_of_a_visitor(tmp_path):
    """Write 1200 rows and 20 columns: decimal commas, counts, categories, dates, texts, an ID, missing values."""
    rng = np.random.default_rng(0)
    columns = {"customer id": np.arange(1, N_ROWS + 1)}
    columns |= {f"measure {k}": np.round(rng.normal(10 * k, 3, N_ROWS), 2) for k in range(1, 10)}
    columns |= {f"count {k}": rng.integers(0, 30, N_ROWS).astype(float) for k in range(1, 4)}
    columns["colour"] = rng.choice(["red", "green", "blue"], N_ROWS)
    columns["member"] = rng.choice(["yes", "no"], N_ROWS)
    columns["joined"] = pandas.Timestamp("2020-01-01") + pandas.to_timedelta(rng.integers(0, 900, N_ROWS), "D")
    columns["constant"] = 1
    columns["comment"] = [f"<b>no {k}</b>; as said" for k in range(N_ROWS)]
    columns["town"] = rng.choice([f"town {k}" for k in range(30)], N_ROWS)
    frame = pandas.DataFrame(columns)
    score = frame["measure 1"] + 0.3 * frame["count 1"] + 3 * (frame["colour"] == "red")
    frame["outcome"] = np.where(score > score.median(), "renewed", "cancelled")
    for name in frame.columns[1:15]:
        frame.loc[rng.random(N_ROWS) < 0.04, name] = np.nan
    assert frame.shape == (N_ROWS, 20)
    path = tmp_path / "customers.csv"
    frame.to_csv(path, sep=";", decimal=",", index=False)
    return path


class Visitor:
    """A visitor whose clicks are counted."""

    def __init__(self, page):
        self.page, self.clicks = page, 0

    def click(self, locator):
        self.clicks += 1
        at_rest(locator).click()


def test_from_a_file_of_ones_own_to_rules_and_a_figure(open_page, file_of_a_visitor):
    page = open_page("/?data_set=iris&max_depth=2&n_lambdas=4")  # shallow trees keep this test short
    visitor = Visitor(page)
    with page.expect_file_chooser() as chooser:
        visitor.click(page.locator("[data-testid=stFileUploaderDropzone] button"))
    chooser.value.set_files(file_of_a_visitor)
    page.get_by_text(f"{N_ROWS:,} rows · 20 columns").wait_for()
    page.get_by_text("delimiter semicolon; decimal comma").wait_for()
    visitor.click(page.get_by_role("button", name="Explore this data set"))
    page.get_by_role("combobox", name=re.compile("Data set")).wait_for()
    visitor.click(save_button(page))
    with page.expect_download() as download:
        visitor.click(page.get_by_role("button", name="Figure and rules (zip)"))
    assert visitor.clicks == CLICKS
    name = download.value.suggested_filename
    packed = zipfile.ZipFile(download.value.path())
    files = {PurePath(one).suffix: packed.read(one).decode("utf-8", "replace") for one in packed.namelist()}
    rules, figure = files[".txt"], files[".svg"]
    assert files[".pdf"].startswith("%PDF")
    fingerprint = re.search("data_set=own-([0-9a-f]{12})", page.url)[1]
    assert name.startswith(f"tree-customers-{fingerprint}")
    assert "measure 1" in rules
    assert re.search("then outcome = (renewed|cancelled)", rules)
    assert figure.startswith("<?xml")
    assert "measure 1" in figure


@pytest.mark.long
def test_dates_of_a_file_are_typed_in_its_own_form_and_saved_as_sql_that_runs(open_page, tmp_path):
    path = tmp_path / "kunden.csv"
    days = pandas.Timestamp("2019-01-01") + pandas.to_timedelta(np.arange(400) * 2, "D")
    classes = np.where(days < pandas.Timestamp("2020-03-01"), "alt", "neu")
    frame = pandas.DataFrame({"Kunde seit": days.strftime("%d.%m.%Y"), "Anrufe": np.arange(400) % 7, "Art": classes})
    frame.to_csv(path, sep=";", index=False)
    page = open_page("/?data_set=iris&max_depth=2&n_lambdas=4")
    page.locator("input[type=file]").set_input_files(path)
    at_rest(page.get_by_role("button", name="Explore this data set")).click()
    stage_of(page)
    open_save_menu(page, "Other code")
    with page.expect_download() as download:
        page.get_by_role("button", name="Code (SQL)").click()
    query = download.value.path().read_text(encoding="utf-8")
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        database.execute('CREATE TABLE data ("Kunde seit" TEXT, "Anrufe" REAL)')
        rows = [(day.strftime("%Y-%m-%d"), i % 7) for i, day in enumerate(days)]
        database.executemany("INSERT INTO data VALUES (?, ?)", rows)
        assert [row[-1] for row in database.execute(query)] == classes.tolist()
    page.keyboard.press("Escape")
    at_rest(page.get_by_role("link", name="Edit")).click()
    rule = page.get_by_role("textbox", name="Rule")
    rule.fill("Kunde seit >= 01.03.2020 go right")
    rule.press("Enter")
    page.get_by_text("2020-03-01").first.wait_for()
    assert page.get_by_text(wording("The rule was not applied")).count() == 0


def test_the_content_of_a_file_is_shown_and_never_run(open_page, tmp_path):
    path = tmp_path / "evil.csv"
    head = '"<img src=x onerror=document.title=1>","=cmd()","![p](http://x.example/p.png)",class\n'
    rows = [f"<script>document.title='{i % 3}'</script>,{i % 7},$x^{i % 2}$,<b>{'ab'[i % 2]}</b>\n" for i in range(60)]
    path.write_text(head + "".join(rows), encoding="utf-8")
    page = open_page("/data?from=file")
    page.locator("input[type=file]").set_input_files(path)
    page.get_by_text("60 rows · 4 columns").wait_for()
    page.get_by_text("<b>a</b> (30)").wait_for()  # the class name, as text
    page.get_by_role("tab", name="Training, validation and test rows").click()
    page.get_by_text(SPLITS["column"]).click()
    page.get_by_text("Left out").wait_for()
    expect(page).to_have_title("Data · TAO tree explorer")  # Streamlit clears it for a moment while a page runs
    assert page.locator("img[src*='x.example'], img[src='x'], .katex").count() == 0
