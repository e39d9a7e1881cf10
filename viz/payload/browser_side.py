"""Write the tables that Python and the browser share: ``python -m viz.payload.browser_side``.

``viz/stage/model/payload_tables.js`` contains the kinds of nodes, and the fields of a payload for its reader.
``viz/stage/payload.d.ts`` declares the types that the reader returns.
"""

import json
from pathlib import Path

from viz.nodes.node_kinds import KINDS
from viz.payload.payload_fields import FIELDS, HOMES

STAGE = Path(__file__).parents[1] / "stage"
MADE = "// Written by python -m viz.payload.browser_side, from viz/payload/payload_fields.py"
# attributes of a field that the reader needs
_SENT = ("name", "home", "browser", "per", "times", "by_set", "form", "other")


def tables_module() -> str:
    """Return both tables as a JavaScript module, formatted like prettier does."""
    rows = []
    for field in FIELDS.values():
        sent = {_camel(name): value for name in _SENT if (value := getattr(field, name))}
        if field.browser == field.name:
            del sent["browser"]
        rows.append(f"  {_object(sent)},")
    kinds = [
        f"  {_object({name: value for name, value in kind._asdict().items() if name != 'handles' or value})},"
        for kind in KINDS
    ]
    return "\n".join(
        [
            f"{MADE} and viz/nodes/node_kinds.py.\n",
            "/** Fields of a payload, with their names and their places in the browser. @type {PayloadField[]} */",
            *("export const FIELDS = [", *rows, "];", ""),
            "/** Kinds of nodes. The first one whose `needs` all hold is the kind of a node. @type {NodeKind[]} */",
            *("export const KINDS = [", *kinds, "];", ""),
        ]
    )


def declarations() -> str:
    """Return the TypeScript interfaces of the fields, one for each home."""
    blocks = []
    for home, interface in HOMES.items():
        fields = [field for field in FIELDS.values() if field.home == home]
        lines = [
            f"  readonly {field.browser}: {field.typescript};{f' // {field.note}' if field.note else ''}"
            for field in fields
        ]
        blocks.append("\n".join([f"interface {interface} {{", *lines, "}"]))
    return MADE + ".\n\n" + "\n\n".join(blocks) + "\n"


FILES = {STAGE / "model" / "payload_tables.js": tables_module, STAGE / "payload.d.ts": declarations}


def _object(values):
    return f"{{ {', '.join(f'{name}: {json.dumps(value)}' for name, value in values.items())} }}"


def _camel(name):
    first, *others = name.split("_")
    return first + "".join(map(str.title, others))


if __name__ == "__main__":
    for path, text in FILES.items():
        path.write_text(text(), encoding="utf-8")
