"""Pictures of treecore's values. Knows no Streamlit."""

from viz.charts.figures.comparison_figure import comparison_figure
from viz.charts.figures.critical_difference_figure import critical_difference_figure
from viz.charts.figures.path_figure import path_figure
from viz.charts.figures.phase_figure import phase_figure
from viz.page.notebook import show
from viz.page.stage_html import linked_stages_html, stage_html
from viz.tree.animation import path_gif
from viz.tree.contact_sheet import contact_sheet
from viz.tree.node_figure import node_figure, node_zip
from viz.tree.tree_figure import figure
from viz.tree.tree_pages import pages

__all__ = [
    "comparison_figure", "contact_sheet", "critical_difference_figure", "figure", "linked_stages_html", "node_figure",
    "node_zip", "pages", "path_figure", "path_gif", "phase_figure", "show", "stage_html",
]  # fmt: skip
