"""Sizes, widths and limits of the drawing of a tree, shared by the figures and the stage.

The figures (`viz.tree`) read `LOOKS`. The browser gets the same table in its payload, next to the palette, as
``path.looks``. Lengths are in pixels; the browser multiplies lengths of text by its type size.
"""

from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Detail:
    """Widths from which a node is drawn with more detail: a mark of its kind, an image, a small plot, a plot with
    line, names and condition, a plot with axes. A node counts as at least `tall` times as wide as it is high.
    """

    glyph: float = 8
    image: float = 11
    thumbnail: float = 24
    line: float = 64
    full: float = 160
    tall: float = 0.6


@dataclass(frozen=True)
class Split:
    """Line of a split. color : name of a colour of the theme (see `viz.palette.named`), or hex; width : in a
    scatterplot, `small` in one without detail, `bar` in a histogram, where it extends `over` both ends.
    """

    color: str = "text"
    width: float = 2.0
    small: float = 1.2
    bar: float = 1.6
    over: float = 1.0


@dataclass(frozen=True)
class Points:
    """Rows in a scatterplot at a level of detail: maximum number, radius, and whether they have an outline."""

    most: int
    radius: float
    outline: float = 0.0


@dataclass(frozen=True)
class PointLevels:
    """`Points` at each level of `Detail` that shows rows."""

    thumbnail: Points = Points(90, 0.9)
    line: Points = Points(220, 1.4)
    full: Points = Points(1500, 2.6, 0.5)


@dataclass(frozen=True)
class Limits:
    """Limits of an axis. The share `tail` of at least `many` rows is ignored on each side; `room` : margin on each
    side, as a share of the range; for a range of zero width, `alone` as a share of its value, or `unit`;
    `around` : margin around the boundaries without rows, `alone_around` as `alone`. plane : margin of the
    plane of two features; inside : share of weighted sums on each side that is ignored.
    """

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
    """Strip for rows with a missing value: a share of the axis, within bounds; outliers stay `off` pixels from it."""

    share: float = 0.08
    least: float = 3
    most: float = 18
    off: float = 2


@dataclass(frozen=True)
class Glyph:
    """Mark for the kind of a split: lines (x, y, x, y) by number of features, in units of `size` times the side of
    the node."""

    size: float = 0.28
    width: float = 1.3
    one: tuple = ((0, -1, 0, 1),)
    two: tuple = ((-1, 1, 1, -1),)
    more: tuple = ((-0.4, -1, -0.4, 1), (0.4, -1, 0.4, 1), (-1, -0.4, 1, -0.4), (-1, 0.4, 1, 0.4))


@dataclass(frozen=True)
class Text:
    """Sizes of text. height : of a line, as a multiple of its size; padding : around text on a coloured patch; strip
    : height of the strips in which overlapping texts are searched; slack : overlap that two texts may have.
    """

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
    """Text below a node. It begins `gap` below the node; the centre of a line is `middle` of its size further down,
    the next line `line` lower. free : height for the first line and for all lines, `each` for each; kept :
    height that a level reserves for the text; edge : distance of the edges below; margin : free width on both
    sides together. axis, name, up : for a large plot, distances of its tick labels and its name below it, and
    of those of the vertical axis above it, in sizes of text. image, one : minimum width with text of an image
    and of a univariate split; least : height of a plot that takes priority over its text; clear : free height
    below it.
    """

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
    """A leaf. strip : height of its class bar, at most `share` of the leaf (spread, spread_share : for numbers),
    with a hairline above from width `hairline`; two : width with two lines of text, `first` and `second` of
    their size from the centre; n, wrong : widths with labelled counts. For a mean image: frame, wide_frame :
    border, the second from width `wide`; badge : width with a class, `below` the image or `above` its lower
    edge (in sizes of text) depending on `room`; high : minimum height with a class on the image; counts :
    width with counts; counts_room, counts_below : as room and below.
    """

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
    """Histogram of rows: one bin for every `bin` pixels, between `fewest` and `most` bins, `gap` pixels apart;
    `margin` to the border of the node, drawn from a height of `least`.
    """

    bin: float = 5
    fewest: int = 6
    most: int = 60
    gap: float = 0.5
    margin: float = 3
    least: float = 6


@dataclass(frozen=True)
class Bars:
    """Bars of coefficients. row : height of a bar in sizes of text, `thick` its half-thickness; in nodes of at least
    height `least` they take at most `share` of it, with `above` and `below` around them, and names from width
    `named`; middle, reach : position of zero relative to the centre of the node and length of the longest
    bar, as shares of the width (without names: centred, `reach_alone`); name : share of the width for a name,
    `indent` from the border.
    """

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
    """An edge is `least` wide plus up to `share` by the square root of its share of rows, but at most the share
    `box` of the node below and one pixel. Its label is in the middle if the edge is `high` and both nodes
    have `room`, and is at most `answer` wide. bend : as a share of its height. If two edges are too close for
    a letter of `letter` pixels, only the signs are drawn. A collapsed subtree: three squares, `dots` apart
    and `dot` wide, `below` the node.
    """

    least: float = 1
    share: float = 10
    high: float = 11.9  # below `Places.close` despite rounding
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
    """Sizes of nodes and levels. largest : side of a node; wide : share of its room that it takes, at least
    `least_wide`; the height of a level is `level` plus `root` times the square root of the room of its nodes,
    at most `tallest` nodes; a node leaves `kept` for its text and `gap`, or the share `gap_share` of the
    level, unless less than `roomy` remains (then only `close`), and is at least `least_high`. leaf : height
    of a leaf for its room, `least_leaf` to `most_leaf`, at most `leaf_long` times as long and `longest_leaf`;
    leaf_image : of an image, next to those of decision nodes; flat, long : of a histogram, room for its
    height and length for its height.
    """

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
    """The whole table. frame : border of a drawing; bar : height of the classes on an image; dot : minimum radius of
    a node that is only a dot; head : height of the strip on a decision node in the colour of its majority
    class, at most the share `head_share` of its height; faint : opacity of the mean image behind the weights of a node.
    """

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
    faint: float = 0.42


LOOKS = Looks()


def looks_header() -> dict:
    """Return the table as dicts for the header of a payload, with the names that the browser uses (`leastWide`)."""
    return _camel_case(asdict(LOOKS))


def _camel_case(value):
    if not isinstance(value, dict):
        return value
    return {
        "".join([name.split("_")[0], *(part.title() for part in name.split("_")[1:])]): _camel_case(inner)
        for name, inner in value.items()
    }
