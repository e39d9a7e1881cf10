"""The settings of each page as this browser tab has them: in the session, and in the address for a reload."""

from dataclasses import replace
from typing import Any

import streamlit as st

from pages.jobs.settings import FIRST, following_split, of_data
from pages.jobs.settings_text import COMPARISON_TEXT, PATH_TEXT, SettingsText
from pages.ui.session import data_sets
from pages.ui.shell import address


class PageSettings:
    """The settings of one page; key : of the session, differs for all pages; text : their `SettingsText`; shared :
    names of those that are the same on all pages that have them, of which a page that is new takes over what the
    others have; first : settings of a visitor whose address names none of them, None for those of `text`; usual_split :
    function from the name of a data set to the kind of split that follows it, None for pages whose split does not.
    """

    def __init__(
        self, key: str, text: SettingsText, shared: tuple[str, ...] = (), first: Any = None, usual_split: Any = None
    ) -> None:
        self.key, self.text, self.shared, self.first, self._usual_split = key, text, shared, first, usual_split

    @property
    def default(self) -> Any:
        """Settings of a page that nobody has touched."""
        return self.text.default

    def current(self) -> Any:
        """The settings of this browser tab; a new tab takes them from the URL, and so do Back, Forward and links."""
        if address.is_asked(self.key):
            query, is_new = st.query_params.to_dict(), self.key not in st.session_state
            st.session_state[f"{self.key}_misread"] = self.text.misread(query)
            known = _known() if is_new else {}  # else the address is the whole truth
            known = {name: value for name, value in known.items() if name in self.shared and name not in query}
            self._set(self._read(query, known))
        return st.session_state[self.key]

    def _read(self, query: dict[str, str], known: dict[str, Any]) -> Any:
        # `tree` counts the trees of a path: a link of former times names no setting where it had the default
        named = query.keys() & {*self.text.readers, "tree"}
        if self.first is None or not named <= {"data_set"}:
            return replace(self.text.read(query), **known)
        known |= {"data_set": self.text.read(query).data_set} if named else {}
        return self._changed(self.first, known) if known else self.first

    def is_first(self) -> bool:
        """Whether nothing was chosen yet by a visitor who came without a link."""
        return self.current() is self.first

    def change(self, **values: Any) -> None:
        """Change some settings; those that were found for one data set do not go to another, and the kind of split
        follows the data set until the visitor chooses one."""
        self._set(self._changed(self.current(), values))

    def keep_split(self) -> None:
        """Let the kind of split, which the visitor has chosen, no longer follow the data set."""
        st.session_state[f"{self.key}_split_kept"] = True

    def _changed(self, now: Any, values: dict[str, Any]) -> Any:
        name, others = values.get("data_set", now.data_set), {}
        if name != now.data_set:
            others = of_data(now)
            if self._usual_split is not None and self._split_follows(now):
                others |= following_split(self._usual_split(name))
        return replace(now, **others | values)

    def _split_follows(self, now: Any) -> bool:
        is_kept = st.session_state.get(f"{self.key}_split_kept", False)
        return not is_kept and now.split == self._usual_split(now.data_set)

    def _set(self, value: Any) -> None:
        st.session_state[self.key] = value
        _known().update({name: getattr(value, name) for name in self.shared})
        for other in SHARING:
            if other is not self and other.key in st.session_state:
                told = {name: getattr(value, name) for name in self.shared if name in other.shared}
                st.session_state[other.key] = other._changed(st.session_state[other.key], told)

    def share_in_url(self, **others: Any) -> None:
        """Put the settings (and other parameters that are not None) into the URL, so that a reload comes back here."""
        now = self.current()
        # an address that names no setting means `first`
        wanted = {} if self.first is None else {"data_set": now.data_set}
        wanted |= self.text.write(now)
        wanted |= {name: str(value) for name, value in others.items() if value is not None}
        if self.first is not None and not wanted.keys() & ({*self.text.readers, "tree"} - {"data_set"}):
            wanted["split"] = now.split  # a data set alone means the trees that a visitor sees who chooses it
        address.write(wanted)


def _known() -> dict[str, Any]:
    """What the pages of this tab share, by name."""
    return st.session_state.setdefault("shared_settings", {})


_OF_TREES = ("data_set", "seed", "rows")
EXPLORE = PageSettings("settings", PATH_TEXT, _OF_TREES, FIRST, data_sets.usual_split)
COMPARE = PageSettings("compare", COMPARISON_TEXT, ("data_set",))
SHARING = (EXPLORE, COMPARE)
