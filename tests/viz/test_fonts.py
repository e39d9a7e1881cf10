"""Test that figures draw every character for which a font is installed, and warn about the others."""

import warnings

import matplotlib.font_manager
import numpy as np
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

import viz
from tests.refusals import wording
from treecore import CARTClassifier, FontWarning
from viz.drawing.canvas import Canvas, font_words
from viz.palette import THEMES
from viz.words import text_fit

DRAWN, UNDRAWN = "\U00013000", "\U00013001"  # two hieroglyphs; the font of the test contains the first one


@pytest.fixture
def font(tmp_path, monkeypatch):
    """Install a font with one hieroglyph, a black square."""
    pen = TTGlyphPen(None)
    for act, *place in ((pen.moveTo, (0, 0)), (pen.lineTo, (0, 900)), (pen.lineTo, (900, 900)), (pen.lineTo, (900, 0))):
        act(*place)
    pen.closePath()
    glyphs = {".notdef": TTGlyphPen(None).glyph(), "square": pen.glyph()}
    made = FontBuilder(1000, isTTF=True)
    made.setupGlyphOrder(list(glyphs))
    made.setupCharacterMap({ord(DRAWN): "square"})
    made.setupGlyf(glyphs)
    made.setupHorizontalMetrics(dict.fromkeys(glyphs, (1000, 0)))
    made.setupHorizontalHeader(ascent=900, descent=-100)
    made.setupNameTable({"familyName": "Noto Test", "styleName": "Regular"})
    made.setupOS2()
    made.setupPost()
    made.save(tmp_path / "test.ttf")
    fonts = matplotlib.font_manager.fontManager
    monkeypatch.setattr(fonts, "ttflist", list(fonts.ttflist))
    monkeypatch.setattr(text_fit, "_FALLBACKS", {})
    monkeypatch.setattr(text_fit, "_CHARACTERS", {})
    fonts.addfont(tmp_path / "test.ttf")
    yield
    matplotlib.font_manager.fontManager._findfont_cached.cache_clear()


def caught(draw):
    """Return (result, texts of the font warnings)."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        result = draw()
    return result, [str(one.message) for one in found if issubclass(one.category, FontWarning)]


def test_a_character_of_an_installed_font_is_drawn(font):
    def pixels(text):
        canvas = Canvas(60, 40, THEMES["light"])
        canvas.text(30, 20, text, 24, 60, "#000000")
        return caught(canvas.pixels)

    assert (text_fit.lacking([DRAWN]), text_fit.families("a" + DRAWN)) == ("", ["sans-serif", "Noto Test"])
    assert text_fit.families("aé ش") is None
    image, said = pixels(DRAWN)
    assert said == []
    dark = (image.sum(axis=2) < 150).sum()
    assert dark > 200  # the black square, not the frame of a missing character
    image, said = pixels(UNDRAWN)
    assert wording(
        f"No installed font contains 1 character of this figure ({UNDRAWN}), so PNG and PDF show replacement characters"
    ).search(said[0])
    assert (image.sum(axis=2) < 150).sum() != dark


@pytest.mark.parametrize("place", ["feature", "class", "title"])
def test_figures_warn_about_characters_without_a_font_wherever_they_are(place):
    X, y = np.arange(12.0)[:, None], np.repeat(["a", UNDRAWN if place == "class" else "b"], 6)
    tree = CARTClassifier(cv=2).fit(X, y).tree_.with_names([UNDRAWN if place == "feature" else "x"])
    title = UNDRAWN if place == "title" else "tree"
    for form in ("png", "pdf"):
        _, said = caught(lambda form=form: viz.figure(tree, X, y, format=form, title=title))
        assert len(said) == 1
        assert wording(
            "No installed font contains … of this figure (…), so PNG and PDF show replacement characters"
        ).search(said[0])
    svg, said = caught(lambda: viz.figure(tree, X, y, title=title))
    assert said == []
    assert UNDRAWN in svg.decode()


def test_letters_from_right_to_left_are_marked():
    assert font_words(["name"]) == ""
    assert (
        font_words(["a", "\u0634"])
        == "PNG and PDF show Arabic and Hebrew letters separately and from left to right. Save the figure as SVG."
    )
    canvas = Canvas(60, 40, THEMES["light"])
    canvas.text(30, 20, "\u05d0", 24, 60, "#000000")
    assert caught(canvas.pixels)[1] == [
        "PNG and PDF show Arabic and Hebrew letters separately and from left to right. Save the figure as SVG."
    ]
