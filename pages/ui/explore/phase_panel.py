"""Main area and side bar of the phase page: three maps over lambda and C, the tree of a cell on the stage."""

from dataclasses import asdict
from functools import partial

import streamlit as st

from pages.jobs import settings
from pages.ui.explore import phase_state
from pages.ui.save import save_figures, saving
from pages.ui.save.save_menu import place
from pages.ui.save.saved_file import SavedFile
from pages.ui.shell import chart, controls, data_sets, frame, page_settings, stage, training
from pages.ui.shell.chosen_tree import ChosenTree
from pages.ui.shell.computed import computed
from viz.charts.figures.phase_figure import phase_figure
from viz.charts.plotly.phase_map_chart import frame_style, phase_map_chart
from viz.charts.values.phase_maps import phase_maps
from viz.tree.path_points import number_text, recommended

# the stage is lower here, so that maps and tree are seen together
STYLE = "<style>:root { --stage-height: max(560px, calc(100vh - 17rem)); }</style>"
COST_TEXTS = {cost: f"{cost:g}" for cost in settings.MORE_COSTS}
ROW, COLUMN = "phase_row", "phase_column"
UNJUDGED_LEGEND = "Click a cell to see its tree below (framed) · dotted grey: a single leaf"
LEGEND = f"{UNJUDGED_LEGEND} · dashed: within one standard error of the smallest validation error ★"


def sidebar():
    """Draw the controls; return the chosen `PhaseSettings`."""
    bound = controls.Controls(page_settings.PHASE)
    with st.sidebar:
        bound.data_set()
        bound.number("n_lambdas", "Number of λ values", settings.N_LAMBDAS, "Columns of the maps, up to the λ that "
                     "leaves a single leaf.")  # fmt: skip
        bound.several(
            "costs", "Prices C of a second feature", COST_TEXTS, controls.COST_HELP + " One row of the maps each."
        )
        st.button(
            "One path of one C",
            icon=":material/account_tree:",
            width="stretch",
            on_click=_to_path,
            help="The page of the tree, where λ is a slider.",
        )
        with st.expander("More"):
            bound.choice("init", "Initial tree", settings.INITIAL_TREES, controls.INIT_HELP)
            bound.depth()
            bound.rows()
            bound.seed()
    return page_settings.PHASE.current()


def _to_path():
    now = page_settings.PHASE.current()
    page_settings.EXPLORE.change(split="bivariate", init=now.init, max_depth=now.max_depth)
    frame.leave_for("pages/explore.py")


def phase_page(chosen, data):
    """Train the diagram of the settings and draw it; while it is trained, the drawing repeats itself."""
    if reason := data_sets.why_no_lines(data):
        st.info(
            f"{reason} A phase diagram would be the same everywhere: choose another data set.", icon=":material/info:"
        )
        return
    job = training.submit(chosen, data)
    phase_state.share(job)
    running = training.is_running(job)
    st.fragment(_page, run_every=training.REFRESH if running else None)(job, chosen, data, running)


def _page(job, chosen, data, running):
    st.html(STYLE)
    menu = place()
    if not training.is_known(job):
        st.rerun()
    status = training.status(job)
    if running and not training.is_running(job):
        st.rerun()
    if running:
        training.progress(job, status)
    else:
        training.notice(job, chosen, data, status)
    ready = phase_state.cells(job, chosen)
    if ready is None:
        return
    now = phase_state.picked(job, ready, running)
    points = ready.row(now.row)
    now = phase_state.follow_stage(job, now, len(points), running)
    phase_state.share(job)
    _maps(job, ready, now, running)
    whole = not running or ready.n_whole_rows > now.row
    _pickers(job, ready, now, running)
    if whole:
        rows = data_sets.rows(data.name, chosen.seed, chosen.rows)
        name = phase_state.stage_name(job, now, len(points), running)
        content = stage.payload(f"{job}-C{now.row}-{len(points)}", recommended(points), points, data, rows)
        # where the stage opens must not change while the visitor moves on
        opens = st.session_state.setdefault("phase_opens", {})
        if name not in opens:
            opens.clear()
            opens[name] = stage.View(now.column, now.node)
        stage.mount(name, content, opens[name], options=stage.Options(banner=status["state"] != "done"))
        if not running:
            with menu:
                _files(job, chosen, ready, now, points, data, content, rows)


def _maps(job, ready, now, running):
    count = len(ready.points)
    if running:  # a chart that changes is drawn anew: as few as rows, in the first row as powers of two
        whole = ready.n_whole_rows * ready.n_columns
        count = whole or 2 ** (count.bit_length() - 1)
    charts = _charts(job, count, chart.theme(), not running, ready.first(count))
    keys = [f"phase-{name}" for name in charts]
    st.html(f"<style>{frame_style([f'st-key-{key}' for key in keys], now.row * ready.n_columns + now.column)}</style>")
    for column, key, one in zip(st.columns(len(charts)), keys, charts.values(), strict=True):
        found = chart.show(one, key, column, lambda key=key: _clicked(job, key, ready.n_columns, now))
        st.session_state[f"{key}-before"] = found.selection.point_indices
    st.caption(UNJUDGED_LEGEND if running or ready.good() is None else LEGEND)


