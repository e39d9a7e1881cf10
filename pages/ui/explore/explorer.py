"""Show a path, or a grid of λ and C, on the stage: training progress, the trees, and the Save menu."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from statistics import median
from typing import Any

import streamlit as st

from pages.jobs import settings
from pages.jobs.point import Point
from pages.ui.explore import grid_files
from pages.ui.explore.all_rows_section import all_rows_section
from pages.ui.explore.alternatives_section import alternatives_section
from pages.ui.explore.folds_section import folds_section
from pages.ui.explore.gap_section import gap_section
from pages.ui.explore.left_out import left_out_words
from pages.ui.explore.smaller_section import smaller_button, smaller_words
from pages.ui.save import saving
from pages.ui.save.save_menu import place
from pages.ui.session import data_sets, shown_path, training
from pages.ui.session.node_in_address import name_of
from pages.ui.session.reference import reference
from pages.ui.shell import address, stage
from pages.ui.shell.manager import manager
from pages.ui.shell.markdown_text import plain
from sample_data.split_words import split_words
from treecore.messages import counted
from treecore.training.prune import best_part
from viz.payload.reference_facts import reference_facts
from viz.tree.readable_tree import SMALL

USES = (
    ("rules", "Rules", "rule", "The tree as IF-THEN rules."),
    (
        "explain",
        "Explain a prediction",
        "lightbulb",
        "Reasons for a prediction, and changes that alter it.",
        {"part": "row"},
    ),
    ("predict", "Predict", "online_prediction", "Apply the tree to new rows.", {"part": "rows"}),
    (
        "predict",
        "Performance",
        "monitoring",
        "Precision and recall by class, ROC, threshold for a rare class.",
        {"part": "good"},
    ),
    ("edit", "Edit", "edit", "Change splits, lock nodes, and re-optimise the rest."),
)


def path_on_stage(shown: shown_path.PathView) -> None:
    """Draw the page. The drawing is refreshed while training runs."""
    st.session_state["last_store"] = shown.store.key
    running = shown.is_running
    if shown_path.view_of(shown.store, shown.name) is None:
        _keep_move(shown)
    # The opening view is part of the payload. The payload must not change while the visitor moves on.
    opens = address.turn(), shown_path.view_of(shown.store, shown.name)
    st.fragment(_page, run_every=training.REFRESH if running else None)(shown, running, opens)
    if not running:
        alternatives_section(shown)
        folds_section(shown)


def trees_to_send(points: Sequence[Point]) -> list[Point]:
    """Return the first trees of a growing path, up to the latest ones that the page sends.

    Each update sends the whole path again. Doubling the number of trees keeps the total below twice the last update.
    Until a tree is small, the result is a part of the latest tree.
    """
    count = 2 ** (len(points).bit_length() - 1)
    first_small = next((i for i, point in enumerate(points, 1) if point.tree.n_leaves <= SMALL), None)
    if first_small is not None:
        return [*points[: max(count, first_small)]]
    latest = points[count - 1]
    return [replace(latest, tree=best_part(latest.tree, SMALL), figures={})]  # the metrics are those of the whole tree


def _keep_move(shown: shown_path.PathView) -> None:
    """Keep the tree that a visitor selected on an incomplete path while further trees arrive."""
    moved = stage.latest_view_of_any(f"{shown.path}-first-")
    if moved is not None:
        shown_path.choose(shown, _view_for_address(moved, manager().points(shown.path)))


def _view_for_address(seen: stage.View, points: Sequence[Point]) -> stage.View:
    """Return the view for the address, without a node that the tree does not have."""
    return replace(seen, turn=0, node=None if shown_path.is_gone(seen, points) else seen.node)


def _page(shown: shown_path.PathView, running: bool, opened: tuple[int, Any]) -> None:
    turn, opens = opened
    if not shown.is_known():
        st.rerun()
    job, chosen, status = shown.current_job()
    if running and not training.is_running(job):
        st.rerun()
    request = stage.train_request()
    if request is not None:  # the visitor asked to train all values of C
        _begin_grid(shown, request)
    trees = shown.trees()
    points = trees.points
    # The stage stays mounted from the first tree to the last only if every run has the same containers.
    menu, top, middle, bottom = place(), st.container(), st.container(key="tree-stage"), st.container()
    with top:
        if running:
            training.progress(job, status)
        else:
            training.notice(job, chosen, shown.data, status)
            smaller_words(shown)
        left_out_words(shown)
    if not points:
        return
    growing = running and job == shown.path
    has_sizes = shown.path_settings.has_sizes
    sent: Any
    with middle:
        if growing:
            name, whole, sent, chosen_view = _growing(shown, points)
            view = trees.preliminary(sent).view(chosen_view)
            is_chosen = chosen_view is not None
        else:
            count = len(points)
            opens = shown_path.placed(opens, points)
            if opens is not None and opens.tree >= count and not running:
                top.warning(shown_path.no_such_tree(opens, count), icon=":material/link_off:")
            if shown_path.is_gone(opens, points):
                top.warning(shown_path.NO_SUCH_NODE, icon=":material/link_off:")
                opens = replace(opens, node=None, name=None)
            is_waiting = shown.grid is not None and shown.trained_grid is None
            view = trees.view(None if is_waiting else opens)
            is_chosen = trees.added is not None or (opens is not None and opens.tree < count)
            whole = shown.path if is_waiting else shown.name
            name = f"{whole}-{count}" if not has_sizes else f"{whole}-{points[0].key}"
            sent = trees.sent[:count] if shown.trained_grid is None else shown.trained_grid
        is_path = shown.trained_grid is None
        content = stage.payload(name, not growing, sent, shown.data, shown.rows, _monotone=shown.monotone)
        choice = trees.choice if is_path and not growing else None
        cart = None if growing else reference(shown.path, shown.path_settings, shown.data)
        compared = None if cart is None else reference_facts(cart.tree, cart.figures, cart.trace)
        seen = stage.mount(
            name,
            content,
            replace(view, turn=turn),
            options=stage.Options(
                banner=status["state"] != "done" or shown.has_banner,
                offer=None if growing else _offer(shown, status),
                simple=True,
                intro=shown.store.is_first(),
                usual=not is_chosen,
                growing=growing,
                choice=choice,
                reference=compared,
                whole=whole,
            ),
        )
    if not running:
        if seen is not None and seen.turn == turn:
            shown_path.choose(shown, _view_for_address(seen, points))
        now = trees.view(shown_path.view_of(shown.store, shown.name))
        with bottom:
            _captions(shown, points)
            gap_section(shown, points[now.tree])
            if shown.trained_grid is None:
                all_rows_section(shown, points[now.tree])
            page_links(name_of(points[now.tree].tree, now.node), partial(smaller_button, shown, points[now.tree]))
            if shown.trained_grid is not None:
                grid_files.large_maps(shown.trained_grid, now.tree, shown.data)
        with menu:
            name, at = shown.name, now.tree
            tree, maps = shown.chosen_tree(at), {}
            if shown.trained_grid is not None:
                maps = {"Maps": partial(grid_files.files, shown.trained_grid, at, shown.data)}
                name = f"{name}-C{points[at].figures['cost']:g}"
                points, at = shown.trained_grid.row_of(at)
            path = saving.path_group(name, points, points[at], shown.data, compared)
            made = partial(_content_to_save, shown, content, choice)
            page = saving.path_page(name, points, now.tree, shown.data, made, compared)
            saving.tree_menu(tree, now.node, more=maps | path, page=page)


def _captions(shown: shown_path.PathView, points: Sequence[Point]) -> None:
    if words := split_words(shown.data, shown.rows[2]):
        st.caption(plain(words))
    if shown.ends_at_best:
        st.caption(
            f"The slider ends at {counted(points[0].tree.n_leaves, 'leaf')}, and *Best tree* is its largest "
            "tree. For larger trees, choose *λ* as the slider."
        )


def _growing(
    shown: shown_path.PathView, points: Sequence[Point]
) -> tuple[str, str | None, list[Point], stage.View | None]:
    """Return (name of the content, its path, the points to send, view that the visitor chose) during training."""
    has_sizes = shown.path_settings.has_sizes
    sent = [*points] if has_sizes else trees_to_send(points)
    _keep_move(shown)
    if sent[0].tree is not points[0].tree:  # a selection in a part of a tree does not belong to the path
        return f"{shown.path}-part-{sent[0].index}", None, sent, None
    part = points[0].figures["round"] if has_sizes else len(sent)
    return f"{shown.path}-first-{part}", shown.path, sent, shown_path.view_of(shown.store, shown.name)


def _content_to_save(shown: shown_path.PathView, content: bytes, choice: dict[str, Any] | None) -> bytes:
    """Return the content of the stage for saving."""
    if choice is None:
        return content
    points = shown.trees().points
    return stage.payload(f"{shown.name}-folds", True, points, shown.data, shown.rows, _monotone=shown.monotone)


def _offer(shown: shown_path.PathView, status: dict[str, Any]) -> dict[str, Any] | None:
    """Return the stage's offer to train all values of C, or the progress of this training, or None.

    The offer includes the estimated time.
    """
    chosen = shown.store.current()
    has_costs = replace(chosen, costs=settings.ALL_COSTS).grid() is not None
    if shown.trained_grid is not None or not has_costs or data_sets.why_no_lines(shown.data):
        return None
    costs = sorted({*(chosen.costs or settings.ALL_COSTS), chosen.bivariate_cost})
    offer = {"costs": costs, "now": chosen.bivariate_cost, "isBusy": shown.grid is not None}
    if shown.grid is not None:
        done, total = status["done"], max(status["total"], 1)
        is_running = training.is_running(shown.grid)
        return offer | {
            "words": (
                f"Training all C values: {done} of {total} trees {'are trained' if is_running else 'were trained'}."
            )
        }
    points = manager().points(shown.path)
    n_trees = len(settings.ALL_COSTS) * chosen.n_lambdas
    # A tree of the grid is optimised twice, once from each of two neighbours.
    seconds = 2 * n_trees * median([point.figures["seconds"] for point in points] or [0.0])
    span = training.seconds_text(manager().span(seconds))
    return offer | {"words": f"Train all C values: {n_trees} trees, {span}."}


def _begin_grid(shown: shown_path.PathView, request: stage.View) -> None:
    """Train all values of C, and open the grid at the λ shown on the stage."""
    chosen, costs = shown.store.current(), settings.ALL_COSTS
    if chosen.costs:
        return
    row = min(range(len(costs)), key=lambda row: abs(costs[row] - chosen.bivariate_cost))
    if request.tree < chosen.n_lambdas and chosen.lambdas == "grid" and shown.tree is None:
        st.session_state["grid_opens"] = replace(request, tree=row * chosen.n_lambdas + request.tree, turn=0)
    shown.store.change(costs=costs)
    st.rerun()


def page_links(node: int | str | None, more: Callable[[], Any] | None = None) -> None:
    """Draw links to pages that use the tree on the stage.

    node : selected node as in an address, or None; more : function that draws further buttons in the same line.
    """
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        for page, label, icon, help, *query in USES:
            texts = {"node": str(node)} if page == "rules" and node is not None else dict(*query)
            st.page_link(
                f"pages/{page}.py", label=label, icon=f":material/{icon}:", help=help, query_params=texts,
                width="content",
            )  # fmt: skip
        if more is not None:
            more()
