"""Draw the title of a page: one line, with a sentence about its content."""

from html import escape
from typing import Any

import streamlit as st

from treecore.tree.condition_text import visible


def page_title(title: str, about: str = "", place: Any = st) -> None:
    """Draw the heading of a page.

    title : name of the page, as in the navigation; about : plain text next to it; place : container.
    """
    words = f'<p dir="auto">{escape(visible(about))}</p>' if about else ""
    place.html(f'<div class="page-title"><h1>{escape(title)}</h1>{words}</div>')
