"""What tests ask of errors and of texts for people: their codes and values, never their wording."""

from contextlib import contextmanager

import pytest

from treecore.errors import TreecoreError
from treecore.messages import Sentence


@contextmanager
def refused(kind, code, **values):
    """The block raises an error of this kind with the code `code` and, among its values, `values`."""
    with pytest.raises(kind) as caught:
        yield caught
    assert isinstance(caught.value, TreecoreError)
    assert (caught.value.code, {name: caught.value.values.get(name) for name in values}) == (code, values)


def is_said(text, code, **values):
    """Whether a text is the `Sentence` with this code and, among its values, `values`."""
    return isinstance(text, Sentence) and text.code == code and values.items() <= text.values.items()
