"""Test files of sparse matrices (svmlight and SciPy's .npz) that are valid, too large for a table, or hostile."""

import io
import tracemalloc

import numpy as np
import pytest
import scipy.sparse
from sklearn.datasets import dump_svmlight_file

from sample_data.user_data import Table, make_data_set, propose, read, summarise
from sample_data.user_data.readers import sparse_rows
from sample_data.user_data.readers.read import read_sparse
from sample_data.user_data.readers.svmlight_file import is_svmlight
from tests.refusals import refused
from treecore.errors import DataError
from treecore.model.model import Model
from viz.command_line import main

N, D = 120, 30


def matrix(n=N, d=D, density=0.1):
    X = scipy.sparse.random_array((n, d - 1), density=density, random_state=np.random.default_rng(0), format="csr")
    first = (np.arange(n) % 3)[:, None] + 1.0
    return scipy.sparse.csr_matrix(scipy.sparse.hstack([X, first]))


def svmlight(X, y, **more):
    stream = io.BytesIO()
    dump_svmlight_file(X, y, stream, **{"zero_based": False} | more)
    return stream.getvalue()


def npz(X, **arrays):
    stream = io.BytesIO()
    scipy.sparse.save_npz(stream, X)
    if arrays:
        parts = dict(np.load(io.BytesIO(stream.getvalue())))
        stream = io.BytesIO()
        np.savez_compressed(stream, **parts | arrays)
    return stream.getvalue()


LABELS = np.arange(N) % 3


@pytest.mark.parametrize("name", ["rows.svm", "rows.libsvm", "rows.txt", "rows.csv"])
def test_svmlight_is_read_as_a_table(name):
    table = read(svmlight(matrix(), LABELS), name)
    assert table.format == "svmlight"
    assert list(table.frame.columns) == [*(f"x{k}" for k in range(1, D + 1)), "label"]
    np.testing.assert_allclose(table.frame.iloc[:, :D].to_numpy(float), matrix().toarray(), rtol=1e-7)
    recipe = propose(table, summarise(table))
    assert recipe.target == "label"
    assert make_data_set(table, recipe).class_names == ("0", "1", "2")


def test_a_small_file_makes_no_large_table(monkeypatch):
    monkeypatch.setattr(sparse_rows, "FREE_SPARSE_CELLS", 2_000)
    X = scipy.sparse.csr_matrix((np.ones(10), (range(10), range(90, 100))), shape=(100, 100))
    with refused(
        DataError,
        (
            "is a sparse matrix with 100 rows and 100 columns. As a table it would have … values (maximum 10,000 "
            "values and … columns)"
        ),
    ):
        read(svmlight(X, range(100)), "x.svm")  # with the labels, it has more cells
    X = scipy.sparse.csr_matrix((np.ones(11), (range(11), range(89, 100))), shape=(100, 100))
    assert read(svmlight(X, range(100)), "x.svm").n_columns == 101


def test_queries_are_groups_and_labels_with_fractions_are_numbers():
    queries = np.repeat(np.arange(24), 5)
    table = read(svmlight(matrix(), LABELS + np.linspace(0, 1, N), query_id=queries), "rank.svm")
    recipe = propose(table, summarise(table))
    assert (recipe.target, recipe.numbers, recipe.split, recipe.split_column) == ("label", True, "group", "qid")
    assert "qid" not in recipe.features()
    assert read(svmlight(matrix(), LABELS, zero_based=True), "x.svm").frame.columns[0] == "x0"


@pytest.mark.parametrize("kind", ["csr", "csc", "coo"])
def test_a_sparse_npz_is_read_with_and_without_labels(kind):
    X = getattr(matrix(), f"to{kind}")()
    table = read(npz(X, y=np.array(["no", "yes", "maybe"])[LABELS]), "rows.npz")
    assert isinstance(table, Table)
    assert (table.format, table.frame.shape, table.frame.columns[-1]) == ("SciPy", (N, D + 1), "label")
    np.testing.assert_allclose(table.frame.iloc[:, :D].to_numpy(float), matrix().toarray())
    table = read(npz(X), "rows.npz")
    assert table.frame.shape == (N, D)
    assert "no array y (choose a column as the target)" in table.notes


@pytest.mark.parametrize("ending", ["svm", "npz"])
def test_a_large_matrix_is_refused_as_a_table_and_trained_as_it_is(ending, tmp_path, capsys):
    n, d = 300, 130_107
    X = matrix(n, d, 2e-5)
    y = np.arange(n) % 3
    content = svmlight(X, y) if ending == "svm" else npz(X, y=y)
    tracemalloc.start()
    with refused(
        DataError,
        (
            f"news.{ending} is a sparse matrix with 300 rows and {d:,} columns. As a table it would have … values "
            f"(maximum … values and … columns). Train on the sparse matrix…: python -m treecore fit news.{ending} "
            "--split oblique, or TAOClassifier('oblique').fit(X, y) in Python"
        ),
    ):
        read(content, f"news.{ending}")
    assert tracemalloc.get_traced_memory()[1] < 100e6  # all its values would take 312 MB
    tracemalloc.stop()
    path = tmp_path / f"news.{ending}"
    path.write_bytes(content)
    out = tmp_path / "model.json"
    options = ["--split", "oblique", "--max-depth", "3", "--max-iter", "2", "--lam", "0.1", "--out", str(out)]
    assert main(["fit", str(path), *options]) == 0
    told = capsys.readouterr().err
    assert "data: 300 sparse rows of 130,107 features" in told
    model = Model.from_json(out.read_bytes())
    assert model.tree.n_features == d
    assert np.mean(model.tree.predict(X) == y.astype(str)) > 0.8  # a third would be correct by chance
    assert main(["fit", str(path), "--split", "univariate"]) == 2
    assert "--split oblique" in capsys.readouterr().err


