"""Draw the thumbnails of the lessons from their trees.

`python -m pages.ui.learn.lesson_pictures` draws them again. A test fails if a lesson shows another tree.
"""

import base64
import html
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from pages.ui.learn.lessons.lesson import BuiltLesson, Lesson
from viz.tree.thumbnails import plane_thumbnail, thumbnails

FILE = Path(__file__).with_suffix(".json")
MOST_BYTES = 8_000  # maximum size of a thumbnail


def draw_picture(lesson: Lesson, built: BuiltLesson) -> dict[str, Any]:
    """Return the thumbnail of a lesson as {"alt": words, "svg": light version, "dark": {colour: dark version}}."""
    moment = built.moments[lesson.picture]
    scene = built.scenes[moment.scene]
    tree, leaves = scene.tree(moment.step), scene.tree(moment.step).n_leaves
    if scene.data.n_features == 2:
        alt = f"Plane with the {leaves} regions of a tree of this lesson"
        light, dark = (plane_thumbnail(tree, scene.data, scene.rows[0], theme) for theme in ("light", "dark"))
    else:
        alt = f"Tree of this lesson with {leaves} leaves"
        light, dark = (thumbnails([tree], theme)[0] for theme in ("light", "dark"))
    colors = (re.findall(_COLOR, svg) for svg in (light, dark))
    return {"alt": alt, "svg": light, "dark": dict(zip(*colors, strict=True))}


@cache
def picture(slug: str, theme: str) -> str:
    """Return the thumbnail of a lesson in a theme ("light" or "dark") as HTML."""
    kept = _pictures()[slug]
    svg = kept["svg"] if theme == "light" else re.sub(_COLOR, lambda found: kept["dark"][found[0]], kept["svg"])
    source = base64.b64encode(svg.encode()).decode()
    return f'<img alt="{html.escape(kept["alt"])}" src="data:image/svg+xml;base64,{source}">'


@cache
def _pictures() -> dict[str, Any]:
    return json.loads(FILE.read_text(encoding="utf-8"))


_COLOR = "#[0-9a-f]{6}"


def main() -> None:
    """Draw all thumbnails."""
    from pages.ui.learn import lessons

    found = {slug: draw_picture(lesson, lessons.build(slug)) for slug, lesson in lessons.ALL.items()}
    FILE.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
