"""What the stage's editor and the page say to each other.

The page hands over ``{"turn", "seen", "ask", "document", "message"}`` with the stage (`edit` of `stage.mount`):

* ``document``: the tree as the server has it, see `treecore.tree.editing` (labels are positions among the data's
classes);
* ``turn``: raised when the browser shall take ``document`` in place of its own (re-optimised, typed rule, start over);
  an equal turn says nothing new;
* ``seen``: the browser's own turn that the server has heard last. A new browser starts to count there; a document that
  is older than what the browser has done since (seen < its turn) may be left alone;
* ``ask``: what the browser had asked for when this was said ("reoptimise"), or null; ``message``: a sentence for the
  visitor, or null. An answer without a new turn says why nothing could be done.

The browser reports ``edited`` = ``{"key", "turn", "ask", "document"}``: key is the stage's; turn rises with each one;
ask is "keep" (this is the tree now) or "reoptimise" (run TAO around the locked nodes). Only the last report counts: one
that is sent while an answer is awaited ends the work on the one before, so it must ask again for what is still wanted.
"""

from typing import Any, NamedTuple

ASKS = ("keep", "reoptimise")
LARGEST_TURN = 2**53 - 1


class Report(NamedTuple):
    """One report of the browser; the document is not checked yet."""

    turn: int
    ask: str
    document: dict


def report(value: Any, key: str, seen: int) -> Report | None:
    """`Report` of what the browser has sent about the tree `key`, None when there is nothing new (after turn `seen`) or
    when it makes no sense."""
    if not isinstance(value, dict) or value.get("key") != key:
        return None
    turn, ask = value.get("turn"), value.get("ask")
    if isinstance(turn, bool) or not isinstance(turn, int) or not seen < turn <= LARGEST_TURN:
        return None
    return Report(turn, ask if ask in ASKS else "keep", value.get("document"))


def header(turn: int, seen: int, document: Any, ask: str | None = None, message: str | None = None) -> dict[str, Any]:
    """dict for `stage.mount`."""
    return {"turn": turn, "seen": seen, "ask": ask, "document": document, "message": message}
