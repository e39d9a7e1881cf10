"""Run the command line: ``python -m viz.command_line``, which is the same as ``python -m treecore``."""

import sys

from viz.command_line import main

if __name__ == "__main__":
    sys.exit(main())
