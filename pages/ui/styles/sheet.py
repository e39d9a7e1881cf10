"""Load the style sheets of this folder.

The sheets in `COMMON` are in the document of every page: `streamlit.css` styles Streamlit's own elements, `pages.css`
and `class.css` style elements with their own keys. A page draws the remaining sheets, which set custom properties of
`streamlit.css` for the whole page.
"""

from functools import cache
from pathlib import Path

from viz.palette import CSS_ACCENT, STAGE_THEMES

FOLDER = Path(__file__).parent
COMMON = ("streamlit", "pages", "class")
_ON_ACCENT = ",".join(STAGE_THEMES[theme]["onAccent"] for theme in ("light", "dark"))
_COLORS = f"<style>:root{{--page-accent:{CSS_ACCENT};--page-on-accent:light-dark({_ON_ACCENT})}}</style>"


@cache
def sheet(name: str) -> str:
    """Return HTML that adds a style sheet to a page."""
    return f"<style>{(FOLDER / f'{name}.css').read_text(encoding='utf-8')}</style>"


def common() -> str:
    """Return HTML that adds the colours and the sheets in `COMMON`."""
    return _COLORS + "".join(map(sheet, COMMON))
