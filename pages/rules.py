"""Rules: the tree as IF-THEN rules, to filter, to sort, to find on the stage and to take away."""

from pages.ui.rules import rules_panel
from pages.ui.shell import chosen_tree, frame

frame.begin()
rules_panel.rules_page(chosen_tree.choose(needs_rows=False))
