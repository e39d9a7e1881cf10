"""Test that all cases of a test run and that each failure is reported."""

import pytest

from tests.each import each

pytest_plugins = ["pytester"]

FILE = """
import pytest
from tests.each import each

seen = []

@pytest.fixture
def offset():
    return 1

@pytest.mark.parametrize("kind", ["a", "b"])
@each("left, right", [(1, 2), (2, 2), (3, 9)])
@each("shift", [0, 5], ids=str)
def test_sum(offset, kind, left, right, shift):
    seen.append((kind, left, right, shift))
    assert left + offset + shift == right + shift

def test_all_ran():
    assert len(seen) == 12
"""


def test_every_case_runs_and_each_that_fails_is_named(pytester):
    pytester.makepyfile(FILE)
    found = pytester.runpytest("-n", "0", "-p", "no:cacheprovider", "-q")
    words = found.stdout.str()
    for case in ("2, 2, 0", "2, 2, 5", "3, 9, 0", "3, 9, 5"):
        assert words.count(f"SUBFAILED[{case}]") == 2
    assert "SUBFAILED[1, 2" not in words
    assert "1 passed" in words


def test_a_test_without_cases_or_with_an_unknown_argument_is_refused():
    with pytest.raises(AssertionError, match="no cases"):
        each("value", [])
    with pytest.raises(AssertionError, match="no argument"):
        each("value", [1])(lambda other: None)
