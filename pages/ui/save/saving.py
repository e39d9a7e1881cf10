"""Files to take away: pictures, the tree, the path, the whole stage, an animation, a contact sheet."""

import streamlit as st

from pages.jobs import user_store
from pages.ui.save import save_figures, save_model
from pages.ui.shell import chart, file_names, stage
from pages.ui.shell.computed import computed
from pages.ui.shell.markdown_text import file_size, plain
from treecore.errors import TreecoreError
from treecore.export import TARGETS
from treecore.rules.rule_formats import RULE_FORMATS
from treecore.rules.rule_set import rules
from treecore.tree.conditions import ENOUGH
from viz.charts.figures.path_figure import path_figure
from viz.tree.animation import path_gif
from viz.tree.contact_sheet import contact_sheet

LONG = {"gif": ("Animation", "image/gif", path_gif), "pdf": ("Contact sheet", "application/pdf", contact_sheet)}


def files_section(job, points, point, data, content, rows, chosen, node=None):
    """Folded list of files for the path `points`, its tree on screen `point`, and the payload `content`.

    rows : (train, validation, test) row numbers; chosen : the settings of the path; node : origin id of the selected
    node, or None.
    """
    listed = folded("Save this tree or the whole path")
    if not listed.open:
        return
    with listed:
        st.caption(
            f"Data: {plain(data.title)}, fingerprint {user_store.fingerprint(data)}, which is in the names of the "
            f"files."
        )
        _tree(point, data, rows[0], node)
        save_model.model_file_button(point, data, chosen)
        _path(job, points, point, data, content)


def show_tree(point, data):
    """Folded list of files for one tree."""
    listed = folded("Save this tree")
    if listed.open:
        with listed:
            _tree(point, data)


def folded(label, icon=":material/download:"):
    """Expander whose content is drawn once it is open, which spares half of the work on a page with a stage."""
    return st.expander(label, icon=icon, key=f"open {label}", on_change="rerun")


def _tree(point, data, rows=None, node=None):
    tree, stem = point.tree, f"tree-{file_names.of_data(data)}-lambda-{point.lam:.3g}"
    st.markdown(f"**This tree** (λ = {point.lam:.3g})")
    save_figures.tree(point, data, rows, node, stem)
    named = tree.with_names(data.feature_names)
    exports(named, stem, data.columns)
    groups = data.columns.groups() if data.columns is not None else None
    rules_row(lambda: rules(named, data.X, data.labels(), ENOUGH, groups), stem)
    st.caption(
        "Code decides as the tree does, to the last bit, on features in the order of the data; Python, JavaScript and "
        "SQL also on rows of your own table as it is. Rules show as many digits as keep every row's prediction; their "
        "counts are over all rows."
    )


def exports(tree, stem, columns):
    """Buttons for all that the tree can be exported to, and why not to the rest. columns : TableColumns of the user's
    table, or None."""
    here = [target for target in TARGETS.values() if target.missing is None]
    written = [(one, *_written(one.ending, tree.to_json(), repr(columns), one, tree, columns)) for one in here]
    row([(one.words, one.ending, one.mime, text) for one, text, refusal in written if refusal is None], stem)
    for told in [one.missing for one in TARGETS.values() if one.missing] + [
        f"{one.words}: {plain(refusal)}" for one, _, refusal in written if refusal is not None
    ]:
        st.caption(told)


@computed(64)
def _written(ending, tree_text, columns_text, _target, _tree, _columns):
    """(the tree in a language or None, why there is none or None)."""
    try:
        return _target(_tree, columns=_columns), None
    except TreecoreError as error:
        return None, str(error)


def rules_row(found, stem):
    """Buttons for the rules that `found()` makes, in every form that all trees have."""
    forms = [form for form in RULE_FORMATS.values() if form.of_any_tree]
    row([(f"Rules ({one.words})", one.ending, one.mime, lambda one=one: one.write(found())) for one in forms], stem)


def _path(job, points, point, data, content):
    st.markdown(f"**The whole path** ({len(points)} trees)")
    html = stage.page(job, len(points), content, data.title)
    columns = row(
        [
            (f"Interactive page (HTML, {file_size(len(html))})", "html", "text/html", lambda: html),
            ("Figures (CSV)", "csv", "text/csv", lambda: _csv(points)),
        ],
        f"path-{file_names.of_data(data)}",
        4,
    )
    for column, ending in zip(columns, LONG, strict=True):
        with column:
            _long(job, points, data, ending)
    index, look = next(i for i, one in enumerate(points) if one is point), chart.theme()
    save_figures.row(
        "Curves", f"curves-{file_names.of_data(data)}",
        lambda ending: path_figure(points, ending, chosen=index, theme=look), "save-curves", stretch=True,
    )  # fmt: skip
    st.caption("The interactive page is one file: it opens from disk, without a server and without a network.")


def row(files, stem, n_columns=None):
    """Download buttons side by side; returns the columns that are left."""
    columns = st.columns(n_columns or len(files))
    for column, (label, ending, mime, content) in zip(columns, files, strict=False):
        column.download_button(
            label,
            content,
            f"{stem}.{ending}",
            mime,
            on_click="ignore",
            key=f"save-{stem[:4]}-{ending}",
            width="stretch",
        )
    return columns[len(files) :]


def _long(job, points, data, ending):
    """A file that takes seconds: made on demand with progress, until it is there or stopped."""
    title, mime, make = LONG[ending]
    made = st.session_state.setdefault("made_files", {})
    if (job, ending) not in made:
        # remembered, since a report of the stage ends this run and begins another one
        if st.button(f"Make: {title} ({ending.upper()})", key=f"make-{ending}", width="stretch"):
            st.session_state["making_file"] = (job, ending)
        if st.session_state.get("making_file") != (job, ending):
            return
        bar = st.progress(0.0, text=f"{title} …")
        st.button("Stop", key=f"stop-{ending}", icon=":material/stop_circle:", width="stretch", on_click=_give_up)

        def on_frame(done, total):
            bar.progress(done / total, text=f"{title}: {done} of {total}")

        block = make(points, data, on_frame=on_frame)
        _give_up()
        for other in [key for key in made if key[0] != job]:
            del made[other]  # those of one path at a time: such files are large
        made[job, ending] = block
        st.rerun(scope="fragment")
    block, stem = made[job, ending], f"path-{file_names.of_data(data)}"
    st.download_button(
        f"{title} ({ending.upper()}, {file_size(len(block))})", block, f"{stem}.{ending}", mime,
        on_click="ignore", key=f"save-long-{ending}", width="stretch", type="primary",
    )  # fmt: skip


def _give_up():
    st.session_state.pop("making_file", None)


def _csv(points):
    import pandas

    return pandas.DataFrame([point.figures for point in points]).to_csv(index=False)
