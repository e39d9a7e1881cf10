"""`file_content`: the bytes of a model file, however it is given."""

import os
from pathlib import Path
from typing import Any

from treecore.errors import ParameterError, TreeFormatError
from treecore.tree.tree_json import MAX_TEXT


def file_content(source: Any, what: str) -> bytes:
    """Bytes of a file: of a path (str or PathLike), bytes, or a text with a line break, a brace or a tag in it.

    what : the source in words. Raises TreeFormatError for a file that is not there or too large, ParameterError for
    anything else.
    """
    if isinstance(source, bytes | bytearray | memoryview):
        content = bytes(source)
    elif isinstance(source, str) and any(sign in source for sign in "\n{<"):
        content = source.encode("utf-8", "surrogatepass")
    elif isinstance(source, str | os.PathLike):
        try:
            if os.path.getsize(source) > MAX_TEXT:
                raise TreeFormatError(f"{str(source)!r:.80} has more than {MAX_TEXT:,} bytes; no more are read.")
            content = Path(source).read_bytes()
        except OSError as error:
            raise TreeFormatError(f"The file {str(source)!r:.80} cannot be read: {error.strerror}.") from None
    else:
        raise ParameterError(f"model={source!r:.60}: give {what}, or a path, the bytes or the text of its file.")
    if len(content) > MAX_TEXT:
        raise TreeFormatError(f"The file has {len(content):,} bytes; at most {MAX_TEXT:,} are read.")
    return content
