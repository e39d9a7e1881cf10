"""The settings of each page as this browser tab has them: in the session, and in the address for a reload."""

from dataclasses import replace

import streamlit as st

from pages.jobs.settings_text import BIVARIATE_TEXT, COMPARISON_TEXT, PATH_TEXT, PHASE_TEXT


class PageSettings:
    """The settings of one page; key : of the session, differs for all pages; text : their `SettingsText`."""

    def __init__(self, key, text):
        self.key, self.text = key, text
        self.twin = None  # another page that starts from the data set and rows of this one

    @property
    def default(self):
        """Settings of a page that nobody has touched."""
        return self.text.default

    def current(self):
        """The settings of this browser tab; a new tab takes them from the URL."""
        if self.key not in st.session_state:
            query = st.query_params.to_dict()
            value = self.text.read(query)
            st.session_state[f"{self.key}_misread"] = self.text.misread(query)
            if not query and self.twin is not None and self.twin.key in st.session_state:
                value = replace(value, **_shared(self.twin.current()))
            st.session_state[self.key] = value
        return st.session_state[self.key]

    def change(self, **values):
        """Change some settings."""
        st.session_state[self.key] = value = replace(self.current(), **values)
        if self.twin is not None and self.twin.key in st.session_state:
            st.session_state[self.twin.key] = replace(self.twin.current(), **_shared(value))

    def share_in_url(self, **others):
        """Put the settings (and other parameters that are not None) into the URL, so that a reload comes back here."""
        wanted = self.text.write(self.current())
        wanted |= {name: str(value) for name, value in others.items() if value is not None}
        if st.query_params.to_dict() != wanted:
            st.query_params.from_dict(wanted)


def _shared(value):
    return {name: getattr(value, name) for name in ("data_set", "init", "max_depth", "seed", "rows")}


EXPLORE = PageSettings("settings", PATH_TEXT)
BIVARIATE = PageSettings("bivariate", BIVARIATE_TEXT)
PHASE = PageSettings("phase", PHASE_TEXT)
COMPARE = PageSettings("compare", COMPARISON_TEXT)
BIVARIATE.twin, PHASE.twin = PHASE, BIVARIATE
