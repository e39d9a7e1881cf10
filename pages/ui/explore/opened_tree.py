"""Show one opened or saved tree on the Tree page, and improve it with TAO."""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.jobs import settings
from pages.jobs.point import Point
from pages.ui.explore import explorer
from pages.ui.explore.all_rows_section import counts_of_all_rows
from pages.ui.save import saving
from pages.ui.save.save_menu import place
from pages.ui.session import choose_tree, controls, data_sets, loaded_models, training
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.shell import address, link_notes, stage
from pages.ui.shell.bound import label_by
from pages.ui.shell.computed import computed
from pages.ui.shell.manager import manager
from pages.ui.shell.markdown_text import plain
from sample_data import DataSet
from treecore.errors import TreecoreError
from treecore.foreign.tree_of_data import tree_of_data
from treecore.messages import counted
from treecore.node_solvers import SPLITS, simplest_split
from treecore.tree.category_columns import one_hot_groups
from treecore.tree.metrics import error_of
from treecore.tree.tree import Tree

_FAULT = "improving_fault"
_IMPROVEMENTS = "improving"  # {name of a tree: `Improvement`}
WORDS = {"univariate": "univariate", "bivariate": "bivariate", "oblique": "oblique"}
HELP = (
    "TAO optimises all splits together, starting from this tree. Bivariate splits are lines in the plane of two "
    "features. Trees with bivariate splits usually need fewer leaves."
)
MOST_PAIRED = 60  # maximum number of features for which bivariate splits are the default


def improve_section(name: str, chosen: ChosenTree) -> None:
    """Draw the section for a `ChosenTree` of the named model."""
    st.markdown("## Improve with TAO")
    if not chosen.has_data:
        st.caption("TAO needs the training data of this tree. Open these data on the Data page first.")
        return
    if "outputs" in chosen.tree.leaf_model.refusals:
        st.caption(
            "TAO cannot start from a tree with linear leaves. To train a tree with linear leaves, set *Leaves* "
            "in *More*."
        )
        return
    kinds = _kinds(chosen)
    left, right = st.columns([3, 2], vertical_alignment="bottom")
    kind = left.segmented_control(
        "Split type", list(kinds), default=_usual(kinds, chosen.data), format_func=label_by(kinds),
        required=True, key=f"improve-kind-{chosen.name}", help=HELP,
    )  # fmt: skip
    right.button(
        "Improve tree", type="primary", icon=":material/auto_fix_high:", key="improve", width="stretch", on_click=_ask,
        args=(chosen, kind), help="Searches for a tree with fewer leaves and an equal or lower validation error.",
    )  # fmt: skip
    improvement = st.session_state.get(_IMPROVEMENTS, {}).get(chosen.name)
    if isinstance(improvement, str):
        st.error(plain(improvement), icon=":material/error:")
    elif improvement is not None:
        job = training.submit(improvement, chosen.data)
        if training.is_running(job):
            st.fragment(_wait, run_every=training.REFRESH)(job)
            return
        training.notice(job, improvement, chosen.data, training.status(job))
        if points := manager().points(job):
            _both(name, chosen, improvement.path, job, points[0])


def _kinds(chosen: ChosenTree) -> dict[str, str]:
    """Return {split type: words} for the improved tree.

    The split type of the current tree is available; for a univariate tree, so is bivariate.
    """
    own = simplest_split(int(chosen.tree.columns_per_split(_groups(chosen)).max(initial=0)))
    offered = {own, "bivariate"} if own == "univariate" and not data_sets.why_no_lines(chosen.data) else {own}
    return {name: words for name, words in WORDS.items() if name in offered}


def _groups(chosen: ChosenTree) -> list[range]:
    """Return the columns of categories if a split of the tree is on several categories of a column."""
    columns = one_hot_groups(chosen.tree.feature_names)
    is_grouped = (np.diff(chosen.tree.indptr) > chosen.tree.columns_per_split(columns)).any()
    return columns if is_grouped else []


def _usual(kinds: Collection[str], data: DataSet) -> str:
    return "bivariate" if "bivariate" in kinds and data.n_features <= MOST_PAIRED else next(iter(kinds))


def _ask(chosen: ChosenTree, kind: str) -> None:
    known = chosen.parameters
    rows, weights = known.get("rows"), known.get("class_weight")
    path = settings.Settings(
        data_set=chosen.data.name, split=kind, init=SPLITS[kind].usual_init, max_depth=settings.FULLY_GROWN,
        seed=known["seed"] if isinstance(known.get("seed"), int) else 0,
        rows=rows if rows in settings.ROWS else "standard",
        class_weight=weights if isinstance(weights, str) else "equal",
        categories="groups" if _groups(chosen) else "features",
    )  # fmt: skip
    try:
        improvement = settings.Improvement(path, tree_of_data(chosen.tree, chosen.data).tree.to_json())
    except TreecoreError as error:
        improvement = str(error)
    st.session_state[_IMPROVEMENTS] = {chosen.name: improvement}


def _wait(job: str) -> None:
    if not training.is_running(job):
        st.rerun()
    training.progress(job, training.status(job))


