"""Test short forms of survey questions that are column names."""

import numpy as np

from tests.in_node import in_node
from viz.words.text_fit import MOST_LETTERS, short_names, with_short_names, without_shared

SLEEP = "On average, how many hours of sleep do you get on a typical weeknight? (please pick one)"
STRESS = "On average, how many hours of stress do you have on a typical weeknight? (please pick one)"
SPORT = "How often do you exercise in a typical week? (please pick one)"


def test_only_long_names_are_cut():
    found = short_names([SPORT, "age", "x" * MOST_LETTERS])
    assert list(found) == [SPORT]
    assert len(found[SPORT]) <= MOST_LETTERS
    assert found[SPORT].startswith(SPORT[:16])
    assert found[SPORT].endswith(SPORT[-9:])
    assert short_names([]) == {}


def test_no_two_short_names_are_alike():
    found = short_names([SLEEP, STRESS, SPORT])
    assert len(set(found.values())) == 3
    assert len(found[SPORT]) <= MOST_LETTERS
    alike = ["a" * 60 + str(i) + "b" * 60 for i in range(3)]
    assert len(set(short_names(alike).values()) | (set(alike) - short_names(alike).keys())) == 3


def test_a_text_has_short_names_and_whole_numbers():
    found = short_names([SLEEP, SPORT])
    text = with_short_names(f"{SLEEP} < 6.45 and {SPORT} in {{never}}", found)
    assert text == f"{found[SLEEP]} < 6.45 and {found[SPORT]} in {{never}}"


def test_very_long_names_that_differ_in_the_middle_keep_their_letters():
    alike = ["a" * 100_000 + str(i) + "b" * 100_000 for i in range(2)]
    assert short_names([*alike, SPORT]).keys() == {SPORT}


SHARED = [
    (["cultivar 1", "cultivar 2", "cultivar 3"], ["…1", "…2", "…3"]),
    (["Category A label", "Category B label"], ["…A…", "…B…"]),
    (["red wine", "white wine"], ["red…", "white…"]),
    (["no_risk", "low_risk", "risk"], ["no_risk", "low_risk", "risk"]),
    (["a b", "a b c"], ["…b", "…b c"]),
    (["a b", "a  b"], ["a b", "a  b"]),  # they would become equal
    (["x 1", "x 1 2", "x 3"], ["…1", "…1 2", "…3"]),
    (["same one"], ["same one"]),
    (["", "a"], ["", "a"]),
    ([], []),
    (["客户 类型 一", "客户 类型 二"], ["…一", "…二"]),
]


def test_what_all_names_share_is_left_out_as_in_the_browser():
    assert [list(without_shared(names)) for names, _ in SHARED] == [wanted for _, wanted in SHARED]
    rng = np.random.default_rng(0)
    drawn = [["".join(rng.choice(list("ab _-."), 6)) for _ in range(rng.integers(1, 5))] for _ in range(500)]
    cases = [names for names, _ in SHARED] + drawn
    code = "const { withoutShared } = await load('model/target.js'); return value.map(withoutShared);"
    found = in_node(code, cases)
    assert found == [list(without_shared(names)) for names in cases]
    for names, short in zip(cases, found, strict=True):
        assert len(set(short)) == len(set(names))
