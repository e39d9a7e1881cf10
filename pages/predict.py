"""Predict: a tree, or a model from a file, applied to new rows."""

from pages.ui.predict import predict_panel
from pages.ui.shell import chosen_tree, frame

frame.begin()
predict_panel.predict_page(chosen_tree.choose(needs_rows=False, opens_files=True))
