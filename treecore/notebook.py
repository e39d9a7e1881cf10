"""How a notebook shows trees and paths: the slot for the pictures, which the engine works without."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

# Packages that put their pictures into the slot when they are imported, which a cell does that shows a tree.
PROVIDERS = ("viz",)
_slot = {}


def show_with(html_of: Callable, display: Callable = lambda tree_or_path: False) -> None:
    """Fill the slot.

    html_of : function from a `Tree` or `RegularizationPath` to the HTML (str) of a cell; display : function that shows
    it in the cell that runs and gives True, or gives False where its HTML will do.
    """
    _slot.update(html_of=html_of, display=display)


def cell_html(tree_or_path: Any) -> str | None:
    """str: HTML of a `Tree` or `RegularizationPath`; None, so that its text is shown, where there are no pictures."""
    return _given("html_of", tree_or_path)


def display_cell(tree_or_path: Any) -> None:
    """Show a `Tree` or `RegularizationPath` in the cell that runs, as something that answers Python.

    Raises NotImplementedError where there is no such thing, and IPython shows its HTML.
    """
    if not _given("display", tree_or_path):
        raise NotImplementedError


def _given(name, tree_or_path):
    try:
        for provider in () if _slot else PROVIDERS:
            import_module(provider)
        return _slot[name](tree_or_path) if _slot else None
    except ImportError:
        return None
