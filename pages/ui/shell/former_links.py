"""Links to pages that have become parts of others."""

import streamlit as st

from pages.jobs.settings_text import BIVARIATE_TEXT
from pages.ui.shell import page_settings


def bivariate_query(query):
    """Texts of a link to the page of bivariate trees, whose settings began elsewhere, as those of a link to a path."""
    others = {name: text for name, text in query.items() if name not in BIVARIATE_TEXT.readers and name != "source"}
    return page_settings.EXPLORE.text.write(BIVARIATE_TEXT.read(query)) | others


def open_bivariate():
    """Go to the page of a path."""
    st.switch_page("pages/explore.py", query_params=bivariate_query(st.query_params.to_dict()))


def translate():
    """Before a page is drawn: a link to what is done with a tree may mean one of the former page."""
    if st.query_params.get("source") == "bivariate":
        st.query_params.from_dict(bivariate_query(st.query_params.to_dict()))
