"""Test contests: the server computes the score of a tree, and reports invalid trees in words."""

from dataclasses import replace

import numpy as np
import pytest

import sample_data
from pages.rooms.room import Contest, ContestError, Screen
from pages.rooms.room_store import RoomError, RoomStore
from tests.pages.rooms.contests import LAM, N, contest, paid
from tests.refusals import refused
from treecore.errors import TreecoreError


@pytest.fixture(scope="module")
def one():
    return contest()


def lines(rng, count, leaf):
    """Return the document of a random tree of lines; the labels of its leaves do not matter."""
    bare = {**leaf.document["nodes"][0], "label": 0}
    nodes = [bare]
    for _ in range(count):
        place = int(rng.choice([k for k, node in enumerate(nodes) if node["left"] is None]))
        ids = [max(node["id"] for node in nodes) + k for k in (1, 2)]
        nodes[place] = nodes[place] | {
            "left": ids[0], "right": ids[1], "features": [0, 1], "weights": rng.normal(size=2).tolist(),
            "bias": float(rng.normal() / 3),
        }  # fmt: skip
        nodes += [bare | {"id": number} for number in ids]
    return {"nodes": nodes}


def test_a_tree_pays_what_a_count_point_by_point_says(one):
    rng = np.random.default_rng(0)
    for count in (0, 1, 2, 5, 12, 31):
        document = lines(rng, count, one.leaf)
        wrong, n_lines = paid(one, document)
        entry = one.entry(document)
        assert (entry.errors, entry.n_lines) == (wrong, n_lines) == (wrong, count)
        assert entry.objective == pytest.approx(wrong + LAM * n_lines)
    assert (one.tao_entry.errors, one.tao_entry.n_lines) == paid(one, one.tao_entry.document)
    assert one.tao_entry.objective < one.leaf.objective == min(np.bincount(one.data.y[:N]))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda nodes: nodes[0].update(bias=float("nan")), "bias"),
        (lambda nodes: nodes[0].update(weights=[1e300, 1.0]), "at most"),
        (lambda nodes: nodes[0].update(features=[0, 7]), "feature 7"),
        (lambda nodes: nodes[0].update(weights=[0.0, 0.0]), "no direction"),
        (lambda nodes: nodes[0].update(left=99), "does not exist"),
        (lambda nodes: nodes[0].update(objective=0), "unsupported field"),
        (lambda nodes: nodes.clear(), "no nodes"),
    ],
)
def test_an_impossible_tree_is_refused(one, change, words):
    document = lines(np.random.default_rng(1), 2, one.leaf)
    change(document["nodes"])
    with pytest.raises(TreecoreError, match=words):
        one.entry(document)


def test_too_many_and_slanted_lines_are_refused(one):
    rng = np.random.default_rng(2)
    with refused(ContestError, "You drew 32 lines (maximum 31)"):
        one.entry(lines(rng, 32, one.leaf))
    single = contest(most_lines=1, most_features=1)
    with refused(ContestError, "You drew 2 lines (maximum 1)"):
        single.entry(lines(rng, 2, one.leaf))
    with refused(ContestError, "A line is slanted, but only vertical and horizontal lines are allowed"):
        single.entry(lines(rng, 1, one.leaf))


def test_a_threshold_is_a_drawing_that_pays_for_its_points():
    single = contest(most_lines=1, most_features=1, feature=1)
    low, high = single.thresholds
    assert (low, high) == (single.X[:, 1].min(), single.X[:, 1].max())
    for at in np.linspace(low, high, 5).tolist():
        document = single.threshold_document(at)
        assert (single.entry(document).errors, 1) == paid(single, document)


def test_points_that_do_not_fit_a_contest_are_refused(one):
    with refused(ContestError, "All points have the same class"):
        replace(one, rows=np.flatnonzero(one.data.y == 0))
    for name in ("iris", "diabetes"):
        with refused(ContestError, "The contest needs a classification data set with two features"):
            Contest(sample_data.load(name), np.arange(9), 1.0, one.tao_tree)


def test_the_board_has_the_best_of_each_and_a_reload_the_last(one):
    rng = np.random.default_rng(3)
    store = RoomStore()
    secret = store.open()
    screen = Screen("", 7, "Beat TAO", (), contest=one)
    store.show(secret, screen)
    code = store.answers(secret).code
    ann, bob, looker = (store.join(code) for _ in range(3))
    store.call(code, bob, "Bob")
    few, many = lines(rng, 1, one.leaf), lines(rng, 20, one.leaf)
    store.draw(code, ann, screen.name, one.leaf.document)
    best = store.draw(code, bob, screen.name, one.tao_entry.document)
    store.draw(code, bob, screen.name, many)
    store.draw(code, ann, screen.name, few)
    seen = store.look(code, store.join(code, bob))
    assert seen.drawn.entry is best
    assert seen.drawn.last.document == many
    assert [drawn.who for drawn in store.answers(secret).board] == ["Bob", "Student 1"]
    assert store.look(code, looker).drawn is None
    with pytest.raises(TreecoreError, match="no list|list 'nodes'"):
        store.draw(code, bob, screen.name, {"objective": 0.0})
    with refused(RoomError, "This screen has no question"):
        store.guess(code, bob, screen.name, 0.0)
    store.show(secret, screen, True)
    with refused(RoomError, "The answer is already shown, so your guess does not count"):
        store.draw(code, bob, screen.name, few)
    store.show(secret, Screen("", 8, "Beat TAO", (), contest=one))
    with refused(RoomError, "The class has moved to the next question"):
        store.draw(code, bob, screen.name, few)
    assert store.answers(secret).board == ()
