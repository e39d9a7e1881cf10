"""Check errors and user-visible texts by a phrase of their wording."""

import re
from contextlib import contextmanager

import pytest


@contextmanager
def refused(kind, phrase, /, **values):
    """Assert that the block raises an error of this kind whose text contains a phrase and some values.

    phrase : str, in which … stands for any text; values : values that the text contains, in any place.
    """
    with pytest.raises(kind) as caught:
        yield caught
    assert is_said(str(caught.value), phrase, **values), (str(caught.value), phrase, values)


@contextmanager
def warned(kind, phrase, /, **values):
    """Assert that the first warning of this kind in the block contains a phrase and some values, as in `refused`."""
    with pytest.warns(kind) as caught:
        yield caught
    text = str(caught[0].message)
    assert is_said(text, phrase, **values), (text, phrase, values)


def is_said(text, phrase, /, **values):
    """Test whether a text contains a phrase and some values, as in `refused`."""
    return wording(phrase).search(text) is not None and all(_shows(text, value) for value in values.values())


def wording(phrase):
    """Return a regex for a phrase, in which … stands for any text."""
    return re.compile(".*".join(map(re.escape, phrase.split("…"))), re.DOTALL)


def _shows(text, value):
    if isinstance(value, list | tuple):
        return all(_shows(text, one) for one in value)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return str(value) in text or (number and (f"{value:,}" in text or f"{value:g}" in text))
