"""Detect columns in which NA is a code: states, continents, countries and other codes of two letters."""

import re

_LEAST = 3  # smallest number of different codes other than NA


def are_codes(fields: list[str]) -> bool:
    """Test whether the values of a column are codes of two capital letters, so that NA may be a code."""
    texts = set(fields) - {"NA"}
    return len(texts) >= _LEAST and all(re.fullmatch("[A-Z]{2}", text) for text in texts)