def test_the_command_line_says_what_labels_must_be(tmp_path, capsys):
    path = tmp_path / "rows.svm"
    path.write_bytes(svmlight(matrix(), LABELS + 0.5))
    assert main(["fit", str(path)]) == 2
    assert "--regression" in capsys.readouterr().err
    assert main(["fit", str(path), "--regression", "--max-depth", "2", "--max-iter", "1"]) == 0
    path = tmp_path / "rows.npz"
    path.write_bytes(npz(matrix(60, 20_000, 1e-4)))
    assert main(["fit", str(path), "--split", "oblique"]) == 2
    assert (
        "rows.npz has no labels. Add them to the file as the array y: numpy.savez_compressed('with_y.npz', y=y, "
        "**numpy.load('matrix.npz'))."
    ) in capsys.readouterr().err


WRONG_LINES = {
    "an index beyond the limit": (
        b"1 1:0.5\n2 3:1 99999999999999999999:1\n",
        "line … has the index …: expected whole numbers from 0 to",
        {"line": 2, "index": "9" * 20},
    ),
    "an index of 2**31": (
        b"1 1:0.5\n2 2147483648:1\n",
        "line … has the index …: expected whole numbers from 0 to",
        {"line": 2, "index": "2147483648"},
    ),
    "a negative index": (
        b"1 1:0.5\n0 -3:1\n",
        "line … has the index …: expected whole numbers from 0 to",
        {"line": 2, "index": "-3"},
    ),
    "indices that fall": (b"1 1:0.5\n0 7:1 3:1\n", "is not a supported svmlight file (…)", {}),
    "a text as a label": (b"1 1:0.5\nyes 7:1\n", "is not a supported svmlight file (…)", {}),
    "several labels": (b"1,2 1:0.5\n1 7:1\n", "is not a supported svmlight file (…)", {}),
    "a value that is missing": (b"1 1:0.5\n0 7:nan\n", "row … contains … in feature", {"row": 2, "feature": "x7"}),
    "an infinite value": (
        b"1 1:0.5\n0 7:1e999\n",
        "row … contains … in feature",
        {"row": 2, "value": np.inf, "feature": "x7"},
    ),
    "a label that is missing": (b"1 1:0.5\nnan 7:1\n", "the label of row … is …. Use finite numbers", {"row": 2}),
    "no value": (b"1 1:0.5\n0 7:\n", "is not a supported svmlight file (…)", {}),
    "no row": (b"# nothing\n", "has … rows and … columns", {"n_rows": 0}),
}


@pytest.mark.parametrize("case", WRONG_LINES)
def test_hostile_svmlight_is_refused_in_words(case):
    content, code, values = WRONG_LINES[case]
    with refused(DataError, code, **values):
        read(content, "bad.svm")


def test_tables_are_no_svmlight():
    for text in ("1 2 3\n4 5 6\n", "3 10:15 12:20\n4 11:00 12:30\n", "a b:1\n", "5\n6\n", "1,2:3\n", "1 3:0.5 2:1\n\n"):
        assert not is_svmlight(text)
    assert is_svmlight("# made by hand\n+1 1:0.5 7:-1e-3 # first\n-1\n2 qid:4 3:1\n1 1:2\n")


def broken(**arrays):
    return npz(matrix(), **{"y": LABELS} | arrays)


INDPTR, INDICES = matrix().indptr, matrix().indices
WRONG_ARRAYS = {
    "a negative index": {"indices": np.where(np.arange(INDICES.size) == 5, -7, INDICES)},
    "an index beyond the columns": {"indices": np.where(np.arange(INDICES.size) == 5, D + 1000, INDICES)},
    "rows that overlap": {"indptr": np.where(np.arange(INDPTR.size) == 5, 10**6, INDPTR)},
    "a negative row": {"indptr": np.where(np.arange(INDPTR.size) == 5, -1, INDPTR)},
    "rows that are too few": {"indptr": INDPTR[:-3]},
    "places that are fractions": {"indices": INDICES.astype(float)},
    "a huge shape": {"shape": np.array([2**62, 2**62])},
    "a negative shape": {"shape": np.array([-1, D])},
    "a shape of three": {"shape": np.array([N, D, 2])},
    "a value that is missing": {"data": np.full(INDICES.size, np.nan)},
    "complex values": {"data": np.full(INDICES.size, 1j)},
    "texts": {"data": np.full(INDICES.size, "1")},
    "too few labels": {"y": LABELS[:5]},
    "names of other columns": {"feature_names": np.array(["a", "b"])},
    "an unknown format": {"format": np.array(b"bsr")},
    "a format of bytes": {"format": np.array(b"\xff\xfe")},
}


@pytest.mark.parametrize("case", WRONG_ARRAYS)
def test_hostile_npz_is_refused_in_words(case):
    with pytest.raises(DataError, match=r"bad\.npz"):
        read(broken(**WRONG_ARRAYS[case]), "bad.npz")


def test_objects_are_never_unpickled():
    class Bomb:
        def __reduce__(self):
            return (pytest.fail, ("unpickled",))

    for key in ("y", "data", "format"):
        with refused(DataError, "is an array of Python objects"):
            read(broken(**{key: np.array([Bomb()], object)}), "bad.npz")


def test_other_files_hold_no_sparse_matrix():
    assert read_sparse(b"a,b\n1,2\n", "x.csv") is None
    found = read_sparse(svmlight(matrix(), LABELS), "x.svm")
    assert found.X.shape == (N, D)
    assert np.array_equal(found.y, LABELS)
