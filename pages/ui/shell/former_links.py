"""Links to pages that have become parts of others."""

from dataclasses import asdict

import streamlit as st

from pages.jobs.settings import PathSettings
from pages.jobs.settings_text import BIVARIATE_TEXT, PHASE_TEXT, natural
from pages.ui.shell import address, page_settings


def bivariate_query(query):
    """Texts of a link to the page of bivariate trees, whose settings began elsewhere, as those of a link to a path."""
    others = {name: text for name, text in query.items() if name not in BIVARIATE_TEXT.readers and name != "source"}
    return page_settings.EXPLORE.text.write(BIVARIATE_TEXT.read(query)) | others


def open_bivariate():
    """Go to the page of a path."""
    address.go_to("pages/explore.py", bivariate_query(st.query_params.to_dict()))


def phase_query(query):
    """Texts of a link to the map of λ and C, where a tree had a row and a column, as those of a link to every C."""
    chosen = PHASE_TEXT.read(query)
    others = {name: text for name, text in query.items() if name not in {*PHASE_TEXT.readers, "row", "tree"}}
    row, column = (natural(query.get(name)) for name in ("row", "tree"))
    if row is not None and column is not None and column < chosen.n_lambdas:
        others["tree"] = str(row * chosen.n_lambdas + column)
    return page_settings.EXPLORE.text.write(PathSettings(split="bivariate", **asdict(chosen))) | others


def open_phase():
    """Go to the page of a path, with the C of the map."""
    address.go_to("pages/explore.py", phase_query(st.query_params.to_dict()))


def translate():
    """Before a page is drawn: a link to what is done with a tree may mean one of the former page."""
    if st.query_params.get("source") == "bivariate":
        st.query_params.from_dict(bivariate_query(st.query_params.to_dict()))
