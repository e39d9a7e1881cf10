"""Test the benchmark of other packages: a failing learner stops no other one, and the table shows the results."""

import errno
import json
import os
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.tree import DecisionTreeClassifier

from benchmarks import common, peer_fit, peers
from benchmarks.common import DataMissing, markdown

FIGURES = {"version": "1.2", "error": 12.345, "leaves": 7, "seconds": 3.0, "cart_seconds": 0.5}
# a learner that reports the number of rows and classes in its split
SEEING = (
    "import json, sys, numpy as np; a = np.load(sys.argv[1]); "
    f"print(json.dumps({FIGURES!r} | {{'leaves': len(a['X']), 'error': len(set(a['y'].tolist()))}}))"
)
SCRIPTS = {
    "good": f"print('a remark'); print({json.dumps(FIGURES)!r})",
    "broken": "import sys; print('Traceback ...', file=sys.stderr); sys.exit('no such | split')",
    "silent": "",
    "talkative": "print('all is well')",
    "partial": "print('{\"error\": 1}')",
    "endless": "import time; time.sleep(60)",
    "seeing": SEEING,
}


def small(name):
    if name == "lost":
        raise DataMissing("lost.npz is not there")
    return np.zeros((9, 2)), np.arange(9) % 3, np.zeros((2, 2)), np.zeros(2)


def fake(learner, path):
    return ["/no/such/interpreter"] if learner == "absent" else [sys.executable, "-c", SCRIPTS[learner], str(path)]


@pytest.fixture(scope="module")
def outcomes():
    learners = ["good", "broken", "silent", "talkative", "partial", "absent", "endless", "seeing"]
    return list(peers.measure(["first", "lost"], learners, fake, 5, small))


def test_a_failing_peer_leaves_the_rows_of_the_others(outcomes):
    rows = [peers.cells(one) for one in outcomes if one.name == "first"]
    dashes = ("-",) * 4
    assert rows == [
        ("first", "good", "1.2", "12.3", 7, "6 x"),
        *(("first", name, *dashes) for name in ("broken", "silent", "talkative", "partial", "absent", "endless")),
        ("first", "seeing", "1.2", "3.0", 9, "6 x"),
    ]


def test_the_reasons_are_shown(outcomes):
    lines = peers.reasons(outcomes)
    told = {
        "broken": ["1", "no such | split"],
        "silent": ["'no message'"],
        "talkative": ["'all is well'"],
        "partial": ["'{\"error\": 1}'", "cart_seconds, error, leaves, seconds, version"],
        "absent": [os.strerror(errno.ENOENT)],
        "endless": ["5 s"],
    }
    for line, (learner, values) in zip(lines, told.items(), strict=False):
        assert line.startswith(f"{learner} on first: ")
        assert all(value in line for value in values), line
    for line, one in zip(lines[6:], (one for one in outcomes if one.name == "lost"), strict=True):
        assert line.startswith(f"{one.learner} on lost: lost.npz ")
    assert len(lines) == 6 + 8


def test_ratios_have_two_digits():
    texts = [peers.cells(peers.Outcome("a", "b", FIGURES | {"seconds": s}))[-1] for s in (0.031, 0.61, 4.96, 61.7)]
    assert texts == ["0.062 x", "1.2 x", "9.9 x", "123 x"]
    assert peers.cells(peers.Outcome("a", "b", FIGURES | {"version": ""}))[2] == "ours"


def test_markdown_can_be_read_back():
    text = markdown(("set", "error"), [("a|b", 1.5), ("c", "-")])
    assert text.splitlines() == ["| set | error |", "| :-- | --: |", r"| a\|b | 1.5 |", "| c | - |"]


def test_the_environment_is_made_once_for_the_same_requirements(monkeypatch, tmp_path):
    called = []

    def run(command, **_):
        called.append(command)
        (tmp_path / "environment").mkdir(exist_ok=True)
        return SimpleNamespace(returncode=int("broken" in (tmp_path / "r.txt").read_text()), stderr="ERROR: none\n")

    monkeypatch.setattr(peers.subprocess, "run", run)
    monkeypatch.setattr(peers, "ENVIRONMENT", tmp_path / "environment")
    monkeypatch.setattr(peers, "REQUIREMENTS", tmp_path / "r.txt")
    (tmp_path / "r.txt").write_text("one==1")
    python = peers.peers_python()
    assert python.startswith(str(tmp_path / "environment"))
    assert peers.peers_python() == python
    assert len(called) == 2
    (tmp_path / "r.txt").write_text("one==2")
    peers.peers_python()
    assert len(called) == 4
    (tmp_path / "r.txt").write_text("broken==1")
    for _ in range(2):  # a failed run must not count as a finished environment
        with pytest.raises(peers.PeerFailed, match="ERROR: none"):
            peers.peers_python()


def test_without_their_environment_ours_are_measured_still(monkeypatch, tmp_path, capsys):
    def none():
        raise peers.PeerFailed("no index")

    monkeypatch.setattr(peers, "peers_python", none)
    monkeypatch.setattr(common, "RESULTS", tmp_path / "benchmarks" / "results")
    (tmp_path / "benchmarks").mkdir()
    peers.main(["--sets", "breast_cancer", "--learners", "treeple", "scikit-learn CART"])
    X, y, X_test, y_test = peers.split_of("breast_cancer")
    assert X_test.shape == (114, 30)
    grown = DecisionTreeClassifier(random_state=0).fit(X, y)
    shown = capsys.readouterr().out
    rows = [line.split() for line in shown.splitlines() if line.startswith("breast_cancer")]
    assert rows[0] == ["breast_cancer", "treeple", "-", "-", "-", "-"]
    assert rows[1][-4:-2] == [f"{100 * (1 - grown.score(X_test, y_test)):.1f}", str(grown.get_n_leaves())]
    assert "treeple on breast_cancer: no index." in shown
    assert "| breast_cancer | treeple | - | - | - | - |" in (common.RESULTS / "peers-part.md").read_text()


def test_sets_that_are_not_there(monkeypatch):
    monkeypatch.delenv("TREECORE_DATA", raising=False)
    with pytest.raises(DataMissing, match="segment"):
        peers.split_of("segment")


@pytest.mark.parametrize("learner", ["C5.0", "CART 1-SE", "TAO bivariate", "TAO oblique"])
def test_our_learners(learner, monkeypatch):
    monkeypatch.setattr(peer_fit, "MOST_REPEATS", 1)
    monkeypatch.setattr(peer_fit, "N_LAMBDAS", 4)
    X, y = load_breast_cancer(return_X_y=True)
    X = X[:, ::3]  # bivariate splits try all pairs of features, so use few
    found = peer_fit.figures(learner, X[::2], y[::2], X[1::2], y[1::2])
    assert set(found) == peers.KEYS
    assert found["error"] < 12
    assert 2 <= found["leaves"] < 40
    assert found["seconds"] > 0


def test_leaves_of_a_ydf_tree():
    leaf = SimpleNamespace(is_leaf=True)
    inner = SimpleNamespace(is_leaf=False, neg_child=leaf, pos_child=leaf)
    assert peer_fit.ydf_leaves(leaf) == 1
    assert peer_fit.ydf_leaves(SimpleNamespace(is_leaf=False, neg_child=inner, pos_child=leaf)) == 3
