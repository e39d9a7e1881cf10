"""Sizes, widths and limits for drawing a tree, shared by the figures and the stage.

The figures (`viz.tree`) read `LOOKS`. The browser gets the same table in its payload, next to the palette, as
``path.looks``. Lengths are in pixels. The browser multiplies text lengths by its font size.
"""

from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Detail:
    """Minimum widths for each level of detail.

    A node counts as at least `tall` times as wide as it is high.

    glyph : mark for the kind of node
    image : image
    thumbnail : small plot
    line : plot with split line, names and condition
    full : plot with axes
    """

    glyph: float = 8
    image: float = 11
    thumbnail: float = 24
    line: float = 64
    full: float = 120
    tall: float = 0.6


@dataclass(frozen=True)
class Split:
    """Line of a split.

    color : name of a theme colour (see `viz.palette.named`), or hex
    width : width in a scatterplot
    small : width in a scatterplot without detail
    bar : width in a histogram
    over : length by which the line exceeds a histogram at both ends
    """

    color: str = "text"
    width: float = 2.0
    small: float = 1.2
    bar: float = 1.6
    over: float = 1.0


@dataclass(frozen=True)
class Points:
    """Rows in a scatterplot at a level of detail: maximum number, radius and width of the outline."""

    most: int
    radius: float
    outline: float = 0.0


@dataclass(frozen=True)
class PointLevels:
    """`Points` at each level of `Detail` at which a plot shows rows."""

    thumbnail: Points = Points(90, 0.9)
    line: Points = Points(220, 1.4)
    full: Points = Points(1500, 2.6, 0.5)


