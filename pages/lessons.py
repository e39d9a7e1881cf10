"""Lessons: the overview of all lessons and stories, which the Learn page shows."""

from pages.ui import frame
from pages.ui.learn import lessons_panel

frame.begin()
lessons_panel.overview_page()
