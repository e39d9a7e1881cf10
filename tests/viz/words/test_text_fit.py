"""Test that text has the width given by the font, and is shortened only if it does not fit."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from viz.words.text_fit import SMALLEST, UNKNOWN, clean, fit, width


@pytest.mark.parametrize("bold", [False, True])
@pytest.mark.parametrize("text", ["flavanoids", "WWW", "iii", "λ = 0.0362", "≥ −1.5e−07"])
def test_widths_are_a_little_more_than_those_of_the_drawn_text(text, bold):
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    drawn, _, _ = text_to_path.get_text_width_height_descent(
        text, FontProperties(size=100, weight="bold" if bold else "normal"), ismath=False
    )
    assert 1.03 * drawn <= width(text, 100, bold) <= 1.09 * drawn


@given(st.text(), st.floats(1, 40), st.floats(0, 400), st.booleans(), st.booleans())
def test_text_that_fits_is_unchanged(text, pixels, room, bold, whole):
    shown, size = fit(clean(text), pixels, room, bold, whole)
    if not shown:
        assert size == 0
        return
    assert SMALLEST <= size <= pixels
    assert width(shown, size, bold) <= room * (1 + 1e-8)
    if shown != clean(text):
        assert not whole
        assert "…" in shown
        # A text was shortened only if it is too long at the smallest size.
        assert width(clean(text), SMALLEST, bold) > room


def test_long_names_keep_both_ends():
    shown, size = fit("od280/od315 of diluted wines", 12, 100)
    assert size == SMALLEST
    assert shown.startswith("od280")
    assert shown.endswith("wines")


@given(st.text("≥ 0123456789.-e", min_size=1), st.floats(12.5, 40))
def test_slightly_too_wide_text_gets_smaller(text, pixels):
    for share in (0.96, 0.99, 1.0):
        shown, size = fit(text, pixels, share * width(text, pixels), whole=True)
        assert shown == text
        assert size == pytest.approx(share * pixels)


def test_numbers_are_not_cut():
    assert fit("≥ 12345.678", 11, 40, whole=True) == ("", 0.0)


def test_undrawable_characters_are_replaced():
    assert clean("a\x00b\n\udc80") == f"a{UNKNOWN}b{UNKNOWN}{UNKNOWN}"
    assert clean("\N{FOX FACE}x") == f"{UNKNOWN}x"
    assert clean("\N{FOX FACE}x", any_glyph=True) == "\N{FOX FACE}x"
