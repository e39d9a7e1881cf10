"""Messages between the editor of the stage and the page.

The page sends a dict of:

* ``document``: the tree on the server, see `treecore.tree.editing`; labels are positions among the classes of the data.
* ``turn``: raised if the browser must replace its own document with ``document``, after a re-optimisation, a typed rule
  or Reset. If the turn is equal, the browser keeps its own document.
* ``seen``: the last turn of the browser that the server has received. A new browser counts its turns from this number.
  If ``seen`` is below its own turn, the browser can ignore the document as outdated.
* ``ask``: the request that this message answers ("reoptimise"), or null.
* ``message``: a sentence for the visitor, or null. In an answer without a new turn, it is the reason for a failure.

The browser reports ``edited`` = ``{"key", "turn", "ask", "document"}``. ``key`` is the key of the stage. ``turn`` rises
with each report. ``ask`` is "keep" (take this tree) or "reoptimise" (run TAO around the locked nodes). Only the last
report counts. A report sent before the answer ends the work on the previous report, and must repeat its request.
"""

from typing import Any, NamedTuple

ASKS = ("keep", "reoptimise")
LARGEST_TURN = 2**53 - 1


class Report(NamedTuple):
    """One report of the browser, whose document is not validated yet."""

    turn: int
    ask: str
    document: dict


def report(value: Any, key: str, seen: int) -> Report | None:
    """Return the browser's `Report` about the tree `key`, or None if it is invalid or not newer than turn `seen`."""
    if not isinstance(value, dict) or value.get("key") != key:
        return None
    turn, ask = value.get("turn"), value.get("ask")
    if isinstance(turn, bool) or not isinstance(turn, int) or not seen < turn <= LARGEST_TURN:
        return None
    return Report(turn, ask if ask in ASKS else "keep", value.get("document"))


def header(turn: int, seen: int, document: Any, ask: str | None = None, message: str | None = None) -> dict[str, Any]:
    """Return the message as a dict for `stage.mount`."""
    return {"turn": turn, "seen": seen, "ask": ask, "document": document, "message": message}
