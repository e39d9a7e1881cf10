"""Sizes, widths and limits of the picture of a tree, by kind: one table for the figures and for the stage.

The figures (`viz.tree`) read `LOOKS`; the browser gets the same table in its payload, beside the palette, as
``path.looks``. Lengths are pixels; the browser multiplies those of text by its size of type.
"""

from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Detail:
    """Widths of a node from which it is more than a dot: a mark of its kind, an image, a small picture, a picture with
    its line, names and condition, one with its axes. A node counts as at least `tall` times as wide as it is high."""

    glyph: float = 8
    image: float = 11
    thumbnail: float = 24
    line: float = 64
    full: float = 160
    tall: float = 0.6


@dataclass(frozen=True)
class Split:
    """The line of a decision. color : name of a colour of the theme (see `viz.palette.named`), or hex; width : in a
    scatterplot, `small` in one without detail, `bar` in a histogram, where it reaches `over` both ends."""

    color: str = "text"
    width: float = 2.0
    small: float = 1.2
    bar: float = 1.6
    over: float = 1.0


@dataclass(frozen=True)
class Points:
    """Rows in a scatterplot at a level of detail: at most so many, of this radius, with an outline or without."""

    most: int
    radius: float
    outline: float = 0.0


@dataclass(frozen=True)
class PointLevels:
    """`Points` at each level of `Detail` that shows them."""

    thumbnail: Points = Points(90, 0.9)
    line: Points = Points(220, 1.4)
    full: Points = Points(1500, 2.6, 0.5)


@dataclass(frozen=True)
class Limits:
    """Ends of an axis: with `many` rows or more the share `tail` of them on both sides does not count; `room` on both
    sides, as a share of the range; of a range without width, `alone` as a share of its value, or `unit`; `around` the
    boundaries where there is no row, `alone_around` as `alone`. plane : room around the plane of two features;
    inside : share of weighted sums on both sides that does not count."""

    tail: float = 0.004
    many: int = 400
    room: float = 0.04
    alone: float = 0.05
    unit: float = 0.5
    around: float = 0.25
    alone_around: float = 0.5
    plane: float = 0.03
    inside: float = 0.01


@dataclass(frozen=True)
class MissingStrip:
    """Strip for rows that miss a value: a share of the axis, within bounds; far values stay `off` it."""

    share: float = 0.08
    least: float = 3
    most: float = 18
    off: float = 2


@dataclass(frozen=True)
class Glyph:
    """Mark of the kind of a decision: lines (x, y, x, y) by number of features, in `size` of the node's side."""

    size: float = 0.28
    width: float = 1.3
    one: tuple = ((0, -1, 0, 1),)
    two: tuple = ((-1, 1, 1, -1),)
    more: tuple = ((-0.4, -1, -0.4, 1), (0.4, -1, 0.4, 1), (-1, -0.4, 1, -0.4), (-1, 0.4, 1, 0.4))


@dataclass(frozen=True)
class Text:
    """Sizes of text. height : of a line, in its size; padding : of a text on a patch of colour; strip : height of the
    strips in which texts that meet are looked for; slack : by how much two texts may meet."""

    smallest: float = 9
    small: float = 10
    normal: float = 11
    large: float = 12.5
    height: float = 1.22
    padding: float = 3
    strip: float = 40
    slack: float = 0.5


@dataclass(frozen=True)
class Words:
    """Words below a node. They begin `gap` below it, the middle of a line `middle` of its size further, the next one
    `line` below. free : height for the first line and all of them, `each` for each; kept : height that a level keeps
    for them; edge : distance of the edges below them; margin : free width on both sides together. axis, name,
    up : of a large picture, how far below it the numbers of its axis and the name are, above it those of the upward
    axis, in sizes of text. image, one : widths of an image, and of a decision on one feature, that has its
    words; least : height of a picture whose words come before it, clear : free height below them."""

    gap: float = 4
    middle: float = 0.62
    line: float = 13
    free: float = 12
    each: float = 14
    kept: float = 17
    edge: float = 5
    margin: float = 4
    axis: float = 1.0
    name: float = 2.2
    up: float = 0.8
    image: float = 40
    one: float = 44
    least: float = 28
    clear: float = 11


@dataclass(frozen=True)
class Leaf:
    """A leaf. strip : height of its bar of classes, at most `share` of the leaf's (spread, spread_share : of numbers),
    with a hairline above it from width
    `hairline`; two : width with two lines of text, `first` and `second` of their size from the middle; n, wrong :
    widths that say what the numbers are. Of a mean image: frame, wide_frame : border, the second from width `wide`;
    badge : width with a class, `below` the image or `above` its lower edge (in sizes of text) by whether there is
    `room`; high : least height with a class on it; counts : width with numbers, `counts_room`, `counts_below` : as
    room and below."""

    strip: float = 7
    share: float = 0.25
    hairline: float = 10
    two: float = 44
    first: float = 0.6
    second: float = 0.62
    n: float = 60
    wrong: float = 96
    spread: float = 20
    spread_share: float = 0.42
    frame: float = 2
    wide_frame: float = 3
    wide: float = 28
    badge: float = 20
    below: float = 0.72
    above: float = 0.6
    room: float = 1.5
    high: float = 2.2
    counts: float = 52
    counts_room: float = 3
    counts_below: float = 1.95


