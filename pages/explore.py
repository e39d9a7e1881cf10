"""Home page: one regularisation path, tree by tree."""

from pages.ui.explore import explorer, settings_for_data
from pages.ui.shell import controls, data_sets, frame, page_settings, training

frame.begin()
chosen = controls.explore()
data = data_sets.load_or_stop(chosen.data_set)
settings_for_data.make_possible(data)
settings_for_data.tell()
shown = explorer.Shown(training.submit(chosen, data), chosen, data, page_settings.EXPLORE)
explorer.share(page_settings.EXPLORE, shown.name)
explorer.path_on_stage(shown)
