"""Side bar and main area of the compare page: a comparison as it comes, then its table, pictures and trees."""

import streamlit as st

from pages.ui import comparison_view, data_sets, settings, side_by_side, training
from pages.ui.comparison_protocol import TEST_SHARE, plan
from pages.ui.jobs import manager
from treecore import TreecoreError
from treecore.comparison import METHODS, Cell
from treecore.comparison.comparison import comparison_of


def sidebar():
    """Draw the form; return the chosen `ComparisonSettings`."""
    store = settings.COMPARE
    now = store.current()
    with st.sidebar, st.form("compare_form", border=False):
        names = [name for name, entry in data_sets.entries().items() if entry.available or name == now.data_set]
        names += [] if now.data_set in names else [now.data_set]
        values = {
            "data_set": st.selectbox("Data set", names, names.index(now.data_set), format_func=data_sets.label),
            "methods": st.multiselect(
                "Methods", list(METHODS), now.methods, format_func=lambda name: METHODS[name].title,
                help="Each on the same rows. What is trained already is not trained again.",
            ),
            "protocol": st.selectbox(
                "Protocol", list(settings.PROTOCOLS), list(settings.PROTOCOLS).index(now.protocol),
                format_func=settings.PROTOCOLS.get, help="Settings (λ, depth, CF, ...) are chosen on the training rows "
                "alone; the test rows judge the one model that was chosen.",
            ),
            "repeats": st.slider("Folds, or random splits", *settings.REPEATS, now.repeats),
        }  # fmt: skip
        with st.expander("More"):
            values |= {
                "inner": st.slider(
                    "Inner folds", *settings.INNER, now.inner, help="Of the training rows, to choose settings by."
                ),
                "rule": st.selectbox(
                    "Choose the setting with the", list(settings.RULES), list(settings.RULES).index(now.rule),
                    format_func=settings.RULES.get,
                ),
                "limit": st.number_input(
                    "Time limit in seconds", *settings.LIMITS, now.limit, help="For one method on one fold. A method "
                    "that runs out of time says so, the others go on.",
                ),
                "seed": st.number_input("Random seed", *settings.SEEDS, now.seed),
            }  # fmt: skip
        asked = st.form_submit_button("Compare", type="primary", icon=":material/play_arrow:", width="stretch")
        if not values["methods"]:  # as of the last submission
            st.error("Choose at least one method.", icon=":material/error:")
        elif asked:
            store.change(**values | {"methods": tuple(values["methods"])})
    store.share_in_url()
    return store.current()


def show(chosen, data):
    """Make the comparison of the settings and draw it; while it is made, the drawing repeats itself."""
    try:
        planned = plan(chosen, data)
    except TreecoreError as error:
        st.error(str(error), icon=":material/error:")
        st.info("Change the protocol, or choose another data set, in the side bar.", icon=":material/arrow_back:")
        return
    job = training.submit(chosen, data)
    running = training.is_running(job)
    st.fragment(_page, run_every=training.REFRESH if running else None)(job, chosen, data, planned, running)


def _page(job, chosen, data, planned, running):
    if not training.is_known(job):
        st.rerun()
    status = training.status(job)
    if running and not training.is_running(job):
        st.rerun()
    st.markdown(f"#### {data.title}  \n{_words(chosen, data, planned)}")
    if running:
        training.progress(job, status)
    else:
        training.notice(job, chosen, data, status)
    cells = manager().points(job, _cell)
    if not cells:
        return
    found = comparison_of(cells, planned.methods, planned.y, planned.folds)
    comparison_view.show(found, data, len(cells), job)
    side_by_side.show(job, found, data, planned, running)


def _cell(record):
    return Cell.from_dict({name: value for name, value in record.items() if name != "index"})


def _words(chosen, data, planned):
    """The protocol in a sentence."""
    count = len(planned.folds)
    test = len(planned.folds[0].test)
    if chosen.protocol == "splits":
        way = f"{count} random splits, {TEST_SHARE:.0%} of the rows ({test}) to test"
    elif count == 1:
        way = f"the published split, {test} rows to test"
    else:
        way = f"{count}-fold cross-validation, about {test} rows to test in each"
    if chosen.protocol == "published" and count > 1:
        way = f"no split is published with these data, so {way}"
    return f"{data.n_rows} rows: {way}. Settings were chosen by {chosen.inner} inner folds of the training rows."
