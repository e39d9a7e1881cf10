"""Draw a strip of thumbnails from which the visitor chooses a tree of a forest."""

from collections.abc import Callable, Iterable
from functools import partial

import streamlit as st

from pages.ui.components.component import component

MOST = 50  # maximum number of thumbnails shown at once


def tree_number(key: str, n_trees: int) -> int:
    """Draw the field for the number of a tree, stored in the session under `key`, and return the number."""
    last = n_trees - 1
    if st.session_state.get(key, 0) > last:
        st.session_state[key] = 0
    if n_trees <= MOST:
        return st.number_input(f"Tree number (0 to {last:,})", 0, last, key=key)
    left, before, after = st.columns([4, 1, 1], vertical_alignment="bottom")
    number = left.number_input(f"Tree number (0 to {last:,})", 0, last, key=key)
    first = number // MOST * MOST
    rest = n_trees - first - MOST
    before.button(
        f"Previous {MOST}", key=f"{key}-before", width="stretch", disabled=not first, on_click=_choose,
        args=(key, first - MOST),
    )  # fmt: skip
    after.button(
        f"Next {min(MOST, rest) if rest > 0 else MOST}", key=f"{key}-after", width="stretch", disabled=rest <= 0,
        on_click=_choose, args=(key, first + MOST),
    )  # fmt: skip
    return number


def tree_strip(key: str, first: int, pictures: Iterable[tuple[str | None, str]]) -> None:
    """Draw the strip. A click stores the number of a tree in the session under `key`.

    first : number of the first tree; pictures : (SVG text or None, words) of each tree.
    """
    trees = [(number, picture, f"Tree {number} · {words}") for number, (picture, words) in enumerate(pictures, first)]
    thumbnail_strip(key, trees, st.session_state.get(key, 0), partial(_choose, key))


def thumbnail_strip(
    key: str,
    trees: Iterable[tuple[int, str | None, str]],
    chosen: int | None,
    on_choose: Callable[[int], None],
    label: str = "Trees of the model",
) -> None:
    """Draw thumbnails, of which a click chooses one.

    trees : (number, SVG text or None, words) of each tree; chosen : number of the highlighted tree, or None;
    on_choose : callback that receives the number of a tree.
    """
    component("tree_strip")(
        key=f"{key}-strip",
        data={
            "trees": [{"number": number, "picture": picture, "words": words} for number, picture, words in trees],
            "chosen": chosen,
            "label": label,
        },
        on_chosen_change=partial(_take_choice, key, on_choose),
    )


def _take_choice(key: str, on_choose: Callable[[int], None]) -> None:
    number = (st.session_state.get(f"{key}-strip") or {}).get("chosen")
    if number is not None:
        on_choose(int(number))


def _choose(key: str, number: int) -> None:
    st.session_state[key] = number
