"""Rules: the tree as IF-THEN rules, to filter, to sort, to find on the stage and to take away."""

from pages.ui.explore import choose_tree
from pages.ui.predict import thresholds
from pages.ui.rules import rules_panel
from pages.ui.shell import frame

frame.begin()
shared = {"node": rules_panel.asked()} | thresholds.texts()
rules_panel.rules_page(thresholds.applied(choose_tree.choose_tree(needs_rows=False, **shared)))
