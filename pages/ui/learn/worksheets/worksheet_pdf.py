"""Write a worksheet as a PDF of A4 pages."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pages.ui.learn.worksheets.worksheet import KEEP, TASK, Question, Worksheet
from pages.ui.learn.worksheets.worksheet_picture import draw_worksheet_picture, picture_height
from viz.drawing.canvas import Box, Canvas, pdf_of
from viz.palette import THEMES
from viz.words.text_fit import clean, width, wrapped

WIDTH, HEIGHT = 827, 1169  # A4 in pixels
SIDE, TOP, BOTTOM = 70, 62, 84  # margins in pixels
ROOM = WIDTH - 2 * SIDE
INDENT = 30
BODY, SMALL, HEADING, TITLE = 14.0, 12.0, 18.0, 24.0  # text heights in pixels
LINE = 1.45  # height of a line as a multiple of the text height
RULE = 30.0  # distance of two lines to write on, in pixels
SPACINGS = (0.95, 0.9, 0.85, 0.8)  # factors for gaps and lines to write on
LEAST_SHARE = 0.3  # filled share of the last page below which smaller factors are tried
MOST_LINES = 1000
JOINED = "\u00a0"  # space at which no line breaks
LIGHT = THEMES["light"]
BAR = "#345a8a"


class _Row(NamedTuple):
    """A line of text, a line to write on, or a gap.

    rule : (start, stop) of the line to write on, or None; has_bar : whether a bar marks the text as an answer
    """

    height: float
    text: str = ""
    size: float = BODY
    bold: bool = False
    indent: float = 0.0
    rule: tuple[float, float] | None = None
    number: str = ""
    has_bar: bool = False


def worksheet_pdf(sheet: Worksheet) -> bytes:
    """Return a worksheet as the bytes of a PDF.

    No block of a question is divided between two pages. If the last page is nearly empty, the lines to write on move
    closer together.
    """
    pages = _pages(sheet, 1.0)
    if pages.share_of_last < LEAST_SHARE:
        closer = (_pages(sheet, spacing) for spacing in SPACINGS)
        pages = next((found for found in closer if len(found.pages) < len(pages.pages)), pages)
    return pages.save(f"{sheet.title} – {_kind(sheet)}")


def _kind(sheet: Worksheet) -> str:
    return "Key" if sheet.has_key else "Worksheet"


def _pages(sheet: Worksheet, spacing: float) -> "_Pages":
    """Return the pages of a worksheet."""
    pages = _Pages(spacing)
    pages.add(_text(f"{sheet.kicker} · {_kind(sheet)}", SMALL))
    pages.add(_text(sheet.title, TITLE, bold=True) + _text(sheet.about, BODY) + [_Row(8)])
    if not sheet.has_key:
        pages.add([_Row(RULE, "Name", SMALL, rule=(44, 330)), _Row(RULE, "Date", SMALL, rule=(44, 330)), _Row(10)])
    pages.add([*_text(sheet.words, BODY), _Row(8)])
    pages.picture(sheet)
    pages.add([_Row(6), *_text(sheet.data_words, SMALL)])
    questions = [_question(number, one) for number, one in enumerate(sheet.questions, 1)]
    beliefs = [_numbered(number, belief) + _answer(reply) for number, (belief, reply) in enumerate(sheet.beliefs, 1)]
    keep = _answer(sheet.keep)
    task = _text(sheet.task, BODY) + ([] if sheet.has_key else _answer(""))
    for heading, blocks in (
        ("Questions", questions), ("Correct these statements", beliefs), (KEEP, [keep]), (TASK, [task]),
    ):  # fmt: skip
        for k, block in enumerate(blocks):
            head = [_Row(14), *_text(heading, HEADING, bold=True), _Row(6)] if k == 0 else []
            pages.add([*head, *block, _Row(16)])
    return pages


class _Pages:
    """Pages that are filled from top to bottom.

    spacing : factor for the height of gaps and of lines to write on.
    """

    def __init__(self, spacing: float) -> None:
        self.spacing = spacing
        self.pages = [Canvas(WIDTH, HEIGHT, LIGHT, "pdf")]
        self.y = float(TOP)

    @property
    def share_of_last(self) -> float:
        """Return the filled share of the last page."""
        return (self.y - TOP) / (HEIGHT - TOP - BOTTOM)

    def space(self, height: float) -> None:
        """Start a page unless this height is left."""
        if self.y + height > HEIGHT - BOTTOM and self.y > TOP:
            self.pages.append(Canvas(WIDTH, HEIGHT, LIGHT, "pdf"))
            self.y = float(TOP)

    def add(self, rows: Sequence[_Row]) -> None:
        """Add rows that stay together, if they fit on one page."""
        rows = [row._replace(height=row.height * self.spacing) if row.rule or not row.text else row for row in rows]
        self.space(min(sum(row.height for row in rows), HEIGHT - BOTTOM - TOP))
        for row in rows:
            self.space(row.height)
            middle, page = self.y + row.height / 2, self.pages[-1]
            for text, left, room in ((row.number, 0, INDENT), (row.text, row.indent, ROOM - row.indent)):
                if text:
                    page.text(SIDE + left, middle, text, row.size, room, LIGHT.text, align="left", bold=row.bold)
            if row.rule:
                at = self.y + row.height - 8
                ends = np.array([[SIDE + row.indent + x, at] for x in row.rule])
                page.line(ends, LIGHT.text, 0.7)
            if row.has_bar:
                page.rectangle(SIDE + row.indent - 12, self.y, 3, row.height, BAR)
            self.y += row.height

    def picture(self, sheet: Worksheet) -> None:
        """Add the picture."""
        height = picture_height(sheet, ROOM)
        self.space(height)
        draw_worksheet_picture(sheet, self.pages[-1], Box(SIDE, self.y, ROOM, height))
        self.y += height

    def save(self, title: str) -> bytes:
        """Add page numbers and return the PDF."""
        for number, page in enumerate(self.pages, 1):
            words = f"Page {number} of {len(self.pages)}"
            page.text(SIDE, HEIGHT - 44, title, SMALL, ROOM - 120, LIGHT.text, align="left")
            page.text(WIDTH - SIDE, HEIGHT - 44, words, SMALL, 110, LIGHT.text, align="right")
        return pdf_of(self.pages, title)


def _text(text: str, size: float, bold: bool = False, indent: float = 0.0) -> list[_Row]:
    """Return the lines of a paragraph. A word that is wider than the page is divided."""
    room, words = ROOM - indent, []
    for word in text.split(" "):
        word = JOINED.join(map(clean, word.split(JOINED)))
        while width(word, size, bold) > room:
            fitting = bisect_right(range(len(word)), room, key=lambda k, word=word: width(word[: k + 1], size, bold))
            keep = max(1, fitting)
            words.append(word[:keep])
            word = word[keep:]
        words.append(word)
    lines = wrapped(" ".join(words), size, room, MOST_LINES, bold)
    return [_Row(LINE * size, line.replace(JOINED, " "), size, bold, indent) for line in lines if line]


def _numbered(number: int, text: str) -> list[_Row]:
    """Return a paragraph with a number in front of it."""
    first, *others = _text(text, BODY, indent=INDENT) or [_Row(LINE * BODY, indent=INDENT)]
    return [first._replace(number=f"{number}."), *others]


def _question(number: int, one: Question) -> list[_Row]:
    rows = _numbered(number, f"{one.ask} ({one.place.replace(' ', JOINED)})")
    if one.guess is not None and one.guess.choices:
        for k, words in enumerate(one.guess.choices):
            right = one.is_right(k)
            rows += _text(f"{'☒' if right else '☐'} {words}", BODY, bold=right, indent=INDENT)
    elif one.guess is not None and one.truth:
        rows += _text(one.truth, BODY, bold=True, indent=INDENT)
    elif one.guess is not None:
        *others, last = _text(f"Your guess, {one.scale}:", BODY, indent=INDENT)
        start = min(width(last.text, BODY) + 8, ROOM - INDENT - 110)
        rows += [*others, last._replace(height=RULE, rule=(start, start + 110))]
    return rows + _answer(one.answer)


def _answer(words: str) -> list[_Row]:
    """Return an answer, or two lines to write on."""
    if words:
        return [_Row(4), *(row._replace(has_bar=True) for row in _text(words, BODY, indent=INDENT + 12))]
    return [_Row(RULE, indent=INDENT, rule=(0, ROOM - INDENT))] * 2