@dataclass(frozen=True)
class Histogram:
    """Rows along a line: a bin every `bin` pixels, `fewest` to `most` of them, `gap` pixels between them; `margin` to
    the border of the node, drawn from a height of `least`."""

    bin: float = 5
    fewest: int = 6
    most: int = 60
    gap: float = 0.5
    margin: float = 3
    least: float = 6


@dataclass(frozen=True)
class Bars:
    """Bars of coefficients. row : height of one in sizes of text, `thick` its part on each side of the middle; from a
    height of `least` of the node they take at most the `share` of it, with `above` and `below` around them; from width
    `named` with names; middle, reach : where zero is, right of the node's middle, and length of the longest, as shares
    of the width, with names (without: in the middle, `reach_alone`); name : share of the width that a
    name takes, `indent` from the border."""

    row: float = 1.28
    thick: float = 0.34
    least: float = 58
    share: float = 0.52
    spare: float = 4
    above: float = 3
    below: float = 3
    named: float = 88
    middle: float = 0.27
    reach: float = 0.2
    reach_alone: float = 0.45
    name: float = 0.54
    indent: float = 5


@dataclass(frozen=True)
class Edges:
    """An edge is `least` wide and as much as `share` more, by the root of its share of rows, but no wider
    than the share `box` of the node below and a pixel; its answer stands in the
    middle where the edge is `high` and both nodes have `room`, and is at most `answer` wide. bend : of its height.
    Of two that stand so close that a letter of `letter` pixels has no room, only the signs are written.
    A subtree that is not shown: three squares, `dots` apart and `dot` wide, `below` the node."""

    least: float = 1
    share: float = 10
    high: float = 11.9  # below `Places.close`, whatever the rounding
    room: float = 34
    answer: float = 90
    letter: float = 6
    box: float = 0.5
    bend: float = 0.5
    dots: float = 4
    dot: float = 2
    below: float = 3


@dataclass(frozen=True)
class Places:
    """How large nodes and levels are. largest : side of a node; wide : share of its room that it takes, at least
    `least_wide`; a level is as high as `level` and `root` times the square root of its nodes' room, at most `tallest`
    nodes; a node leaves the words `kept` for them and `gap`, or the share `gap_share` of the level, free, unless that
    leaves less than `roomy` (then only `close`), and is at least `least_high`.
    leaf : height of a leaf for its room, `least_leaf` to `most_leaf`, at most `leaf_long` times as long and
    `longest_leaf`; leaf_image : of an image, beside those of decisions; flat, long : of a histogram, room for its
    height and length for its height."""

    largest: float = 280
    wide: float = 0.92
    least_wide: float = 3
    level: float = 40
    root: float = 5
    tallest: float = 1.3
    gap: float = 16
    gap_share: float = 0.15
    roomy: float = 26
    close: float = 12
    least_high: float = 5
    leaf: float = 0.75
    least_leaf: float = 16
    most_leaf: float = 50
    leaf_long: float = 3.4
    longest_leaf: float = 132
    leaf_image: float = 0.86
    flat: float = 1.3
    long: float = 1.75


@dataclass(frozen=True)
class Looks:
    """All of it. frame : width of the border of a picture; bar : height of the classes on an image; dot : smallest
    radius of a node that is only a dot; head : height of the strip on a decision in the colour of what most of its rows
    are, at most the share `head_share` of its height."""

    detail: Detail = Detail()
    split: Split = Split()
    points: PointLevels = PointLevels()
    limits: Limits = Limits()
    missing_strip: MissingStrip = MissingStrip()
    glyph: Glyph = Glyph()
    text: Text = Text()
    words: Words = Words()
    leaf: Leaf = Leaf()
    histogram: Histogram = Histogram()
    bars: Bars = Bars()
    edges: Edges = Edges()
    places: Places = Places()
    frame: float = 1.0
    bar: float = 5
    dot: float = 1.3
    head: float = 4
    head_share: float = 0.12


LOOKS = Looks()


def looks_header() -> dict:
    """The table as dicts, for the header of a payload; names as the browser writes them (`leastWide`)."""
    return _camel_case(asdict(LOOKS))


def _camel_case(value):
    if not isinstance(value, dict):
        return value
    return {
        "".join([name.split("_")[0], *(part.title() for part in name.split("_")[1:])]): _camel_case(inner)
        for name, inner in value.items()
    }
