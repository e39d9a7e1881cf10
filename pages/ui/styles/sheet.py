"""Load the style sheets of this folder.

`streamlit.css`, which every page has, styles Streamlit's own elements. The other sheets style parts of pages, with the
custom properties of `streamlit.css`.
"""

from functools import cache
from pathlib import Path

from viz.page.stage_source import lean_style
from viz.palette import CSS_ACCENT, STAGE_THEMES

FOLDER = Path(__file__).parent
_ON_ACCENT = ",".join(STAGE_THEMES[theme]["onAccent"] for theme in ("light", "dark"))
COLORS = f"<style>:root{{--page-accent:{CSS_ACCENT};--page-on-accent:light-dark({_ON_ACCENT})}}</style>"


@cache
def sheet(name: str) -> str:
    """Return HTML that adds a style sheet to a page."""
    return f"<style>{lean_style((FOLDER / f'{name}.css').read_text(encoding='utf-8'))}</style>"
