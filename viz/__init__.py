"""Pictures of treecore's values. Knows no Streamlit."""

from treecore.lazy_names import lazy_names
from treecore.notebook import show_with

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
show_with(lambda tree_or_path: __getattr__("show")(tree_or_path).html)
