"""What can be taken away of a tree and of its path, as the menu of its page shows it."""

import io
import zipfile

import streamlit as st

from pages.jobs import user_store
from pages.ui.save import project_file, save_figures, save_model
from pages.ui.save.save_menu import lines, save_menu
from pages.ui.save.saved_file import SavedFile
from pages.ui.session import thresholds
from pages.ui.shell import chart, file_names, stage
from pages.ui.shell.computed import computed
from pages.ui.shell.markdown_text import file_size, plain
from treecore.errors import TreecoreError
from treecore.export import TARGETS
from treecore.rules.rule_formats import RULE_FORMATS
from treecore.rules.rule_set import rules
from treecore.tree.conditions import ENOUGH
from viz.charts.figures.path_figure import path_figure
from viz.figure_format import FIGURE_FORMATS
from viz.nodes.category_columns import category_columns
from viz.tree.animation import path_gif
from viz.tree.contact_sheet import contact_sheet
from viz.words.error_names import figure_columns

LONG = {"gif": ("Animation", "image/gif", path_gif), "pdf": ("Contact sheet", "application/pdf", contact_sheet)}
FIRST_FIGURE, FIRST_CODE = "pdf", "python"  # those that stand on top
TOGETHER = ("svg", "pdf"), ("text", "latex")  # figures and rules that go into one file
EXACT = (
    "Code decides as the tree does, to the last bit, on features in the order of the data; Python, JavaScript and "
    "SQL also on rows of your own table, where numbers have a point and dates are written 2020-01-31."
)
DIGITS = "Rules show as many digits as keep every row's prediction."
PARTS = {"train": "Training rows", "validation": "Validation rows", "test": "Test rows", "all": "All rows"}


def tree_menu(chosen, node=None, model=None, rule_files=None, more=None):
    """The menu of a page that shows the tree of a `ChosenTree`.

    node : origin id of the selected node, or None; model : function of whether a few rows go along that returns the
    tree's `Model`, None for the usual one; rule_files : function that returns the list of `SavedFile` of its rules,
    that as text first, for a page that has its own; more : dict of groups that come before those of the tree.
    """
    stem = f"tree-{save_model.name_of(chosen)}"
    figures = [] if chosen.data is None else save_figures.whole(chosen, stem)
    rule_files = rule_files or (lambda: _rule_files(chosen, stem))

    def model_of(with_rows):
        return save_model.model_of(chosen, with_rows) if model is None else model(with_rows)

    def wanted():
        first = {one.name.rpartition(".")[2]: one for one in figures}
        st.caption(plain(chosen.title))
        if chosen.threshold is None and chosen.loaded is None and (set_elsewhere := thresholds.of_path()) is not None:
            st.caption(
                f"Without the {plain(set_elsewhere.words)}: leaves predict the commonest class. The files of the pages "
                "Predict, Rules and Explain have it."
            )
        lead, code = rule_files()[0], code_files(chosen, stem)[0]
        if figures:
            _together(chosen, stem).button()
            first[FIRST_FIGURE]._replace(icon="image").button()
        lead._replace(icon="rule").button()
        for one in code:
            if one.name.endswith(TARGETS[FIRST_CODE].ending):
                one._replace(icon="code").button()
        project_file.lines(chosen, model_of)

    def other_figures():
        lines(one for one in figures if not one.name.endswith(FIRST_FIGURE))()
        save_figures.parts(chosen, node, stem)

    def other_rules():
        lines(rule_files()[1:])()
        st.caption(DIGITS)

    def other_code():
        found, told = code_files(chosen, stem)
        for one in found:
            if not one.name.endswith(TARGETS[FIRST_CODE].ending):
                one.button()
        for sentence in [EXACT, *told]:
            st.caption(sentence)

    groups = {"Other figures": other_figures} if figures else {}
    groups |= {"Other forms of the rules": other_rules, "Other code": other_code} | (more or {})
    groups["The model, to open it again"] = lambda: save_model.model_lines(chosen, model_of)
    save_menu(wanted, groups, chosen.loaded is None)


def path_group(job, points, point, data, content):
    """Group of the menu with the path `points`, whose tree on screen is `point`; content : function that makes the
    content of its stage."""
    return {f"The whole path ({len(points)} trees)": lambda: _path(job, points, point, data, content)}


