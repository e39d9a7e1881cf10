"""The settings of each page as this browser tab has them: in the session, and in the address for a reload."""

from dataclasses import replace

import streamlit as st

from pages.jobs.settings import FIRST
from pages.jobs.settings_text import COMPARISON_TEXT, PATH_TEXT
from pages.ui.shell import address


class PageSettings:
    """The settings of one page; key : of the session, differs for all pages; text : their `SettingsText`; shared :
    names of those that are the same on all pages that have them, of which a page that is new takes over what the
    others have; first : settings of a visitor who comes without a link, None for those of a link that says nothing.
    """

    def __init__(self, key, text, shared=(), first=None):
        self.key, self.text, self.shared, self.first = key, text, shared, first

    @property
    def default(self):
        """Settings of a page that nobody has touched."""
        return self.text.default

    def current(self):
        """The settings of this browser tab; a new tab takes them from the URL, and so do Back and Forward."""
        if address.is_asked(self.key):
            query, is_back = st.query_params.to_dict(), self.key in st.session_state
            st.session_state[f"{self.key}_misread"] = self.text.misread(query)
            told = {} if is_back else _known()  # where somebody goes back to, the address says all
            known = {name: value for name, value in told.items() if name in self.shared and name not in query}
            is_new = self.first is not None and not query and not known and not is_back
            self._set(self.first if is_new else replace(self.text.read(query), **known))
        return st.session_state[self.key]

    def is_first(self):
        """Whether nothing was chosen yet by a visitor who came without a link."""
        return self.current() is self.first

    def change(self, **values):
        """Change some settings; those that were found for one data set do not go to another."""
        self._set(_changed(self.current(), values))

    def _set(self, value):
        st.session_state[self.key] = value
        _known().update({name: getattr(value, name) for name in self.shared})
        for other in SHARING:
            if other is not self and other.key in st.session_state:
                told = {name: getattr(value, name) for name in self.shared if name in other.shared}
                st.session_state[other.key] = _changed(st.session_state[other.key], told)

    def share_in_url(self, **others):
        """Put the settings (and other parameters that are not None) into the URL, so that a reload comes back here."""
        wanted = self.text.write(self.current())
        wanted |= {name: str(value) for name, value in others.items() if value is not None}
        address.write(wanted)


def _changed(now, values):
    is_other = values.get("data_set", now.data_set) != now.data_set
    usual = getattr(now, "OF_DATA", {}) if is_other else {}
    return replace(now, **usual | values)


def _known():
    """What the pages of this tab share, by name."""
    return st.session_state.setdefault("shared_settings", {})


_OF_TREES = ("data_set", "seed", "rows")
EXPLORE = PageSettings("settings", PATH_TEXT, _OF_TREES, FIRST)
COMPARE = PageSettings("compare", COMPARISON_TEXT, ("data_set",))
SHARING = (EXPLORE, COMPARE)
