"""Place labels without overlaps. Earlier labels take priority, as in viz/stage/draw/labels.js."""

from collections.abc import Sequence
from typing import NamedTuple

from viz.drawing.canvas import Canvas
from viz.looks import LOOKS
from viz.words import text_fit

LOOK = LOOKS.text


class Label(NamedTuple):
    """Text around (x, y).

    room : maximum width
    least : minimum width of the patch of `background` behind the text
    group : name of the group. The labels of a group are drawn together or not at all, after all other labels and
        outside the boxes.
    """

    x: float
    y: float
    text: str
    size: float
    color: str
    room: float
    align: str = "center"
    bold: bool = False
    whole: bool = False
    background: str | None = None
    least: float = 0.0
    group: int | None = None


class Labels:
    """Collect labels, then draw those that fit on a Canvas."""

    def __init__(self, canvas: Canvas) -> None:
        self.canvas = canvas
        self._texts, self._groups, self._rows = [], {}, {}

    def add_lines(self, labels: Sequence[Label]) -> None:
        """Add the lines of a text, which are drawn together or not at all."""
        self._texts.append(labels)

    def add(self, *arguments, **keywords) -> None:
        """Add a `Label` with these fields."""
        label = Label(*arguments, **keywords)
        if label.group is None:
            self._texts.append([label])
        else:
            self._groups.setdefault(label.group, []).append(label)

    def draw(self, obstacles: Sequence = ()) -> None:
        """Draw the labels.

        obstacles : (left, top, width, height) of the boxes that the labels of groups must not cover
        """
        for lines in self._texts:
            self._show(lines)
        for box in obstacles:
            self._block(box)
        for group in self._groups.values():
            self._show(group)
        self._texts, self._groups = [], {}

    def _show(self, group):
        boxes = [self._place(label) for label in group]
        meets = len(boxes) == 2 and None not in boxes and _meet(boxes[0][2], boxes[1][2])
        if not meets and all(box is not None and self._is_free(box[2]) for box in boxes):
            for label, (text, size, box) in zip(group, boxes, strict=True):
                self._block(box)
                self._write(label, text, size, box)

    def _place(self, label):
        """Return (text, size, (left, top, width, height)), or None if the text does not fit on the canvas."""
        padding = LOOK.padding if label.background else 0
        text = self.canvas.clean(label.text)
        text, size = text_fit.fit(text, label.size, label.room - 2 * padding, label.bold, label.whole)
        if not text:
            return None
        wide = max(text_fit.width(text, size, label.bold) + 2 * padding, min(label.least, label.room))
        left = label.x - {"left": 0.0, "center": wide / 2, "right": wide}[label.align]
        box = (left, label.y - LOOK.height * size / 2, wide, LOOK.height * size)
        inside = left >= -0.5 and box[1] >= -0.5 and left + wide <= self.canvas.width + 0.5
        return (text, size, box) if inside and box[1] + box[3] <= self.canvas.height + 0.5 else None

    def _write(self, label, text, size, box):
        left, top, wide, high = box
        if label.background:
            self.canvas.rectangle(left, top, wide, high, label.background, layer=4.5)
        x = left + wide / 2 if label.align == "center" else label.x
        # The text already fits. The huge width prevents rounding errors from shrinking it again.
        self.canvas.text(x, label.y, text, size, 1e9, label.color, align=label.align, bold=label.bold)

    def _is_free(self, box):
        return not any(_meet(box, other) for row in self._strips(box) for other in self._rows.get(row, ()))

    def _block(self, box):
        for row in self._strips(box):
            self._rows.setdefault(row, []).append(box)

    @staticmethod
    def _strips(box):
        return range(int(box[1] // LOOK.strip), int((box[1] + box[3]) // LOOK.strip) + 1)


def _meet(a, b):
    return all(a[i] < b[i] + b[i + 2] - LOOK.slack and b[i] < a[i] + a[i + 2] - LOOK.slack for i in (0, 1))
