"""``app``: open the explorer in a browser."""

import argparse
import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, files
from importlib.util import find_spec
from pathlib import Path

from treecore.errors import DataError

CHECKOUT = Path(__file__).resolve().parents[2]
EXAMPLES = ("app", "app --port 8600", "app --headless", "app --data-folder /data")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    parser.add_argument("--port", metavar="N", type=int, default=8501, help="port (default 8501)")
    parser.add_argument(
        "--data-folder", metavar="PATH", help="folder of Parquet files that the Data page lists for every visitor"
    )
    parser.add_argument("--headless", action="store_true", help="serve without opening a browser")


def run(options: argparse.Namespace) -> None:
    """Serve until interrupted."""
    for package in ("streamlit", "plotly", "distributed", "pyarrow"):
        if find_spec(package) is None:
            raise ModuleNotFoundError(name=package)
    folder, environment = app_folder(), dict(os.environ)
    if folder != CHECKOUT:  # User files must not be written into the installed packages or the environment.
        cache = Path(environment.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        environment.setdefault("TAO_JOBS", str(cache / "treecore" / "jobs"))
    if options.data_folder is not None:
        if not Path(options.data_folder).is_dir():
            raise DataError(
                f"--data-folder: {options.data_folder} is not a folder. Pass the path of a folder of Parquet files."
            )
        environment["TAO_DATA_FOLDER"] = str(Path(options.data_folder).resolve())
    command = [sys.executable, "-m", "streamlit", "run", "app.py", f"--server.port={options.port}"]
    command += ["--server.headless=true"] if options.headless else []
    subprocess.run(command, cwd=folder, env=environment, check=False)


def app_folder() -> Path:
    """Return the folder of ``app.py``, in the checkout of this library or in the installation.

    Raise DataError if neither contains it.
    """
    if (CHECKOUT / "app.py").is_file() and (CHECKOUT / "pages").is_dir():
        return CHECKOUT
    try:
        installed = [
            Path(str(file.locate())).resolve() for file in files("tao-explorer") or () if file.name == "app.py"
        ]
    except PackageNotFoundError:
        installed = []
    for path in installed:
        if path.is_file() and (path.parent / "pages").is_dir():
            return path.parent
    raise DataError(
        "The explorer is not installed with this library. Install tao-explorer, or start it with 'make app'."
    )
