"""Read Moodle's GIFT format with `gift-pegjs`. Raises ValueError for anything that this parser refuses."""

import json
import os
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.treecore.export.export_examples import program

ROOT = Path(__file__).parents[4]
NODE = """
import { readFileSync } from "node:fs";
import { parse } from "gift-pegjs";
const found = [];
for (const content of JSON.parse(readFileSync(0, "utf8"))) {
  if (content.split("\\n").every((line) => !line || line.startsWith("//"))) { found.push([]); continue; }
  try { found.push(parse(content)); }
  catch (fault) { found.push(`${fault.message} ${JSON.stringify(fault.location)}`); }
}
console.log(JSON.stringify(found));
"""


class Item(NamedTuple):
    """A question: choices are (text, whether it is right); a number is (value, tolerance)."""

    name: str
    text: str
    choices: tuple
    number: tuple | None
    feedback: str


def read(content):
    """Return the `Item`s of a file."""
    return read_all([content])[0]


def read_all(contents):
    """Return the `Item`s of each file. Skip the test without Node or its packages, except in CI."""
    if not (ROOT / "node_modules" / "gift-pegjs").is_dir() and not os.environ.get("CI"):
        pytest.skip("npm ci has not installed gift-pegjs")
    command = [program("node"), "--input-type=module", "-e", NODE]
    answer = subprocess.run(command, input=json.dumps(contents), capture_output=True, text=True, check=False, cwd=ROOT)
    assert answer.returncode == 0, answer.stderr
    return [_items(found) for found in json.loads(answer.stdout)]


def _items(found):
    if isinstance(found, str):
        raise ValueError(found)
    return [_item(question) for question in found]


def _item(question):
    kind, choices = question["type"], question["choices"]
    texts = [question["stem"], *(choice["text"] for choice in choices if kind == "MC")]
    if kind not in ("MC", "Numerical") or {text["format"] for text in texts} != {"plain"}:
        raise ValueError(f"another kind of question: {question}")
    feedback = (question["globalFeedback"] or {"text": ""})["text"]
    number = (choices["number"], choices["range"]) if kind == "Numerical" else None
    shown = tuple((choice["text"]["text"], choice["isCorrect"]) for choice in choices) if kind == "MC" else ()
    return Item(question["title"], question["stem"]["text"], shown, number, feedback)
