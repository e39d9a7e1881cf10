"""Learn: a step-by-step laboratory of TAO, lessons and stories."""

from pages.ui import frame
from pages.ui.learn import learn_panel, lessons_panel

frame.begin()
if not lessons_panel.show_linked():
    lessons_panel.link()
    learn_panel.learn_page()
    lessons_panel.below()
