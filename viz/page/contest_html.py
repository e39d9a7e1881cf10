"""Plane and ranking of a contest in which students draw lines."""

import base64
from collections.abc import Sequence
from html import escape

import numpy as np

from treecore.tree.number_text import number
from treecore.tree.tree import Tree
from viz.palette import STAGE_THEMES, THEMES, class_color
from viz.tree.plane_regions import plane_regions


def image_html(svg: str, words: str, shape: str = "1") -> str:
    """Return an image of the width of its place.

    svg : SVG text
    words : alternative text; "" for an image that is only decorative
    shape : ratio of width to height
    """
    source = f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"
    return f'<img alt="{escape(words)}" src="{source}" style="display:block;width:100%;aspect-ratio:{shape}">'


SIDE, MARGIN, MOST_ROWS = 1000, 0.04, 8
_OURS, _TAO = (
    f"light-dark({STAGE_THEMES['light'][name]}, {STAGE_THEMES['dark'][name]})" for name in ("accentText", "alarmText")
)
_NUMBER = "text-align:right;padding:.1em 0 .1em .7em;border:0"


def points_html(X: np.ndarray, y: np.ndarray, words: str, theme: str) -> str:
    """Return an image of the points as HTML.

    X : [n, 2], the points
    y : int[n], indices of their classes
    words : alternative text
    theme : "light" or "dark"
    """
    places = _places(X, *limits(X))
    size = max(9, min(26, round(440 / np.sqrt(len(X)))))
    marks = []
    for position in np.unique(y).tolist():
        path = "".join(f"M{a} {b}h0" for a, b in np.round(places[y == position]).astype(int).tolist())
        marks.append(f'<path d="{path}" stroke="{class_color(position, theme)}"/>')
    return _image(f'<g stroke-width="{size}" stroke-linecap="round" fill="none">{"".join(marks)}</g>', words)


def lines_html(
    X: np.ndarray, trees: Sequence[Tree], best: Tree | None, tao_tree: Tree | None, positions: np.ndarray, theme: str
) -> str:
    """Return the lines of trees, and the regions of one tree, as an overlay for `points_html`.

    The regions are those of TAO's tree if it is passed, otherwise those of the best tree.

    trees : all trees
    best : best tree, or None
    tao_tree : TAO's tree, or None
    positions : int[k], indices of the classes of the trees
    """
    low, high = limits(X)
    found, colors = [], STAGE_THEMES[theme]
    shown = best if tao_tree is None else tao_tree
    if shown is not None:
        for leaf, corners in plane_regions(shown, low, high)[0].items():
            d = "L".join(f"{a:.0f} {b:.0f}" for a, b in _places(corners, low, high))
            color = class_color(int(positions[shown.labels[leaf]]), theme)
            found.append(f'<path d="M{d}Z" fill="{color}" opacity=".22"/>')
    found += [_lines(tree, low, high, THEMES[theme].text, 'stroke-width="4" opacity=".35"') for tree in trees]
    if best is not None:
        found.append(_lines(best, low, high, colors["accentText"], 'stroke-width="9"'))
    if tao_tree is not None:
        found.append(_lines(tao_tree, low, high, colors["alarmText"], 'stroke-width="12"'))
    return _image("".join(found), "")


def board_html(rows: Sequence[tuple], own: int | None = None, only_errors: bool = False) -> str:
    """Return the ranking as a table of the first MOST_ROWS entries, TAO and the reader.

    rows : (name, errors, lines, objective, whether it is TAO), the best first; errors and lines are None if hidden
    own : index of the reader's entry
    only_errors : whether to leave out the columns of lines and objectives, for one line without a penalty
    """
    table_rows, columns = [], slice(1 if only_errors else 3)
    for place, (who, errors, lines, objective, is_tao) in enumerate(rows):
        if place >= MOST_ROWS and not is_tao and place != own:
            continue
        color = f"color:{_TAO};font-weight:700" if is_tao else f"color:{_OURS};font-weight:650" if place == own else ""
        texts = "–" if errors is None else errors, "–" if lines is None else lines, number(objective)
        cells = "".join(
            f'<td style="{_NUMBER};font-variant-numeric:tabular-nums">{text}</td>' for text in texts[columns]
        )
        table_rows.append(
            f'<tr style="{color}"><td style="border:0;padding:.1em .5em .1em 0;text-align:right">{place + 1}</td>'
            f'<td style="border:0;padding:.1em 0;width:99%;overflow-wrap:anywhere">{escape(who)}'
            f"{' (you)' * (place == own)}</td>{cells}</tr>"
        )
    heads = "".join(
        f'<th style="{_NUMBER};font-weight:400;opacity:.8">{name}</th>'
        for name in ("errors", "lines", "objective")[columns]
    )
    head = f'<tr><th style="border:0"></th><th style="border:0"></th>{heads}</tr>'
    return (
        f'<table class="contest-board" style="width:100%;border-collapse:collapse">{head}{"".join(table_rows)}</table>'
    )


def limits(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the lower and upper corners of the plane: those of the points, with a margin."""
    low, high = X.min(axis=0).astype(np.float64), X.max(axis=0).astype(np.float64)
    width = np.where(high > low, high - low, 1.0)
    return low - MARGIN * width, high + MARGIN * width


def _places(X, low, high):
    share = (X - low) / (high - low)
    return np.column_stack([share[:, 0], 1 - share[:, 1]]) * SIDE


def _lines(tree, low, high, color, look):
    lines = plane_regions(tree, low, high)[1].values()
    ends = (_places(line, low, high).ravel().tolist() for line in lines)
    d = "".join("M{:.0f} {:.0f}L{:.0f} {:.0f}".format(*end) for end in ends)
    return f'<path d="{d}" fill="none" stroke-linecap="round" stroke="{color}" {look}/>'


def _image(content, words):
    return image_html(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE} {SIDE}">{content}</svg>', words)