@computed(8)
def _charts(job, count, theme, outlined, _ready):
    """The maps by name: what does not depend on the cell that is shown.

    outlined : whether the good cells are outlined; of half a diagram they would change with every cell.
    """
    diagram, good, best = _ready.diagram, *((_ready.good(), _ready.best()) if outlined else (None, None))
    maps = phase_maps([point.figures for point in _ready.points], diagram.lams, diagram.costs, good, best)
    return {shown.name: phase_map_chart(maps, shown, theme) for shown in maps.maps}


def _clicked(job, key, n_columns, now):
    cell = newly_picked(st.session_state[key].selection.point_indices, st.session_state[f"{key}-before"])
    if cell is not None:
        phase_state.pick(job, now, *divmod(cell, n_columns))


def newly_picked(selected, before):
    """Cell that a click has added to those selected before, or, as a second click lets a cell go, has taken from them;
    None when it is neither."""
    return next(iter(sorted(set(selected) - set(before)) or sorted(set(before) - set(selected))), None)


def _pickers(job, ready, now, running):
    """The keyboard's way to a cell, and what is in it."""
    costs, lams = ready.diagram.costs, ready.diagram.lams
    left, middle, right = st.columns([0.9, 1.2, 2], vertical_alignment="center")
    right.markdown(_words(ready.points[now.row * ready.n_columns + now.column]))
    if running:  # the cells still come, and the one that is shown changes by itself
        return
    columns = range(len(ready.row(now.row)))
    _slider(left, "C", ROW, range(ready.n_rows), now.row, lambda row: f"{costs[row]:g}", job, now)
    _slider(middle, "λ", COLUMN, columns, now.column, lambda column: number_text(lams[column]), job, now)


def _slider(place, label, name, options, value, text, job, now):
    if len(options) < 2:
        place.markdown(f"{label} = {text(value)}")
        return
    key = f"{name}-{job}-{now.moves}"
    place.select_slider(
        label, options, value=value, key=key, format_func=text, on_change=_slid, args=(job, name, key, now)
    )


def _slid(job, name, key, now):
    value = st.session_state[key]
    row, column = (value, now.column) if name == ROW else (now.row, value)
    if phase_state.is_current(job, now) and (row, column) != (now.row, now.column):
        phase_state.pick(job, now, row, column, by_slider=True)


def _words(point):
    figures, target = point.figures, point.tree.target
    lines, thresholds = figures["n_bivariate"], figures["n_univariate"]
    size = "a single leaf" if not lines + thresholds else (
        f"{lines + thresholds} decision{'s' * (lines + thresholds > 1)} ({lines} on two features, {thresholds} on one)"
    )  # fmt: skip
    errors = [f"{word} {target.error_text(figures[name])}".replace(" %", "\u00a0%") for word, name in (
        ("test error", "test_error"), ("validation", "validation_error"), ("training", "train_error"),
    ) if figures[name] is not None]  # fmt: skip
    return f"**C = {figures['cost']:g}, λ = {number_text(figures['lam'])}**: {size}  \n{' · '.join(errors)}"


def _files(job, chosen, ready, now, points, data, content, rows):
    look, shown = chart.theme(), now.row * ready.n_columns + now.column

    def maps():
        stem = f"phase-{data.name}"
        for one in save_figures.files("Maps", stem, partial(_figure, ready, data, shown, look)):
            one.button()
        SavedFile("All figures of the diagram (CSV)", lambda: _csv(ready), f"{stem}.csv", "text/csv").button()

    point, name = points[now.column], f"{job}-C{now.row}"
    tree = ChosenTree(f"{name}-{now.column}", data.title, point, data, rows, asdict(chosen))
    path = saving.path_group(name, points, point, data, content)
    saving.tree_menu(tree, now.node, more={"The maps": maps} | path)


def _figure(ready, data, shown, look, ending):
    diagram = ready.diagram
    return phase_figure(
        [point.figures for point in ready.points], diagram.lams, diagram.costs, ending, good=ready.good(),
        best=ready.best(), shown=shown, theme=look, title=data.title,
    )  # fmt: skip


def _csv(ready):
    frame = ready.diagram.to_frame()
    frame.insert(frame.columns.get_loc("validation_error") + 1, "test_error",
                 [point.figures["test_error"] for point in ready.points])  # fmt: skip
    return frame.to_csv(index=False)
