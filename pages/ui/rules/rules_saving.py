"""Save the rules as the page shows them, and show the IF / ELSE IF / ELSE chain."""

import streamlit as st

from pages.ui.save import save_model, saving
from pages.ui.save.saved_file import SavedFile
from pages.ui.session.chosen_tree import ChosenTree
from treecore.rules.rule_set import RuleSet

MOST_CHARACTERS = 20_000  # maximum length of the chain on the page


def rule_files(chosen: ChosenTree, found: RuleSet, shown: RuleSet) -> list[SavedFile]:
    """Return the files of the rules, with all terms, the chosen digits, and the warning if there is one.

    found, shown : the whole `RuleSet`, and its filtered and sorted part.
    """
    stem = f"rules-{save_model.name_of(chosen)}"
    files = saving.rule_files_of(lambda: found, stem)
    if shown.rules and shown.rules != found.rules:
        some = saving.rule_files_of(lambda: shown, f"{stem}-{len(shown)}")
        files += [one._replace(label=f"{one.label}, {len(shown)} shown") for one in some]
    if found.is_lopsided:
        files += saving.rule_files_of(lambda: found, f"{stem}-else-if", "chain")
    return files


def chain(found: RuleSet) -> None:
    """Draw the rules as one chain, collapsed."""
    folded = st.expander(
        "IF / ELSE IF / ELSE", icon=":material/format_list_numbered:", key="rules-chain", on_change="rerun"
    )
    if not folded.open:
        return
    with folded:
        if not found.is_lopsided:
            st.caption(
                "A decision list requires that every decision node has a leaf as a child. This tree has a "
                "decision node without one. Use the rules instead."
            )
            return
        text = found.to_else_if()
        st.caption("Each line applies only to rows that no earlier line matches, so each condition is a single split.")
        st.code(text[:MOST_CHARACTERS], language=None, wrap_lines=True)
        if len(text) > MOST_CHARACTERS:
            st.caption("Only the first lines are shown. The file under Save contains all lines.")
