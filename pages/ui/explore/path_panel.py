"""Side bar of the page of a path, one more lambda, remarks on the tree."""

import numpy as np
import streamlit as st

from pages.jobs import settings
from pages.ui.explore import case_studies, weights
from pages.ui.session import controls, data_sets, page_settings
from pages.ui.shell.markdown_text import plain
from treecore.node_solvers import SPLITS
from treecore.tree.number_text import percent

SEVERAL_HELP = f"{controls.COST_HELP} The slider of C below the tree has these."
LAMBDA_HELP = (
    "The slider below the tree has the λ of a grid. Type another one: its tree is trained at once and joins the path."
)
COST_TEXTS = {cost: f"{cost:g}" for cost in settings.MORE_COSTS}
_OPEN = "more_settings_open"
RARE = 0.1  # of the rows that a class would have if all had as many: below it a hint says what to do


def sidebar():
    """Draw the controls; return (the chosen `PathSettings`, a place for a remark on the lambda)."""
    bound, store = controls.Controls(page_settings.EXPLORE), page_settings.EXPLORE
    with st.sidebar:
        bound.data_set()
        bound.choice("split", "Decision nodes", settings.SPLITS, controls.SPLIT_HELP)
        kind = SPLITS[store.current().split]
        remark = st.empty()
        # decided once: a change of this would close what the visitor has open
        with st.expander("More", expanded=st.session_state.setdefault(_OPEN, _is_special(store.current()))):
            bound.choice("leaf", "Leaves", settings.LEAVES, controls.LEAF_HELP)
            if store.current().grid() is None:
                if "bivariate_cost" in kind.parameters:
                    bound.number(
                        "bivariate_cost", "Price C of a second feature", settings.COST_RANGE, controls.COST_HELP, 0.05
                    )
                bound.optional_number("lam", "Train at exactly this λ", "e.g. 4.2", LAMBDA_HELP)
            elif "bivariate_cost" in kind.parameters:
                st.button("One C only", icon=":material/linear_scale:", width="stretch", on_click=store.change,
                          kwargs={"costs": ()}, help="A path of any C, with any λ.")  # fmt: skip
            bound.choice("init", "Initial tree", settings.initial_trees(store.current().split), controls.INIT_HELP)
            bound.depth()
            if store.current().grid() is not None:
                bound.several("costs", "Prices C of a second feature", COST_TEXTS, SEVERAL_HELP)
            if kind.is_exact and store.current().leaf == "constant":
                bound.choice(
                    "lambdas", "Values of λ", settings.LAMBDAS, "A tree with thresholds and lines changes at certain λ "
                    "only, which can be worked out (Kairgeldin and Carreira-Perpiñán 2024, section 2.1.2): between two "
                    "it stays as it is.",
                )  # fmt: skip
            few = "Number of λ values" if store.current().lambdas == "grid" else "At most so many trees"
            bound.number("n_lambdas", few, settings.N_LAMBDAS, "Trees on the path.")
            if "node_solver" in kind.parameters:
                bound.choice("node_solver", "Node solver", settings.SOLVERS, "Who solves a node’s reduced problem.")
                bound.choice(
                    "surrogate", "Surrogate loss", settings.SURROGATES, "Convex stand-in for the 0/1 loss in a node."
                )
            weights.class_weights(bound)
            bound.rows()
            bound.seed()
            if "bivariate_cost" in kind.parameters:
                case_studies.buttons()
    return store.current(), remark


def _is_special(chosen):
    """Whether a link brought a tree whose setting would be out of sight below *More*."""
    usual = settings.bivariate()
    return any(getattr(chosen, name) != getattr(usual, name) for name in ("lam", "leaf", "bivariate_cost"))


def explain(chosen, data):
    """Say so when lines are wanted where there can be none, and when a class is so rare that it needs weight; returns
    whether anything was said."""
    counts = np.bincount(data.target.group_of(data.y), minlength=len(data.target.groups))
    rare = int(np.argmin(np.where(counts > 0, counts, counts.max())))
    can_weigh = "class_weights" not in data.target.refusals and chosen.class_weight == "equal"
    is_rare = can_weigh and counts[rare] * np.count_nonzero(counts) < RARE * data.n_rows
    if is_rare:
        left, right = st.columns([3, 1.6], vertical_alignment="center")
        left.info(
            f"{percent(counts[rare] / data.n_rows)} of the rows are {plain(data.target.groups[rare])}: a tree that "
            f"never says so is wrong for those alone.",
            icon=":material/balance:",
        )
        right.button("Let every class count the same", width="stretch", on_click=page_settings.EXPLORE.change,
                     kwargs={"class_weight": "balanced"})  # fmt: skip
    reason = "bivariate_cost" in SPLITS[chosen.split].parameters and data_sets.why_no_lines(data)
    if reason:
        st.info(reason, icon=":material/info:")
    return bool(is_rare or reason)


def compare(view):
    """The paper's figures beside ours while the settings are those of a case study."""
    case = case_studies.current()
    if case is None or view.is_running:
        return
    points, added = view.points()
    if added is not None:
        case_studies.comparison(case, points[added])
