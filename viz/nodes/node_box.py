"""The place of a node in a picture, and the room for words around it."""

from typing import NamedTuple

from viz.looks import LOOKS

SMALL, WORDS = LOOKS.text.small, LOOKS.words
ABOVE = 16  # height of the name of the upward axis


class NodeBox(NamedTuple):
    """Middle, width and height of a node; room : width that texts may take; below : free height below it; above :
    height that is kept for the name of an axis."""

    x: float
    y: float
    w: float
    h: float
    room: float
    below: float
    above: float = 0.0

    @property
    def left(self) -> float:
        return self.x - self.w / 2

    @property
    def top(self) -> float:
        return self.y - self.h / 2

    @property
    def bottom(self) -> float:
        return self.y + self.h / 2

    @property
    def words_room(self) -> float:
        """Width that the words below a node may take."""
        return max(self.room - WORDS.margin, self.w)

    @property
    def detail(self) -> float:
        """Width that decides what a node shows."""
        return max(self.w, self.h * LOOKS.detail.tall)

    def words_y(self, line: int = 0) -> float:
        """Middle of a line of words below a node."""
        return self.bottom + WORDS.gap + SMALL * WORDS.middle + WORDS.line * line
