"""Numbers in words, as the browser's stage writes them (viz/stage/model/condition.js)."""

import math

import numpy as np


def number(value, digits=3):
    """A number with some significant digits, without trailing zeros, with a true minus sign."""
    if not math.isfinite(value):
        return str(value)
    short = float(f"{value:.{digits}g}")
    size = abs(short)
    if size != 0 and (size >= 1e6 or size < 1e-4):
        text = np.format_float_scientific(short, trim="-", exp_digits=1).replace("e+", "e")
    else:
        text = np.format_float_positional(short, trim="-")
    return ("0" if short == 0 else text).replace("-", "−")


def count(value):
    """A whole number with commas between thousands."""
    return f"{int(value):,}"


def percent(share, digits=1):
    """A share in [0, 1] as "12.3 %", a dash when there is none."""
    return f"{100 * share:.{digits}f} %" if math.isfinite(share) else "–"
