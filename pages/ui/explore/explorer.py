"""Show a path, or a grid of λ and C, on the stage, and what can be computed of it: folds, gap to the optimum, files."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from statistics import median
from typing import Any

import streamlit as st

from pages.jobs import settings
from pages.jobs.kinds.optimality import SECONDS, Optimality, has_known_optimum
from pages.jobs.point import Point
from pages.serving.quotas import Quotas
from pages.ui.explore.all_rows_section import all_rows_section
from pages.ui.explore.alternatives_section import alternatives_section
from pages.ui.explore.path_panel import left_out_words
from pages.ui.save import save_figures, saving
from pages.ui.save.save_menu import SavedFile, place
from pages.ui.session import data_sets, shown_path, training
from pages.ui.session.node_in_address import name_of
from pages.ui.session.reference import REFERENCES, reference
from pages.ui.session.shown_path import PathView
from pages.ui.session.trained_grid import TrainedGrid
from pages.ui.session.with_folds import FOLDS, is_crossed
from pages.ui.shell import address, chart, file_names, stage
from pages.ui.shell.manager import manager
from pages.ui.shell.markdown_text import plain
from sample_data import DataSet
from sample_data.data_set import split_words
from treecore.messages import counted
from treecore.training.prune import best_part
from treecore.tree.number_text import number
from viz.charts.phase_figure import phase_figure
from viz.payload.reference_facts import reference_facts
from viz.tree.readable_tree import SMALL
from viz.words.error_names import error_name


def large_maps(grid: TrainedGrid, index: int, data: DataSet) -> None:
    """Draw the maps of a `TrainedGrid` in an expander, with the cell at `index` marked."""
    listed = st.expander("All maps of λ and C", icon=":material/grid_on:", key="open maps", on_change="rerun")
    if listed.open:
        listed.image(_figure(grid, index, data, "svg", chart.theme()).decode(), width="stretch")
        name = error_name("validation_error", grid.points[0].figures["is_weighted"])
        listed.caption(
            f"Frame: tree on screen. Dashed: within one standard error of the smallest {name} (star). Dotted "
            "grey: single leaf. Based on figure 1 of Kairgeldin and Carreira-Perpiñán 2024."
        )


def files(grid: TrainedGrid, index: int, data: DataSet) -> None:
    """Draw the menu entries: the maps as figures, and all metrics."""
    # Read these here, because a thread without a session makes the files.
    stem, look = f"phase-{file_names.of_data(data)}", save_figures.background("maps-theme")
    for one in save_figures.files("Maps", stem, lambda ending: _figure(grid, index, data, ending, look)):
        one.button()
    SavedFile(
        "All metrics of the diagram (CSV)", lambda: grid.to_frame().to_csv(index=False), f"{stem}.csv", "text/csv"
    ).button()


def _figure(grid: TrainedGrid, index: int, data: DataSet, ending: str, look: str) -> Any:
    good, best = (grid.within_one_se(), grid.best("min").index) if grid.n_validation else (None, None)
    return phase_figure(
        [point.figures for point in grid.points], grid.lams.tolist(), grid.costs.tolist(), ending, good=good,
        best=best, shown=index, theme=look, title=data.title,
    )  # fmt: skip


HELP = (
    "Regrows subtrees on their training rows and keeps each subtree that lowers error + λ × size. The new tree "
    "follows this tree on the path."
)


def smaller_button(shown: PathView, point: Point) -> None:
    """Draw the button for a `shown_path.PathView`, if its subtrees can be regrown.

    point : `Point` on the screen. There is no button for oblique trees, linear leaves and grids of C.
    """
    chosen = shown.store.current()
    if shown.grid is not None or not replace(chosen, refine=settings.SWEEPS).sweeps:
        return
    if shown.is_refined:
        if st.button("Undo", icon=":material/undo:", key="smaller-undo"):
            shown.store.change(lam=None, refine=0)
            st.rerun()
        return
    wants = st.button("Simplify tree", icon=":material/compress:", key="smaller", help=HELP,
                      disabled=point.tree.n_leaves == 1)  # fmt: skip
    if wants:
        shown.store.change(lam=point.lam, refine=settings.SWEEPS)
        st.rerun()


def smaller_words(shown: PathView) -> None:
    """Draw a caption that compares the simplified tree with the previous one, if it is trained."""
    if shown.grid is None and shown.tree and shown.is_refined and (found := manager().points(shown.tree)):
        st.caption(_comparison_text(shown, found[0]))


def _comparison_text(shown: PathView, point: Point) -> str:
    """Return the sentence that compares the simplified tree with the previous one."""
    target, lam = shown.data.target, shown.tree_settings.lam
    before = [one for one in manager().points(shown.path) if one.lam <= lam][-1]
    kind = "train_error" if point.figures["validation_error"] is None else "validation_error"
    error = {"train_error": "training", "validation_error": "validation"}[kind]
    sizes = [
        f"{one.tree.n_leaves:,} {'leaf' if one.tree.n_leaves == 1 else 'leaves'} with a {error} {target.error_label} "
        f"of {target.error_text(one.figures[kind])}"
        for one in (before, point)
    ]
    if point.tree == before.tree:
        same = f"No smaller subtree found at λ = {number(lam)}."
        return f"{same} For a smaller tree, move the slider to the right."
    return (
        f"At λ = {number(lam)}: {sizes[0]} before, {sizes[1]} now. Move the slider one step back for the previous tree."
    )


GAPS = "gaps"  # session key of {name of the stage's content and index of a tree: job of its search}


def gap_section(shown: PathView, point: Point) -> None:
    """Draw a caption for a `Point` of a complete path, if the search applies to its tree.

    The search starts on the second run, when the tree is on the screen.
    """
    path = shown.path_settings
    if not has_known_optimum(point.tree, len(shown.rows[0]), path):
        return
    key, jobs = f"{shown.name}-{point.key}", st.session_state.setdefault(GAPS, {})
    wanted = settings.Gap(path, point.tree.to_json(), point.lam)
    if key in jobs and not (manager().has_job(jobs[key]) and training.is_running(jobs[key])):
        _result(shown, training.submit(wanted, shown.data))
    else:
        st.fragment(_follow_gap, run_every=training.REFRESH)(shown, wanted, key, [])


def _follow_gap(shown: PathView, wanted: settings.Gap, key: str, looks: list[None]) -> None:
    jobs = st.session_state[GAPS]
    looks.append(None)
    if len(looks) == 1 and key not in jobs:
        return
    jobs[key] = job = training.submit(wanted, shown.data)
    if not training.is_running(job):
        st.rerun()
    left, right = st.columns([6, 1], vertical_alignment="center")
    left.caption("Searching for the best tree of this depth. You can keep working.")
    right.button(
        "Stop",
        key=f"stop-{GAPS}",
        icon=":material/stop_circle:",
        on_click=training.cancel,
        args=(job,),
        help="Stops the search. The tree does not change.",
    )


def _result(shown: PathView, job: str) -> None:
    status, found = training.status(job), manager().points(job)
    if status["state"] == "done" and found:
        left, right = st.columns([5, 1.4], vertical_alignment="center") if _can_improve(shown, found[0]) else (st, None)
        left.caption(
            _gap_text(found[0]),
            help=(
                "The objective is the number of misclassified training rows plus λ for each decision node. The "
                "search compares all trees up to this depth on quantiles of each feature and the thresholds of this "
                "tree."
            ),
        )
        if right is not None:
            right.button(
                "Start from optimal tree",
                icon=":material/stars:",
                key="start-optimal",
                width="stretch",
                help=(
                    "Trains the path again from the optimal tree of this depth. The test error can be larger, "
                    "because the objective contains training errors."
                ),
                on_click=shown.store.change,
                kwargs={"init": "optimal", "max_depth": found[0].depth, "lambdas": "grid"},
            )
    elif status["state"] == "failed":
        st.caption(f"The search for the best tree of this depth stopped. {status['message']}")


def _can_improve(shown: PathView, found: Optimality) -> bool:
    """Test whether a path from the optimal tree can contain a better tree."""
    chosen = shown.path_settings
    return found.best < found.objective and (chosen.init, chosen.max_depth) != ("optimal", found.depth)


def _gap_text(found: Optimality) -> str:
    if not found.gap:
        return (
            f"Optimal: no tree up to depth {found.depth} on {found.n_thresholds} thresholds has a smaller "
            "objective (training errors + λ × decision nodes)."
        )
    gap, objective = number(found.gap), number(found.objective, 4)
    if not found.is_proven:
        best = number(min(found.best, found.objective), 4)
        return (
            f"At most {gap} above the best tree up to depth {found.depth} on {found.n_thresholds} thresholds, in "
            f"training errors + λ × decision nodes ({objective}; best found: {best}). The search stopped after "
            f"{SECONDS:g} s without a proof."
        )
    least = number(found.least, 4)
    return (
        f"At most {gap} above the best tree up to depth {found.depth} on {found.n_thresholds} thresholds, in "
        f"training errors + λ × decision nodes ({objective}; best: {least})."
    )


Job = settings.Reference | settings.CrossValidation


def folds_section(shown: PathView) -> None:
    """Draw the section below the stage of a `shown_path.PathView` whose path is complete.

    A job is submitted on the second run, when the tree is on the screen. The stage itself opens the tree that the
    result recommends, unless the visitor has chosen one.
    """
    points = manager().points(shown.path)
    if shown.grid is not None or not points or training.status(shown.path)["state"] != "done":
        return
    has_none = reference(shown.path, shown.path_settings, shown.data) is None
    if is_first := has_none and _is_open(_job(REFERENCES, shown)):
        cart = settings.Reference.of(shown.path_settings)
        st.fragment(_follow_folds, run_every=training.REFRESH)(shown, cart, REFERENCES, [])
    count = Quotas.of().folds
    if shown.is_refined and is_crossed(shown.trees().points):
        st.caption(
            "The folds contain no simplified trees, so cross-validation cannot select this one. At its λ, the "
            "chart shows the cross-validated error of the path."
        )
    if len(points) < 2 or (count < 2 and not is_crossed(points)):
        return
    swept = sorted(point.tree.n_leaves if shown.path_settings.has_sizes else point.lam for point in points)
    wanted = settings.CrossValidation(shown.path_settings, tuple(map(float, swept)), max(count, 2))
    if is_crossed(points):
        st.caption(_folds_text(shown, settings.CrossValidation(wanted.path, wanted.lams)))
        return
    job = _job(FOLDS, shown)
    if job is not None and not _is_open(job):
        _ended(shown, wanted, job)
    elif not is_first:
        st.fragment(_follow_folds, run_every=training.REFRESH)(shown, wanted, FOLDS, [])


def _job(key: str, shown: PathView) -> str | None:
    """Return the name of the job of this tab that follows the path, or None."""
    return st.session_state.get(key, {}).get(shown.path)


def _is_open(job: str | None) -> bool:
    """Test whether a job is not yet submitted, or not yet finished."""
    return job is None or not manager().has_job(job) or training.is_running(job)


def _follow_folds(shown: PathView, wanted: Job, key: str, looks: list[None]) -> None:
    looks.append(None)
    if len(looks) == 1 and _job(key, shown) is None:
        return
    job = training.submit(wanted, shown.data)
    st.session_state[key] = {shown.path: job}
    status = training.status(job)
    if not training.runs(status):
        st.rerun()
    left, right = st.columns([6, 1], vertical_alignment="center")
    if isinstance(wanted, settings.Reference):
        left.caption(
            f"Training CART on the same rows for comparison{training.time_left(status)}. You can keep working."
        )
    else:
        left.caption(
            f"Running {wanted.folds}-fold cross-validation on {_rows(shown)}: {status['done']} of "
            f"{max(status['total'], 1)} trees{training.time_left(status)}. You can keep working."
        )
    right.button(
        "Stop",
        key=f"stop-{key}",
        icon=":material/stop_circle:",
        on_click=training.cancel,
        args=(job,),
        help="Continue without CART."
        if isinstance(wanted, settings.Reference)
        else "Stops cross-validation and selects trees by validation error.",
    )


def _ended(shown: PathView, wanted: settings.CrossValidation, job: str) -> None:
    status = training.status(job)
    if status["state"] == "done":
        st.caption(_folds_text(shown, wanted))
    elif status["state"] == "failed":
        st.caption(f"Cross-validation failed. Trees are selected by validation error. {status['message']}")
    else:
        left, right = st.columns([6, 1], vertical_alignment="center")
        left.caption("Cross-validation stopped. Trees are selected by validation error.")
        right.button(
            "Resume", key="go-on-folds", icon=":material/replay:", on_click=training.again, args=(wanted, shown.data)
        )


def _rows(shown: PathView) -> str:
    return f"{len(shown.rows[0]) + len(shown.rows[1]):,} training and validation rows"


def _folds_text(shown: PathView, wanted: settings.CrossValidation) -> str:
    (best, simplest), target = shown.trees().recommended, shown.data.target
    name = error_name("cross_validated_error", best.is_weighted).replace("error", target.error_label)
    what = "size" if shown.path_settings.has_sizes else "λ"
    return (
        f"Cross-validation selects *Best tree* and *Simplest good tree*: {wanted.folds} folds of {_rows(shown)}, "
        f"one path for each fold. Best {what}: {name} {target.error_text(best.validation_error)} ± "
        f"{target.error_text(best.validation_spread)} (standard error). Simplest good tree: "
        f"{target.error_text(simplest.validation_error)}. These errors selected the {what}, so they are "
        "optimistic. The test error is not."
    )


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
                large_maps(shown.trained_grid, now.tree, shown.data)
        with menu:
            name, at = shown.name, now.tree
            tree, maps = shown.chosen_tree(at), {}
            if shown.trained_grid is not None:
                maps = {"Maps": partial(files, shown.trained_grid, at, shown.data)}
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
