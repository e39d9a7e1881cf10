"""Rules: list the tree as IF-THEN rules; filter, sort and export them, and locate them in the tree."""

from pages.ui import frame
from pages.ui.rules import rules_panel
from pages.ui.session import choose_tree, thresholds

frame.begin()
shared = {"node": rules_panel.node_for_address()} | thresholds.texts()
rules_panel.rules_page(thresholds.apply(choose_tree.choose_tree("Rules", needs_rows=False, **shared)))
