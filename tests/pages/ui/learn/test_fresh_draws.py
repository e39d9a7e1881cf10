"""Test the general statements of the lessons on fresh draws, and the places of right answers."""

import datetime
import json
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from pages.ui.learn import draw_again, lessons
from pages.ui.learn.lessons import build, fresh
from pages.ui.learn.lessons.document import document
from pages.ui.learn.lessons.lesson import Guess
from tests.each import each

# draws that take at most a few seconds together
QUICK = ("new-error", "more-errors", "dont-care-points", "ends-of-runs", "tao-on-stripes", "groups-of-bands")
NIGHTLY_DRAWS = 50


def _claim(name):
    return lessons.CLAIMS[name][1]


def _parity(seed):
    return (float(seed % 10 > 0) - 0.5,)


def _made(**others):
    draw = others.pop("draw", _parity)
    values = {"name": "made", "statement": "One.", "source": "two", "statistic": "three", "own": lambda built: 0.0}
    return fresh.Claim(**values, draw=draw, **others)


def test_the_claims_have_stored_values_in_their_order():
    assert list(json.loads(fresh.FILE.read_text(encoding="utf-8"))) == list(lessons.CLAIMS)


@each("name", lessons.CLAIMS)
def test_the_stored_values_do_not_refute_any_claim_and_are_enough(name):
    found = _claim(name).stored
    assert len(found.values) == _claim(name).n_draws
    assert not found.is_refuted, (found.n_true, found.n)
    assert "splits" in _claim(name).source or found.n >= 50  # data that are generated cost little


@pytest.mark.parametrize("name", QUICK)
def test_the_stored_values_are_those_of_the_draws(name):
    claim = _claim(name)
    for k in (0, claim.n_draws - 1):
        assert claim.draw(fresh.FIRST + k) == pytest.approx(tuple(claim.stored.values[k]), rel=1e-4, abs=1e-9)


@pytest.mark.long
@pytest.mark.parametrize("name", lessons.CLAIMS)
def test_new_draws_of_this_night_do_not_refute_a_claim(name):
    claim = _claim(name)
    first = datetime.datetime.now(tz=datetime.UTC).date().toordinal() * 1_000
    claim.check(range(first, first + min(NIGHTLY_DRAWS, claim.n_draws)))


@each("name", lessons.CLAIMS)
def test_the_draw_of_a_lesson_is_a_typical_one(name):
    slug, claim = lessons.CLAIMS[name]
    if all(moment.claim != name for moment in build(slug).moments):
        return  # its numbers are in a text, without a histogram
    low, high = np.quantile(claim.stored.statistic, [0.05, 0.95])
    assert low <= claim.shown <= high
    if name in QUICK:
        assert claim.own(build(slug)) == pytest.approx(claim.shown, rel=1e-4, abs=1e-6)


def test_a_refuted_claim_names_seeds_and_values():
    claim = _made(least=0.95)
    with pytest.raises(fresh.ClaimIsRefuted, match=r"made: 'One.' is true in 36 of 40 draws.*seed 10: −0.5") as raised:
        replace(claim, least=0.999).check(range(40))
    assert "seed 39: 0.5" in str(raised.value)
    assert claim.check(range(1, 10)).often == "in all 9 new draws"


def test_a_claim_may_be_true_in_too_many_draws():
    with pytest.raises(fresh.ClaimIsRefuted):
        _made(least=0.1, most=0.5).check(range(40))


def test_an_undefined_draw_is_left_out_and_only_undefined_draws_refute():
    claim = _made(draw=lambda seed: (math.nan if seed < 3 else 1.0,))
    found = claim.check(range(10))
    assert (found.n, found.n_true) == (7, 7)
    with pytest.raises(fresh.ClaimIsRefuted):
        claim.check(range(3))


def test_the_corrected_test_is_the_usual_one_without_an_overlap_and_stricter_with_one(rng):
    gains = rng.normal(0.5, 1.0, 30)
    assert fresh.split_test(gains, 10**12, 1) == pytest.approx(ttest_1samp(gains, 0.0).pvalue)
    assert fresh.split_test(gains, 4, 1) > fresh.split_test(gains, 10**12, 1)
    assert fresh.split_test(np.zeros(5), 4, 1) == 1.0
    assert fresh.split_test(np.ones(5), 4, 1) == 0.0


def test_holm_rejects_in_order_and_stops_at_the_first_that_does_not_pass():
    assert fresh.holm({"a": 0.03, "b": 0.01, "c": 0.04}) == ["b"]
    assert fresh.holm({"a": 0.02, "b": 0.01, "c": 0.04}) == ["b", "a", "c"]
    assert fresh.holm({"a": 0.2}) == []
    assert fresh.sign_test(np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 0.0])) == pytest.approx(2 / 2**6)


def test_right_answers_are_in_each_place_about_equally_often():
    guesses = [
        moment.guess for slug in lessons.ALL for moment in build(slug).moments if moment.guess and moment.guess.choices
    ]
    for n in (2, 3):
        places = [int(guess.truth) for guess in guesses if len(guess.choices) == n]
        shares = np.bincount(places, minlength=n) / len(places)
        assert len(places) > 10
        assert abs(shares - 1 / n).max() <= 0.1, shares


def test_an_order_by_size_stays_one_and_the_right_answer_stays_right():
    choices = ("few", "some", "many")
    orders = {Guess(2, choices=choices, ordered=True).placed(str(k)).choices for k in range(50)}
    assert orders == {choices, choices[::-1]}
    for k in range(50):
        placed = Guess(2, choices=choices).placed(str(k))
        assert placed.choices[int(placed.truth)] == "many"
    assert Guess(0.5).placed("key") == Guess(0.5)


def test_a_screen_with_a_claim_describes_it_for_the_browser():
    moments = document(lessons.ALL["what-a-tree-is"], build("what-a-tree-is"))["moments"]
    described = moments[7]["late"]["claim"]
    assert described["ends"][0] <= described["own"] <= described["ends"][1]
    assert all(described[part] for part in ("name", "statement", "source", "statistic"))
    assert moments[0]["late"]["claim"] is None


def test_draw_again_takes_one_new_draw_at_a_time_and_says_if_it_is_undefined(monkeypatch):
    state, seeds = {}, []

    def draw(seed):
        seeds.append(seed)
        if len(seeds) == 2:
            raise StopIteration
        return (1.0,)

    monkeypatch.setattr(draw_again.st, "session_state", state)
    monkeypatch.setattr(draw_again.lessons, "CLAIMS", {"made": ("slug", _made(draw=draw))})
    assert draw_again.drawn("", 3)["values"] == []
    assert draw_again.drawn("made", 0)["values"] == []
    assert draw_again.drawn("made", 1)["values"] == [1.0]
    assert draw_again.drawn("made", 1)["values"] == [1.0]
    sent = json.loads(json.dumps(draw_again.drawn("made", 9), allow_nan=False))
    assert sent == {"claim": "made", "values": [1.0, None], "refuted": False}
    assert min(seeds) >= draw_again.FIRST > fresh.FIRST + 1_000
    assert len(set(seeds)) == 2


def test_draw_again_says_if_its_draws_contradict_the_statement(monkeypatch):
    monkeypatch.setattr(draw_again.st, "session_state", {})
    monkeypatch.setattr(draw_again.lessons, "CLAIMS", {"made": ("slug", _made(draw=lambda seed: (-1.0,), least=0.9))})
    found = [draw_again.drawn("made", k)["refuted"] for k in range(1, 6)]
    assert found == [False, False, True, True, True]
