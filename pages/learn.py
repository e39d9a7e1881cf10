"""Learn: lessons and stories, and a laboratory in which TAO is seen step by step."""

from pages.ui import frame, lessons_panel

frame.begin()
if not lessons_panel.show_wanted():
    lessons_panel.overview()
