"""Share the rooms of this server among all its sessions."""

from pages.rooms.room_store import RoomStore
from pages.serving.quotas import Quotas
from pages.ui.shell.computed import once


@once
def rooms() -> RoomStore:
    """Return the `RoomStore` of the server."""
    quotas = Quotas.of()
    return RoomStore(of_owner=quotas.own_rooms, of_address=quotas.address_rooms)
