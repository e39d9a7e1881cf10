"""Test that the excess is measured on the thresholds of the optimum, and that unknown settings are left out."""

import pytest

from benchmarks import common, optimum

pytest.importorskip("pystreed", reason="pystreed, an optional package, is not installed")


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    monkeypatch.setattr(common, "RESULTS", tmp_path / "benchmarks" / "results")
    (tmp_path / "benchmarks").mkdir()
    monkeypatch.setattr(optimum, "warm_up", lambda: None)  # the test does not use the times
    monkeypatch.setattr(optimum, "METHODS", ("", "refine=3", "block=2", "init=optimal"))


def test_no_method_is_below_the_optimum(capsys):
    assert optimum.main(["--only", "iris", "--depths", "2", "--method", "random=2", "max_iter=0", "colour=red"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any("| random=2 |" in line for line in lines)
    assert not any("colour" in line for line in lines)
    cells = [line.split("|") for line in lines if line.startswith("| errors")]
    assert all(float(one[4]) >= 0 for one in cells)
    excess = {one[3].strip(): float(one[4]) for one in cells if "λ" in one[1]}
    assert excess["max_iter=0"] > excess["default"]  # CART itself, without a pass of TAO


def test_settings_are_read():
    assert optimum.settings_of("") == {}
    assert optimum.settings_of("refine=3,init=cart") == {"refine": 3, "init": "cart"}
    assert optimum.settings_of("colour=red") is None


def test_an_optimum_of_zero_counts_as_one_error():
    assert optimum.excess(3.0, 0.0) == 300.0
    assert optimum.excess(6.0, 4.0) == 50.0
