"""`syntax_tree`: parse Python code in any thread."""

import ast
import threading
from typing import Any

_ONE_AT_A_TIME = threading.Lock()


def syntax_tree(code: str, mode: str = "exec") -> Any:
    """Return `ast.parse` of this code. One thread parses at a time.

    In Python 3.11, `ast.parse` can raise SystemError if several threads call it (CPython issue 106905).
    """
    with _ONE_AT_A_TIME:
        return ast.parse(code, mode=mode)
