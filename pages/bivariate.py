"""Bivariate trees: the price of a second feature, any lambda at once, the paper's case studies."""

from pages.ui.explore import bivariate_panel, explorer
from pages.ui.shell import data_sets, frame, page_settings

frame.begin()
chosen, remark = bivariate_panel.sidebar()
data = data_sets.load_or_stop(chosen.data_set)
bivariate_panel.explain(data)
shown = bivariate_panel.shown(chosen, data, remark)
explorer.share(page_settings.BIVARIATE, shown.name)
bivariate_panel.compare(shown)
explorer.path_on_stage(shown)
