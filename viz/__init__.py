"""Pictures of treecore's values. Knows no Streamlit."""

from viz.animation import path_gif
from viz.contact_sheet import contact_sheet
from viz.critical_difference import critical_difference_figure
from viz.notebook import show
from viz.stage_html import linked_stages_html, stage_html
from viz.tree_figure import figure

__all__ = [
    "contact_sheet", "critical_difference_figure", "figure", "linked_stages_html", "path_gif", "show", "stage_html",
]  # fmt: skip
