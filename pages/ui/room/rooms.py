"""`rooms`: the rooms of this server, the same for all its sessions."""

import streamlit as st

from pages.rooms.room_store import RoomStore


@st.cache_resource(show_spinner=False)
def rooms():
    """The one `RoomStore` of the server."""
    return RoomStore()
