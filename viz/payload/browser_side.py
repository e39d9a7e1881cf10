"""The fields of a payload for the browser: ``python -m viz.payload.browser_side`` writes both files anew.

``viz/stage/model/payload_fields.js`` is the table that the reader of payloads goes through, ``viz/stage/payload.d.ts``
declares what it gives.
"""

import json
from pathlib import Path

from viz.payload.payload_fields import FIELDS, HOMES

STAGE = Path(__file__).parents[1] / "stage"
MADE = "// Written by python -m viz.payload.browser_side from viz/payload/payload_fields.py.\n\n"
_SENT = ("name", "home", "browser", "per", "times", "by_set", "form", "other")  # what the reader needs to know
_READER = """\
/** Fields of a payload: their name there, and where they go. @type {PayloadField[]} */
"""


def fields_module() -> str:
    """The table as a module of JavaScript, in the form of prettier."""
    rows = []
    for field in FIELDS.values():
        sent = {_camel(name): value for name in _SENT if (value := getattr(field, name))}
        rows.append(f"  {{ {', '.join(f'{name}: {json.dumps(value)}' for name, value in sent.items())} }},")
    return "\n".join([f"{MADE}{_READER}export const FIELDS = [", *rows, "];", ""])


def declarations() -> str:
    """The types of the fields, by their home."""
    blocks = []
    for home, interface in HOMES.items():
        fields = [field for field in FIELDS.values() if field.home == home]
        lines = [
            f"  readonly {field.browser}: {field.typescript};{f' // {field.note}' if field.note else ''}"
            for field in fields
        ]
        blocks.append("\n".join([f"interface {interface} {{", *lines, "}"]))
    return MADE + "\n\n".join(blocks) + "\n"


FILES = {STAGE / "model" / "payload_fields.js": fields_module, STAGE / "payload.d.ts": declarations}


def _camel(name):
    first, *others = name.split("_")
    return first + "".join(map(str.title, others))


if __name__ == "__main__":
    for path, text in FILES.items():
        path.write_text(text(), encoding="utf-8")
