"""Edit: a tree that a person changes by hand while TAO repairs the rest."""

from pages.ui import frame
from pages.ui.edit import edit_panel

frame.begin()
edit_panel.edit_page(edit_panel.choose())
