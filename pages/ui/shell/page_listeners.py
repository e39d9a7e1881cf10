"""Add browser listeners to every page, and write its address.

Tab moves the focus into and around an open menu, because Streamlit puts its content at the end of the page. A button
that is disabled while its file is made regains the focus. The page runs again if a file could not be made. On a phone,
the list of pages closes after a choice. *Present* enters full screen, if the browser allows it. The skip link of the
document leads to the stage, or to the first control.
"""

from pages.ui.components.component import component


def page_listeners(query: str = "", name: str | None = None) -> None:
    """Add the listeners, which take no space on the page.

    query : parameters that replace those of the address, without a new entry in the history; name : unique name of this
    replacement, which the browser makes once, or None.
    """
    component("page_listeners")(key="page-listeners", data={"query": query, "name": name}, on_failed_change=_run_again)


def _run_again() -> None:
    """Do nothing, because Streamlit runs the page after any callback."""
