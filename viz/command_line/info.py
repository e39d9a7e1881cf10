"""``info``: show the contents of a model file, or list the data sets."""

import argparse
from dataclasses import asdict

from treecore.model.model import Model
from treecore.tree.metrics import tree_metrics
from viz.command_line.files import STANDARD, add_json, is_there, read_model, write, write_figures

EXAMPLES = ("info", "info iris", "info model.json", "info model.json --json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument(
        "model", nargs="?", help="model or tree file, name of a data set, or - (default: list the data sets)"
    )
    add_json(parser)


def run(options: argparse.Namespace) -> None:
    """Print readable lines, or JSON."""
    if options.model is None:
        found: list | dict = _sets()
        lines = [_line(entry) for entry in found if entry["available"]]
    else:
        found = _set(options.model) or _figures(read_model(options.model))
        lines = [
            f"{name.replace('_', ' ')}: {_text(value)}" for name, value in found.items() if value not in (None, [])
        ]
    if options.json:
        write_figures(options, found)
    else:
        write(STANDARD, "\n".join([*lines, ""]))


def _sets():
    from sample_data import catalogue

    return [asdict(entry) for entry in catalogue()]


def _set(name):
    """Return the data set of this name, or None if it does not exist or the name is that of a file."""
    if name == STANDARD or is_there(name):
        return None
    return next((entry for entry in _sets() if entry["name"] == name), None)


def _line(entry):
    kind = f"{entry['n_classes']} classes" if entry["n_classes"] else "numbers"
    return f"{entry['name']:<20}{entry['n_rows']:>7,} x {entry['n_features']:<4}{kind:>12}  {entry['summary']}"


def _figures(model: Model) -> dict:
    tree, data = model.tree, model.data
    known = {"data": None, "target": None} if data is None else {"data": data.title, "target": data.target}
    return {
        **known,
        "classes": [str(model.classes[k]) for k in model.ordered_classes],
        "columns": model.column_names[:100],
        **tree_metrics(tree)._asdict(),
        **model.figures,
        **{f"training_{name}": value for name, value in model.parameters.items()},
        "created_by": ", ".join(f"{name} {version}" for name, version in model.created_by.items()) or None,
    }


def _text(value):
    if isinstance(value, list):
        return ", ".join(value[:20]) + (" ..." if len(value) > 20 else "")
    return f"{value:.6g}" if isinstance(value, float) else str(value)
