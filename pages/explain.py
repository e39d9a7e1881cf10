"""Explain: why a tree predicts what it predicts for a row, what would change that, which features matter."""

from pages.ui import frame
from pages.ui.explain import explain_panel

frame.begin()
explain_panel.explain_page(explain_panel.choose())
