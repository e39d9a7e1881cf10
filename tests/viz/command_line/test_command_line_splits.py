"""Test that fit, path and comparison on the command line keep groups together and respect time."""

import json

import numpy as np
import pandas
import pytest

from tests.refusals import wording
from treecore.messages import joined, literal
from viz.command_line import main

N = 100


@pytest.fixture
def visits(tmp_path):
    rng = np.random.default_rng(0)
    patient = np.repeat(np.arange(20), 5)
    frame = pandas.DataFrame({
        "patient": patient, "day": rng.permutation(N), "bp": rng.normal(120, 9, N).round(1),
        "weight": rng.normal(70, 9, N).round(1), "arm": np.where(rng.random(N) > 0.5, "a", "b"),
    })  # fmt: skip
    frame.to_csv(tmp_path / "visits.csv", index=False)
    return str(tmp_path / "visits.csv"), frame


def run(capsys, *arguments):
    code = main(list(arguments))
    found = capsys.readouterr()
    return code, found.out, found.err


SMALL = ("--split", "univariate", "--max-depth", "3", "--target", "arm")


def test_a_fit_says_which_rows_test(visits, capsys):
    file, _ = visits
    for more in ((), ("--group", "patient")):
        code, _, errors = run(capsys, "fit", file, *SMALL, *more)
        assert code == 0
        assert (
            f"Test rows: {4:,} of {20:,} values of 'patient' (20 %). No training row has one of these values." in errors
        )
    code, _, errors = run(capsys, "fit", file, *SMALL, "--time", "day")
    assert "Test rows: the newest 20 % by 'day'. Training rows are older." in errors
    code, _, errors = run(capsys, "fit", file, *SMALL, "--no-group")
    assert "Test rows" not in errors
    assert wording("'patient' has 20 values with … each").search(errors)


def test_numbers_are_split_by_group_too(visits, capsys):
    file, _ = visits
    options = ("--regression", "--split", "univariate", "--target", "bp", "--group", "patient", "--lams", "3")
    code, _, errors = run(capsys, "path", file, *options)
    assert code == 0
    assert "Test rows: 4 of 20 values" in errors


@pytest.mark.parametrize("more", [("--group", "patient"), ("--time", "day")])
def test_a_comparison_keeps_them_apart(visits, capsys, more, monkeypatch):
    file, frame = visits
    seen = []
    from viz.command_line import compare as command

    compared = command.compare

    def noted(*given, **options):
        found = compared(*given, **options)
        seen.append((options, found))
        return found

    monkeypatch.setattr(command, "compare", noted)
    options = ("--target", "arm", "--methods", "cart", "--folds", "3", "--jobs", "1", "--json")
    code, out, _ = run(capsys, "compare", file, *options, *more)
    assert code == 0
    assert json.loads(out)[0]["n_folds"] == 3
    given, found = seen[0]
    if more[0] == "--group":
        assert np.array_equal(given["groups"], frame["patient"])
        assert all(cell.n_test % 5 == 0 for cell in found.cells)
    else:
        assert np.array_equal(given["times"], frame["day"])
        assert [cell.n_train for cell in found.cells] == [25, 50, 75]


def test_two_ways_to_split_are_refused(visits, capsys):
    file, _ = visits
    code, _, errors = run(capsys, "fit", file, *SMALL, "--group", "patient", "--time", "day")
    assert (code, errors) == (
        2,
        f"fit: {joined(['--group', '--time'], between=' and ')} cannot be combined. Use one option.\n",
    )
    code, _, errors = run(capsys, "fit", file, *SMALL, "--group", "nobody")
    assert wording("The table has no column 'nobody'").search(errors)
    code, _, errors = run(capsys, "fit", "iris", "--group", "patient")
    assert (
        f"--group applies only to tables, but {literal('iris')} is a data set with fixed classes and features."
        in errors
    )
