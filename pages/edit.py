"""Edit: change a tree by hand and let TAO re-optimise the other nodes."""

from pages.ui import frame
from pages.ui.edit import edit_panel

frame.begin()
edit_panel.edit_page(edit_panel.choose())
