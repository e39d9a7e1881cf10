"""A lesson as one HTML file for classrooms without a network."""

import json
from collections.abc import Iterable

from viz.page.stage_html import block_of, data_block, page


def lesson_html(document: dict, contents: Iterable[bytes], title: str | None) -> str:
    """Return the standalone HTML text of a lesson, as in the app.

    document : dict for JSON with the contents of the lesson (its scenes with the "length" of their bytes, its moments);
    contents : bytes of each scene; title : of the window. The file opens from disk without a network. In a window as
    wide as that of a projector, text is larger.
    """
    # A script element must not contain its own end tag.
    text = json.dumps(document, ensure_ascii=False).replace("<", "\\u003c")
    body = "\n".join(['<main id="stage"></main>', data_block("trees", b"".join(contents)), block_of("lesson", text)])
    return page(title, body)
