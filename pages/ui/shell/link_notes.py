"""What a link asked for and could not have, in words at the top of the page."""

import streamlit as st

from pages.jobs.settings_text import BIVARIATE_TEXT, PHASE_TEXT, natural
from pages.ui.learn.learn_settings import LEARN
from pages.ui.shell import address
from pages.ui.shell.markdown_text import plain
from pages.ui.shell.page_settings import COMPARE, EXPLORE, PageSettings
from treecore.comparison.method_titles import METHOD_TITLES

NOTES, _PLACE, _PAGE = "link_notes", "_link_notes_place", "_link_notes_page"
FORMER = {"bivariate": BIVARIATE_TEXT, "phase": PHASE_TEXT}  # pages that go on to the home page at once
_TREE = {"tree", "node"}
_ONE_TREE = (EXPLORE,), _TREE | {"source"}
_THRESHOLD = {"flag", "share"}
# the settings and the other names that each page reads from a link, by its path
_READ = {
    "": _ONE_TREE,
    **{page: ((PageSettings(page, text),), _TREE | {"row"}) for page, text in FORMER.items()},
    "compare": ((COMPARE,), {"size"}),
    "edit": (_ONE_TREE[0], _ONE_TREE[1] | {"edit"}),
    "rules": (_ONE_TREE[0], _ONE_TREE[1] | _THRESHOLD),
    "explain": (_ONE_TREE[0], _ONE_TREE[1] | _THRESHOLD | {"row", "part"}),
    "predict": (_ONE_TREE[0], _ONE_TREE[1] | _THRESHOLD | {"part", "from"}),
    "learn": ((LEARN,), {"step", "node", "lesson", "moment", "present", "hide", "teach", "kept"}),
    "room": ((), {"room", "student", "teach"}),
    "data": ((EXPLORE,), {"from"}),
}
# keys of the session with the names of an address that they are read from
_KEPT = {
    "chosen_source": {"source"},
    "tree_page_source": {"source"},
    "thresholds": _THRESHOLD,
    "explain_kept_row": {"row"},
    "explain_kept_section": {"part"},
    "predict_kept_part": {"part"},
    "predict_kept_from": {"part", "from"},
    "rules_selected": {"node"},
    "edit_selected": {"node"},
    "edit_link": {"edit"},
    "compare_size": {"size"},
    "lesson_opens": {"lesson", "moment"},
    "data_way": {"from"},
    "_shown_data_set": {"data_set"},
}
_VIEW = {"tree", "step"}  # names of an address that say which tree or step a stage shows
_COUNTS = {"tree", "node", "row", "step"}


def begin(page):
    """Before a page is drawn: what there is to say of the link that a new tab has come by; page : its path."""
    stores = () if page == "data" else _READ.get(page, ((), set()))[0]
    settings = {store.key: {*store.text.readers} for store in stores}
    address.begin(page, _KEPT | settings | {f"{key}_view": _VIEW for key in settings})
    if st.session_state.get(_PAGE) != page:
        is_new = _PAGE not in st.session_state
        st.session_state[_PAGE] = "" if page in FORMER else page
        st.session_state[NOTES] = sentences(page, st.query_params.to_dict()) if is_new else []
    st.session_state[_PLACE] = place = st.container()
    for sentence in st.session_state[NOTES]:
        _draw(place, sentence)


def say(sentence):
    """Say what a link could not have, until the visitor leaves the page."""
    if sentence not in (notes := st.session_state.setdefault(NOTES, [])):
        notes.append(sentence)
        _draw(st.session_state.get(_PLACE, st), sentence)


def sentences(page, query):
    """List of what is wrong with the names and texts of a link, a dict, on a page.

    The Learn page says by itself that painted points cannot be read.
    """
    stores, others = _READ.get(page, ((), set()))
    readers = {name for store in stores for name in store.text.readers}
    unknown = [f"“{plain(name[:40])}”" for name in query if name not in readers | others]
    told = [f"{unknown[0]} means nothing in a link to this page; it was left out."] if len(unknown) == 1 else []
    if len(unknown) > 1:
        names = f"{', '.join(unknown[:-1])} and {unknown[-1]}"
        told = [f"{names} mean nothing in a link to this page; they were left out."]
    misread = {name: store.text.allowed(name) for store in stores for name in store.text.misread(query)}
    misread |= {name: "a number" for name in others & _COUNTS if name in query and natural(query[name]) is None}
    misread.pop("painted", None)
    missing = set(query.get("methods", "").split("-")) - {"", *METHOD_TITLES} if page == "compare" else ()
    told += [f"There is no method “{plain(name[:40])}” to compare; it was left out." for name in sorted(missing)]
    return told + [
        f"“{name} = {plain(query[name][:40])}” in this link is not possible here"
        f"{f' (it is {allowed})' * bool(allowed)}; the usual was taken instead."
        for name, allowed in sorted(misread.items())
    ]


def _draw(place, sentence):
    place.warning(sentence, icon=":material/link_off:")
