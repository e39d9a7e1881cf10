"""How a notebook shows trees and paths: the slot for the pictures, which the engine works without."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

# Packages that put their pictures into the slot when they are imported, which a cell does that shows a tree.
PROVIDERS = ("viz",)
_slot = {}


def show_with(html_of: Callable) -> None:
    """Fill the slot. html_of : function from a `Tree` or `RegularizationPath` to the HTML (str) of a cell."""
    _slot["html_of"] = html_of


def cell_html(tree_or_path: Any) -> str | None:
    """str: HTML of a `Tree` or `RegularizationPath`; None, so that its text is shown, where there are no pictures."""
    try:
        for name in () if _slot else PROVIDERS:
            import_module(name)
        return _slot["html_of"](tree_or_path) if _slot else None
    except ImportError:
        return None
