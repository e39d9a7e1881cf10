"""Combine the code of an examples page with the images that it makes."""

import os
import re
import tempfile
from pathlib import Path

_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def gallery(markdown: str) -> tuple[str, dict[str, bytes]]:
    """Return (Markdown with each image after the code block that writes it, {file name: bytes}).

    The blocks run in order, share their names and write to an empty folder.
    """
    pictures: dict[str, bytes] = {}
    names: dict = {"__name__": "gallery"}
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:

        def with_pictures(block):
            exec(compile(block[1], "gallery.md", "exec"), names)
            made = sorted(path for path in Path(folder).iterdir() if path.name not in pictures)
            pictures.update({path.name: path.read_bytes() for path in made})
            shown = [
                f'<iframe src="pictures/{path.name}" width="100%" height="640" style="border:0"></iframe>'
                if path.suffix == ".html"
                else f"![What this code draws](pictures/{path.name})"
                for path in made
            ]
            return "\n\n".join([block[0], *shown])

        os.chdir(folder)
        try:
            return _BLOCK.sub(with_pictures, markdown), pictures
        finally:
            os.chdir(here)
