"""What is in each data set."""

from pages.ui import data_panel, data_sets, frame, settings

frame.begin()
name = data_panel.choose()
data_panel.show(data_sets.load_or_stop(name), data_sets.rows(name, settings.EXPLORE.current().seed))
