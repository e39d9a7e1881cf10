"""Router of the app: page settings, navigation, then the chosen page."""

import streamlit as st

from pages.ui import frame

if __name__ == "__main__":
    st.set_page_config(page_title="TAO tree explorer", page_icon="🌳", layout="wide", initial_sidebar_state="expanded")
    page = frame.navigation()
    st.session_state[frame.IN_FRAME] = True
    page.run()
