"""Room: where a student guesses along with a class."""

from pages.ui.room.student_page import student_page
from pages.ui.shell import frame

frame.begin()
student_page()
