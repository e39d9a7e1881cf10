"""How much of a random search a test does: little in ``make test``, much in ``make nightly``."""

import os

NIGHTLY = os.environ.get("TREECORE_FUZZ") == "nightly"


def budget(usual, nightly):
    """`usual`, or `nightly` in the run of that name; a test that is not of hypothesis carries the mark `nightly`."""
    return nightly if NIGHTLY else usual
