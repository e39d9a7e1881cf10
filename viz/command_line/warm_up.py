"""``warm-up``: compile the kernels in advance, for example while a container image is built."""

import argparse
import time

from viz.command_line.files import tell

EXAMPLES = ("warm-up",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add no options."""


def run(options: argparse.Namespace) -> None:
    """Compile, and report the time and the folder."""
    from treecore import _jit, warm_up  # slow import

    if warm_up.is_compiled():
        tell(f"All kernels are already compiled. They are stored in {_jit.FOLDER}.")
        return
    began = time.perf_counter()
    warm_up.warm_up()
    tell(f"Compiled all kernels in {time.perf_counter() - began:.0f} s. They are stored in {_jit.FOLDER}.")
