"""TAO step by step: data to choose or to paint, a recorded run on the stage, CART beside it."""

from pages.ui import frame, learn_panel

frame.begin()
learn_panel.show()
