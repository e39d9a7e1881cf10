"""Predict: apply a tree, or a model from a file, to new rows."""

from pages.ui import frame
from pages.ui.predict import new_rows, predict_panel, predictions
from pages.ui.session import choose_tree, thresholds

frame.begin()
asked = {"part": predictions.asked(), "from": new_rows.asked()} | thresholds.texts()
predict_panel.predict_page(thresholds.applied(choose_tree.choose_tree(needs_rows=False, opens_files=True, **asked)))
