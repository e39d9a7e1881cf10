"""Check the format, size, resolution and theme of a figure."""

from treecore.errors import ParameterError
from treecore.messages import literal
from treecore.parameter_checks import check_choice, check_number
from viz.figure_format import FIGURE_FORMATS
from viz.palette import THEMES

LEAST_SIZE, MOST_SIZE = 1, 100  # in inches
LEAST_DPI, MOST_DPI = 20, 2400
MOST_PIXELS = 60_000_000  # limit for a PNG


def check_output(format: str, size: tuple, dpi: float, theme: str) -> None:
    """Raise ParameterError for an unknown format or theme, or a figure that is too small or too large."""
    check_choice(format, "format", tuple(FIGURE_FORMATS))
    check_theme(theme)
    if not isinstance(size, (tuple, list)) or len(size) != 2:
        raise ParameterError(f"size={literal(size)}: expected (width, height) in inches; the height may be None.")
    check_number(size[0], "size[0], the width in inches,", LEAST_SIZE, MOST_SIZE)
    check_number(dpi, "dpi", LEAST_DPI, MOST_DPI)
    if size[1] is not None:
        check_number(size[1], "size[1], the height in inches,", LEAST_SIZE, MOST_SIZE)
        check_pixels(format, size, dpi)


def check_pixels(format: str, size: tuple, dpi: float) -> None:
    """Raise ParameterError for a PNG with too many pixels."""
    pixels = size[0] * size[1] * dpi**2
    if FIGURE_FORMATS[format].has_pixels and pixels > MOST_PIXELS:
        fine = int(dpi * (MOST_PIXELS / pixels) ** 0.5)
        raise ParameterError(
            f"dpi={dpi:g}: a PNG of {size[0]:.3g} x {size[1]:.3g} inches would have {pixels / 1000000.0:,.0f} "
            f"million pixels (maximum {MOST_PIXELS // 10**6} million). Use dpi <= {fine}, a smaller size, or "
            "SVG or PDF."
        )


def check_theme(theme: str) -> None:
    """Raise ParameterError for an unknown theme."""
    check_choice(theme, "theme", tuple(THEMES))
