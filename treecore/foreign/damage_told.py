"""`damage_told`: what goes wrong in a damaged file, in words."""

from collections.abc import Generator
from contextlib import contextmanager

from treecore.errors import TreecoreError, TreeFormatError
from treecore.foreign.messages import MESSAGES


@contextmanager
def damage_told(what: str) -> Generator:
    """Whatever a file lacks, or has of the wrong kind, as TreeFormatError; what : is read, in words."""
    try:
        yield
    except TreecoreError:
        raise
    except RecursionError:
        raise TreeFormatError(MESSAGES("nested_too_deeply", what=what)) from None
    except (KeyError, TypeError, AttributeError, IndexError, ValueError, OverflowError) as error:
        raise TreeFormatError(MESSAGES("damaged", what=what, error=error)) from None
