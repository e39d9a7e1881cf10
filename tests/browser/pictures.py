"""Make the pictures of the docs anew, from the app itself in Chromium: ``make pictures``."""

import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.conftest import BROWSERS, FLAGS, ROOT, start_server

MINUTES = 10 * 60_000  # milliseconds that a path may take on a slow machine
# {file in docs/: (address, what stands there when everything is drawn)}
PICTURES = {"explore.png": ("/", "Rules"), "digits.png": ("/?data_set=mnist-5k&split=oblique&tree=16", "Rules")}


def main():
    """Write every picture: 1440 x 900 pixels, light."""
    chromium = next(filter(None, map(shutil.which, BROWSERS)), None)
    if chromium is None:
        print("The pictures are made in Chromium, which is not on this machine (Debian: apt-get install chromium).")
        return 1
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        process, url = start_server(Path(folder))
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        try:
            for name, (address, words) in PICTURES.items():
                page = browser.new_page(viewport={"width": 1440, "height": 900}, color_scheme="light")
                page.goto(url + address)
                page.get_by_text(words).first.wait_for(timeout=MINUTES)
                page.locator("[data-testid=stage][data-painted]").first.wait_for()
                page.wait_for_timeout(2000)  # for what still moves into its place
                page.screenshot(path=ROOT / "docs" / name)
                print(f"docs/{name}")
        finally:
            browser.close()
            process.terminate()
            process.wait(timeout=20)
    return 0


if __name__ == "__main__":
    sys.exit(main())
