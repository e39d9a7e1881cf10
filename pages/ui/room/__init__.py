"""Rooms: the strip of the teacher next to a lesson, and the page of the students."""
