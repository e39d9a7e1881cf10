"""Draw the controls of the pages."""

from collections.abc import Callable, Iterable
from typing import Any

import streamlit as st

from pages.jobs.setting import settings_of
from pages.ui.session import data_sets
from pages.ui.session.page_settings import PageSettings
from pages.ui.shell.bound import label_by
from treecore.comparison.method_titles import METHOD_TITLES
from treecore.declarations import Number, Special, Switch

ROW_WIDTH = 230  # width of a select box in a row of choices, in pixels
# Sort key for the values of a setting. The values of other settings are sorted directly.
_ORDER = {"methods": list(METHOD_TITLES).index}


class Controls:
    """Widgets that show the settings of a `PageSettings` and change them in callbacks. Make an object in each run."""

    def __init__(self, store: PageSettings) -> None:
        self.store, self.now = store, store.current()

    def data_set(self, in_row: bool = False) -> None:
        """Draw the choice of the data set; in_row : without a visible label, for a row of choices."""
        now, one = self.now.data_set, settings_of(type(self.now))["data_set"]
        names = [name for name, entry in data_sets.entries().items() if entry.available or name == now]
        if now not in names:
            names.insert(0, now)
        st.selectbox(
            one.words, names, format_func=data_sets.labels(), help=one.help, **looks(in_row), **self._bind("data_set")
        )

    def setting(
        self, name: str, label: str | None = None, options: dict[Any, str] | None = None, in_row: bool = False
    ) -> None:
        """Draw the declared control of a setting.

        label, options : override the declared ones; in_row : as in `data_set`, for a choice.
        """
        now, one = self.now, settings_of(type(self.now))[name]
        label, kind, offered = label or one.words, one.kind, options or one.choices(now)
        if isinstance(one.default, tuple):
            self.several(name, label, offered, one.help)
        elif offered:
            self.choice(name, label, offered, one.help, in_row)
        elif isinstance(kind, Switch):
            st.toggle(label, help=one.help, **self._bind(name))
        elif isinstance(kind, Special):
            st.text_input(label, placeholder=one.placeholder, help=one.help, **self._bind(name))
        elif one.is_slider:
            st.slider(label, kind.low, kind.high, step=one.step, help=one.help, **self._bind(name))
        else:
            st.number_input(
                label, kind.low, kind.high, value="min" if one.default is not None else None, step=one.step,
                format="%.5g" if isinstance(kind, Number) else None, placeholder=one.placeholder or one.none,
                help=one.help, **self._bind(name),
            )  # fmt: skip

    def choice(self, name: str, label: str, options: Any, help: str, in_row: bool = False) -> None:
        """Draw a choice among `options`, a dict of value to text; in_row : as in `data_set`."""
        now = getattr(self.now, name)
        texts = options if now in options else options | {now: f"{now}"}
        st.selectbox(
            label, list(texts), format_func=label_by(texts), help=help, placeholder=texts.get(None), **looks(in_row),
            **self._bind(name),
        )  # fmt: skip

    def one_of_row(self, name: str, label: str, values: Iterable[float], help: str) -> None:
        """Draw a slider over some numbers, including the current one if it comes from a link."""
        now = getattr(self.now, name)
        options = sorted({*values, now})
        st.select_slider(label, options, format_func=lambda value: f"{value:g}", help=help, **self._bind(name))

    def several(self, name: str, label: str, options: Any, help: str) -> None:
        """Draw a choice of one or several `options`, a dict of value to text."""
        bound = self._bind(name, lambda now: [value for value in now if value in options])
        st.multiselect(label, list(options), format_func=label_by(options), help=help, **bound)

    def _bind(self, name: str, shown: Callable[[Any], Any] = lambda value: value) -> dict[str, Any]:
        key, now = f"{self.store.key}_{name}", shown(getattr(self.now, name))
        # Set the value in the session, because another control or a link may have changed it. Do so in every run,
        # because a browser that receives two runs at once shows the values of the second one.
        st.session_state[key] = now
        return {"key": key, "on_change": self._store, "args": (name,)}

    def _store(self, name: str) -> None:
        value = st.session_state[f"{self.store.key}_{name}"]
        one = settings_of(type(self.store.current()))[name]
        if one.placeholder and isinstance(one.kind, Special):
            text = (value or "").strip()
            value = one.kind.read(text)
            if text and value is None:
                st.toast(f"Expected {one.kind.allowed}.", icon=":material/info:")
                return
        if isinstance(value, list):
            if not value:
                st.toast("Choose at least one.", icon=":material/info:")
                return
            value = tuple(sorted(value, key=_ORDER.get(name)))
        self.store.change(**{name: value, **self.following(name, value)})

    def following(self, name: str, value: Any) -> dict[str, Any]:
        """Return other settings that change with this one. The visitor may change them back."""
        if name == "split":
            self.store.keep_split()
        return settings_of(type(self.store.current()))[name].following(value)


def looks(in_row: bool) -> dict[str, Any]:
    """Return the parameters of a select box in a row of choices."""
    return {"label_visibility": "collapsed", "width": ROW_WIDTH} if in_row else {}
