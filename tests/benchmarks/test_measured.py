"""Test that stored results continue after a stop, are never mixed with those of other versions, and show their age."""

import numpy as np

from benchmarks import as_many_leaves, equal_size, measured


def line(split, trees, error=0.5, method="univariate"):
    return {"set": "iris", "method": method, "split": split, "trees": trees, "error": error}


def test_a_stopped_run_continues_after_its_last_complete_line(tmp_path):
    calls = []

    def run(splits, trees="new"):
        for split in splits:
            key = {"set": "iris", "method": "univariate", "split": split}
            measured.once("x", key, lambda: calls.append(1) or {"error": 1 / 3}, trees=trees, folder=tmp_path)

    run(range(2))
    path = tmp_path / "x.jsonl"
    path.write_bytes(path.read_bytes()[:-5])  # the program stopped while it wrote the second line
    assert len(measured.lines("x", tmp_path)) == 1
    run(range(3))
    assert [one["split"] for one in measured.lines("x", tmp_path)] == [0, 1, 2]
    assert len(calls) == 4
    assert measured.lines("x", tmp_path)[0]["error"] == 0.333333
    run(range(3), trees="newer")
    assert len(calls) == 7, "results of other trees are measured again"
    assert len(measured.lines("x", tmp_path)) == 6, "and the old ones are kept"


def test_versions_are_never_mixed():
    found = [line(0, "old", 1.0), line(1, "old", 1.0), line(0, "new", 0.0)]
    assert measured.newest(found, "new") == [found[2]]
    assert measured.newest(found[:2], "new") == found[:2]
    assert measured.newest([*found, line(0, "older")], "unknown") == [line(0, "older")], "the last stored version"
    assert measured.newest([line(None, None), line(2, None)], "new") == [line(2, None)], "means and single splits"
    assert measured.is_old(found[0], "new")
    assert not measured.is_old(found[2], "new")
    assert not measured.is_old(line(0, None), "new"), "a result of another package"


def test_a_row_of_a_table_shows_that_it_is_old():
    values = {"best-first": 0.2, "pruned": 0.2, "leaves": 3, "rows": [75, 25]}
    found = [line(split, "old", 0.1) | values for split in range(3)]
    rows = as_many_leaves.rows_of(as_many_leaves.summary(found, "new"))
    assert rows[0][1] == "univariate †"
    assert rows[0][6:] == ["3", "0", "0"]
    assert as_many_leaves.rows_of(as_many_leaves.summary(found, "old"))[0][1] == "univariate"


def test_the_corrected_test_has_a_larger_p_than_the_uncorrected_one():
    differences = np.array([0.01, 0.02, 0.015, 0.0, 0.03])
    corrected = as_many_leaves.corrected_p(differences, [75, 25])
    uncorrected = as_many_leaves.corrected_p(differences, [75, 0])
    assert 0 < uncorrected < corrected < 1
    assert as_many_leaves.corrected_p(np.zeros(5), [75, 25]) == 1.0


def test_a_split_of_equal_sizes_has_all_values(monkeypatch):
    monkeypatch.setattr(equal_size, "ROWS", 90)
    found = []
    for method in ("CART, pruned", "CART, best-first", "univariate"):
        values = equal_size.measure("diabetes", method, 0, False)
        found.append({"set": "diabetes", "method": method, "split": 0, "trees": None} | measured.rounded(values))
    sets = equal_size.aggregated(found, "")
    assert equal_size.relative(sets["diabetes"]["CART, pruned"]) == [1.0] * 4
    own = sets["diabetes"]["univariate"]
    assert own["above"] == 0
    assert own["cases"] == 4
    assert "best type" not in sets["diabetes"], "the other kinds of splits are missing"
    assert equal_size.relative_rows(sets, ["diabetes"])[0][0] == "univariate"


def test_the_means_of_an_older_run_keep_their_number_of_splits():
    old = {"set": "wdbc", "method": "oblique", "split": None, "splits": 3, "trees": "before"}
    own = equal_size.aggregated([old | {"errors": [0.1] * 4, "base": [0.2] * 4, "beside": [0.2] * 4}], "new")
    assert own["wdbc"]["oblique"]["splits"] == 3
    assert own["wdbc"]["oblique"]["is_old"]


def test_the_committed_results_can_be_read():
    trees = measured.current_trees()
    assert len(trees) == 10
    assert set(as_many_leaves.stored()[0]) >= {("breast cancer", kind) for kind in as_many_leaves.KINDS}
    assert {"digits", "segment"} <= set(equal_size.stored())


def test_the_stamp_belongs_to_the_trees_of_the_engine():
    assert measured.main(["--check"]) == 0, "python -m benchmarks.measured; python -m docs.site.lists"
