"""Old links to a page for trees with lines: the same trees on the page of all paths."""

from pages.ui.shell import former_links, frame

frame.begin()
former_links.open_bivariate()
