"""The Save menu of a tree and of its path."""

import io
import json
import zipfile
from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from pages.jobs import user_store
from pages.jobs.point import Point
from pages.ui.save import project_file, save_figures
from pages.ui.save.save_menu import SavedFile, lines, save_menu
from pages.ui.session import thresholds
from pages.ui.session.chosen_tree import ChosenTree
from pages.ui.shell import file_names, stage
from pages.ui.shell.computed import computed
from pages.ui.shell.markdown_text import file_size, plain
from treecore.artifact import DIAGRAM, Artifact, forms, offered
from treecore.errors import TreecoreError
from treecore.export import FORMATS
from treecore.model.model import Model
from treecore.rules.rule_formats import RULE_FORMATS
from treecore.rules.rule_set import RuleSet, rules
from treecore.tree.conditions import ENOUGH
from treecore.tree.tree import Tree
from viz.artifacts import ANIMATION, PATH_FILES, TREE_FILES
from viz.nodes.category_columns import category_columns
from viz.tree.animation import WIDTHS

ICONS = {"Figures": "table", "Curves": "show_chart"}
FIRST_FIGURE, FIRST_CODE = "pdf", "python"  # formats at the top of the menu
TOGETHER = ("svg", "pdf"), ("text", "latex")  # formats of figures and of rules that share one file
EXACT = (
    "Exported code makes the same predictions as the tree, if the features are in the order of the data. "
    f"{forms(FORMATS.values(), takes='columns')} also accept rows of your own table. Write decimal points and dates "
    "such as 2020-01-31."
)
if _DIAGRAMS := [one for one in FORMATS.values() if one.kind == DIAGRAM]:
    EXACT += f" {forms(_DIAGRAMS)} show the tree in other programs."
DIGITS = "Rules use the fewest digits that keep every prediction."
PARTS = {"train": "Training rows", "validation": "Validation rows", "test": "Test rows", "all": "All rows"}


def tree_menu(
    chosen: ChosenTree,
    node: int | None = None,
    model: Callable[[bool], Model] | None = None,
    rule_files: Callable[[], list[SavedFile]] | None = None,
    more: dict[str, Callable[[], Any]] | None = None,
    page: SavedFile | None = None,
) -> None:
    """Draw the Save menu of a page with a `ChosenTree`.

    node : origin id of the selected node, or None; model : function that returns the tree's `Model`, given whether to
    include sample rows, or None for the default; rule_files : function that returns the `SavedFile` list of the rules,
    text first, for a page with its own rules; more : dict of groups before those of the tree; page : the interactive
    page to share, or None for one with this tree alone.
    """
    # The functions run only when the menu or one of its groups is open.
    own_rule_files = rule_files or (lambda: rule_files_of(lambda: rules_of(chosen), stem()))

    def stem() -> str:
        return f"tree-{project_file.name_of(chosen)}"

    def figures() -> list[SavedFile]:
        return [] if chosen.data is None else save_figures.whole(chosen, stem())

    def model_of(with_rows: bool) -> Model:
        return project_file.model_of(chosen, with_rows) if model is None else model(with_rows)

    def draw_top() -> None:
        first = {one.name.rpartition(".")[2]: one for one in figures()}
        st.caption(plain(chosen.title))
        if chosen.threshold is None and chosen.loaded is None and (set_elsewhere := thresholds.of_path()) is not None:
            st.caption(
                f"These files do not use the {plain(set_elsewhere.words)}, so leaves predict their majority class. "
                "Files saved on the Predict, Rules and Explain pages use the threshold."
            )
        lead, code = own_rule_files()[0], code_files(chosen, stem())[0]
        if first:
            parts = {"parts": chosen.rows} if chosen.has_data else {}
            share_page = page or SavedFile.of(TREE_FILES["html"], lambda: save_figures.known(chosen) | parts, stem())
            share_page._replace(label="Share as a page (HTML)", icon="web").button()
            _together(chosen, stem()).button()
            first[FIRST_FIGURE]._replace(icon="image").button()
            save_figures.font_note(chosen)
        lead._replace(icon="rule").button()
        for one in code:
            if one.name.endswith(FORMATS[FIRST_CODE].suffix):
                one._replace(icon="code").button()
        project_file.lines(chosen, model_of)

    def other_figures() -> None:
        lines(one for one in figures() if not one.name.endswith(FIRST_FIGURE))()
        save_figures.parts(chosen, node, stem())

    def other_rules() -> None:
        lines(own_rule_files()[1:])()
        st.caption(DIGITS)

    def other_code() -> None:
        found, notes = code_files(chosen, stem())
        for one in found:
            if not one.name.endswith(FORMATS[FIRST_CODE].suffix):
                one.button()
        for sentence in [EXACT, *notes]:
            st.caption(sentence)

    groups: dict[str, Callable[[], Any]] = {} if chosen.data is None else {"Other figures": other_figures}
    groups |= {"Other rule formats": other_rules, "Other code": other_code} | (more or {})
    groups["Model"] = lambda: project_file.model_lines(chosen, model_of)
    save_menu(draw_top, groups, chosen.loaded is None)


