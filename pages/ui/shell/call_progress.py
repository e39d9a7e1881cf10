"""Show the progress of reading a file, with a Cancel button, unless the reading is short."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.jobs.limited_process import WAITING, LimitedCall

QUICK = 0.4  # seconds that a page waits before it shows progress
_STEP = 0.25


def is_quick(call: LimitedCall) -> bool:
    """Wait briefly and return whether a `LimitedCall` has ended."""
    return call.wait(QUICK)


def show(call: LimitedCall, words: str, expected: float, cancel: Callable[[], Any], key: str) -> None:
    """Draw the progress of a `LimitedCall` until it has ended. The visitor can use the page in the meantime.

    words : description of the work, as Markdown; expected : expected number of seconds for a file of this size; cancel
    : callback of the Cancel button.
    """
    left, right = st.columns([5, 1], vertical_alignment="center")
    bar = left.empty()
    right.button("Cancel", icon=":material/close:", key=key, width="stretch", on_click=cancel)
    while not call.wait(_STEP):
        bar.progress(_share(call, expected), f"{words} … {_text(call)}")


def _share(call: LimitedCall, expected: float) -> float:
    progress = call.progress()
    if progress and progress["total"] > 1:
        return min(0.5 + 0.5 * progress["done"] / progress["total"], 1.0)
    return min(call.seconds / max(2 * expected, 2.0), 0.5)  # at most half of the bar while the progress is unknown


def _text(call: LimitedCall) -> str:
    if call.state == WAITING:
        return "waiting for other files"
    progress = call.progress()
    where = ""
    if progress and progress["total"] > 1:
        where = f"{progress['words']} {progress['done'] + 1:,} of {progress['total']:,} · "
    return f"{where}{call.seconds:.0f} s (limit: {call.limits.seconds:g} s)"
