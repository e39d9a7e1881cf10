"""Test the folder of the machine on the Data page, and training on all of its rows on the Tree page."""

import time
from dataclasses import replace

import numpy as np
import pyarrow
import pytest
from pyarrow import parquet

from pages.jobs import reading_task, user_store
from pages.ui.explore.all_rows_section import counts_of_all_rows
from pages.ui.shell.markdown_text import plain
from sample_data.data_folder.entries import MOST_ROWS, VARIABLE
from sample_data.user_data.recipe import Recipe
from tests.pages.conftest import wait_for_jobs, wait_for_path
from tests.pages.ui.data.test_project import opened
from tests.refusals import wording
from treecore import CARTClassifier, Model, Project
from treecore.model.project_parts import DataSource, ProjectTree

N = MOST_ROWS + 2000
SMALL = {"split": "univariate", "init": "cart", "max_depth": "3", "n_lambdas": "2"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with 102,000 rows in two files, and a damaged file."""
    folder = tmp_path_factory.mktemp("machine")
    rng = np.random.default_rng(0)
    x, z = rng.integers(0, 50, N), rng.integers(0, 50, N)
    y = np.where((x > 20) ^ (rng.random(N) < 0.1), "yes", "no")
    (folder / "trips").mkdir()
    for k in range(2):
        table = pyarrow.table({"x": x[k::2], "z": z[k::2], "y": y[k::2]})
        parquet.write_table(table, folder / "trips" / f"{k}.parquet")
    (folder / "bad.parquet").write_bytes(b"PAR1 nothing")
    return folder


@pytest.fixture
def with_folder(folder, monkeypatch):
    monkeypatch.setenv(VARIABLE, str(folder))
    return folder


@pytest.fixture(scope="module")
def sampled(folder, tmp_path_factory, jobs_folder):
    """Return the name of the data set of the sample, as the Data page makes it."""
    place = tmp_path_factory.mktemp("upload")
    source = reading_task.read_sample(lambda *_: None, str(folder), "trips/", str(place / "file"), "trips", str(place))
    proposed = reading_task.job_files.read_json(place / reading_task.READING)["proposed"]
    user_store.folder().mkdir(parents=True, exist_ok=True)
    recipe = replace(Recipe.from_dict(proposed), drop_duplicates=False)
    name = reading_task.make(lambda *_: None, str(place), recipe.to_dict(), str(user_store.folder()))
    user_store.note_origin(name, "trips", (), source)
    return name


def wait_for_end(app, seconds=300):
    """Run the app until the training on all rows has ended."""
    end = time.monotonic() + seconds
    while any((one.key or "").startswith("cancel-") for one in app.button) and time.monotonic() < end:
        wait_for_jobs()
        app.run()
    assert not app.exception


def test_the_source_exists_only_with_a_folder(open_app, monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    app = open_app("pages/data.py", **{"from": "folder"})
    assert not app.exception
    assert not [one for one in app.selectbox if one.key == "folder_entry"]


def test_an_entry_is_sampled_and_stays_open_after_a_fault(open_app, with_folder):
    app = open_app("pages/data.py", **{"from": "folder"})
    (chosen,) = (one for one in app.selectbox if one.key == "folder_entry")
    assert [option.partition(" ")[0] for option in chosen.options] == ["trips", "bad.parquet"]
    app = app.button(key="folder_read").click().run()
    assert not app.exception
    head = [one.value for one in app.markdown if "sample of 100,000 of 102,000 rows" in one.value]
    assert head
    app = next(one for one in app.selectbox if one.key == "folder_entry").set_value("bad.parquet").run()
    assert app.button(key="folder_read").disabled
    assert app.error
    assert [one.value for one in app.markdown if "sample of 100,000 of 102,000 rows" in one.value] == head


def test_an_empty_folder_is_explained(open_app, tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    app = open_app("pages/data.py", **{"from": "folder"})
    assert "The folder of this machine contains no Parquet files. Add files, or upload a file." in [
        one.value for one in app.info
    ]
    monkeypatch.setenv(VARIABLE, str(tmp_path / "gone"))
    app = open_app("pages/data.py", **{"from": "folder"})
    assert app.error
    assert not app.exception


def test_all_rows_are_trained_and_both_trees_are_compared(open_app, sampled, with_folder):
    app = wait_for_path(open_app(data_set=sampled, tree="0", **SMALL))
    app = app.button(key="all-rows-train").click().run()
    wait_for_end(app)
    done = [
        one.value.removesuffix(" The difference is smaller than two standard errors.")
        for one in (*app.success, *app.info)
    ]
    assert len([words for words in done if wording("Sample: …. All rows: ….").match(words)]) == 1
    n_train = N - MOST_ROWS + 60_000
    assert any(f"{n_train:,}" in one.value for one in app.caption)
    app = open_app(data_set=sampled, tree="0", **SMALL)  # as after a reload
    app = app.button(key="all-rows-keep").click().run()
    assert not app.exception
    assert list(app.session_state["loaded_models"]) == ["trips, all rows"]
    assert app.selectbox(key="_tree_page_source").value == "model-trips, all rows"
    assert counts_of_all_rows(n_train) in [one.value for one in app.caption]


def test_a_file_that_has_changed_is_an_error_in_words(open_app, sampled, with_folder, monkeypatch, tmp_path):
    other = SMALL | {"seed": "5"}
    app = wait_for_path(open_app(data_set=sampled, tree="0", **other))
    monkeypatch.setenv(VARIABLE, str(tmp_path))  # the same names no longer exist
    app = app.run().button(key="all-rows-train").click().run()
    wait_for_end(app)
    assert any("trips/" in one.value for one in app.error)
    assert app.button(key="again-all_rows")  # trains again


def test_without_the_folder_the_sample_remains(open_app, sampled, monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    app = wait_for_path(open_app(data_set=sampled, tree="0", **SMALL))
    assert "The app was started without the folder of these rows. Restart it with the folder to train on all rows." in [
        one.value for one in app.caption
    ]
    assert "all-rows-train" not in [one.key for one in app.button]


def test_a_project_reads_the_sample_again_if_the_app_has_the_folder(open_app, sampled, with_folder, monkeypatch):
    data, origin = user_store.load(sampled), user_store.origin(sampled)
    assert (origin["entry"], len(origin["digest"])) == ("trips/", 16)
    known = DataSource(data.name, data.title, data.fingerprint, **origin)
    tree = CARTClassifier(max_depth=2).fit(data.X[:900], data.labels()[:900]).tree_
    project = Project((ProjectTree("All rows", Model.of(tree, data)),), (known,))
    folder = user_store.folder()
    hidden = [path.rename(path.with_name(f"hidden-{path.name}")) for path in folder.glob(f"{sampled}.*")]
    try:
        monkeypatch.delenv(VARIABLE)
        app = opened(open_app("pages/data.py"), project.to_json().encode())
        assert plain(
            "The trees were trained on a sample of trips/ in a data folder. Restart the app with this folder to "
            "open the data."
        ) in [one.value for one in app.warning]
        monkeypatch.setenv(VARIABLE, str(with_folder / "trips"))
        app = opened(open_app("pages/data.py"), project.to_json().encode())
        assert any("trips/" in one.value for one in app.warning)
        monkeypatch.setenv(VARIABLE, str(with_folder))
        app = app.button(key=f"project_sample_{data.fingerprint[:12]}").click().run()
        assert not app.exception
        assert not app.warning
        assert user_store.origin(sampled) == origin | {
            "file": origin["file"] + f", sample of {MOST_ROWS:,} of {N:,} rows"
        }
    finally:
        for path in hidden:
            path.rename(path.with_name(path.name.removeprefix("hidden-")))
