"""Test the library installed from its archives: ``python -m tests.versions [--all]``, or ``make versions``.

The script builds a source archive and a wheel from it. It installs them in new environments away from the checkout and
runs `contract.py` there. The environments have the lowest and the newest versions that the project file allows. Without
options, the oldest Python on this machine gets the lowest versions and the newest Python the newest ones, and kernels
run uncompiled. The option `--all` tests both with every Python, and compiles the kernels. The script needs uv, as in
requirements-dev.txt, and a package registry.
"""

import argparse
import json
import os
import shutil
import subprocess
import tempfile
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from uv import find_uv_bin

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
OLDEST = int(PROJECT["requires-python"].rpartition(".")[2])
NEXT = OLDEST + 10  # the search stops before this minor version
LOWEST, NEWEST = "lowest-direct", "highest"


def uv(*words):
    """Return the output of uv. If it fails, raise SystemExit with its messages."""
    command = [find_uv_bin(), *map(str, words)]
    ended = subprocess.run(command, capture_output=True, text=True)
    if ended.returncode:
        raise SystemExit(f"{' '.join(command)}\n{ended.stderr}")
    return ended.stdout


def interpreters():
    """Return an interpreter for each minor version that the library allows and this machine has, the oldest first."""
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    found = {}
    for minor in range(OLDEST, NEXT):
        there = [shutil.which(f"python3.{minor}"), *versions.glob(f"3.{minor}.*/bin/python")]
        found[minor] = next((path for path in there if path and _runs(path)), None)
    return [path for path in found.values() if path]


def _runs(python):
    """Test whether an interpreter runs and has the module venv.

    Debian leaves venv out, and pyenv has programs that refuse to run.
    """
    return subprocess.run([python, "-c", "import ensurepip"], capture_output=True).returncode == 0


def tried(wheel, python, resolution, compiled, folder):
    """Return the versions installed in a new environment. Raise SystemExit if the contract fails in it."""
    began = time.perf_counter()
    folder.mkdir()
    uv("venv", "--quiet", "--no-project", "--python", python, folder / "venv")
    there = folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    install = ("pip", "install", "--quiet", "--only-binary", ":all:", "--python", there)
    uv(*install, "--resolution", resolution, "--requirements", ROOT / "pyproject.toml")
    uv(*install, wheel)
    own = {"XDG_CACHE_HOME": str(folder / "cache"), "NUMBA_DISABLE_JIT": "0" if compiled else "1"}
    others = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "TREECORE_"))}
    ended = subprocess.run(
        [there, Path(__file__).with_name("contract.py"), folder], cwd=folder, env=others | own,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    packages = {
        one["name"]: one["version"] for one in json.loads(uv("pip", "list", "--format=json", "--python", there))
    }
    pins = ", ".join(f"{one.split('>')[0]} {packages[one.split('>')[0]]}" for one in PROJECT["dependencies"])
    if ended.returncode:
        raise SystemExit(f"{python}, {pins}:\n{ended.stdout}")
    return f"{python}: {pins}; {time.perf_counter() - began:.0f} s"


def main():
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="every Python with both, kernels compiled: minutes")
    compiled = parser.parse_args().all
    pythons = interpreters()
    chosen = [(one, resolution) for one in pythons for resolution in (LOWEST, NEWEST)]
    if not compiled:
        chosen = [(pythons[0], LOWEST), (pythons[-1], NEWEST)]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        uv("build", "--quiet", "--out-dir", folder, ROOT)  # builds the wheel from the source archive
        (wheel,) = Path(folder).glob("*.whl")
        places = [Path(folder, str(number)) for number in range(len(chosen))]
        for line in pool.map(lambda one, place: tried(wheel, *one, compiled, place), chosen, places):
            print(line, flush=True)


if __name__ == "__main__":
    main()
