"""Files to take away: pictures, the tree, the path, the whole stage, an animation, a contact sheet."""

import streamlit as st

from pages.jobs import user_store
from pages.ui.save import save_figures, save_model
from pages.ui.shell import file_names, stage
from pages.ui.shell.markdown_text import file_size, plain
from treecore import export, rules
from treecore.errors import TreecoreError
from viz.charts.path_figure import path_figure
from viz.tree.animation import path_gif
from viz.tree.contact_sheet import contact_sheet

LONG = {"gif": ("Animation", "image/gif", path_gif), "pdf": ("Contact sheet", "application/pdf", contact_sheet)}

CODE = (
    ("Code (Python)", "py", "text/x-python", export.python),
    ("Code (C)", "c", "text/x-c", export.c),
    ("Code (JavaScript)", "js", "text/javascript", export.javascript),
    ("Code (SQL)", "sql", "application/sql", export.sql),
)
RULES = (
    ("Rules (text)", "txt", "text/plain", rules.RuleSet.to_text),
    ("Rules (Markdown)", "md", "text/markdown", rules.RuleSet.to_markdown),
    ("Rules (LaTeX)", "tex", "application/x-tex", rules.RuleSet.to_latex),
    ("Rules (CSV)", "csv", "text/csv", rules.RuleSet.to_csv),
)
DIGITS = 4


def show(job, points, point, data, content, rows, chosen, node=None):
    """Folded list of files for the path `points`, its tree on screen `point`, and the payload `content`.

    rows : (train, validation, test) row numbers; chosen : the settings of the path; node : origin id of the selected
    node, or None.
    """
    with st.expander("Save this tree or the whole path", icon=":material/download:"):
        st.caption(
            f"Data: {plain(data.title)}, fingerprint {user_store.fingerprint(data)}, which is in the names of the "
            f"files."
        )
        _tree(point, data, rows[0], node)
        save_model.show(point, data, chosen)
        _path(job, points, point, data, content)


def show_tree(point, data):
    """Folded list of files for one tree."""
    with st.expander("Save this tree", icon=":material/download:"):
        _tree(point, data)


def _tree(point, data, rows=None, node=None):
    tree, stem = point.tree, f"tree-{file_names.of_data(data)}-lambda-{point.lam:.3g}"
    st.markdown(f"**This tree** (λ = {point.lam:.3g})")
    save_figures.tree(point, data, rows, node, stem)
    named = tree.with_names(data.feature_names)
    files = [("Tree (JSON)", "json", "application/json", lambda: named.to_json())]
    row(files + [(words, ending, mime, code(write, named, data.columns)) for words, ending, mime, write in CODE], stem)
    row([(words, ending, mime, _rules(named, data, write)) for words, ending, mime, write in RULES], stem)
    st.caption(
        f"Code decides as the tree does, to the last bit, on features in the order of the data; Python, JavaScript and "
        f"SQL also on rows of your own table as it is. Rules show {DIGITS} digits; their counts are "
        "over all rows, and they say when rounding changes a prediction."
    )


def code(write, tree, columns=None):
    """Function that returns the source text of a tree, or why there is none; columns : of the user's table, or None."""
    extra = {"columns": columns} if write in export.OF_TABLES else {}

    def text():
        try:
            return write(tree, **extra)
        except TreecoreError as error:
            return f"{error}\n"

    return text


def _rules(tree, data, write):
    return lambda: write(rules.rules(tree, data.X, data.labels(), DIGITS))


def _path(job, points, point, data, content):
    st.markdown(f"**The whole path** ({len(points)} trees)")
    html = stage.page(job, len(points), content, data.title)
    columns = row(
        [
            (f"Interactive page (HTML, {file_size(len(html))})", "html", "text/html", html),
            ("Figures (CSV)", "csv", "text/csv", lambda: _csv(points)),
        ],
        f"path-{file_names.of_data(data)}",
        4,
    )
    for column, ending in zip(columns, LONG, strict=True):
        with column:
            _long(job, points, data, ending)
    index, look = next(i for i, one in enumerate(points) if one is point), save_figures.theme()
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
