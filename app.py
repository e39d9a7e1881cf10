"""Router of the app: the frame around every page, then the chosen page."""

import streamlit as st

from pages.ui.shell import frame

if __name__ == "__main__":
    page = frame.navigation()
    st.session_state[frame.IN_FRAME] = True
    page.run()
