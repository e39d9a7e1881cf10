"""Test that the threads of many visitors can measure text at the same time."""

import subprocess
import sys
from pathlib import Path

_SCRIPT = """
import threading
from viz.words import text_fit

bar, wrong, tables = threading.Barrier(20), [], []
expected = {}

def measure():
    bar.wait()
    tables.append(text_fit._advances(False))
    found = {code: text_fit.width(chr(code), 11, bold) for code in range(0x20, 0x17F) for bold in (False, True)}
    if expected.setdefault("widths", found) != found:
        wrong.append(found)

threads = [threading.Thread(target=measure) for _ in range(20)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert not wrong
assert all(table is tables[0] for table in tables), "threads read the font's file more than once"
print(len(expected["widths"]))
"""


def test_twenty_threads_measure_text_at_once():
    # A matplotlib font shared by threads would end the process, so this test has a separate process.
    found = subprocess.run(
        [sys.executable, "-c", _SCRIPT], capture_output=True, text=True, cwd=Path(__file__).parents[3]
    )
    assert (found.returncode, found.stdout.strip(), found.stderr) == (0, "351", "")
