"""Phase diagram: the trees of every lambda and every price of a second feature.

Kairgeldin and Carreira-Perpiñán 2024, figure 1.
"""

from pages.ui.explore import phase_panel
from pages.ui.shell import data_sets, frame

frame.begin()
chosen = phase_panel.sidebar()
data = data_sets.load_or_stop(chosen.data_set)
phase_panel.phase_page(chosen, data)
