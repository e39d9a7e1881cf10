"""Main area of the explore page: progress while a path is trained, then the tree of the chosen lambda."""

import uuid

import streamlit as st

from pages.ui import job_files, jobs, settings
from treecore import PathPoint, RegularizationPath
from treecore.metrics import tree_metrics
from viz import figure
from viz.node_table import node_table
from viz.path_curves import path_curves

PICTURE_EVERY = 5  # while training, the picture follows every so many trees


def show(job, chosen, data):
    """Draw the page for a job; while it runs, the drawing repeats itself."""
    status = _status(job)
    if status["state"] in job_files.RUNNING_STATES:
        st.fragment(_running, run_every=0.5)(job, data)
    else:
        _ended(job, chosen, data, status)


def chosen_index(job):
    """Index of the tree that the user chose for this job, None for the recommended one."""
    index = st.session_state.get("chosen_tree", {}).get(job)
    if index is None and "tree" in st.query_params and "chosen_tree" not in st.session_state:
        text = st.query_params["tree"]
        index = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else None
        _choose(job, index)
    return index


def _choose(job, index):
    st.session_state["chosen_tree"] = {job: index}


def _session():
    return st.session_state.setdefault("session", uuid.uuid4().hex)


def _status(job):
    return jobs.manager().status(job, _session())


