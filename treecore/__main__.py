"""The program: ``python -m treecore --help``. It is `viz.command_line`, which stands above this library."""

import runpy

if __name__ == "__main__":
    runpy.run_module("viz.command_line", run_name="__main__", alter_sys=True)
