"""What tests ask of errors and of texts for people: their codes and values, never their wording."""

from contextlib import contextmanager
from typing import NamedTuple

import pytest

from treecore.errors import TreecoreError
from treecore.messages import Sentence


class Said(NamedTuple):
    """What a sentence is made of: its code and some of its values."""

    code: str
    values: dict


def said(code, /, **values):
    """`Said`, for lists of what is refused and how."""
    return Said(code, values)


@contextmanager
def refused(kind, code, /, **values):
    """The block raises an error of this kind with the code `code` and, among its values, `values`.

    code : str, or both as `said` has them.
    """
    if isinstance(code, Said):
        code, values = code
    with pytest.raises(kind) as caught:
        yield caught
    assert isinstance(caught.value, TreecoreError)
    assert (caught.value.code, {name: caught.value.values.get(name) for name in values}) == (code, values)


@contextmanager
def warned(kind, code, /, **values):
    """The block warns first of this kind, with the code `code` and, among its values, `values`."""
    with pytest.warns(kind) as caught:
        yield caught
    assert is_said(caught[0].message.args[0], code, **values), caught[0].message


def is_said(text, code, /, **values):
    """Whether a text is the `Sentence` with this code and, among its values, `values`."""
    return isinstance(text, Sentence) and text.code == code and values.items() <= text.values.items()
