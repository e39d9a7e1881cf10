"""Room: the page for the answers and drawings of students, and the board of their teacher."""

import streamlit as st

from pages.ui import frame
from pages.ui.learn.class_plan import plan_bar
from pages.ui.room import led_room
from pages.ui.room.board_page import board_page
from pages.ui.room.student_page import student_page
from pages.ui.shell import address

frame.begin()
# A link from another page may still carry that page's parameters.
if led_room.has_ended():
    address.go_to("pages/learn.py", plan_bar.query())
if "teach" in st.query_params or ("room" not in st.query_params and led_room.leads()):
    board_page(plan_bar.query(), plan_bar.on_board)
else:
    student_page()
