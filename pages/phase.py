"""Old links to a page for the map of λ and C: the same trees on the page of all paths."""

from pages.ui.shell import former_links, frame

frame.begin()
former_links.open_phase()
