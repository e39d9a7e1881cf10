"""The command line: ``python -m treecore --help``."""

import sys

from treecore.command_line import main

if __name__ == "__main__":
    sys.exit(main())
