"""Measure the time and size of a fresh clone: ``python -m benchmarks.clone [--install]``.

The script clones the last commit into an empty folder. It reports the seconds and CPU seconds from the start of the app
until a real tree is visible in a headless Chromium. It also reports the compile time before the first tree that a user
trains (a fit without compiled kernels minus the same fit with them), and the disk space of the packages. With
`--install`, it installs the packages into the clone as `make app` does, and reports the time. Otherwise it uses the
packages of an existing interpreter. On a busy machine, only the CPU seconds are meaningful.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.common import heading, table, write_json
from benchmarks.harness import ROOT, chromium, new_page, served, show

OWN = ("fit", "breast-cancer", "--init", "cart", "--lam", "4", "--split")
SIZES = """
import json, pathlib, sysconfig
from importlib.metadata import distributions
site, sizes = pathlib.Path(sysconfig.get_path("purelib")), {}
for one in distributions(path=[str(site)]):
    files = {path.resolve() for path in map(one.locate_file, one.files or ()) if path.is_file()}
    sizes[one.name] = sum(path.stat().st_blocks * 512 for path in files)
paths = [path for path in site.rglob("*") if path.is_file()]
def taken(some): return sum(path.stat().st_blocks * 512 for path in some)
parts = {"bytecode": taken(path for path in paths if path.suffix == ".pyc"),
         "tests": taken(path for path in paths if "tests" in path.parts)}
print(json.dumps({"sizes": sizes, "all": taken(paths), "of it": parts}))
"""


def installed(clone):
    """Install the packages of `make app` into a clone and return (interpreter, metrics)."""
    began, before = time.perf_counter(), os.times()
    subprocess.run(["make", "--silent", ".venv/.app"], cwd=clone, check=True)
    return clone / ".venv/bin/python", {"seconds": time.perf_counter() - began, "CPU": _children(before)}


def package_sizes(python):
    """Return the disk space that the packages of an interpreter use.

    The result is ({package: bytes}, total bytes, bytes of bytecode and tests).
    """
    answer = subprocess.run([python, "-c", SIZES], check=True, capture_output=True, text=True)
    found = json.loads(answer.stdout)
    return dict(sorted(found["sizes"].items(), key=lambda item: -item[1])), found["all"], found["of it"]


def first_picture(clone, python, browser):
    """Return {"seconds", "CPU"} from the start of the app to the first tree, in a clone without kernels and trees."""
    began = time.perf_counter()
    with served(place=clone, python=python, environment=_environment()) as app:
        show(new_page(browser), app.url)
        return {"seconds": time.perf_counter() - began, "CPU": app.work(children=True)}


def compiling(clone, python, split):
    """Return {"seconds", "CPU"} of a first fit minus those of a second fit."""
    took = []
    for _ in range(2):
        began, before = time.perf_counter(), os.times()
        command = [python, "-m", "treecore", *OWN, split]
        cache = {"TREECORE_KERNEL_CACHE": str(clone / f"kernels of {split}")}
        subprocess.run(command, cwd=clone, env=_environment() | cache, check=True, stderr=subprocess.DEVNULL)
        took.append((time.perf_counter() - began, _children(before)))
    (seconds, cpu), (seconds_after, cpu_after) = took
    return {"seconds": seconds - seconds_after, "CPU": cpu - cpu_after}


def _environment():
    own = ("TREECORE_KERNEL_CACHE", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE")  # not set for new users
    return {name: value for name, value in os.environ.items() if name not in own}


def _children(before):
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def main():
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--install", action="store_true", help="install the packages into the clone, as make app does")
    parser.add_argument("--python", type=Path, default=Path(sys.executable), help="interpreter that has the packages")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        clone = Path(folder, "clone")
        subprocess.run(["git", "clone", "--quiet", "--depth=1", f"file://{ROOT}", clone], check=True)
        python, times = installed(clone) if options.install else (options.python.absolute(), None)
        sizes, whole, parts = package_sizes(python)
        moments = {"packages are installed": times} if times else {}
        moments["a real tree is in the browser"] = first_picture(clone, python, browser)
        for split in ("univariate", "bivariate", "oblique"):
            moments[f"compiled for a first {split} tree"] = compiling(clone, python, split)
    load = os.getloadavg()[0]
    print(heading(f"A fresh clone (load {load:.1f} on {os.cpu_count()} cores)"))
    print(
        table(
            ("until", "seconds", "CPU seconds"),
            [[n, f"{m['seconds']:.1f}", f"{m['CPU']:.1f}"] for n, m in moments.items()],
        )
    )
    rows = [[f"all {len(sizes)}", f"{whole / 1e6:.0f}"], *([f"of it {n}", f"{m / 1e6:.0f}"] for n, m in parts.items())]
    largest = [[name, f"{size / 1e6:.1f}"] for name, size in sizes.items() if size > 5e6]
    print(table(("package", "MB on disk"), [*largest, *rows]))
    print("Written to", write_json("clone", {"moments": moments, "packages": sizes, "all": whole, "load": load}))


if __name__ == "__main__":
    main()
