"""Test that fit, path and comparison on the command line keep groups together and respect time."""

import json

import numpy as np
import pandas
import pytest

from sample_data.messages import MESSAGES
from sample_data.user_data.checks.messages import MESSAGES as PROBLEMS
from tests.refusals import wording
from viz.command_line import main
from viz.command_line.messages import MESSAGES as COMMANDS

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
        assert MESSAGES("grouped_test", tested=4, known=20, name="patient", share="20 %") in errors
    code, _, errors = run(capsys, "fit", file, *SMALL, "--time", "day")
    assert MESSAGES("newest_test", share="20 %", name="day") in errors
    code, _, errors = run(capsys, "fit", file, *SMALL, "--no-group")
    assert "Test rows" not in errors
    assert wording(PROBLEMS, "subjects.counts", column="patient", n=20).search(errors)


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
    assert (code, errors) == (2, f"fit: {COMMANDS('table.two_splits', options=['--group', '--time'])}\n")
    code, _, errors = run(capsys, "fit", file, *SMALL, "--group", "nobody")
    assert wording(COMMANDS, "table.no_column", column="nobody").search(errors)
    code, _, errors = run(capsys, "fit", "iris", "--group", "patient")
    assert COMMANDS("table.only", option="--group", data="iris") in errors
