"""`damage_told`: what goes wrong in a damaged file, in words."""

from collections.abc import Generator
from contextlib import contextmanager

from treecore.errors import TreecoreError, TreeFormatError


@contextmanager
def damage_told(what: str) -> Generator:
    """Whatever a file lacks, or has of the wrong kind, as TreeFormatError; what : is read, in words."""
    try:
        yield
    except TreecoreError:
        raise
    except RecursionError:
        raise TreeFormatError(f"{what} is nested too deeply to be read.") from None
    except (KeyError, TypeError, AttributeError, IndexError, ValueError, OverflowError) as error:
        raise TreeFormatError(f"{what} is damaged, or not that: {error!r:.80}.") from None
