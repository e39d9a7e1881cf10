"""About: one screen that explains how to read a tree, how TAO works and who published it."""

from pathlib import Path

import streamlit as st

from pages.ui import frame
from pages.ui.shell.page_title import page_title

frame.begin()
page_title("How to read this")
text = (Path(__file__).parent / "ui" / "shell" / "about.md").read_text(encoding="utf-8")
with st.container(key="about"):
    for column, section in zip(st.columns(3, gap="medium"), text.split("## ")[1:], strict=True):
        column.markdown(f"## {section}")
