"""Define `FileFormat`, one format of user files."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class FileFormat:
    """Reader of a file format.

    Parameters
    ----------
    name : str
        Name of the format, as in `Table.format`.
    words : str
        Label, with the file ending if that helps.
    endings : tuple of str
        File endings without the dot.
    read : callable
        Function that reads a file, given as bytes or Path, its name, and the options in `choices`.
    choices : tuple of str
        Supported options of `read`.
    seconds, megabytes : float
        Time and memory for reading one megabyte, measured on two slow cores.
    begins : bytes, optional
        First bytes of every file in this format.
    is_zip, is_text : callable, optional
        Test whether the members of a zip file, or the start of a text, have this format.
    is_table : bool
        Whether the file can be in an archive.
    read_sparse : callable, optional
        Function that returns the `SparseRows` of a file, given the file and its name.
    """

    name: str
    words: str
    endings: tuple[str, ...]
    read: Callable
    choices: tuple[str, ...] = ()
    seconds: float = 0.1
    megabytes: float = 9.0
    begins: bytes | None = None
    is_zip: Callable | None = None
    is_text: Callable | None = None
    is_table: bool = True
    read_sparse: Callable | None = None