def _both(name: str, chosen: ChosenTree, path: settings.Settings, job: str, point: Point) -> None:
    data, target = chosen.data, chosen.target
    rows = data_sets.rows(data.name, path.seed, path.rows)
    before, after = _errors(f"{chosen.name}-{job}", (chosen.tree, point.tree), data, rows)
    is_better = point.tree.n_leaves < chosen.tree.n_leaves and after[0] <= before[0]
    sizes = [
        f"{counted(tree.n_leaves, 'leaf')}, {target.error_label} {target.error_text(error[0])}"
        for tree, error in ((chosen.tree, before), (point.tree, after))
    ]
    if is_better:
        st.success(f"Your tree: {plain(sizes[0])}. After TAO: {plain(sizes[1])}.", icon=":material/trending_down:")
    else:
        st.info(
            (
                f"TAO found no smaller tree with equal or lower validation error. Your tree: {plain(sizes[0])}. Best "
                f"smaller tree: {plain(sizes[1])}."
            ),
            icon=":material/balance:",
        )
    facts = [
        (
            f"Errors on the {rows[1].size:,} validation rows. These rows selected the trees, but TAO did not train "
            "on them."
        )
    ]
    if before[1] is not None:
        facts.append(
            f"Test error ({rows[2].size:,} rows): {target.error_text(before[1])} before, "
            f"{target.error_text(after[1])} after. These rows were not used for training or selection."
        )
    if "program" in chosen.parameters:
        facts.append(
            "The file does not contain the training rows of your tree, so the error here can be too small. For "
            f"comparison, a CART tree with {counted(chosen.tree.n_leaves, 'leaf')}, trained on the training rows only, "
            f"has a validation error of {target.error_text(point.figures['cart_error'])}. For a fair comparison, mark "
            "the training rows in a column of your table (Data page)."
        )
    st.caption(plain(" ".join(facts)))
    stage.stage_pair(
        f"improved-{chosen.name}-{job}", {"Your tree": chosen.tree, "After TAO": point.tree}, data, rows, "improved"
    )
    st.button(
        "Save the TAO tree", icon=":material/bookmark_add:", key="improve-keep", on_click=_keep_improved,
        args=(name, chosen, path, point), help="Adds the tree to all pages.",
    )  # fmt: skip
    if fault := st.session_state.pop(_FAULT, None):
        st.error(plain(fault), icon=":material/error:")


def _keep_improved(name: str, chosen: ChosenTree, path: settings.Settings, point: Point) -> None:
    figures = {
        key: value for key, value in point.figures.items() if value is not None and key not in ("index", "total")
    }
    own = {"lam": point.lam, "split": path.split, "bivariate_cost": path.bivariate_cost, "start": name,
           "seed": path.seed, "rows": path.rows}  # fmt: skip
    tree = point.tree.with_names(chosen.loaded.tree.feature_names)
    kept = {key: value for key, value in chosen.parameters.items() if key != "program"} | own
    model = replace(chosen.loaded, tree=tree, parameters=kept, figures=figures, trace=())
    try:
        added = loaded_models.add_model(model, f"{name[:48]} after TAO")
    except TreecoreError as error:
        st.session_state[_FAULT] = str(error)
        return
    st.session_state[choose_tree.ON_TREE_PAGE] = f"model-{added}"


@computed(6)
def _errors(name: str, _trees: Sequence[Tree], _data: DataSet, _rows: Sequence[np.ndarray]) -> list[list[float | None]]:
    """Return (validation error, test error or None) of each tree."""
    labels = _data.labels()
    return [
        [error_of(tree_of_data(tree, _data).tree, _data.X[part], labels[part]) if part.size else None
         for part in _rows[1:]] for tree in _trees
    ]  # fmt: skip


_SHOWN = "_tree_page_source"
TRAINED = "Trained here"
SLOT = "opened"


def choose(row: DeltaGenerator) -> tuple[str, ChosenTree] | None:
    """Return (name, `ChosenTree`) of the chosen opened or saved tree, or None for trees trained here.

    row : container for the choice, if there is one
    """
    models = {f"model-{name}": (name, model) for name, model in loaded_models.models()}
    linked = st.query_params.get("source")
    if address.is_from_address(choose_tree.ON_TREE_PAGE):
        st.session_state[choose_tree.ON_TREE_PAGE] = linked or choose_tree.PATH
        if linked is not None and linked not in (choose_tree.PATH, *models):
            link_notes.add(
                f"The tree '{plain(linked[:60])}' in this link is not available. A model is available only in "
                "the tab that opened its file."
            )
    if st.session_state[choose_tree.ON_TREE_PAGE] not in models:
        st.session_state[choose_tree.ON_TREE_PAGE] = choose_tree.PATH
    if not models:
        return None
    now = st.session_state[_SHOWN] = st.session_state[choose_tree.ON_TREE_PAGE]
    row.selectbox(
        "Tree", [choose_tree.PATH, *models], key=_SHOWN, on_change=_keep, **controls.looks(in_row=True),
        format_func=lambda key: models[key][0] if key in models else TRAINED,
    )  # fmt: skip
    if now not in models:
        return None
    address.write({"source": now})
    return models[now][0], choose_tree.of_model(*models[now])


def _keep() -> None:
    # Streamlit drops the value of a widget when the visitor leaves the page.
    st.session_state[choose_tree.ON_TREE_PAGE] = st.session_state[_SHOWN]


def tree_page(opened: tuple[str, ChosenTree]) -> None:
    """Draw the page of the tree that `choose` returned."""
    (name, chosen), menu = opened, place()
    st.text(f"{name}: {chosen.title}")
    if chosen.data is None:
        loaded_models.explain_no_rows(chosen.loaded)
        return
    if chosen.n_all_rows:
        st.caption(counts_of_all_rows(chosen.n_all_rows))
    content = stage.payload(
        f"{SLOT}-{chosen.name}", False, [chosen.point], chosen.data, chosen.rows if chosen.has_data else None,
        whole=bool(chosen.n_all_rows),
    )  # fmt: skip
    seen = stage.mount(f"{SLOT}-{chosen.name}", content, stage.View(0), SLOT, stage.Options(banner=True, alone=True))
    node = None if seen is None else seen.node
    explorer.page_links(node)
    improve_section(name, chosen)
    with menu:
        saving.tree_menu(chosen, node)
