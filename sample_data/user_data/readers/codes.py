"""Columns in which NA is a code: states, continents and other codes of two letters."""

import re

_STATE_CODES = (
    "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA "
    "RI SC SD TN TX UT VT VA WA WV WI WY DC PR GU VI AS MP"
)
_STATES = frozenset(_STATE_CODES.split())
_CONTINENTS = frozenset(["AF", "AN", "AS", "EU", "OC", "SA"])
_MANY = 15  # different codes, such as those of countries, where NA is Namibia


def are_codes(fields: list[str]) -> bool:
    """Whether the values of a column are codes of states, continents or many countries, so that NA may be one."""
    texts = set(fields) - {"NA"}
    if len(texts) < 3 or not all(re.fullmatch("[A-Z]{2}", text) for text in texts):
        return False
    return texts <= _STATES or texts <= _CONTINENTS or len(texts) >= _MANY
