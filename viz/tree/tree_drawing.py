"""Draw a tree on a part of a canvas as on the stage: its nodes, edges by share of rows, and text."""

from collections.abc import Sequence

import numpy as np

from treecore.tree.number_text import count
from viz.drawing.canvas import Box, Canvas
from viz.drawing.labels import Labels
from viz.looks import LOOKS
from viz.nodes.node_box import NodeBox
from viz.nodes.node_painter import NodePainter
from viz.nodes.tree_contents import TreeContents
from viz.palette import THEMES, signs, theme_name
from viz.tree.layout import Layout
from viz.tree.tree_part import TreePart, subtree
from viz.tree.tree_places import node_boxes
from viz.words import text_fit

LINE = 18  # height of a line of the legend, in pixels
MOST_LINES = 2
SQUARE, GAP, TEXT = 10, 16, 12
MANY_CLASSES = 12
MOST_TITLE = 160.0  # maximum width of the name of the target, in pixels


def draw_tree(
    canvas: Canvas,
    contents: TreeContents,
    box: Box,
    part: TreePart | None = None,
    places: Layout | None = None,
    rooms: np.ndarray | None = None,
) -> list[NodeBox]:
    """Draw a tree into a Box on a Canvas; return the `NodeBox` of every node of the part.

    contents : `TreeContents`
    part : TreePart, None for the whole tree
    places : Layout of the part, None for the `compact_layout`
    rooms : `level_rooms` that divide the height, None for those of the layout
    """
    part = subtree(contents.tree) if part is None else part
    boxes = node_boxes(contents, part, places, box, rooms)
    labels = Labels(canvas)
    painter = NodePainter(canvas, labels, contents)
    draw_edges(painter, part, boxes)
    inner = set(part.parents.tolist())
    for i, node in enumerate(part.nodes):
        content = contents.nodes[node]
        if i in part.closed:
            painter.stub(part.closed[i], content.figures, boxes[i])
            continue
        painter.draw(content, boxes[i])
        if i not in inner and not content.kind.is_leaf:
            painter.goes_on(boxes[i].x, painter.foot(content, boxes[i]))
    labels.draw([(box.left, box.top, box.w, box.h) for box in boxes])
    return boxes


def draw_edges(painter: NodePainter, part: TreePart, boxes: Sequence[NodeBox]) -> None:
    """Draw the edges of a TreePart with their labels. The width of an edge depends on its share of the rows.

    boxes : `NodeBox` of each node
    """
    contents, theme, look = painter.contents, painter.theme, LOOKS.edges
    for i in range(1, len(part.nodes)):
        above = boxes[part.parents[i]]
        to, content = boxes[i], contents.nodes[part.nodes[part.parents[i]]]
        share = contents.nodes[part.nodes[i]].figures.share
        # An edge is never wider than the boxes that it joins.
        width = min(look.least + look.share * np.sqrt(share), look.box * (1 + to.w))
        start, stop = (above.x, painter.foot(content, above)), (to.x, to.top - to.above)
        painter.canvas.bend(start, stop, width, theme.line)
        if to.above:
            painter.canvas.line(np.array([stop, (to.x, to.top)]), theme.line, width, layer=1.0)
        if content.has_branch_words and stop[1] - start[1] >= look.high and min(above.room, to.room) >= look.room:
            middle = (start[0] + stop[0]) / 2, (start[1] + stop[1]) / 2
            painter.labels.add(
                *middle, _branch(contents, part, boxes, i), LOOKS.text.small, theme.muted, look.answer,
                background=theme.background, group=int(part.parents[i]),
            )  # fmt: skip


