"""Make the files of worksheets: for students and with the key, as HTML and PDF."""

import sys
import warnings
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from streamlit.logger import set_log_level

from pages.ui.learn import lesson_store, lessons
from pages.ui.learn.worksheets.worksheet import worksheet
from pages.ui.learn.worksheets.worksheet_html import worksheet_html
from pages.ui.learn.worksheets.worksheet_pdf import worksheet_pdf
from treecore.errors import PenaltyWarning

KINDS = {"worksheet": False, "key": True}  # word in the file name: whether it contains the answers
FORMATS = {"html": "text/html", "pdf": "application/pdf"}


def worksheet_name(slug: str, kind: str, format: str) -> str:
    """Return the name of a file.

    kind : "worksheet" or "key"; format : "html" or "pdf".
    """
    return f"{slug}-{kind}.{format}"


@cache
def worksheet_file(slug: str, kind: str, format: str) -> bytes:
    """Return the bytes of a worksheet."""
    sheet = worksheet(lessons.ALL[slug], lesson_store.opened(slug), KINDS[kind])
    return worksheet_pdf(sheet) if format == "pdf" else worksheet_html(sheet).encode()


def write_worksheets(folder: Path, slugs: Iterable[str] | None = None) -> list[Path]:
    """Write the worksheets of lessons into a folder. Return their paths. None writes those of all lessons."""
    folder.mkdir(parents=True, exist_ok=True)
    found = []
    for slug in lessons.ALL if slugs is None else slugs:
        for kind in KINDS:
            for format in FORMATS:
                found.append(folder / worksheet_name(slug, kind, format))
                found[-1].write_bytes(worksheet_file(slug, kind, format))
    return found


def main() -> None:
    """Write all worksheets into the folder that the command line names."""
    if len(sys.argv) != 2:
        sys.exit("Usage: python -m pages.ui.learn.worksheets.worksheet_files FOLDER")
    warnings.simplefilter("ignore", PenaltyWarning)  # some lessons overfit on purpose
    set_log_level("error")  # Streamlit's caches warn that no page is open
    write_worksheets(Path(sys.argv[1]))


if __name__ == "__main__":
    main()
