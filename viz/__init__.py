"""Figures and interactive views of trees, independent of Streamlit."""

from importlib import import_module

from lazy_loader import attach_stub

from treecore.notebook import show_with

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
show_with(
    lambda tree_or_path: import_module("viz.page.notebook").cell_html(tree_or_path),
    lambda tree_or_path: import_module("viz.page.notebook").displayed(tree_or_path),
)
