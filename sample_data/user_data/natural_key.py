"""The order in which people expect names: numbers by value, then texts, parts of texts that are numbers by value."""

import re


def natural_key(text: str) -> tuple:
    """Return the key that sorts "2" before "10" and "day 2" before "day 10"."""
    try:
        return (0, float(text), text)
    except ValueError:
        parts = re.split(r"(\d{1,15})", text.lower())
        return (1, [int(part) if k % 2 else part for k, part in enumerate(parts)], text)
