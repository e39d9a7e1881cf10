"""Edit: a tree that a person changes while TAO re-optimises the other nodes."""

from pages.ui import frame
from pages.ui.edit import edit_panel

frame.begin()
edit_panel.edit_page(edit_panel.choose())
