"""Test that a folder of Parquet files is listed, sampled, and read in parts with the recipe of the sample."""

from dataclasses import replace

import numpy as np
import pandas
import pyarrow
import pytest
from pyarrow import parquet

from sample_data import split_rows
from sample_data.data_folder import entries, source
from sample_data.data_folder.entries import find_entry, list_entries
from sample_data.data_folder.source import EntrySource, source_of
from sample_data.user_data import make_data_set, propose, read, summarise
from tests.refusals import refused
from treecore.errors import DataError

N = 4000


def silent(*_):
    """Ignore the progress."""


def frame_of_all_kinds(n=N):
    rng = np.random.default_rng(0)
    x = rng.normal(size=n)
    frame = pandas.DataFrame(
        {
            "x": x,
            "whole": rng.integers(0, 9, n),
            "code": rng.choice(["01", "02", "A3"], n, p=[0.6, 0.38, 0.02]),
            "length": rng.choice(["5 cm", "7 cm", "8 cm"], n),
            "flag": rng.random(n) < 0.4,
            "town": rng.choice(["Bern", "Graz", "Ulm", "-"], n),
            "day": pandas.Timestamp("2024-01-01") + pandas.to_timedelta(rng.integers(0, 300, n), "D"),
            "kind": np.where(x + 0.3 * rng.normal(size=n) > 0, "up", "down"),
        }
    )
    frame.loc[::17, "x"] = np.nan
    frame.loc[::23, "kind"] = None
    return frame


def write(frame, folder, n_files=3, group=500):
    folder.mkdir(parents=True, exist_ok=True)
    for k, part in enumerate(np.array_split(np.arange(len(frame)), n_files)):
        table = pyarrow.Table.from_pandas(frame.iloc[part], preserve_index=False)
        parquet.write_table(table, folder / f"part-{k}.parquet", row_group_size=group)
    return frame


@pytest.fixture
def folder(tmp_path):
    write(frame_of_all_kinds(), tmp_path / "data" / "trips")
    return tmp_path / "data"


@pytest.fixture
def small_sample(monkeypatch):
    monkeypatch.setattr(entries, "MOST_ROWS", 700)


def sample_of(folder, tmp_path, **changes):
    """Return (entry, data set of its sample, known source)."""
    entry = find_entry(folder, "trips/")
    source.write_sample(entry, tmp_path / "sample", silent)
    table = read(tmp_path / "sample", "trips")
    recipe = replace(propose(table, summarise(table)), **{"target": "kind", "numbers": False} | changes)
    data = make_data_set(table, recipe)
    return entry, data, source_of(entry, table.frame)._asdict() | {"recipe": recipe.to_dict()}


def test_files_of_a_folder_with_equal_columns_are_one_entry(folder, tmp_path):
    frame = frame_of_all_kinds(50)
    write(frame, folder, n_files=2)
    write(frame, folder / "mixed", n_files=1)
    parquet.write_table(pyarrow.table({"a": [1]}), folder / "mixed" / "other.parquet")
    write(frame, folder / "1" / "2" / "3" / "4" / "deep", n_files=1)
    write(frame, folder / ".hidden", n_files=1)
    write(frame, tmp_path / "outside", n_files=1)
    (folder / "link").symlink_to(tmp_path / "outside")
    (folder / "link.parquet").symlink_to(tmp_path / "outside" / "part-0.parquet")
    (folder / "notes.csv").write_text("a,b")
    (folder / "cut.parquet").write_bytes((folder / "part-0.parquet").read_bytes()[:300])
    parquet.write_table(pyarrow.table({"a": pyarrow.array([], pyarrow.int64())}), folder / "empty.parquet")
    found = list_entries(folder)
    entries = {entry.name: entry for entry in found.entries}
    assert list(entries) == [
        "cut.parquet", "empty.parquet", "mixed/other.parquet", "mixed/part-0.parquet", "part-0.parquet",
        "part-1.parquet", "trips/",
    ]  # fmt: skip
    trips = entries["trips/"]
    assert (trips.n_rows, trips.n_columns, trips.title) == (N, 8, "trips")
    assert "cannot be read" in entries["cut.parquet"].fault
    assert "has no rows" in entries["empty.parquet"].fault
    (note,) = found.notes
    assert "Only Parquet files are supported" in note