def path_page(
    job: str,
    points: Sequence[Point],
    shown: int,
    data: Any,
    content: Callable[[], bytes],
    reference: dict[str, Any] | None,
) -> SavedFile:
    """Return the interactive page of a path, which opens as the stage on the screen.

    shown : index of the tree on the screen; content : function that makes the content of the stage; the others as in
    `path_group`.
    """
    options = json.dumps({"simple": True, "tree": shown, "reference": reference})
    kept = "-folds" if "cross_validated_error" in points[0].figures else ""
    file = SavedFile.of(PATH_FILES["page"], dict, f"path-{file_names.of_data(data)}")
    return file._replace(make=lambda: stage.page(f"{job}{kept}", len(points), options, content(), data.title))


def path_group(
    job: str, points: Sequence[Point], point: Point, data: Any, reference: dict[str, Any] | None = None
) -> dict[str, Callable[[], Any]]:
    """Return the menu group of a path.

    points : trees of the path; point : tree on the screen; reference : another method as `reference_facts` returns it,
    or None.
    """
    return {f"Path ({len(points)} trees)": lambda: _path(job, points, point, data, reference)}


def _together(chosen: ChosenTree, stem: str) -> SavedFile:
    """Return a file that contains both figures and rules."""

    def make() -> bytes:
        found, packed = rules_of(chosen), io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for one in save_figures.whole(chosen, stem):
                if one.name.endswith(TOGETHER[0]):
                    archive.writestr(one.name, one.make())
            for form in (RULE_FORMATS[name] for name in TOGETHER[1]):
                archive.writestr(f"{stem}-rules.{form.suffix}", form(found))
        return packed.getvalue()

    return SavedFile("Figure and rules (zip)", make, f"{stem}.zip", "application/zip", "folder_zip",
                     "For a paper: the figure as PDF and SVG, the rules as text and LaTeX.")  # fmt: skip


def rules_of(chosen: Any, part: str = "train", precision: Any = ENOUGH) -> RuleSet:
    """Return the `RuleSet` of a `ChosenTree`, counted on a part in `PARTS`.

    Without data, or if the data are a sample of the training rows, the counts stored in the tree are used.
    """
    tree, data = chosen.tree, chosen.data
    groups = None if data is None else category_columns(data)
    target_name = chosen.target_name
    if not (chosen.has_data and chosen.has_rows) or (part == "train" and chosen.n_all_rows):
        return rules(tree, None, None, precision, groups, None, PARTS["train"].lower(), target_name)
    counted = dict(zip(PARTS, chosen.rows, strict=False)).get(part)
    if counted is None or not len(counted):
        return rules(tree, data.X, data.labels(), precision, groups, target_name=target_name)
    return rules(tree, data.X, data.labels(), precision, groups, counted, PARTS[part].lower(), target_name)


def rule_files_of(found: Callable[[], RuleSet], stem: str, needs: str = "rules") -> list[SavedFile]:
    """Return the files of a `RuleSet`, for the formats with input `needs`.

    found : function that makes the `RuleSet`.
    """
    return [SavedFile.of(form, lambda: {needs: found()}, stem) for form in offered(RULE_FORMATS, needs)]


