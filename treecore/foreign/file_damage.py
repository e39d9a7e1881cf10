"""`report_damage`: conversion of errors in a damaged file to TreeFormatError."""

from collections.abc import Generator
from contextlib import contextmanager

from treecore.errors import TreecoreError, TreeFormatError
from treecore.foreign.messages import MESSAGES


@contextmanager
def report_damage(what: str) -> Generator:
    """Convert errors from missing or invalid file content to TreeFormatError. what : name of the file."""
    try:
        yield
    except TreecoreError:
        raise
    except RecursionError:
        raise TreeFormatError(MESSAGES("nested_too_deeply", what=what)) from None
    except (KeyError, TypeError, AttributeError, IndexError, ValueError, OverflowError) as error:
        raise TreeFormatError(MESSAGES("damaged", what=what, error=error)) from None
