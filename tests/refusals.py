"""Check errors and user-visible texts by their codes and values, never by their wording."""

import re
import string
from contextlib import contextmanager
from typing import NamedTuple

import pytest

from treecore.messages import Catalogue, Sentence


class Said(NamedTuple):
    """Expected sentence: its code and some of its values."""

    code: str
    values: dict


def said(code, /, **values):
    """Return `Said`, for lists of refused input and the expected sentences."""
    return Said(code, values)


@contextmanager
def refused(kind, code, /, **values):
    """Assert that the block raises an error of this kind with this code. The values of the error must include `values`.

    code : str, or the code and the values as returned by `said`.
    """
    if isinstance(code, Said):
        code, values = code
    with pytest.raises(kind) as caught:
        yield caught
    sentence = caught.value.args[0]
    assert isinstance(sentence, Sentence), sentence
    assert (sentence.code, {name: sentence.values.get(name) for name in values}) == (code, values)


@contextmanager
def warned(kind, code, /, **values):
    """Assert that the first warning of this kind in the block has this code. Its values must include `values`."""
    with pytest.warns(kind) as caught:
        yield caught
    assert is_said(caught[0].message.args[0], code, **values), caught[0].message


def is_said(text, code, /, **values):
    """Test whether a text is a `Sentence` with this code whose values include `values`."""
    return isinstance(text, Sentence) and text.code == code and values.items() <= text.values.items()


def wording(messages, name, /, **values):
    """Return a regex for the sentence `name` in a `Catalogue`. Fields that are not in `values` match any text.

    Use it for the output of a page or a program, which contains no codes.
    """
    found = []
    for before, field, spec, conversion in string.Formatter().parse(messages.texts[name]):
        found.append(re.escape(before))
        if field is not None and field in values:
            part = f"{{{field}{'!' + conversion if conversion else ''}:{spec}}}"
            found.append(re.escape(Catalogue("", {"": part})("", **{field: values[field]})))
        elif field is not None:
            found.append(".*")
    assert values.keys() <= messages.fields(name)
    return re.compile("".join(found), re.DOTALL)