def code_files(chosen: Any, stem: str) -> tuple[list[SavedFile], list[str]]:
    """Return ([`SavedFile` for each language that supports the tree], sentences about the other languages)."""
    columns = getattr(chosen.data, "columns", None) if chosen.loaded is None else chosen.loaded.columns
    here, target_name = [one for one in FORMATS.values() if one.missing is None], chosen.target_name
    known = chosen.tree.to_json(), repr(columns), target_name
    written = [(one, *_write_code(one.name, *known, one, chosen.tree, columns)) for one in here]
    files = [SavedFile.of(one, dict, stem)._replace(make=lambda text=text: text)
             for one, text, refusal in written if refusal is None]  # fmt: skip
    notes = [one.missing for one in FORMATS.values() if one.missing]
    return files, notes + [f"{one.label}: {plain(refusal)}" for one, _, refusal in written if refusal is not None]


@computed(64)
def _write_code(
    name: str, tree_text: str, columns_text: str, target_name: str, _format: Any, _tree: Tree, _columns: Any
) -> tuple[str | None, str | None]:
    """Return (text of the tree in an export format or None, reason or None)."""
    try:
        return _format(_tree, columns=_columns, target_name=target_name), None
    except TreecoreError as error:
        return None, str(error)


def _path(job: str, points: Sequence[Point], point: Point, data: Any, reference: dict[str, Any] | None) -> None:
    index = next(i for i, one in enumerate(points) if one is point)
    look = save_figures.background("path-theme")
    known = {"path": points, "data": data, "chosen": index, "theme": look, "reference": reference}
    animations = [one for one in PATH_FILES.values() if one.kind == ANIMATION]
    for name, one in PATH_FILES.items():
        if name == "page":  # at the top of the menu
            continue
        if one in animations:
            if one is animations[0]:
                _animation(job, animations, known, file_names.of_data(data))
            continue
        stem = f"{'curves' if name.startswith('curves') else 'path'}-{file_names.of_data(data)}"
        file = SavedFile.of(one, lambda: known, stem, ICONS.get(one.kind))
        if "on_frame" in one.takes:
            _long((job, one.suffix), one, known, file)
        else:
            file.button()
    st.caption(f"Data: {plain(data.title)}, fingerprint {user_store.fingerprint(data)} (part of each file name).")


def _animation(job: str, offered: Sequence[Artifact], known: dict[str, Any], stem: str) -> None:
    """Draw the choice of an animation, and the button that makes it."""
    left, right = st.columns(2)
    forms = {one.form: one for one in offered}
    form = left.segmented_control(
        "Animation", list(forms), default=offered[0].form, required=True, key="animation-form"
    )
    width = right.selectbox("Width (pixels)", WIDTHS, key="animation-width")
    one = forms[form]
    file = SavedFile.of(one, lambda: known, f"path-{stem}")
    _long((job, one.suffix, width), one, known | {"width": width}, file)


def _long(key: tuple[Any, ...], one: Artifact, known: dict[str, Any], file: SavedFile) -> None:
    """Draw a button that makes a slow file and shows the progress, then a button that saves the file.

    key : (name of the path's job, properties of the file)
    """
    made = st.session_state.setdefault("made_files", {})
    if key not in made:
        # stored, because a report of the stage interrupts this run
        if st.button(f"Create: {one.label}", key=f"make-{one.suffix}", width="stretch"):
            st.session_state["making_file"] = key
        if st.session_state.get("making_file") != key:
            return
        bar = st.progress(0.0, text=f"{one.kind} …")
        st.button("Stop", key=f"stop-{one.suffix}", icon=":material/stop_circle:", width="stretch", on_click=_give_up)

        def on_frame(done: int, total: int) -> None:
            bar.progress(done / total, text=f"{one.kind}: {done} of {total}")

        block = one.of(known | {"on_frame": on_frame})
        _give_up()
        for other in [other for other in made if other[0] != key[0]]:
            del made[other]  # keeps the files of one path at a time, because they are large
        made[key] = block
        st.rerun(scope="fragment")
    block = made[key]
    label = f"{one.kind} ({one.form}, {file_size(len(block))})"
    file._replace(label=label, make=lambda: block, icon="download_done", help=None).button()


def _give_up() -> None:
    st.session_state.pop("making_file", None)
