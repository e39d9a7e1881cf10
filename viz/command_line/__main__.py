"""``python -m viz.command_line``, which ``python -m treecore`` runs."""

import sys

from viz.command_line import main

if __name__ == "__main__":
    sys.exit(main())
