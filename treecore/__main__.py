"""Entry point of ``python -m treecore``, which runs `viz.command_line`."""

import runpy

if __name__ == "__main__":
    runpy.run_module("viz.command_line", run_name="__main__", alter_sys=True)
