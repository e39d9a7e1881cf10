"""Explain: the decision path of a row, its counterfactual explanations and the importance of features."""

from pages.ui import frame
from pages.ui.explain import explain_panel

frame.begin()
explain_panel.explain_page(explain_panel.choose())
