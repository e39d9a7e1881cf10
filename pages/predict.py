"""Predict: a tree, or a model from a file, applied to new rows."""

from pages.ui import chosen_tree, frame, predict_panel

frame.begin()
predict_panel.show(chosen_tree.choose(needs_rows=False, opens_files=True))
