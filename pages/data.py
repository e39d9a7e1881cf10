"""Data: the contents of each data set, and uploads of tables, trees and projects."""

from pages.ui import frame
from pages.ui.data import data_panel, project_panel, tree_panel, user_panel
from pages.ui.session import data_sets, page_settings

frame.begin()
way = data_panel.choose_way()
name = data_panel.choose() if way == "list" else None
data_panel.share(way, name)
if name is not None:
    data_panel.data_set_section(
        data_sets.load_or_stop(name), data_sets.rows(name, page_settings.EXPLORE.current().seed)
    )
elif way == "tree":
    tree_panel.tree_page()
elif way == "project":
    project_panel.project_page()
else:
    user_panel.user_data_page(way)
