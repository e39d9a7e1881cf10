"""Sidebar of the Learn page, without the controls that a link hides."""

from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.learn import learn_data, learn_settings
from pages.ui.learn.learn_settings import LearnSettings
from pages.ui.session import data_sets
from pages.ui.session.controls import Controls
from sample_data import DataSet, painted
from treecore.node_solvers import SPLITS

PAINTED = "Painted points"
MORE = "more-of-learn"  # key of an expander


class LearnControls(Controls):
    """The controls of the Learn page."""

    def following(self, name: str, value: Any) -> dict[str, Any]:
        """Return the settings that change with this one, such as the columns of another data set."""
        if name == "data_set":
            return {"x": "", "y": "", "rows": "drawn"}
        if name == "n_points":
            return {"rows": "drawn"}
        if name == "split" and self.store.current().init not in learn_settings.initial_trees(value):
            return {"init": "cart"}
        return {}

    def data(self) -> None:
        """Draw the choice of the data set: first planes, then painting, then all other data sets."""
        now = self.store.current().data_set
        entries, label = data_sets.entries(), data_sets.labels()
        names = [name for name, entry in entries.items() if entry.available]
        planes = [name for name in names if entries[name].kind == "2D"]
        names = [*planes, painted.NAME, *(name for name in names if name not in planes)]
        names += [now] if now not in names else []
        self.choice(
            "data_set",
            "Data",
            {name: PAINTED if name == painted.NAME else label(name) for name in names},
            ("Data for the run: a data set with two features, two columns of a table, or points that you paint."),
        )

    def columns(self, data: DataSet) -> None:
        """Draw the choice of the columns of a table."""
        chosen = self.store.current()
        self.setting("columns")
        if chosen.columns == "two":
            x, y = learn_data.axes(data, chosen)
            if (x, y) != (chosen.x, chosen.y):
                self.store.change(x=x, y=y)
            options = {name: name for name in data.feature_names}
            self.choice("x", "Horizontal", {k: k for k in options if k != y}, "Column on the horizontal axis.")
            self.choice("y", "Vertical", {k: k for k in options if k != x}, "Column on the vertical axis.")


def draw() -> tuple[LearnSettings, DeltaGenerator]:
    """Draw the visible controls of the sidebar. Return (settings, container for `lambda_control`)."""
    store = learn_settings.LEARN
    controls, hidden = LearnControls(store), store.current().hide
    with st.sidebar:
        if "data" not in hidden:
            controls.data()
            now = store.current()
            if now.data_set != painted.NAME:
                data = data_sets.load_or_stop(now.data_set)
                if learn_data.is_table(data):
                    controls.columns(data)
        if "split" not in hidden:
            controls.setting("split")
        if "init" not in hidden:
            controls.setting("init")
        place = st.container()
        if "beside" not in hidden:
            controls.setting("beside")
        _more(controls, store.current(), hidden)
    return store.current(), place


def lambda_control(place: DeltaGenerator) -> None:
    """Draw λ if the stage shows no run. A run has its own slider."""
    if "lam" not in learn_settings.LEARN.current().hide:
        with place:
            controls = LearnControls(learn_settings.LEARN)
            controls.one_of_row("lam", "λ", learn_settings.LAMBDAS, learn_settings.LAMBDA_HELP)


def _more(controls: LearnControls, now: LearnSettings, hidden: tuple[str, ...]) -> None:
    has_cost = "cost" not in hidden and "bivariate_cost" in SPLITS[now.split].parameters
    has_depth = "init" not in hidden and now.init != "drawn"
    has_points = "points" not in hidden and now.data_set != painted.NAME
    if not (has_cost or has_depth or has_points or "passes" not in hidden):
        return
    more = st.expander("More", key=MORE, on_change="rerun")
    if not more.open:
        return
    with more:
        if has_depth:
            controls.setting("max_depth")
        if has_cost:
            controls.setting("bivariate_cost")
        if has_points:
            controls.setting("n_points")
            controls.setting("seed")
        if "passes" not in hidden:
            controls.setting("max_iter")
