"""A lesson as one HTML file for classrooms without a network."""

import json
from collections.abc import Iterable

from viz.page.stage_html import block_of, data_block, page


def lesson_html(document: dict, contents: Iterable[bytes], title: str | None) -> str:
    """Standalone HTML text of a lesson, as it is in the app.

    document : dict for JSON that tells the lesson (its scenes with the "length" of their bytes, its moments);
    contents : bytes of each scene; title : of the window. The file opens from disk with the network cut off;
    a window as wide as a projector's gets the type of one.
    """
    # nothing in a script element may look like its end
    text = json.dumps(document, ensure_ascii=False).replace("<", "\\u003c")
    body = "\n".join(['<main id="stage"></main>', data_block("trees", b"".join(contents)), block_of("lesson", text)])
    return page(title, body)
