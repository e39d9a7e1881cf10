"""Side bars of the pages: what to train."""

import streamlit as st

from pages.jobs import class_weights, settings
from pages.ui.session import data_sets
from pages.ui.session.file_button import file_button
from treecore.comparison.method_titles import METHOD_TITLES
from treecore.node_solvers.bivariate import KEPT_FEATURES, MOST_FEATURES

COST_HELP = (
    "What a node with two features costs where one with a single feature costs 1: the larger C, the fewer lines."
)
SPLIT_HELP = (
    "What a node may ask: a weighted sum of a few features, a line in the plane of two features, or one feature "
    f"against a threshold. With more than {MOST_FEATURES:,} features, a line uses two of the {KEPT_FEATURES} that have "
    "the best thresholds in the node."
)
LEAF_HELP = (
    "What a leaf predicts: the same for all its rows, or what a weighted sum of a few features says of each row "
    "(softmax regression, or least squares). Two levels are mostly enough then. Training takes longer, and such a tree "
    "cannot be changed by hand."
)
INIT_HELP = (
    "The tree that TAO optimises. Its structure can only shrink; its decisions are all relearnt. OC1 takes half a "
    "minute where there are many features, such as pixels."
)
DEPTH_TEXTS = {settings.FULLY_GROWN: "as deep as it gets"} | {
    depth: str(depth) for depth in range(settings.DEPTHS[0], settings.DEPTHS[1] + 1)
}


# of several values; else as they are
_ORDER = {"methods": list(METHOD_TITLES).index}


class Controls:
    """Widgets that show the settings of a `Store` and write back on a change."""

    def __init__(self, store):
        self.store = store

    def data_set(self):
        """Choice of the data set."""
        now = self.store.current().data_set
        names = [name for name, entry in data_sets.entries().items() if entry.available or name == now]
        if now not in names:
            names.insert(0, now)
        st.selectbox(
            "Data set", names, format_func=data_sets.label, help="The Data page shows what is in each.",
            **self._bound("data_set"),
        )  # fmt: skip
        file_button()

    def choice(self, name, label, options, help):
        """One of `options`, a dict of value to text."""
        now = getattr(self.store.current(), name)
        texts = options if now in options else options | {now: f"{now}"}
        st.selectbox(label, list(texts), format_func=texts.get, help=help, **self._bound(name))

    def one_of_row(self, name, label, values, help):
        """One of some numbers, on a slider; another one that a link brought joins them."""
        now = getattr(self.store.current(), name)
        options = sorted({*values, now})
        st.select_slider(label, options, format_func=lambda value: f"{value:g}", help=help, **self._bound(name))

    def switch(self, name, label, help):
        """Yes or no."""
        st.toggle(label, help=help, **self._bound(name))

    def number(self, name, label, bounds, help, step=None):
        """A number on a slider."""
        st.slider(label, *bounds, step=step, help=help, **self._bound(name))

    def optional_number(self, name, label, placeholder, help):
        """A number >= 0 that may be left out."""
        st.number_input(
            label, min_value=0.0, max_value=settings.LARGEST_LAMBDA, value=None, format="%.5g",
            placeholder=placeholder, help=help, **self._bound(name),
        )  # fmt: skip

    def several(self, name, label, options, help):
        """Some of `options`, a dict of value to text, at least one."""
        bound = self._bound(name, lambda now: [value for value in now if value in options])
        st.multiselect(label, list(options), format_func=options.get, help=help, **bound)

    def seed(self):
        """The random seed."""
        st.number_input(
            "Random seed",
            *settings.SEEDS,
            **self._bound("seed"),
            help="Of the initial tree and of the split into training, validation and test rows.",
        )

    def rows(self):
        """Which rows are for what."""
        self.choice("rows", "Rows (training / validation / test)", settings.ROWS, "Training rows make the trees, "
                    "validation rows choose among them, test rows judge the choice.")  # fmt: skip

    def depth(self):
        """Depth of the initial tree, with "as deep as it gets"."""
        self.choice("max_depth", "Depth of the initial tree", DEPTH_TEXTS, "CART grows until its leaves are pure; a "
                    "random tree is complete, as deep as it gets means depth 8.")  # fmt: skip

    def _bound(self, name, shown=lambda value: value):
        key, now = f"{self.store.key}_{name}", shown(getattr(self.store.current(), name))
        # by the session, not by a default: another control or a link may have changed it; and in every run, since a
        # browser that hears of two runs at once shows what the second one says
        st.session_state[key] = now
        return {"key": key, "on_change": self._store, "args": (name,)}

    def _store(self, name):
        value = st.session_state[f"{self.store.key}_{name}"]
        if isinstance(value, list):
            if not value:
                st.toast("At least one must stay chosen.", icon=":material/info:")
                return
            value = tuple(sorted(value, key=_ORDER.get(name)))
        self.store.change(**{name: value, **self.following(name, value)})

    def following(self, name, value):
        """Other settings that change with this one; the user may change them again."""
        if name == "data_set" and class_weights.by_hand(getattr(self.store.current(), "class_weight", "")) is not None:
            return {"class_weight": "equal"}  # its classes are others
        if name == "lam":
            return {"refine": 0}
        if name == "leaf":
            linear = {"max_depth": settings.LINEAR_DEPTH, "lambdas": "grid"}
            return linear if value == "linear" else {"max_depth": settings.FULLY_GROWN}
        if name != "split":
            return {}
        self.store.keep_split()
        return settings.following_split(value)
