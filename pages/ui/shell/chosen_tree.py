"""The tree that the pages Rules, Explain and Predict are about: one of a path of this visitor, or a loaded model."""

from dataclasses import asdict, dataclass
from functools import cached_property, partial

import numpy as np
import streamlit as st

from pages.jobs import settings
from pages.jobs.point import Point
from pages.ui.explore import explorer, path_panel
from pages.ui.shell import address, data_sets, link_notes, loaded_models, page_settings, training
from pages.ui.shell.computed import computed
from pages.ui.shell.markdown_text import plain
from sample_data import DataSet
from treecore.model.model import Model
from treecore.tree.decision_digits import decision_digits
from treecore.tree.target import target_of
from viz.tree.bare_data import BareData
from viz.tree.feature_deviation import feature_deviation

PATH, PATH_TITLE = "explore", "as on the Tree page"


@dataclass(frozen=True)
class ChosenTree:
    """One tree with its data.

    name : differs for all trees and data, so it can be part of a cache's key; title : for people; point : `Point`
    with the tree and its figures; rows : (train, validation, test) row numbers of `data`; parameters : dict, of the
    training; has_data : whether `data` is what the tree was trained on, else it has the few rows of a loaded model, or
    none (`viz.tree.bare_data.BareData`; None for trees that no picture shows); loaded : the `Model` of a tree from a
    file.
    """

    name: str
    title: str
    point: Point
    data: DataSet | BareData | None
    rows: tuple
    parameters: dict
    has_data: bool = True
    loaded: Model | None = None

    @cached_property
    def tree(self):
        """The `Tree`, with the names of the features."""
        return self.point.tree if self.data is None else self.point.tree.with_names(self.data.feature_names)

    @cached_property
    def target(self):
        """`Target`: what the tree predicts."""
        return self.tree.target if self.data is None else target_of(self.tree, self.data)

    @cached_property
    def deviation(self):
        """float64[d]: standard deviation of every feature, for what is large in a weighted sum; None without rows."""
        return _deviation(self.name, self.data.X) if self.has_rows else None

    @cached_property
    def digits(self):
        """uint8[m]: digits that each decision is written with, as on the stage."""
        return _digits(self.name, self.tree, self.data.X if self.has_rows else np.empty((0, self.tree.n_features)))

    @property
    def has_rows(self):
        """Whether `data` has any row."""
        return self.data is not None and len(self.data.X) > 0


# the same for all who look at a tree, and of many pixels a tenth of a second
@computed(100)
def _deviation(name, _X):
    return feature_deviation(_X)


@computed(100)
def _digits(name, _tree, _X):
    return decision_digits(_tree, _X)


def choose(needs_rows=True, opens_files=False, **shared):
    """Choice in the side bar; returns the `ChosenTree`. While it is being trained, show that and end the run.

    needs_rows : say so and end the run for a loaded model without any row of its data; opens_files : offer to open
    model files; shared : other parameters of the page for the URL, those that are not None.
    """
    sources = _sources(shared)
    if address.is_asked("chosen_source") or st.session_state["chosen_source"] not in sources:
        st.session_state["chosen_source"] = next(iter(sources))
    with st.sidebar:
        source = st.selectbox("Tree", list(sources), format_func=lambda key: sources[key][0], key="chosen_source")
        if opens_files:
            loaded_models.uploader()
    chosen = sources[source][1]()
    if needs_rows and not chosen.has_rows:
        loaded_models.explain_no_rows(chosen.loaded)
        st.stop()
    return chosen


def _sources(shared):
    """(title, getter) of every tree that can be had, by key; the one of a link, or what was seen last, first."""
    asked = st.query_params.get("source")
    wanted = asked or st.session_state.get("last_store")
    sources = {PATH: (PATH_TITLE, partial(_of_path, shared))} | {
        f"model-{name}": (f"{name} (file)", partial(_of_file, name, model)) for name, model in loaded_models.models()
    }
    first = wanted if wanted in sources else PATH
    if asked and first != asked:
        link_notes.say(
            f"This link asks for the tree “{plain(asked[:60])}”, which is not here: models are in the tab that opened "
            f"their file. Shown is the tree {PATH_TITLE}."
        )
    return {key: sources[key] for key in sorted(sources, key=lambda key: key != first)}


def _of_path(shared):
    store = page_settings.EXPLORE
    chosen = store.current()
    data = data_sets.load_or_stop(chosen.data_set)
    shown = path_panel.shown(chosen, data, st.sidebar.empty())
    job, its_settings, status = shown.unfinished()
    explorer.share(store, shown.name, **shared)
    if training.is_running(job):
        st.fragment(_wait, run_every=training.REFRESH)(job)
        st.stop()
    training.notice(job, its_settings, data, status)
    points, added = shown.points()
    if not points:
        st.stop()
    wanted = explorer.chosen_view(store, shown.name)
    view = explorer.known_view(wanted, points, added)
    if wanted is not None and wanted.tree >= len(points):
        link_notes.say(explorer.no_such_tree(wanted, len(points)))
    point = points[view.tree]
    rows = data_sets.rows(data.name, chosen.seed, chosen.rows)
    title = f"{data.title}, {settings.SPLITS[chosen.split]}, λ = {point.lam:.3g}"
    return ChosenTree(f"{shown.name}-{point.index}", title, point, data, rows, asdict(chosen))


def _of_file(name, model):
    st.session_state["last_store"] = f"model-{name}"
    address.write({})  # a link finds paths, not what was opened here
    data, rows, has_data = loaded_models.data_of(model)
    lam = model.parameters.get("lam")
    lam = float(lam) if isinstance(lam, int | float) else 0.0
    point = Point(0, lam, model.tree, model.figures, model.trace)
    title = f"{model.data.title if model.data else 'A tree without data'}, λ = {lam:.3g}"
    title += ", changed by hand" if "edited" in model.parameters else ""
    return ChosenTree(
        f"model-{model.checksum[:16]}-{data.fingerprint[:12] if has_data else 'file'}",
        title,
        point,
        data,
        rows,
        model.parameters,
        has_data,
        loaded=model,
    )


def _wait(job):
    if not training.is_running(job):
        st.rerun()
    training.progress(job, training.status(job))