@pytest.mark.parametrize(
    ("name", "expected"),
    [("../outside/part-0.parquet", "is not in the folder any more"), ("trips", "is not in the folder any more")],
)
def test_only_names_in_the_list_are_entries(folder, tmp_path, name, expected):
    write(frame_of_all_kinds(50), tmp_path / "outside", n_files=1)
    with refused(DataError, expected, name=name):
        find_entry(folder, name)


def test_a_folder_that_does_not_exist_is_refused(tmp_path):
    with refused(DataError, "is not a folder. Restart the app with an existing folder"):
        list_entries(tmp_path / "none")
    with refused(DataError, "is not in the folder any more"):
        find_entry(None, "trips/")


@pytest.mark.parametrize("most_cells", [10**9, 9_000])
def test_a_sample_has_random_rows_of_the_files(folder, tmp_path, monkeypatch, small_sample, most_cells):
    monkeypatch.setattr(entries, "MOST_CELLS", most_cells)
    entry = find_entry(folder, "trips/")
    drawn = entries.draw(entry)
    assert entries.sample_size(entry) == sum(len(one.rows) for one in drawn) == 700
    assert {one.file for one in drawn} == {0, 1, 2}
    assert len(drawn) == (
        sum(len(file.n_rows) for file in entry.files) if most_cells > 10**6 else entries.FEWEST_GROUPS
    )
    assert all(np.all(np.diff(one.rows) > 0) for one in drawn)
    source.write_sample(entry, tmp_path / "sample", silent)
    firsts = np.cumsum([0] + [sum(file.n_rows) for file in entry.files])
    rows = np.concatenate([firsts[one.file] + 500 * one.group + one.rows for one in drawn])
    found = parquet.read_table(tmp_path / "sample").to_pandas()
    expected = frame_of_all_kinds().iloc[rows].reset_index(drop=True)
    pandas.testing.assert_frame_equal(found, expected, check_dtype=False)


def test_a_small_entry_is_its_own_sample(folder, tmp_path):
    entry = find_entry(folder, "trips/")
    assert entries.sample_size(entry) == N
    source.write_sample(entry, tmp_path / "sample", silent)
    assert parquet.read_table(tmp_path / "sample").num_rows == N


@pytest.mark.parametrize("group", [500, 64])
def test_all_rows_have_the_features_and_targets_of_the_sample(tmp_path, small_sample, group):
    frame = write(frame_of_all_kinds(), tmp_path / "data" / "trips", group=group)
    recipe = {"missing": {"town": ("-",)}}
    _, data, known = sample_of(tmp_path / "data", tmp_path, **recipe)
    assert "length (cm)" in data.feature_names
    parts = EntrySource(tmp_path / "data", known, data, np.arange(data.n_rows)).parts()
    assert len({part.name for part in parts}) == len(parts) == 3
    rows = [part.read() for part in parts]
    X, y = np.concatenate([one.X for one in rows]), np.concatenate([one.y for one in rows])
    kept = frame[frame["kind"].notna()]
    assert np.array_equal(np.array(["down", "up"])[y], kept["kind"])
    place = {name: k for k, name in enumerate(data.feature_names)}
    np.testing.assert_array_equal(X[:, place["x"]], kept["x"])
    np.testing.assert_array_equal(X[:, place["length (cm)"]], kept["length"].str[0].astype(float))
    flags = [name for name in data.feature_names if name.startswith("code")]
    assert flags
    for name in flags:  # a part without "A3" still reads texts, not numbers
        np.testing.assert_array_equal(X[:, place[name]], kept["code"] == name.removeprefix("code").strip(" =:'\""))
    sampled = {tuple(row) for row in np.nan_to_num(data.X.astype(float), nan=-9)}
    assert sampled <= {tuple(row) for row in np.nan_to_num(X, nan=-9)}


def test_differences_are_computed_for_all_rows(tmp_path, small_sample):
    frame = frame_of_all_kinds()
    frame["back"] = frame["day"] + pandas.to_timedelta(np.arange(N) % 9, "D")
    write(frame, tmp_path / "data" / "trips")
    kinds = {"day": "ignore", "back": "date", "kind": "category", "back - day (days)": "number"}
    differences = {"back - day (days)": ("back", "day")}
    _, data, known = sample_of(tmp_path / "data", tmp_path, kinds=kinds, differences=differences)
    rows = [part.read() for part in EntrySource(tmp_path / "data", known, data, np.arange(data.n_rows)).parts()]
    assert data.feature_names[-1] == "back - day (days)"
    kept = frame["kind"].notna().to_numpy()
    np.testing.assert_array_equal(np.concatenate([one.X[:, -1] for one in rows]), (np.arange(N) % 9)[kept])


