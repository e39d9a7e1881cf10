"""Data: the contents of each data set, and uploads of tables, trees and projects."""

from pages.ui import frame
from pages.ui.data import data_panel, project_panel, tree_panel, user_panel
from pages.ui.session import data_sets, page_settings
from pages.ui.shell.page_title import page_title

frame.begin()
page_title("Data")
source = data_panel.choose_source()
name = data_panel.choose() if source == "list" else None
data_panel.share(source, name)
if name is not None:
    data_panel.data_set_section(
        data_sets.load_or_stop(name), data_sets.rows(name, page_settings.EXPLORE.current().seed)
    )
elif source == "tree":
    tree_panel.tree_page()
elif source == "project":
    project_panel.project_page()
else:
    user_panel.user_data_page(source)
