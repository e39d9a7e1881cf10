"""How to read the pictures, what the algorithm does, where it comes from."""

from pathlib import Path

import streamlit as st

from pages.ui.shell import frame

frame.begin()
st.markdown((Path(__file__).parent / "ui" / "shell" / "about.md").read_text(encoding="utf-8"))
