"""Home page: one regularisation path, tree by tree."""

from pages.ui import controls, data_sets, explorer, frame, settings, suited, training

frame.begin()
chosen = controls.explore()
data = data_sets.load_or_stop(chosen.data_set)
suited.make_possible(data)
suited.tell()
shown = explorer.Shown(training.submit(chosen, data), chosen, data, settings.EXPLORE)
explorer.share(settings.EXPLORE, shown.name)
explorer.show(shown)
