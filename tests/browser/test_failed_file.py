"""Test that the page reports a file of the Save menu that cannot be made."""

import pytest

from tests.browser.conftest import start_server

pytestmark = pytest.mark.browser


def test_a_failed_file_is_reported_in_words(browser, tmp_path):
    process, url = start_server(tmp_path, "tests/browser/failing_app.py")
    try:
        page = browser.new_page()
        page.goto(url)
        page.get_by_test_id("stPopoverButton").click()
        page.get_by_role("button", name="Figure (PDF)").click()
        alert = page.get_by_test_id("stAlert")
        alert.wait_for()
        assert "Figure (PDF)" in alert.inner_text()
        assert "unchanged" in alert.inner_text()
        if not page.get_by_role("button", name="Figure (SVG)").is_visible():
            page.get_by_test_id("stPopoverButton").click()
        with page.expect_download() as download:
            page.get_by_role("button", name="Figure (SVG)").click()
        assert download.value.suggested_filename == "figure.svg"
        page.close()
    finally:
        process.terminate()
        process.wait()
