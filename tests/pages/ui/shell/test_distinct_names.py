"""Test that two columns of a table never have the same name."""

import pytest

from pages.ui.shell.distinct_names import distinct_names


@pytest.mark.parametrize(
    ("names", "taken", "expected"),
    [
        (["a", "a", "a"], (), ["a", "a (2)", "a (3)"]),
        (["class", "class (2)", "class"], ["class"], ["class (2)", "class (2) (2)", "class (3)"]),
        ([1, "1"], (), ["1", "1 (2)"]),
    ],
)
def test_names_differ(names, taken, expected):
    assert distinct_names(names, taken) == expected
