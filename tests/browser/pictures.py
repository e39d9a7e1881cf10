"""Make the images and the animations for the documentation with the app in Chromium: ``make pictures``.

``python -m tests.browser.pictures first_tree.png`` makes one of them.
"""

import re
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.conftest import BROWSERS, FLAGS, ROOT, start_server
from viz import command_line

MINUTES = 10 * 60_000  # milliseconds within which a path must be trained, even on a slow machine
FOLDER = ROOT / "docs" / "pictures"
# {file: (address, text that is visible when the page is complete)}
PICTURES = {
    "explore.png": ("/", "rules"),
    "digits.png": ("/?data_set=mnist-5k&split=oblique&tree=16", "rules"),
    "first_tree.png": ("/?data_set=breast-cancer&split=bivariate", "rules"),
    "learn.png": ("/learn?data_set=moons&step=3", "share"),
}
# {file: arguments of `python -m treecore`}
ANIMATIONS = {
    "digits_path.gif": "path mnist-5k --split oblique --max-depth 4 --lams 12",
    "digits_sizes.gif": "path digits --split oblique --sizes 16 --rule min",
}


def main(names):
    """Write the images, 1440 x 900 pixels, with the light theme: those with a name of `names`, or all."""
    chromium = next(filter(None, map(shutil.which, BROWSERS)), None)
    if chromium is None:
        print("The pictures need Chromium, which was not found (Debian: apt-get install chromium).")
        return 1
    chosen = {name for name in (*ANIMATIONS, *PICTURES) if not names or name in names}
    for name, arguments in ANIMATIONS.items():
        if name not in chosen:
            continue
        if command_line.main([*arguments.split(), "--save", f"animation={FOLDER / name}"]) != command_line.DONE:
            return 1
        print(f"docs/pictures/{name}")
    if chosen.isdisjoint(PICTURES):
        return 0
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        process, url = start_server(Path(folder))
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        try:
            for name, (address, words) in PICTURES.items():
                if name not in chosen:
                    continue
                page = browser.new_page(
                    viewport={"width": 1440, "height": 900}, color_scheme="light", reduced_motion="reduce"
                )
                page.goto(url + address)
                page.locator("[data-testid=stage][data-painted]").first.wait_for(timeout=MINUTES)
                page.get_by_text(re.compile(words, re.IGNORECASE)).first.wait_for(timeout=MINUTES)
                page.wait_for_timeout(2000)  # waits until nothing moves
                page.screenshot(path=FOLDER / name)
                print(f"docs/pictures/{name}")
        finally:
            browser.close()
            process.terminate()
            process.wait(timeout=20)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
