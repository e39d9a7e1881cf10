"""Position of a node in a drawing, and the space for text around the node."""

from typing import NamedTuple

from viz.looks import LOOKS

SMALL, WORDS = LOOKS.text.small, LOOKS.words
ABOVE = 17  # height of the name of the vertical axis


class NodeBox(NamedTuple):
    """Centre, width and height of a node.

    room : width for text
    below : free height below the node
    above : height reserved for the name of an axis
    """

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
        """Return the maximum width of the text below a node."""
        return max(self.room - WORDS.margin, self.w)

    @property
    def detail(self) -> float:
        """Return the width that determines the level of detail."""
        return max(self.w, self.h * LOOKS.detail.tall)

    def words_y(self, line: int = 0) -> float:
        """Return the centre of a line of text below a node."""
        return self.bottom + WORDS.gap + SMALL * WORDS.middle + WORDS.line * line
