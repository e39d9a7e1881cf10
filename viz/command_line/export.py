"""``export``: write a tree as source code."""

import argparse

from treecore.export import FORMATS
from viz.command_line.files import STANDARD, output, read_model, write

EXAMPLES = (
    "export model.json --to c --out tree.c",
    "export model.json --to sql --table patients",
    "export model.json --to onnx --out tree.onnx",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("model", help="model or tree file, or -")
    parser.add_argument("--to", choices=list(FORMATS), default="python", help="export format (default python)")
    parser.add_argument("--table", help="name of the table (SQL only)")
    parser.add_argument(
        "--out", metavar="FILE", type=output, default=STANDARD, help="file to write (default: standard output)"
    )


def run(options: argparse.Namespace) -> None:
    """Write the code."""
    model = read_model(options.model)
    target = None if model.data is None else model.data.target
    write(options.out, FORMATS[options.to](model.tree, columns=model.columns, table=options.table, target_name=target))
