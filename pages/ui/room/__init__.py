"""Rooms: the strip beside a lesson that its teacher has, and the page that students have."""
