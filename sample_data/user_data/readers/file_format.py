"""One format that users' files are read in."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class FileFormat:
    """How files of a format are told and read.

    name : as in `Table.format`; words : what it is called, with its ending where that helps; endings : without the dot;
    read : function of the file (bytes or Path), its name and those arguments of `read` that are in `choices`;
    seconds, megabytes : what a megabyte of it costs to read, measured on two slow cores;
    begins : bytes that its files begin with; is_zip : function from the members of a zip that says whether it is one;
    is_text : function from the start of a text that says whether it is one; is_table : whether it may be in an archive;
    read_sparse : function of the file and its name that gives its `SparseRows`.
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
