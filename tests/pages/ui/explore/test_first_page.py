"""Test the modules and files that the first page loads."""

import subprocess
import sys

from pages.ui.explore.first_page import LATER, NEEDED

SLOW = ("sklearn", "scipy.stats", "pandas", "pyarrow", "openpyxl", "matplotlib")
SHOW = """
import sys
from importlib import import_module
from pages.ui.explore import first_page
for name in first_page.NEEDED:
    import_module(name)
first_page.make_content()
print(*(set({slow}) & sys.modules.keys()))
"""


def test_the_first_picture_waits_for_no_slow_package(tmp_path, monkeypatch):
    monkeypatch.setenv("TAO_JOBS", str(tmp_path))
    found = subprocess.run(
        [sys.executable, "-c", SHOW.format(slow=SLOW)], capture_output=True, text=True, check=True, timeout=300
    )
    assert found.stdout.split() == []


def test_later_modules_are_not_loaded_at_first():
    assert not set(NEEDED) & set(LATER)
