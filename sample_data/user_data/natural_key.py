"""Sort names as people expect: numbers by value, then texts, with numbers inside texts compared by value."""

import re


def natural_key(text: str) -> tuple:
    """Return a sort key that puts "2" before "10", and "day 2" before "day 10"."""
    try:
        return (0, float(text), text)
    except ValueError:
        parts = re.split(r"(\d{1,15})", text.lower())
        return (1, [int(part) if k % 2 else part for k, part in enumerate(parts)], text)
