"""Display of trees and paths in notebooks. treecore does not import `viz`, which registers its functions here."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

# Packages that register functions on import. They are imported when a cell shows a tree.
PROVIDERS = ("viz",)
_slot = {}


def show_with(html_of: Callable, display: Callable = lambda tree_or_path: False) -> None:
    """Register the functions that display trees and paths.

    html_of : function that returns the HTML (str) of a `Tree` or `RegularizationPath`; display : function that shows it
    in the running cell and returns True, or returns False if the HTML suffices.
    """
    _slot.update(html_of=html_of, display=display)


def cell_html(tree_or_path: Any) -> str | None:
    """Return the HTML of a `Tree` or `RegularizationPath`, or None without `viz`, so that the text is shown."""
    return _from_slot("html_of", tree_or_path)


def display_cell(tree_or_path: Any) -> None:
    """Show a `Tree` or `RegularizationPath` in the running cell as an interactive widget.

    Raise NotImplementedError if there is no widget. IPython then shows the HTML.
    """
    if not _from_slot("display", tree_or_path):
        raise NotImplementedError


def _from_slot(name, tree_or_path):
    try:
        for provider in () if _slot else PROVIDERS:
            import_module(provider)
        return _slot[name](tree_or_path) if _slot else None
    except ImportError:
        return None
