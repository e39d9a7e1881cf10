"""Limit the number of random examples: few in ``make test``, many in ``make nightly``."""

import os

NIGHTLY = os.environ.get("TREECORE_FUZZ") == "nightly"


def budget(usual, nightly):
    """Return `usual`, or `nightly` in the nightly run.

    A test that does not use hypothesis needs the mark `nightly`.
    """
    return nightly if NIGHTLY else usual
