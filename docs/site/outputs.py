"""Write the outputs of Python blocks below them, on the pages of docs/ and README.md: ``python -m docs.site.outputs``.

A ``text`` block directly below a Python block contains its output. The blocks of a page run in order, in an empty
folder, and share their names. Long outputs are cut: ``...`` stands for the rest. Arguments are paths of pages; the
default is every page with a Python block. Tests compare the outputs (tests/docs/test_blocks.py).
"""

import contextlib
import doctest
import io
import os
import re
import shlex
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import joblib

from viz import command_line

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
MOST_LINES, WIDEST = 14, 116


class Block(NamedTuple):
    """A fenced block: its language, text, output or None, and its place in the page with the output."""

    language: str
    text: str
    output: str | None
    place: tuple[int, int]


def blocks(page: str) -> list[Block]:
    """Return the blocks of a page, given its text. The block of an output belongs to the block above it."""
    found: list[Block] = []
    for one in BLOCK.finditer(page):
        language, text = one.groups()
        above = found[-1] if found else None
        if (
            language == "text"
            and above
            and above.language == "python"
            and not page[above.place[1] : one.start()].strip()
        ):
            found[-1] = above._replace(output=text, place=(above.place[0], one.end()))
        else:
            found.append(Block(language, text, None, one.span()))
    return found


def matches(wanted: str, shown: str) -> bool:
    """Return whether an output is as a page shows it."""
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    return doctest.OutputChecker().check_output(wanted, shown, flags)


def cut(output: str) -> str:
    """Return the first lines of an output, and "..." for the rest of the lines and of each long line."""
    lines = [line.rstrip() for line in output.rstrip().splitlines()]
    lines = [line if len(line) <= WIDEST else line[: WIDEST - 3].rstrip() + "..." for line in lines]
    return "".join(f"{line}\n" for line in (lines if len(lines) <= MOST_LINES else [*lines[: MOST_LINES - 1], "..."]))


def with_outputs(page: str) -> str:
    """Return the text of a page with the current outputs of its Python blocks."""
    parts, end = [], 0
    names: dict = {"__name__": "page"}
    for block in blocks(page):
        if block.language == "csv":
            Path("data.csv").write_text(block.text, encoding="utf-8")
        if block.language == "sh":
            _run(block.text)
        if block.language != "python":
            continue
        with contextlib.redirect_stdout(io.StringIO()) as shown:
            exec(compile(block.text, "page", "exec"), names)
        written = f"```python\n{block.text}```"
        output = shown.getvalue()
        if output.strip():
            kept = block.output is not None and matches(block.output, output)
            written += f"\n\n```text\n{block.output if kept else cut(output)}```"
        parts += [page[end : block.place[0]], written]
        end = block.place[1]
    return "".join([*parts, page[end:]])


def _run(commands):
    """Run the commands of this project, whose files later blocks read."""
    for line in commands.replace("\\\n", " ").splitlines():
        if line.startswith("python -m treecore "):
            with contextlib.redirect_stdout(io.StringIO()):
                command_line.main(shlex.split(line, comments=True)[3:])


def main(arguments: list[str]) -> None:
    """Write the pages."""
    pages = [Path(one).resolve() for one in arguments] or [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    sys.path.append(str(ROOT))
    for page in pages:
        text = page.read_text(encoding="utf-8")
        if "```python\n" not in text:
            continue
        with (
            tempfile.TemporaryDirectory() as folder,
            contextlib.chdir(folder),
            joblib.parallel_config(backend="threading"),
        ):
            sys.path.append(folder)
            found = with_outputs(text)
            sys.path.remove(folder)
        if found != text:
            page.write_text(found, encoding="utf-8")
            sys.stdout.write(f"{os.path.relpath(page, ROOT)}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