def test_held_out_rows_of_the_sample_are_not_read(folder, tmp_path, small_sample):
    _, data, known = sample_of(folder, tmp_path)
    train, validation, test = split_rows(data, 0)
    rows = np.concatenate([part.read().X for part in EntrySource(folder, known, data, train).parts()])
    held_out = np.concatenate([validation, test])
    assert len(rows) == frame_of_all_kinds()["kind"].notna().sum() - held_out.size
    x = data.feature_names.index("x")
    values = set(rows[:, x][~np.isnan(rows[:, x])])
    own = data.X[:, x].astype(float)
    assert not any(value in values for value in own[held_out])
    assert all(value in values or np.isnan(value) for value in own[train])


def test_a_split_by_time_excludes_all_later_rows(folder, tmp_path, small_sample):
    _, data, known = sample_of(folder, tmp_path, split="time", split_column="day")
    train, validation, test = split_rows(data, 0)
    day = next(k for k, name in enumerate(data.feature_names) if name.startswith("day"))
    rows = np.concatenate([part.read().X for part in EntrySource(folder, known, data, train).parts()])
    assert rows[:, day].max() < data.X[np.concatenate([validation, test]), day].min()
    assert len(rows) > 2000


def test_a_split_by_column_reads_only_its_training_rows(folder, tmp_path, small_sample):
    parts = {"Bern": "train", "Graz": "train", "Ulm": "test"}
    kinds = {"x": "number", "whole": "number"}
    _, data, known = sample_of(folder, tmp_path, split="column", split_column="town", split_values=parts, kinds=kinds)
    rows = [part.read() for part in EntrySource(folder, known, data, np.arange(data.n_rows)).parts()]
    frame = frame_of_all_kinds()
    assert sum(len(one.y) for one in rows) == (frame["town"].isin(["Bern", "Graz"]) & frame["kind"].notna()).sum()


def test_numbers_are_targets(folder, tmp_path, small_sample):
    _, data, known = sample_of(
        folder, tmp_path, target="x", numbers=True, kinds={"whole": "number", "flag": "category"}
    )
    rows = [part.read() for part in EntrySource(folder, known, data, np.arange(data.n_rows)).parts()]
    expected = frame_of_all_kinds()["x"].dropna()
    np.testing.assert_array_equal(np.concatenate([one.y for one in rows]), expected)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"target": "x", "bins": 3, "kinds": {"whole": "number"}}, "Classes of equal size depend on all rows"),
        (
            {"split": "group", "split_column": "whole", "kinds": {"x": "number"}},
            "The test rows are whole groups of the sample",
        ),
    ],
)
def test_recipes_that_need_all_rows_at_once_are_refused(folder, tmp_path, small_sample, changes, expected):
    _, data, known = sample_of(folder, tmp_path, **changes)
    with refused(DataError, expected):
        EntrySource(folder, known, data, np.arange(data.n_rows))


def rewrite_with_other_rows(path):
    parquet.write_table(parquet.read_table(path).slice(0, 600), path, row_group_size=500)


def rewrite_without_a_column(path):
    parquet.write_table(parquet.read_table(path).drop_columns(["whole"]), path, row_group_size=500)


def cut(path):
    path.write_bytes(path.read_bytes()[:2000])


@pytest.mark.parametrize(
    ("damage", "early", "late"),
    [
        (lambda path: path.unlink(), "has changed since its sample was read", "is not in the folder any more"),
        (rewrite_with_other_rows, "has changed since its sample was read", "has changed since its sample was read"),
        (rewrite_without_a_column, "is not in the folder any more", "does not have the columns 'whole' of the sample"),
        (cut, "has changed since its sample was read", "part-1.parquet cannot be read"),
    ],
)  # fmt: skip
def test_files_that_change_are_errors_in_words(folder, tmp_path, small_sample, damage, early, late):
    _, data, known = sample_of(folder, tmp_path)
    parts = EntrySource(folder, known, data, np.arange(data.n_rows)).parts()
    damage(folder / "trips" / "part-1.parquet")
    with refused(DataError, late):
        [part.read() for part in parts]
    with refused(DataError, early):
        EntrySource(folder, known, data, np.arange(data.n_rows))
