"""Command line: ``python -m treecore COMMAND``, or ``treecore COMMAND`` after installation.

The command line is a program on top of the library. In viz, only this folder may import `sample_data`. Each command is
a module with `EXAMPLES`, ``add_arguments(parser)`` and ``run(options)``, and an entry in `COMMANDS`. Only the requested
module is loaded.
"""

import argparse
import re
import shlex
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError, requires
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from treecore.errors import TreecoreError
from treecore.version import VERSION

COMMANDS = {
    "fit": "Train a tree on a table or a bundled data set, report the errors and save a model.",
    "path": "Train a tree for each lambda or each size. Save the metrics as CSV and the selected tree as a model.",
    "curve": "Measure on a random sample whether more training rows lower the test error.",
    "distil": "Train a tree that imitates a scikit-learn model in a skops file, and report its fidelity.",
    "compare": "Train and test several methods on the same folds of a table or a bundled data set.",
    "predict": "Predict the rows of a table. Write a CSV file with class, probability, leaf, path and margin for each "
    "row.",
    "rules": "Write the rules of a tree.",
    "figure": "Draw a tree as SVG, PDF or PNG, or as an interactive HTML page.",
    "export": "Export a tree as standalone code that makes the same predictions.",
    "inspect": "Show the proposals for a table: target, kinds of columns, division of the rows and problems.",
    "info": "Show the contents of a model file, or list the data sets.",
    "app": "Open the explorer in a browser.",
    "warm-up": "Compile the engine in advance, for example while a container image is built.",
    "completion": "Write a completion script for a shell.",
}
DISTRIBUTION = "tao-explorer"
DONE, FAILED, INTERRUPTED = 0, 2, 130


def main(arguments: Sequence | None = None) -> int:
    """Run a command. Return 0, or 2 if the command fails, with one line on standard error.

    arguments : list of str, or None for those of the process
    """
    given = sys.argv[1:] if arguments is None else list(arguments)
    options = command_parser(given[:1]).parse_args(given)
    try:
        command_module(options.command).run(options)
    except TreecoreError as error:
        sys.stderr.write(f"{options.command}: {' '.join(str(error).split())}\n")
        return FAILED
    except ModuleNotFoundError as error:
        sys.stderr.write(
            f"{options.command}: the package {error.name} is not installed. "
            f"Install it with: {install_command(options.command, error.name)}\n"
        )
        return FAILED
    except BrokenPipeError:  # The reader of the output has closed the pipe.
        return DONE
    except KeyboardInterrupt:
        return INTERRUPTED
    return DONE


def program_name() -> str:
    """Return the command that started this process.

    The installed program may belong to a Python other than the shell's.
    """
    return "treecore" if Path(sys.argv[0]).stem == "treecore" else "python -m treecore"


def install_command(command: str, package: str | None) -> str:
    """Return the shell command that installs a missing package, for `app` with all that it lacks.

    It names the packages, because this library need not be on a package index.
    """
    lacking = [package or ""]
    if command == "app":
        try:
            declared = [line.partition(";") for line in requires(DISTRIBUTION) or ()]
        except PackageNotFoundError:  # a checkout that is not installed
            declared = []
        names = [re.split(r"[^\w.-]", line)[0] for line, _, condition in declared if 'extra == "app"' in condition]
        lacking += [name for name in names if name != package and find_spec(name) is None]
    return f"{shlex.quote(sys.executable)} -m pip install {' '.join(lacking)}"


def command_module(name: str) -> ModuleType:
    """Return the module of a command."""
    return import_module(f"viz.command_line.{name.replace('-', '_')}")


def command_parser(loaded: Sequence[str] = tuple(COMMANDS)) -> argparse.ArgumentParser:
    """Return the parser of all commands.

    loaded : commands whose options the parser includes
    """
    program = program_name()
    parser = _Parser(
        prog=program,
        description="Decision trees trained by Tree Alternating Optimization.",
        epilog="DATA is the name of a bundled data set (iris, digits, ...) or a file; - is standard input or output. "
        f"'{program} COMMAND --help' has examples.",
    )
    parser.add_argument("--version", action="version", version=f"treecore {VERSION}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=_Parser)
    for name, words in COMMANDS.items():
        one = commands.add_parser(
            name, help=words, description=words, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        if name in loaded:
            module = command_module(name)
            one.epilog = "\n  ".join(["examples:", *(f"{program} {line}" for line in module.EXAMPLES)])
            module.add_arguments(one)
    return parser


class _Parser(argparse.ArgumentParser):
    """Parser that reports a wrong argument in one line, without the whole usage."""

    def error(self, message):
        self.exit(FAILED, f"{self.prog}: {' '.join(message.split())} (see {self.prog} --help)\n")
