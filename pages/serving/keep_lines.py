"""Write the output of another process to a log file of limited size."""

import logging
import threading
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import IO

from pages.serving import private_files

BYTES, OLDER = 1_000_000, 3  # maximum size of a file in bytes, and number of older files


class _File(RotatingFileHandler):
    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """Drop the line, because training must not depend on a log."""

    def _open(self) -> TextIOWrapper:
        private_files.make(self._path.parent)
        private_files.touch(self._path)
        return super()._open()

    def __init__(self, path: Path) -> None:
        self._path = path
        super().__init__(path, maxBytes=BYTES, backupCount=OLDER, encoding="utf-8", errors="replace", delay=True)
        self.setFormatter(logging.Formatter("%(asctime)s %(message)s"))


def keep_lines(stream: IO[bytes], path: Path) -> None:
    """Append the lines of a binary stream to a file, each with its time.

    A thread writes them and ends with the stream.
    """
    threading.Thread(target=keep, args=(stream, path), name="log", daemon=True).start()


def keep(stream: IO[bytes], path: Path) -> None:
    file = _File(path)
    with stream:
        for line in stream:
            text = line.decode("utf-8", "replace").rstrip()
            file.handle(logging.LogRecord("", logging.INFO, "", 0, "%s", (text,), None))
    file.close()
