"""Manage the settings of each page in this browser tab: in the session, and in the address for a reload."""

from dataclasses import replace
from typing import Any

import streamlit as st

from pages.jobs.settings import FIRST, of_data
from pages.jobs.settings_text import COMPARISON_TEXT, PATH_TEXT, SettingsText
from pages.ui.session import data_sets
from pages.ui.shell import address


class PageSettings:
    """The settings of one page.

    key : unique session key; text : `SettingsText` of the settings; shared : names of the settings that a new page
    takes from other pages; first : settings for an address without any, None for the defaults of `text`; opening :
    function that returns the settings with which a data set opens, None for pages whose settings do not depend on the
    data.
    """

    def __init__(
        self, key: str, text: SettingsText, shared: tuple[str, ...] = (), first: Any = None, opening: Any = None
    ) -> None:
        self.key, self.text, self.shared, self.first, self._opening = key, text, shared, first, opening

    @property
    def default(self) -> Any:
        """Return the settings of an untouched page."""
        return self.text.default

    def current(self) -> Any:
        """Return the settings of this tab. A new tab, Back, Forward or a link reads them from the address."""
        if address.is_from_address(self.key):
            query, is_new = st.query_params.to_dict(), self.key not in st.session_state
            st.session_state[f"{self.key}_misread"] = self.text.invalid_names(query)
            known = _shared_settings() if is_new else {}  # otherwise the address alone determines the settings
            known = {name: value for name, value in known.items() if name in self.shared and name not in query}
            self._set(self._read(query, known))
        return st.session_state[self.key]

    def _read(self, query: dict[str, str], known: dict[str, Any]) -> Any:
        # Links of previous versions omit settings that have their default value. `tree` is an index on a path.
        named = query.keys() & {*self.text.readers}
        if self.first is None and not named:
            return self._with_changes(self.default, known)
        if self.first is None or not named <= {"data_set"} or (named and {"tree", "leaves"} & {*query}):
            return replace(self.text.read(query), **known)
        known |= {"data_set": self.text.read(query).data_set} if named else {}
        return self._with_changes(self.first, known) if known else self.first

    def is_first(self) -> bool:
        """Test whether a visitor without a link still has the initial settings."""
        return self.current() is self.first

    def change(self, **values: Any) -> None:
        """Change some settings.

        Choosing another data set resets the settings that belong to a data set. The split type becomes the default of
        the new data set, unless the visitor has chosen one.
        """
        self._set(self._with_changes(self.current(), values))

    def keep_split(self) -> None:
        """Keep the split type that the visitor has chosen, even if the data set changes."""
        st.session_state[f"{self.key}_split_kept"] = True

    def _with_changes(self, now: Any, values: dict[str, Any]) -> Any:
        name, others = values.get("data_set", now.data_set), {}
        if name != now.data_set:
            others = of_data(now)
            others |= self._following(now, name)
        return replace(now, **others | values)

    def _following(self, now: Any, name: str) -> dict[str, Any]:
        """Return the initial settings of another data set, without those that the visitor has changed."""
        if self._opening is None:
            return {}
        before, after = self._opening(now.data_set), self._opening(name)
        is_kept = st.session_state.get(f"{self.key}_split_kept", False)
        if is_kept or ("split" in before and now.split != before["split"]):
            return {name: value for name, value in after.items() if name == "categories"}  # of every split type
        for name in ("max_depth", "sweep"):
            if name in before and getattr(now, name) != before[name]:
                del after[name]
        return after

    def _set(self, value: Any) -> None:
        st.session_state[self.key] = value
        _shared_settings().update({name: getattr(value, name) for name in self.shared})
        for other in SHARING:
            if other is not self and other.key in st.session_state:
                values = {name: getattr(value, name) for name in self.shared if name in other.shared}
                st.session_state[other.key] = other._with_changes(st.session_state[other.key], values)

    def share_in_url(self, **others: Any) -> None:
        """Write the settings into the address for a reload, with other parameters that are not None."""
        now = self.current()
        # An address without settings means `first`.
        texts = {} if self.first is None else {"data_set": now.data_set}
        texts |= self.text.write(now)
        texts |= {name: str(value) for name, value in others.items() if value is not None}
        if self.first is not None and not texts.keys() & ({*self.text.readers, "tree", "leaves"} - {"data_set"}):
            texts["split"] = now.split  # an address with only a data set means its default split type
        address.write(texts)


def _shared_settings() -> dict[str, Any]:
    """Return {name: value} of the settings that the pages of this tab share."""
    return st.session_state.setdefault("shared_settings", {})


_OF_TREES = ("data_set", "seed", "rows")
EXPLORE = PageSettings("settings", PATH_TEXT, _OF_TREES, FIRST, data_sets.opening)
COMPARE = PageSettings("compare", COMPARISON_TEXT, ("data_set",), None, data_sets.of_categories)
SHARING = (EXPLORE, COMPARE)
