"""Compare: several methods under one protocol, and their trees side by side."""

import streamlit as st

from pages.ui import frame
from pages.ui.compare import compare_panel
from pages.ui.session import data_sets
from pages.ui.shell.page_title import page_title

frame.begin()
chosen = compare_panel.sidebar()
title = st.empty()
page_title("Compare", place=title)
data = data_sets.load_or_stop(chosen.data_set)
page_title("Compare", data.title, title)
compare_panel.compare_page(chosen, data)
