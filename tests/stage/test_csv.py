"""Cells of the CSV files that the browser saves."""

import pytest

CASES = [
    ("=1+1", "'=1+1"), ("+cmd", "'+cmd"), ("-2+3", "'-2+3"), ("@SUM(A1)", "'@SUM(A1)"), ("\tx", "'\tx"),
    ("\rx", '"\'\rx"'), ("a,b", '"a,b"'), ('say "x"', '"say ""x"""'), ("two\nlines", '"two\nlines"'),
    ("=a,b", '"\'=a,b"'), ("-1", "-1"), ("+2.5e3", "+2.5e3"), (-1.5, "-1.5"), (0.1, "0.1"), (1e300, "1e+300"),
    (None, ""), ("plain", "plain"), (" padded", '" padded"'), ("", ""),
]  # fmt: skip


@pytest.mark.xdist_group("stage")
def test_cells_are_quoted_and_no_text_is_a_formula(ask):
    assert ask("cells", None, [value for value, _ in CASES]) == [cell for _, cell in CASES]
