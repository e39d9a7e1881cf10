"""Side bar of the explore page: what to train."""

import streamlit as st

from pages.ui import data_sets, settings


def sidebar():
    """Draw the controls; return the chosen `Settings`. Widgets start from the settings and write back on a change."""
    chosen = settings.current()
    with st.sidebar:
        _data_set(chosen)
        _choice("split", "Decision nodes", settings.SPLITS, "What a node may ask: a weighted sum of a few features, "
                "a line in the plane of two features, or one feature against a threshold.")  # fmt: skip
        if chosen.split == "bivariate":
            _choice("bivariate_cost", "Price of a second feature", settings.COSTS, "What a node with two features "
                    "costs where one with a single feature costs 1: the larger C, the fewer lines.")  # fmt: skip
        _choice("init", "Initial tree", settings.INITIAL_TREES, "The tree that TAO optimises. Its structure can only "
                "shrink; its decisions are all relearnt.")  # fmt: skip
        _number("max_depth", "Depth of the initial tree", settings.DEPTHS, "A complete tree of depth 8 has 256 leaves.")
        with st.expander("More"):
            _number("n_lambdas", "Number of λ values", settings.N_LAMBDAS, "Trees on the path.")
            if chosen.split == "oblique":
                _choice("node_solver", "Node solver", settings.SOLVERS, "Who solves the reduced problem of a node.")
                _choice(
                    "surrogate", "Surrogate loss", settings.SURROGATES, "Convex stand-in for the 0/1 loss in a node."
                )
            st.number_input(
                "Random seed",
                *settings.RANGES["seed"],
                value=chosen.seed,
                key="_seed",
                on_change=_store,
                args=("seed",),
                help="Of the initial tree and of the split into training, validation and test rows.",
            )
    return settings.current()


def _data_set(chosen):
    entries = data_sets.entries()
    names = [name for name, entry in entries.items() if entry.available or name == chosen.data_set]
    if chosen.data_set not in names:
        names.insert(0, chosen.data_set)
    st.selectbox(
        "Data set", names, index=names.index(chosen.data_set), key="_data_set", on_change=_store, args=("data_set",),
        format_func=data_sets.label,
        help="The Data page shows what is in each.",
    )  # fmt: skip


def _choice(name, label, options, help):
    # by the session, not by `index`: another control may change it too
    st.session_state.setdefault(f"_{name}", getattr(settings.current(), name))
    st.selectbox(
        label, list(options), format_func=options.get, key=f"_{name}",
        on_change=_store, args=(name,), help=help,
    )  # fmt: skip


def _number(name, label, bounds, help):
    st.slider(
        label,
        *bounds,
        value=getattr(settings.current(), name),
        key=f"_{name}",
        on_change=_store,
        args=(name,),
        help=help,
    )


def _store(name):
    values = {name: st.session_state[f"_{name}"]}
    if name == "split":  # what suits it best; the user may change it again
        st.session_state["_init"] = values["init"] = "random" if values["split"] == "oblique" else "cart"
    settings.change(**values)
