"""Predict: a tree, or a model from a file, applied to new rows."""

from pages.ui.explore import choose_tree
from pages.ui.predict import new_rows, predict_panel, predictions, thresholds
from pages.ui.shell import frame

frame.begin()
asked = {"part": predictions.asked(), "from": new_rows.asked()} | thresholds.texts()
predict_panel.predict_page(thresholds.applied(choose_tree.choose_tree(needs_rows=False, opens_files=True, **asked)))