@dataclass(frozen=True)
class Limits:
    """Limits of an axis.

    tail : share of the rows that is ignored on each side, if there are at least `many` rows
    room : margin on each side, as a share of the range
    alone : margin for a range of zero width, as a share of its value
    unit : margin for a range of zero width at zero
    around, alone_around : like `room` and `alone`, for the range of the boundaries if there are no rows
    plane : margin of the plane of two features
    inside : share of the weighted sums that is ignored on each side
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
    """Strip for rows with a missing value.

    share : width as a share of the axis, between `least` and `most` pixels
    off : pixels between outliers and the strip
    """

    share: float = 0.08
    least: float = 3
    most: float = 18
    off: float = 2


@dataclass(frozen=True)
class Glyph:
    """Mark for the kind of a split.

    The lines (x, y, x, y) for one, two and more features are in units of `size` times the side of the node.
    """

    size: float = 0.28
    width: float = 1.3
    one: tuple = ((0, -1, 0, 1),)
    two: tuple = ((-1, 1, 1, -1),)
    more: tuple = ((-0.4, -1, -0.4, 1), (0.4, -1, 0.4, 1), (-1, -0.4, 1, -0.4), (-1, 0.4, 1, 0.4))


@dataclass(frozen=True)
class Text:
    """Text sizes.

    height : height of a line, as a multiple of its text size
    padding : space around text on a coloured patch
    strip : height of the horizontal strips in which overlapping labels are searched
    slack : overlap that two labels may have
    """

    smallest: float = 12
    small: float = 12
    normal: float = 13.2
    large: float = 15
    height: float = 1.22
    padding: float = 3
    strip: float = 40
    slack: float = 0.5


@dataclass(frozen=True)
class Words:
    """Text below a node.

    gap : distance from the node to the text
    middle : distance from the top of a line to its centre, in text sizes
    line : distance between two lines
    free, each : height needed for text: `free` plus `each` per line
    kept : height that a level reserves for the text
    edge : distance from the text to the edges below it
    margin : free width on both sides together
    axis, name : distances from a large plot to its tick labels and to the name of its axis, in text sizes
    up : distance from a large plot to the name of the vertical axis above it, in text sizes
    image, one : minimum width of an image and of a univariate split with text
    least : height of a plot that takes priority over the text below it
    clear : free height below the text
    """

    gap: float = 4
    middle: float = 0.62
    line: float = 15.6
    free: float = 14.4
    each: float = 16.8
    kept: float = 20.4
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
    """Leaf.

    strip, share : height of the class bar, and its maximum as a share of the leaf
    spread, spread_share : the same for the bar of a regression leaf
    hairline : width from which a thin line separates the bar
    two : width from which a leaf has two lines of text
    both : minimum height of a leaf with two lines of text, in text sizes
    first, second : distances of these lines from the centre, in text sizes
    n, wrong : widths from which the counts of rows and errors have labels
    frame : border of a linear leaf
    pale : share of the class colour in the fill of a leaf; the rest is the background
    badge : width from which a mean image shows its class
    below, above, room : the class is `below` the image if `room` is free, otherwise `above` its lower edge, in text
        sizes
    high : minimum height of an image with the class on it
    counts : width from which a mean image shows counts
    counts_room, counts_below : the same as `room` and `below`, for the counts
    """

    strip: float = 7
    share: float = 0.25
    hairline: float = 10
    two: float = 44
    both: float = 2.2
    first: float = 0.6
    second: float = 0.62
    n: float = 60
    wrong: float = 96
    spread: float = 20
    spread_share: float = 0.42
    frame: float = 2
    pale: float = 0.25
    badge: float = 20
    below: float = 0.72
    above: float = 0.6
    room: float = 1.5
    high: float = 2.2
    counts: float = 72
    counts_room: float = 3
    counts_below: float = 1.95


@dataclass(frozen=True)
class Histogram:
    """Histogram of rows.

    bin : minimum number of pixels per bin, if this gives between `fewest` and `most` bins
    per_root : maximum number of bins per square root of the number of rows
    gap : pixels between bins
    margin : distance from the border of the node
    least : minimum height of a histogram
    """

    bin: float = 5
    per_root: float = 3
    fewest: int = 6
    most: int = 60
    gap: float = 0.5
    margin: float = 3
    least: float = 6


@dataclass(frozen=True)
class Bars:
    """Bars of coefficients.

    row : height of a row, in text sizes
    thick : half the thickness of a bar, in text sizes
    least : minimum height of a node with bars
    share : maximum share of the height that the bars take
    above, below : space around the bars
    named : width from which the bars have names
    middle : distance of zero from the centre of the node, as a share of the width
    reach, reach_alone : length of the longest bar with and without names, as a share of the width
    name : maximum width of a name, as a share of the width
    indent : distance of a name from the border
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
    """Edges between nodes.

    least, share : width: `least` plus `share` times the square root of the share of rows
    box : maximum width, as a share of the node below plus one pixel
    high, room : an edge of height `high` between nodes with `room` has its label in the middle
    answer : maximum width of the label
    letter : room for one letter; edges closer than this show only the signs
    bend : length of the bend, as a share of the height of the edge
    dots, dot, below : distance, width and offset of the three squares below a collapsed subtree
    """

    least: float = 1
    share: float = 10
    high: float = 11.9  # lower than `Places.close`, because sizes are rounded
    room: float = 34
    answer: float = 108
    letter: float = 6
    box: float = 0.5
    bend: float = 0.5
    dots: float = 4
    dot: float = 2
    below: float = 3


@dataclass(frozen=True)
class Places:
    """Sizes of nodes and levels.

    largest : maximum side of a node
    wide : share of its room that a node takes, at least `least_wide`
    level, root : height of a level: `level` plus `root` times the square root of the room of its nodes
    tallest : maximum height of a level, as a multiple of `largest`
    gap, gap_share : free height below a node, in pixels and as a share of the level
    roomy, close : if less than `roomy` remains for the node, the free height is only `close`
    least_high : minimum height of a node
    leaf : height of a leaf relative to its room, from `least_leaf` to `most_leaf`
    leaf_long, longest_leaf : maximum width of a leaf, in leaf heights and in pixels
    leaf_image : size of an image in a leaf, relative to those in decision nodes
    flat, long : maximum height and width of a histogram, relative to its room and to its height
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
    leaf_image: float = 0.75
    flat: float = 1.3
    long: float = 1.75


@dataclass(frozen=True)
class Looks:
    """All tables and a few single values.

    frame : border of a drawing
    bar : height of the class bar on an image
    dot : minimum radius of a node drawn as a dot
    head : height of the strip in the colour of the majority class on a decision node
    head_share : maximum height of this strip, as a share of the node
    faint : opacity of the mean image behind the weights of a node
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
