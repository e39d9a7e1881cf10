"""Read Moodle's GIFT format as far as rooms write it. Raises ValueError for anything else."""

import re
from typing import NamedTuple

SIGN = re.compile(r"\\(.)", re.DOTALL)
ITEM = re.compile(r"::(?P<name>.*?)(?<!\\)::\[plain\](?P<text>.*?)\s*(?<!\\)\{(?P<answers>.*)(?<!\\)\}", re.DOTALL)
SPECIAL = "~=#{}:"


class Item(NamedTuple):
    """A question: choices are (text, whether it is right); a number is (value, tolerance)."""

    name: str
    text: str
    choices: tuple
    number: tuple | None
    feedback: str


def read(content):
    """Return the `Item`s of a file."""
    blocks = re.split(r"\n\s*\n", "\n".join(line for line in content.split("\n") if not line.startswith("//")))
    return [_item(block.strip()) for block in blocks if block.strip()]


def _item(block):
    found = ITEM.fullmatch(block)
    if found is None:
        raise ValueError(f"no question: {block!r}")
    answers, *feedback = re.split(r"(?<!\\)####", found["answers"])
    feedback = _words("".join(feedback))
    name, text = _words(found["name"]), _words(found["text"])
    if answers.startswith("#"):
        value, tolerance = map(float, answers[1:].split(":"))
        return Item(name, text, (), (value, tolerance), feedback)
    parts = re.split(r"(?<!\\)([=~])", answers)
    if parts[0].strip():
        raise ValueError(f"text before the first answer: {answers!r}")
    choices = tuple((_words(words.strip()), sign == "=") for sign, words in zip(parts[1::2], parts[2::2], strict=True))
    if "->" in answers:
        raise ValueError("this would be a matching question")
    return Item(name, text, choices, None, feedback)


def _words(text):
    bare = SIGN.sub("", text)
    if any(sign in bare for sign in SPECIAL) or "\\" in bare or "\n" in text:
        raise ValueError(f"unescaped sign in {text!r}")
    return SIGN.sub(r"\1", text).strip()