def _together(chosen, stem):
    """Figures and rules in one file, for who needs both."""

    def make():
        found, packed = rules_of(chosen), io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for one in save_figures.whole(chosen, stem, "light"):
                if one.name.endswith(TOGETHER[0]):
                    archive.writestr(one.name, one.make())
            for form in map(RULE_FORMATS.get, TOGETHER[1]):
                archive.writestr(f"{stem}-rules.{form.ending}", form.write(found))
        return packed.getvalue()

    return SavedFile("Figure and rules (zip)", make, f"{stem}.zip", "application/zip", "folder_zip",
                     "For a paper: the figure as PDF and SVG, the rules as text and LaTeX.")  # fmt: skip


def rules_of(chosen, part="train", precision=ENOUGH):
    """`RuleSet` of a `ChosenTree`, counted over a part of `PARTS`; where the data are not here, as training counted."""
    tree, data = chosen.tree, chosen.data
    groups = None if data is None else category_columns(data)
    if not (chosen.has_data and chosen.has_rows):
        return rules(tree, precision=precision, groups=groups, rows_name=PARTS["train"].lower())
    counted = dict(zip(PARTS, chosen.rows, strict=False)).get(part)
    if counted is None or not len(counted):
        return rules(tree, data.X, data.labels(), precision, groups)
    return rules(tree, data.X, data.labels(), precision, groups, counted, PARTS[part].lower())


def _rule_files(chosen, stem):
    return [rule_file(form, lambda: rules_of(chosen), stem) for form in RULE_FORMATS.values() if form.of_any_tree]


def rule_file(form, found, stem):
    """`SavedFile` of the `RuleSet` that `found()` makes, in a `RuleFormat`."""
    return SavedFile(f"Rules ({form.words})", lambda: form.write(found()), f"{stem}.{form.ending}", form.mime)


def code_files(chosen, stem):
    """(list of `SavedFile`, one for each language that can say the tree, sentences on the others)."""
    columns = getattr(chosen.data, "columns", None) if chosen.loaded is None else chosen.loaded.columns
    here = [target for target in TARGETS.values() if target.missing is None]
    written = [
        (one, *_written(one.ending, chosen.tree.to_json(), repr(columns), one, chosen.tree, columns)) for one in here
    ]
    files = [SavedFile(one.words, lambda text=text: text, f"{stem}.{one.ending}", one.mime)
             for one, text, refusal in written if refusal is None]  # fmt: skip
    told = [one.missing for one in TARGETS.values() if one.missing]
    return files, told + [f"{one.words}: {plain(refusal)}" for one, _, refusal in written if refusal is not None]


@computed(64)
def _written(ending, tree_text, columns_text, _target, _tree, _columns):
    """(the tree in a language or None, why there is none or None)."""
    try:
        return _target(_tree, columns=_columns), None
    except TreecoreError as error:
        return None, str(error)


def _path(job, points, point, data, content):
    stem, look = f"path-{file_names.of_data(data)}", chart.theme()
    index = next(i for i, one in enumerate(points) if one is point)
    SavedFile("Interactive page (HTML)", lambda: _page(job, points, content, data), f"{stem}.html",
              "text/html", "web", "One file: it opens from disk, without a server or a network.").button()  # fmt: skip
    SavedFile("Figures (CSV)", lambda: _csv(points), f"{stem}.csv", "text/csv", "table").button()
    for ending, form in FIGURE_FORMATS.items():
        SavedFile(
            f"Curves ({form.words})",
            lambda ending=ending: path_figure(points, ending, chosen=index, theme=look),
            f"curves-{file_names.of_data(data)}.{ending}",
            form.mime,
            "show_chart",
        ).button()
    for ending in LONG:
        _long(job, points, data, ending)
    st.caption(f"Data: {plain(data.title)}, fingerprint {user_store.fingerprint(data)}, as in the names of files.")


def _page(job, points, content, data):
    kept = "-folds" if "cross_validated_error" in points[0].figures else ""
    return stage.page(f"{job}{kept}", len(points), content(), data.title)


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
    block = made[job, ending]
    label = f"{title} ({ending.upper()}, {file_size(len(block))})"
    SavedFile(label, lambda: block, f"path-{file_names.of_data(data)}.{ending}", mime, "download_done").button()


def _give_up():
    st.session_state.pop("making_file", None)


def _csv(points):
    import pandas

    columns = figure_columns(points[0].figures.get("is_weighted"))
    frame = pandas.DataFrame([point.figures for point in points]).drop(columns="is_weighted", errors="ignore")
    return frame.rename(columns=columns).to_csv(index=False)
