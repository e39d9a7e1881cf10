"""Predict: apply a tree, or a model from a file, to new rows."""

from pages.ui import frame
from pages.ui.predict import new_rows, predict_panel, predictions
from pages.ui.session import choose_tree, thresholds

frame.begin()
shared = {"part": predictions.part_for_address(), "from": new_rows.source()} | thresholds.texts()
predict_panel.predict_page(
    thresholds.apply(choose_tree.choose_tree("Predict", needs_rows=False, opens_files=True, **shared))
)
