"""Rules to take away: those that are shown or all, as text, tables, and the chain of IF, ELSE IF, ELSE."""

import streamlit as st

from pages.ui.save import saving
from pages.ui.shell import file_names
from treecore.rules.rule_formats import RULE_FORMATS

FORMS = tuple(form for form in RULE_FORMATS.values() if form.of_any_tree)
MOST_CHARACTERS = 20_000  # of the chain on screen


def rules_files(chosen, found, shown):
    """Folded list of files. found, shown : the whole `RuleSet` and the part of it that passes the filters, in order."""
    files = saving.folded("Save the rules")
    if files.open:
        with files:
            _files(chosen, found, shown)
    chain = saving.folded("As IF, ELSE IF, …, ELSE", ":material/format_list_numbered:")
    if chain.open:
        with chain:
            _chain(chosen, found)


def _files(chosen, found, shown):
    taken = found
    if shown.rules and shown.rules != found.rules:
        texts = {"shown": f"The {len(shown)} shown, in their order", "all": f"All {len(found)}"}
        which = st.segmented_control(
            "Rules", list(texts), default="shown", format_func=texts.get, required=True, key="rules_saved",
            label_visibility="collapsed",
        )  # fmt: skip
        taken = shown if which == "shown" else found
    columns = st.columns(len(FORMS))
    for column, form in zip(columns, FORMS, strict=True):
        column.download_button(
            f"Rules ({form.words})", lambda form=form: form.write(taken),
            f"rules-{file_names.of_data(chosen.data)}.{form.ending}", form.mime, on_click="ignore",
            key=f"save-rules-{form.ending}", width="stretch",
        )  # fmt: skip
    st.caption("Files have every term of every condition, with the digits that are chosen, and the warning if any.")


def _chain(chosen, found):
    if not found.is_lopsided:
        st.caption(
            "Only a lopsided tree, whose every decision has a leaf below it, can be written as one chain. This one "
            "has a decision with two decisions below it: use the rules."
        )
        return
    text = found.to_else_if()
    st.caption("Every line is tried where none before it held, so each condition is a single decision.")
    st.code(text[:MOST_CHARACTERS], language=None, wrap_lines=True)
    if len(text) > MOST_CHARACTERS:
        st.caption("This is its begin; the file has all of it.")
    st.download_button(
        "IF, ELSE IF, ELSE (text)", text, f"rules-{file_names.of_data(chosen.data)}-else-if.txt", "text/plain",
        on_click="ignore", icon=":material/download:", key="save-rules-chain",
    )  # fmt: skip
