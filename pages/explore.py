"""Home page: one regularisation path, tree by tree."""

from pages.ui import controls, data_sets, explorer, frame, jobs

frame.begin()
chosen = controls.sidebar()
data = data_sets.load_or_stop(chosen.data_set)
job = jobs.manager().submit(chosen, data.fingerprint)
explorer.share(job)
explorer.show(job, chosen, data)
