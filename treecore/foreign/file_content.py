"""`file_content`: the bytes of a model file, given its path, bytes or text."""

import os
from pathlib import Path
from typing import Any

from treecore.errors import ParameterError, TreeFormatError
from treecore.foreign.messages import MESSAGES
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
                raise TreeFormatError(MESSAGES("file_too_large", file=str(source), most=MAX_TEXT))
            content = Path(source).read_bytes()
        except OSError as error:
            raise TreeFormatError(MESSAGES("unreadable_file", file=str(source), reason=error.strerror)) from None
    else:
        raise ParameterError(MESSAGES("not_a_file", model=source, wanted=what))
    if len(content) > MAX_TEXT:
        raise TreeFormatError(MESSAGES("bytes_too_many", n_bytes=len(content), most=MAX_TEXT))
    return content
