"""Rules: the tree as IF-THEN rules, to filter, to sort, to find on the stage and to take away."""

from pages.ui import chosen_tree, frame, rules_panel

frame.begin()
rules_panel.show(chosen_tree.choose())
