"""Rules: the tree as IF-THEN rules, to filter, to sort, to find on the stage and to take away."""

from pages.ui.explore import choose_tree
from pages.ui.rules import rules_panel
from pages.ui.shell import frame

frame.begin()
rules_panel.rules_page(choose_tree.choose_tree(needs_rows=False))
