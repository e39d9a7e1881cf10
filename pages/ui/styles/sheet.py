"""`sheet`: the stylesheets of this folder. `streamlit.css`, which every page has, styles Streamlit's own elements; the
others what a page or a part of one draws, and the custom properties of `streamlit.css`."""

from functools import cache
from pathlib import Path

from viz.page.stage_source import lean_style
from viz.palette import CSS_ACCENT, STAGE_THEMES

FOLDER = Path(__file__).parent
_ON_ACCENT = ",".join(STAGE_THEMES[theme]["onAccent"] for theme in ("light", "dark"))
COLORS = f"<style>:root{{--page-accent:{CSS_ACCENT};--page-on-accent:light-dark({_ON_ACCENT})}}</style>"


@cache
def sheet(name: str) -> str:
    """HTML that puts the sheet of a name into a page."""
    return f"<style>{lean_style((FOLDER / f'{name}.css').read_text(encoding='utf-8'))}</style>"