def _branch(contents, part, boxes, i):
    """Return the label of the edge above a node: the whole condition, or its sign if the two edges are too close."""
    branches = contents.branches[int(part.nodes[part.parents[i]])]
    text, other = branches[:: -1 if part.is_right[i] else 1]
    pair = [boxes[j].x for j in np.flatnonzero(part.parents == part.parents[i])]
    room = (max(pair) - min(pair)) / 2 if len(pair) == 2 else np.inf
    near = max(len(text), len(other)) * LOOKS.edges.letter > room
    return text[0] if near and text[0] in "≥≤<>" else text


def draw_legend(canvas: Canvas, contents: TreeContents, left: float, top: float, width: float) -> None:
    """Draw the legend of classes and signed colours below `top`, on `legend_lines` lines of `LINE` pixels each."""
    for row, entries in enumerate(_lines(contents, canvas.theme, width)):
        x, y = left, top + (row + 0.5) * LINE
        for color, text, heading in entries:
            if heading:
                x += GAP if x > left else 0
                canvas.text(x, y, heading, TEXT, left + width - x, canvas.theme.muted, align="left")
                x += text_fit.width(heading, TEXT) + 8
            if color:
                canvas.rectangle(x, y - SQUARE / 2, SQUARE, SQUARE, color)
                x += SQUARE + 6
            ink = canvas.theme.text if color else canvas.theme.muted
            canvas.text(x, y, text, TEXT, left + width - x, ink, align="left")
            x += text_fit.width(text, TEXT) + GAP


def legend_lines(contents: TreeContents, width: float) -> int:
    """Return the number of lines of a legend `width` pixels wide: 0 to `MOST_LINES`."""
    return len(_lines(contents, THEMES["light"], width))


def _lines(contents, theme, width):
    """Return lists of (colour or None, text, heading before it or None), one for each line."""
    lines, x = [[]], 0.0
    entries = _entries(contents, theme)
    for place, (color, text, heading) in enumerate(entries):
        text = text_fit.fit(text_fit.clean(text, any_glyph=True), TEXT, min(220.0, width - SQUARE - 6))[0]
        needed = SQUARE + 6 + text_fit.width(text, TEXT)
        if heading:
            needed += GAP + text_fit.width(heading, TEXT) + 8
        rest = f"+ {count(len(entries) - place)} more"
        kept = text_fit.width(rest, TEXT) + GAP if len(lines) == MOST_LINES and place + 1 < len(entries) else 0
        if lines[-1] and x + needed + kept > width:
            if len(lines) == MOST_LINES:
                lines[-1].append((None, rest, None))
                break
            lines.append([])
            x = 0.0
        lines[-1].append((color, text, heading))
        x += needed + GAP
    return [line for line in lines if line]


def _entries(contents, theme):
    """Return (colour, text, heading before it or None) of all entries; of many classes, predicted ones come first."""
    shown = [content for content in contents.nodes if content is not None]
    target = contents.target
    present = {content.code for content in shown if hasattr(content, "code")}
    order = range(len(target.groups))
    if len(order) > MANY_CLASSES and not target.is_ordered:
        order = sorted(order, key=lambda code: code not in present)
    colors = contents.colors[theme_name(theme)]
    entries = [(colors[code], target.groups[code], None) for code in order]
    if target.name and entries:
        title = text_fit.fit(text_fit.clean(target.name, any_glyph=True), TEXT, MOST_TITLE)[0]
        entries[0] = (*entries[0][:2], f"{title}:")
    if not all(content.kind.is_leaf for content in shown):
        what = f"majority {target.noun}" if target.values_are_groups else "mean of the rows"
        shares = f"rows by {target.noun}"
        entries.append((None, f"bar below an image: {shares}" if contents.is_image else f"strip: {what}", None))
    meanings = {content.signs for content in shown if content.signs}
    if meanings:
        # The colours of the signs resemble class colours, so the entries have only text.
        negative, positive = signs(theme)
        first = (negative, "negative", max(meanings))
        if entries:
            entries[0] = (*entries[0][:2], entries[0][2] or f"{target.nouns}:")
        entries = [first, (positive, "positive", None), *entries]
    return entries
