"""A lesson as one HTML file for classrooms without a network."""

import json
from collections.abc import Iterable

from viz.page.stage_html import block_of, data_block, page


def lesson_html(document: dict, contents: Iterable[bytes], title: str | None) -> str:
    """Return a lesson, as in the app, as standalone HTML text.

    The file opens from disk without a network. On screens as wide as a projector's, its text is larger.

    document : dict for JSON with the contents of the lesson (its scenes, with the "length" of their bytes, and moments)
    contents : bytes of each scene
    title : title of the window
    """
    # A script element must not contain its own end tag.
    text = json.dumps(document, ensure_ascii=False).replace("<", "\\u003c")
    body = "\n".join(['<main id="stage"></main>', data_block("trees", b"".join(contents)), block_of("lesson", text)])
    return page(title, body)
