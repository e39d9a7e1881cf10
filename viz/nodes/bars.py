"""Draw coefficients as bars, the longest first (viz/stage/draw/projection.js)."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from viz.looks import LOOKS
from viz.nodes.node_box import NodeBox
from viz.nodes.node_painter import NodePainter

MAX_BARS = 5
SMALL = LOOKS.text.small
BARS = LOOKS.bars
ROW = SMALL * BARS.row


class WithBars(Protocol):
    """Node content that has coefficients."""

    @property
    def names(self) -> tuple: ...
    @property
    def bars(self) -> np.ndarray: ...
    @property
    def n_more(self) -> int: ...


def draw_bars(painter: NodePainter, content: WithBars, box: NodeBox, rows: int) -> None:
    """Draw each coefficient times the standard deviation of its feature, longest first."""
    n_weights = content.bars.size + content.n_more
    shown = min(rows - 1 if n_weights > rows else rows, content.bars.size)
    largest = abs(content.bars[0]) if content.bars.size else 1.0
    named = box.w >= BARS.named
    middle, reach = (BARS.middle, BARS.reach) if named else (0, BARS.reach_alone)
    middle, reach = box.x + box.w * middle, box.w * reach
    left, top, theme = box.left + BARS.indent, box.top + BARS.above, painter.theme
    for i in range(max(shown, 0)):
        length, y = content.bars[i] / largest * reach, top + (i + 0.5) * ROW
        color = painter.signs[0 if length < 0 else 1]
        painter.canvas.rectangle(
            min(middle, middle + length), y - ROW * BARS.thick, abs(length), 2 * ROW * BARS.thick, color
        )
        if named:
            painter.labels.add(left, y, content.names[i], SMALL, theme.text, box.w * BARS.name, align="left")
    painter.canvas.rectangle(middle - 0.5, top, 1, max(shown, 0) * ROW, theme.muted)
    if n_weights > shown:
        text = f"+ {n_weights - shown} more" if named else f"+{n_weights - shown}"
        y = top + (max(shown, 0) + 0.5) * ROW
        painter.labels.add(left, y, text, SMALL, theme.muted, box.w - 2 * BARS.indent, align="left", whole=True)
