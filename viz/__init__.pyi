"""The public names: what they are loaded from at run time, and what editors and type checkers know of them."""

from .charts.comparison_figures import comparison_figure as comparison_figure
from .charts.comparison_figures import critical_difference_figure as critical_difference_figure
from .charts.path_figures import path_figure as path_figure
from .charts.phase_figure import phase_figure as phase_figure
from .page.notebook import show as show
from .page.stage_html import linked_stages_html as linked_stages_html
from .page.stage_html import stage_html as stage_html
from .tree.animation import path_animation as path_animation
from .tree.animation import path_gif as path_gif
from .tree.contact_sheet import contact_sheet as contact_sheet
from .tree.forest_strip import forest_strip as forest_strip
from .tree.node_figure import node_figure as node_figure
from .tree.node_figure import node_zip as node_zip
from .tree.tree_figure import figure as figure
from .tree.tree_pages import pages as pages
