"""Edit: a tree that a person changes by hand while TAO repairs the rest."""

from pages.ui import edit_panel, frame

frame.begin()
edit_panel.show(edit_panel.choose())
