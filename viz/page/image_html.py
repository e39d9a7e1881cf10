"""Images as HTML, because Streamlit pages do not allow inline SVG."""

import base64
from html import escape


def image_html(svg: str, words: str, shape: str = "1") -> str:
    """Return an image of the width of its place.

    svg : SVG text
    words : alternative text; "" for an image that is only decorative
    shape : ratio of width to height
    """
    source = f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"
    return f'<img alt="{escape(words)}" src="{source}" style="display:block;width:100%;aspect-ratio:{shape}">'
