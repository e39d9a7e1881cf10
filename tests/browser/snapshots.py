"""Compare screenshots of the stage with stored ones, with a tolerance for fonts and anti-aliasing.

The canvas of the tree contains no text while its labels are hidden, so only few of its pixels may differ. The rest of
the page is mostly text, and its comparison has a larger tolerance. Set UPDATE_SNAPSHOTS=1 to store the new screenshots.
"""

import io
import os
from pathlib import Path

import numpy as np
import pytest

FOLDER = Path(__file__).parent / "snapshots"
SIZE = {"width": 1100, "height": 760}
LEVELS = 48  # smaller colour differences (of 255) do not count
MAX_SHARE = {"picture": 0.01, "rest": 0.06}
# These styles make boxes independent of the machine's fonts and remove text from the canvas.
STEADY = """
  .stage .head { height: 92px; overflow: hidden; flex: none; }
  .stage .picture { height: 400px; flex: none; }
  .stage .legend { height: 30px; }
  .stage .labels { visibility: hidden; }
"""


def steady(page):
    """Give the boxes of the page fixed sizes."""
    page.evaluate(
        "css => document.head.append(Object.assign(document.createElement('style'), { textContent: css }))", STEADY
    )
    page.evaluate("() => stage.resize()")


def check(page, name):
    """Compare the page with ``snapshots/name.png``. A missing file is stored, and the test fails once."""
    shown = page.screenshot(clip={"x": 0, "y": 0, **SIZE}, animations="disabled")
    name = name.replace(" ", "-")
    path = FOLDER / f"{name}.png"
    if os.environ.get("UPDATE_SNAPSHOTS") or not path.exists():
        was_there = path.exists()
        store(shown, path)
        if was_there or os.environ.get("UPDATE_SNAPSHOTS"):
            return
        pytest.fail(f"{path.name} was missing and has been stored: look at it, then run the test again")
    box = page.locator(".picture").bounding_box()
    found = shares(pixels(shown), pixels(path.read_bytes()), box)
    too_much = {part: f"{share:.1%}" for part, share in found.items() if share > MAX_SHARE[part]}
    if too_much:
        kept = keep(shown, name)
        pytest.fail(f"{name} does not look as stored, pixels that differ: {too_much}; what is shown: {kept}")


def shares(shown, stored, box):
    """Return {"picture", "rest": share of different pixels, after averaging 2 x 2 pixels}."""
    different = np.abs(halved(shown) - halved(stored)).max(axis=2) > LEVELS
    inside = np.zeros(different.shape, bool)
    left, top = int(box["x"] / 2), int(box["y"] / 2)
    inside[top : top + int(box["height"] / 2), left : left + int(box["width"] / 2)] = True
    return {"picture": different[inside].mean(), "rest": different[~inside].mean()}


def halved(image):
    """Return the means of 2 x 2 pixels, float[h / 2, w / 2, 3]."""
    h, w = image.shape[0] // 2, image.shape[1] // 2
    return image[: 2 * h, : 2 * w].reshape(h, 2, w, 2, 3).mean(axis=(1, 3))


def pixels(png):
    """Return the pixels of a PNG, float[h, w, 3]."""
    from PIL import Image  # slow import

    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"), np.float64)


def store(png, path):
    """Write a PNG with the strongest compression."""
    from PIL import Image  # slow import

    path.parent.mkdir(exist_ok=True)
    Image.open(io.BytesIO(png)).convert("RGB").save(path, optimize=True)


def keep(png, name):
    """Save the screenshot next to the stored ones, where git ignores it, and return its name."""
    folder = FOLDER.parent / "failures"
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.png").write_bytes(png)
    return f"tests/browser/failures/{name}.png"
