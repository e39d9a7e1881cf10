"""Make the tables on the reference pages: commands and their options, public names, errors."""

import argparse
import inspect
import re

import treecore.errors
from docs.site.parameters import PACKAGES, public_names
from viz.command_line import COMMANDS, command_module, command_parser

_PROGRAM = "python -m treecore"


def table(header: list[str], rows: list[list[str]]) -> str:
    """Return a Markdown table with empty lines around it."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n\n"


def commands() -> str:
    """Return each command with its purpose and examples."""
    parts = []
    for name, about in COMMANDS.items():
        examples = "\n".join(f"{_PROGRAM} {line}" for line in command_module(name).EXAMPLES)
        parts.append(f"### {name}\n\n{about}\n\n```text\n{examples}\n```")
    return "\n\n" + "\n\n".join(parts) + "\n\n"


def options() -> str:
    """Return the table of all options, each with the commands that accept it."""
    found: dict[tuple[str, str], list[str]] = {}
    for command, parser in _parsers().items():
        for action in parser._actions:  # argparse has no public list
            if not isinstance(action, argparse._HelpAction):
                found.setdefault((_written(action), _help(action)), []).append(command)
    rows = [[option, ", ".join(f"`{name}`" for name in names), about] for (option, about), names in found.items()]
    return table(["option", "commands", "what it controls"], sorted(rows))


def _parsers():
    subparsers = next(one for one in command_parser()._actions if isinstance(one, argparse._SubParsersAction))
    return subparsers.choices


def _written(action):
    values = action.metavar or ("\\|".join(map(str, action.choices)) if action.choices else "")
    if not action.option_strings:
        return f"`{action.metavar or action.dest}`"
    return f"`{' '.join([action.option_strings[-1], values if action.nargs != 0 else '']).strip()}`"


def _help(action):
    text = (action.help or "").replace("%(default)s", str(action.default)).replace("%%", "%")
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


def names() -> str:
    """Return a list of the public names in each package. Each name has the first sentence of its docstring.

    The line of a classifier also names the regressor of the same method.
    """
    parts = []
    for package in PACKAGES:
        prefix = f"{package.__name__}."
        found = {name.removeprefix(prefix): thing for name, thing in public_names().items() if name.startswith(prefix)}
        regressors = {name: name.replace("Classifier", "Regressor") for name in found if "Classifier" in name}
        lines = []
        for name, thing in found.items():
            if not callable(thing) or name in regressors.values():
                continue
            other = regressors.get(name)
            written = f"`{name}`, `{other}`" if other in found else f"`{name}`"
            lines.append(f"- {written}: {_summary(thing)}")
        parts.append("\n".join([f"\n\n### {package.__name__}\n", *lines]))
    return "".join(parts) + "\n\n"


def _summary(thing):
    first = " ".join((inspect.getdoc(thing) or "").split("\n\n")[0].split())
    return re.split(r"(?<=[.])\s", first.replace("``", "`"))[0].replace("<", "&lt;")


def errors() -> str:
    """Return a table of the errors and warnings, each with the first sentence of its docstring."""
    kinds = [kind for kind in vars(treecore.errors).values() if inspect.isclass(kind)]
    return table(
        ["type", "base class", "cause"],
        [[f"`{one.__name__}`", f"`{one.__base__.__name__}`", _summary(one)] for one in kinds],
    )
