"""Predict: a tree, or a model from a file, applied to new rows."""

from pages.ui import chosen_tree, frame, loaded_models, predict_panel

frame.begin()
predict_panel.explain()
with predict_panel.sidebar():
    loaded_models.uploader()
predict_panel.show(chosen_tree.choose(needs_rows=False))
