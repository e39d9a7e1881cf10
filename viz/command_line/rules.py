"""``rules``: write a tree as IF-THEN rules."""

import argparse

from treecore.rules.rule_formats import RULE_FORMATS
from treecore.rules.rule_set import rules
from treecore.tree.text_tree import DIGITS
from viz.command_line.files import STANDARD, output, read_model, tell, write
from viz.command_line.rows import data_of

EXAMPLES = ("rules model.json", "rules model.json --format latex --digits 3 --data test.csv --out rules.tex")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("model", help="model or tree file, or -")
    parser.add_argument("--format", choices=list(RULE_FORMATS), default="text", help="output format (default text)")
    parser.add_argument("--digits", metavar="N", type=_digits, default=DIGITS,
                        help=f"significant digits of the numbers, or all (default {DIGITS})")  # fmt: skip
    parser.add_argument("--data", metavar="TABLE",
                        help="rows to count instead of the training rows: a file that includes the target, the name "
                        "of a bundled data set, or -")  # fmt: skip
    parser.add_argument(
        "--out", metavar="FILE", type=output, default=STANDARD, help="file to write (default: standard output)"
    )


def _digits(text):
    return None if text == "all" else int(text)


def run(options: argparse.Namespace) -> None:
    """Write the rules. Warn if rounding changes a prediction."""
    model = read_model(options.model)
    data = None if options.data is None else data_of(model, options.data)
    groups = None if model.columns is None else model.columns.categories(None if data is None else data.X)
    X, y = (None, None) if data is None else (data.X, data.labels())
    target = None if model.data is None else model.data.target
    found = rules(model.tree, X, y, options.digits, groups, target_name=target or "")
    if found.warning:
        tell(f"warning: {found.warning}")
    text = RULE_FORMATS[options.format](found)
    write(options.out, text if text.endswith("\n") else f"{text}\n")