def _running(job, data):
    if not jobs.manager().knows(job):
        st.rerun()
    status = _status(job)
    if status["state"] not in job_files.RUNNING_STATES:
        st.rerun()
    points = jobs.manager().points(job)
    _progress(job, status)
    if points:
        shown = points[(len(points) - 1) // PICTURE_EVERY * PICTURE_EVERY]
        _key_figures(shown, data)
        _picture(job, shown, data)
        _curves(points, points[-1], None)


def _progress(job, status):
    done, total = status["done"], max(status["total"], 1)
    with st.container(border=True):
        left, right = st.columns([5, 1], vertical_alignment="center")
        left.progress(min(done / total, 1.0), text=_progress_text(status, done, total))
        if right.button("Cancel", icon=":material/stop_circle:", key="cancel", width="stretch"):
            if jobs.manager().cancel(job, _session()):
                st.rerun()
            st.toast("Somebody else is watching this training too, so it goes on.", icon=":material/group:")


def _progress_text(status, done, total):
    if status["state"] == "queued":
        before = f" after {status['waiting']} other job(s)" if status["waiting"] else ""
        return f"Waiting to train{before} …"
    if "iteration" not in status and "lam" not in status:
        return "Preparing the data …"
    text = f"Training tree {min(done + 1, total)} of {total}"
    if "lam" in status:
        left = sum(status["recent"]) / len(status["recent"]) * (total - done)
        text += f" · last λ = {status['lam']:.3g}, error {status['error']:.1%} · about {_seconds(left)} left"
    elif "iteration" in status:
        text += f" · pass {status['iteration']}, level {status['depth']}, training error {status['training_error']:.1%}"
    return text


def _seconds(value):
    return f"{value:.0f} s" if value < 90 else f"{value / 60:.0f} min"


def _ended(job, chosen, data, status):
    points = jobs.manager().points(job)
    if status["state"] == "failed":
        st.error(f"Training stopped: {status['message']}", icon=":material/error:")
    elif status["state"] == "cancelled":
        st.warning(
            f"Training was cancelled after {len(points)} of {max(status['total'], 1)} trees.",
            icon=":material/stop_circle:",
        )
    if status["state"] != "done":
        if st.button("Train again", icon=":material/replay:", key="again"):
            jobs.manager().submit(chosen, data.fingerprint, again=True)
            st.rerun()
        if not points:
            st.info("There is no tree to show yet. Change something in the side bar, or train again.")
            return
    st.fragment(_explore)(job, data, points)


def _explore(job, data, points):
    recommended = _recommended(points)
    index = chosen_index(job)
    if index is None or index >= len(points):
        index = recommended.get("within one standard error", len(points) // 2)
    index = _slider(job, points, index, recommended)
    settings.share_in_url(tree=chosen_index(job))
    _key_figures(points[index], data)
    _picture(job, points[index], data)
    _curves(points, points[index], recommended)
    _nodes_and_files(points, points[index], data)


def _recommended(points):
    """Index of the recommended points by name; empty without validation errors."""
    if any(point.figures["validation_error"] is None for point in points):
        return {}
    known = [
        PathPoint(
            **{name: point.figures.get(name) for name in PathPoint.__dataclass_fields__ if name != "tree"},
            tree=point.tree,
        )
        for point in points
    ]
    path = RegularizationPath(tuple(known), points[0].figures["n_validation"])
    return {"within one standard error": path.best_index("one_se"), "smallest validation error": path.best_index("min")}


def _slider(job, points, index, recommended):
    key = f"lambda-{job}"

    def moved():
        _choose(job, st.session_state[key])

    left, *buttons = st.columns([4, 2, 2], vertical_alignment="bottom")
    help_texts = {
        "within one standard error": "The largest λ whose validation error is within one standard error of the best.",
        "smallest validation error": "The tree with the smallest validation error.",
    }
    names = {"within one standard error": "Simplest good tree", "smallest validation error": "Best tree"}
    for column, (name, target) in zip(buttons, recommended.items(), strict=False):
        if column.button(names[name], help=help_texts[name], key=f"go-{name}", width="stretch"):
            st.session_state[key] = index = target
            _choose(job, target)
    if len(points) == 1:
        left.markdown(f"The path has a single tree, λ = {points[0].lam:.3g}.")
        return 0
    if key not in st.session_state:
        st.session_state[key] = index
    return left.select_slider(
        "λ: strength of the penalty on weights (left: large trees, right: small trees)", range(len(points)),
        format_func=lambda i: f"{points[i].lam:.3g}", key=key, on_change=moved,
    )  # fmt: skip


def _key_figures(point, data):
    figures, metrics = point.figures, tree_metrics(point.tree)
    unit = "pixels" if data.image_shape else "features"
    errors = "Share of the {} rows that the tree gets wrong{}."
    texts = [
        ("Test error", _percent(figures["test_error"]), errors.format("test", "; they had no part in training")),
        ("Validation", _percent(figures["validation_error"]), errors.format("validation", "; they recommend a λ")),
        ("Training", _percent(figures["train_error"]), errors.format("training", "")),
        ("Leaves", f"{metrics.n_leaves}", "Leaves left after removing dead branches and pure subtrees."),
        ("Depth", f"{metrics.depth}", "Most decisions on a way from the root to a leaf."),
        (f"{unit.capitalize()} / node", f"{metrics.features_per_node:.1f}", f"Mean number of {unit} in a decision."),
        ("Decisions / row", f"{metrics.mean_path_length:.1f}", "Mean number of decisions on the way of a row."),
        ("Products / row", f"{metrics.inference_cost:.0f}", "Mean number of multiplications to predict a row."),
    ]
    for column, (label, value, help) in zip(st.columns(len(texts)), texts, strict=True):
        column.metric(label, value, help=help)


def _percent(share):
    return "–" if share is None else f"{share:.1%}"


def _picture(job, point, data):
    theme = _theme()
    tree = point.tree
    st.image(
        _drawn(job, point.index, theme, "png", point, data), width="stretch",
        alt=f"Decision tree with {tree.n_leaves} leaves and depth {tree.depth} for lambda {point.lam:.3g}; "
        "the same content is in the table of nodes below.",
    )  # fmt: skip


@st.cache_data(max_entries=400, show_spinner=False)
def _drawn(job, index, theme, format, _point, _data):
    return figure(_point.tree, _data, format, theme=theme)


def _theme():
    return "dark" if st.context.theme.type == "dark" else "light"


def _curves(points, shown, recommended):
    recommended = {name: points[index].lam for name, index in (recommended or {}).items()}
    errors, sizes = path_curves([point.figures for point in points], shown.lam, recommended, _theme())
    left, right = st.columns(2)
    left.altair_chart(errors, width="stretch", key="errors")
    right.altair_chart(sizes, width="stretch", key="sizes")


def _nodes_and_files(points, point, data):
    with st.expander("Nodes of this tree as a table"):
        table = node_table(point.tree, data)
        share = st.column_config.ProgressColumn(format="percent", min_value=0, max_value=1)
        st.dataframe(table, hide_index=True, width="stretch", column_config={"majority share": share})
    with st.expander("Save"):
        _files(points, point, data)


def _files(points, point, data):
    tree, stem = point.tree, f"tree-{data.name}-lambda-{point.lam:.3g}"
    files = [
        ("Picture (SVG)", "svg", "image/svg+xml", lambda: figure(tree, data, "svg")),
        ("Picture (PDF)", "pdf", "application/pdf", lambda: figure(tree, data, "pdf")),
        ("Picture (PNG)", "png", "image/png", lambda: figure(tree, data, "png")),
        ("Tree (JSON)", "json", "application/json", lambda: tree.with_names(data.feature_names).to_json()),
        ("Path (CSV)", "csv", "text/csv", lambda: _path_csv(points)),
    ]
    for column, (label, ending, mime, content) in zip(st.columns(len(files)), files, strict=True):
        column.download_button(
            label, content, f"{stem}.{ending}", mime, on_click="ignore", key=f"save-{ending}", width="stretch"
        )


def _path_csv(points):
    import pandas

    return pandas.DataFrame([point.figures for point in points]).to_csv(index=False)
