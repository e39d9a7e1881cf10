"""Parts of the bivariate page: side bar, one more lambda, remarks on the tree."""

import streamlit as st

from pages.jobs import job_files, settings
from pages.ui.explore import case_studies, explorer
from pages.ui.shell import controls, data_sets, page_settings, training
from pages.ui.shell.manager import manager


def sidebar():
    """Draw the controls; return (the chosen `BivariateSettings`, a place for a remark on the lambda)."""
    bound, store = controls.Controls(page_settings.BIVARIATE), page_settings.BIVARIATE
    with st.sidebar:
        bound.data_set()
        bound.number("bivariate_cost", "Price C of a second feature", settings.COST_RANGE, controls.COST_HELP, 0.05)
        bound.choice("init", "Initial tree", settings.INITIAL_TREES, controls.INIT_HELP)
        bound.optional_number("lam", "Train at exactly this λ", "e.g. 4.2", "The slider below the tree has the λ of a "
                              "grid. Type another one: its tree is trained at once and joins the path.")  # fmt: skip
        remark = st.empty()
        case_studies.buttons()
        with st.expander("More"):
            bound.choice(
                "lambdas",
                "Values of λ",
                settings.LAMBDAS,
                "A tree with thresholds and lines changes at certain λ only, which can be worked out (Kairgeldin and "
                "Carreira-Perpiñán 2024, section 2.1.2): between two it stays as it is.",
            )
            few = "Number of λ values" if store.current().lambdas == "grid" else "At most so many trees"
            bound.number("n_lambdas", few, settings.N_LAMBDAS, "Trees on the path.")
            bound.depth()
            bound.rows()
            bound.seed()
    return store.current(), remark


def explain(data):
    """Say so when there can be no line."""
    if reason := data_sets.why_no_lines(data):
        st.info(reason, icon=":material/info:")


def shown(chosen, data, remark):
    """`explorer.Shown` for the settings: the path, and the tree of one more lambda as soon as the path is there."""
    path_settings = chosen.path()
    path = training.submit(path_settings, data)
    if chosen.lam is None:
        return explorer.Shown(path, path_settings, data, page_settings.BIVARIATE)
    if manager().status(path)["state"] != "done":
        remark.caption("Its tree is trained as soon as the path is there.")
        return explorer.Shown(path, path_settings, data, page_settings.BIVARIATE)
    left = [point for point in manager().points(path) if point.lam <= chosen.lam][-1:]
    start = left[0].tree.to_json() if left else None
    tree_settings = settings.OneTree(path_settings, chosen.lam, start)
    tree = training.submit(tree_settings, data)
    _remark(remark, tree, left)
    return explorer.Shown(path, path_settings, data, page_settings.BIVARIATE, tree, tree_settings)


def _remark(remark, tree, left):
    origin = (
        f"the tree of λ = {left[0].lam:.4g}, its left neighbour on the path"
        if left
        else ("the initial tree, being left of the whole path")
    )
    points = manager().points(tree)
    if points:
        remark.caption(f"Trained in {points[0].figures['seconds']:.2f} s, starting from {origin}.")
    elif manager().status(tree)["state"] in job_files.RUNNING_STATES:
        remark.caption(f"Being trained, starting from {origin}.")


def compare(view):
    """The paper's figures beside ours while the settings are those of a case study."""
    case = case_studies.current()
    points, added = view.points()
    if case is not None and added is not None:
        case_studies.comparison(case, points[added])
