"""Test the library as users install it: as a wheel, away from the checkout."""

import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml

from pages.jobs.source_digest import source_digest
from treecore.version import VERSION

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = """
import sys, treecore, viz, sample_data
for module in (treecore, viz, sample_data):
    assert module.__file__.startswith(sys.argv[1]), module.__file__
assert treecore.__version__ == sys.argv[2]
assert sample_data.load("segment").X.shape == (2310, 19)
data = sample_data.load("xor")
model = treecore.TAOClassifier(split="univariate", init="random", max_depth=1, max_iter=1).fit(data.X, data.y)
assert len(viz.stage_html(model.tree_, data)) > 100_000  # with the browser side
assert not {"streamlit", "distributed"} & set(sys.modules)
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Return a folder with the content of the wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    source.mkdir()
    for name in ("treecore", "viz", "sample_data", "pages", ".streamlit"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "setup.py", "app.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", folder, source]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder / "site")
    # pip puts these files next to the folder of the packages.
    (data,) = (folder / "site").glob("*.data/data")
    shutil.move(data / "share", folder / "share")
    shutil.rmtree(data.parent)
    return folder / "site"


@pytest.mark.long
def test_the_wheel_works_without_the_checkout(site, tmp_path):
    # Kernels are stored per folder, so they would have to be compiled again here.
    environment = os.environ | {"PYTHONPATH": str(site), "NUMBA_DISABLE_JIT": "1"}
    subprocess.run([sys.executable, "-c", PROGRAM, str(site), VERSION], check=True, cwd=tmp_path, env=environment)
    assert {path.name for path in site.iterdir() if path.is_dir() and path.suffix == ""} == {
        "treecore",
        "viz",
        "sample_data",
    }


def test_the_readme_of_the_wheel_has_no_relative_links(site):
    (metadata,) = site.glob("*.dist-info/METADATA")
    text = metadata.read_text(encoding="utf-8")
    assert "Train, explore and edit" in text
    assert "](" not in text


def test_the_wheel_has_all_files_of_the_packages(site):
    for package in ("treecore", "viz", "sample_data"):
        for path in (ROOT / package).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts and not path.name.endswith(".d.ts"):
                assert (site / path.relative_to(ROOT)).read_bytes() == path.read_bytes()


def test_the_app_travels_along_and_has_all_its_files(site):
    there = site.parent / "share" / "tao-explorer"
    for folder in ("pages", ".streamlit"):
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                assert (there / path.relative_to(ROOT)).read_bytes() == path.read_bytes()
    assert (there / "app.py").read_bytes() == (ROOT / "app.py").read_bytes()


def test_the_app_that_is_installed_knows_the_code_that_decides_its_results(site):
    """The hash covers the engine, which is in another folder after an installation."""
    program = "from pages.jobs.source_digest import source_digest; print(source_digest())"
    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=site.parent / "share/tao-explorer",
        env=os.environ | {"PYTHONPATH": str(site)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert ended.stdout.strip() == source_digest()


def test_the_program_is_there_and_says_which_packages_it_lacks(site, tmp_path):
    (points,) = site.glob("*.dist-info/entry_points.txt")
    assert "treecore = viz.command_line:main" in points.read_text()
    (tmp_path / "pyarrow.py").write_text("raise ModuleNotFoundError(name='pyarrow')")
    (tmp_path / "table.csv").write_text("a,b\n1,x\n2,y\n")
    environment = os.environ | {"PYTHONPATH": f"{tmp_path}{os.pathsep}{site}"}
    ended = subprocess.run(
        [sys.executable, "-m", "treecore", "fit", "table.csv", "--out", "m.json"],
        cwd=tmp_path, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    assert ended.returncode == 2
    assert "pyarrow" in ended.stderr
    assert "-m pip install pyarrow\n" in ended.stderr


def test_the_workflow_tries_the_declared_versions_of_python():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = [text.rpartition(" ")[2] for text in project["classifiers"] if ":: Python :: 3." in text]
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8"))
    matrix = workflow["jobs"]["systems"]["strategy"]["matrix"]
    assert matrix["python"] == declared
    assert [one.partition("-")[0] for one in matrix["os"]] == ["ubuntu", "macos", "windows"]
