"""`file_content`: the bytes of a model file, given its path, bytes or text."""

import os
from pathlib import Path
from typing import Any

from treecore.errors import ParameterError, TreeFormatError
from treecore.messages import literal
from treecore.tree.tree_json import MAX_TEXT


def file_content(source: Any, what: str) -> bytes:
    """Return the bytes of a file from its path (str or PathLike), bytes, or text with a line break, brace or tag.

    what : name of the source. Raise TreeFormatError for a missing or too large file, ParameterError for other types.
    """
    if isinstance(source, bytes | bytearray | memoryview):
        content = bytes(source)
    elif isinstance(source, str) and any(sign in source for sign in "\n{<"):
        content = source.encode("utf-8", "surrogatepass")
    elif isinstance(source, str | os.PathLike):
        try:
            if os.path.getsize(source) > MAX_TEXT:
                raise TreeFormatError(
                    f"{str(source)!r:.80} has more than {MAX_TEXT:,} bytes, the maximum. Use a smaller file."
                )
            content = Path(source).read_bytes()
        except OSError as error:
            raise TreeFormatError(f"The file {str(source)!r:.80} cannot be read: {error.strerror}.") from None
    else:
        raise ParameterError(
            f"model={literal(source, 60)}: expected {what}, or a path, the bytes or the text of its file."
        )
    if len(content) > MAX_TEXT:
        raise TreeFormatError(f"The file has {len(content):,} bytes (maximum {MAX_TEXT:,}). Use a smaller file.")
    return content
