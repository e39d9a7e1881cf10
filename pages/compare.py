"""Compare: several methods under one protocol, and their trees side by side."""

from pages.ui import frame
from pages.ui.compare import compare_panel
from pages.ui.session import data_sets

frame.begin()
chosen = compare_panel.sidebar()
data = data_sets.load_or_stop(chosen.data_set)
compare_panel.compare_page(chosen, data)
