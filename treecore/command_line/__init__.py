"""What the pages do, without a browser: ``python -m treecore fit | path | predict | rules | figure | export``.

A program on top of the library: it alone may import `sample_data` and `viz`. Each command is a module with `HELP`,
`EXAMPLES`, ``add_arguments(parser)`` and ``run(options)``, and an entry in `COMMANDS`.
"""

import argparse
import sys
from collections.abc import Sequence

from treecore.command_line import export, figure, fit, path, predict, rules
from treecore.errors import TreecoreError
from treecore.version import VERSION

COMMANDS = {"fit": fit, "path": path, "predict": predict, "rules": rules, "figure": figure, "export": export}
DONE, FAILED, INTERRUPTED = 0, 2, 130


def main(arguments: Sequence | None = None) -> int:
    """Run a command; `arguments` : list of str, those of the process when None.

    Returns the exit code: 0, or 2 with one line on standard error for whatever cannot be done.
    """
    parser = _Parser(
        prog="python -m treecore",
        description="Decision trees trained by Tree Alternating Optimization.",
        epilog="A name of a bundled data set (iris, digits, ...) or a file; - is standard input or output. "
        "'python -m treecore COMMAND --help' has examples.",
    )
    parser.add_argument("--version", action="version", version=f"treecore {VERSION}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, parser_class=_Parser)
    for name, command in COMMANDS.items():
        examples = "\n".join(f"  python -m treecore {line}" for line in command.EXAMPLES)
        one = commands.add_parser(
            name, help=command.HELP, description=command.HELP, epilog=f"examples:\n{examples}",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )  # fmt: skip
        command.add_arguments(one)
    options = parser.parse_args(arguments)
    try:
        COMMANDS[options.command].run(options)
    except TreecoreError as error:
        sys.stderr.write(f"{options.command}: {' '.join(str(error).split())}\n")
        return FAILED
    except ModuleNotFoundError as error:
        sys.stderr.write(
            f"{options.command}: this needs the package {error.name}, which is not installed "
            "(pip install 'tao-explorer[files]' brings what reads files).\n"
        )
        return FAILED
    except BrokenPipeError:  # who reads our output has seen enough
        return DONE
    except KeyboardInterrupt:
        return INTERRUPTED
    return DONE


class _Parser(argparse.ArgumentParser):
    """One line in words for a wrong argument, without the whole usage."""

    def error(self, message):
        self.exit(FAILED, f"{self.prog}: {' '.join(message.split())} (see {self.prog} --help)\n")
