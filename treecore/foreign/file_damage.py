"""`report_damage`: conversion of errors in a damaged file to TreeFormatError."""

from collections.abc import Generator
from contextlib import contextmanager

from treecore.errors import TreecoreError, TreeFormatError


@contextmanager
def report_damage(what: str) -> Generator:
    """Convert errors from missing or invalid file content to TreeFormatError. what : name of the file."""
    try:
        yield
    except TreecoreError:
        raise
    except RecursionError:
        raise TreeFormatError(f"{what} is nested too deeply.") from None
    except (KeyError, TypeError, AttributeError, IndexError, ValueError, OverflowError) as error:
        raise TreeFormatError(f"{what} is damaged or has another format: {error!r:.80}.") from None
