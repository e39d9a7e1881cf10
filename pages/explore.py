"""Tree: the home page, which shows one regularisation path."""

from dataclasses import replace

import streamlit as st

from pages.ui import frame
from pages.ui.explore import explorer, opened_tree, path_panel
from pages.ui.session import data_sets, settings_for_data, shown_path

frame.begin()
row = path_panel.row()
if (opened := opened_tree.choose(row)) is not None:
    opened_tree.tree_page(opened)
    st.stop()
chosen, remark = path_panel.choices(row)
data = data_sets.load_or_stop(chosen.data_set)
settings_for_data.make_possible(data)
settings_for_data.show_changes()
has_banner = path_panel.explain(chosen, data)
shown = replace(shown_path.submit(chosen, data, remark), has_banner=has_banner)
shown_path.note_missing_tree()
shown_path.share(shown)
path_panel.compare(shown)
explorer.path_on_stage(shown)
