"""Pictures of treecore's values. Knows no Streamlit."""

from viz.tree_figure import figure

__all__ = ["figure"]
