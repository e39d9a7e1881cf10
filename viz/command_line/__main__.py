"""Run ``python -m viz.command_line``; ``python -m treecore`` does the same."""

import sys

from viz.command_line import main

if __name__ == "__main__":
    sys.exit(main())
