"""Test the critical-difference diagram: its groups, its formats, and unusual names."""

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.refusals import refused
from tests.viz.cases import ODD_NAMES, assert_legible
from treecore.comparison import rank_test
from viz import critical_difference_figure
from viz.charts.comparison_figures import cliques, critical_difference_canvas

SVG = "{http://www.w3.org/2000/svg}"


def ranks_of(n_methods, n_sets=12, spread=0.1):
    rng = np.random.default_rng(n_methods)
    return rank_test(rng.random((n_sets, n_methods)) + spread * np.arange(n_methods))


@given(st.lists(st.integers(0, 30), min_size=2, max_size=9), st.integers(1, 31))
def test_groups_are_the_longest_runs(ranks, difference):
    found, ranks = cliques(np.array(ranks, float), difference), sorted(ranks)
    runs = [(a, b) for a in range(len(ranks)) for b in range(a + 1, len(ranks)) if ranks[b] - ranks[a] < difference]
    longest = [run for run in runs if not any(o != run and o[0] <= run[0] and o[1] >= run[1] for o in runs)]
    assert found == longest


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("format", "start"), [("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG")])
def test_formats(format, start, theme):
    names, test = ["TAO", "C5.0", "CART"], ranks_of(3)
    picture = critical_difference_figure(names, test, format, theme)
    assert picture.startswith(start)
    assert picture == critical_difference_figure(names, test, format, theme)


def test_it_says_what_it_shows():
    names, test = ["TAO", "C5.0", "<CART> & $co$"], ranks_of(3)
    root = ElementTree.fromstring(critical_difference_figure(names, test))
    texts = ["".join(element.itertext()).strip() for element in root.iter(f"{SVG}text")]
    assert set(names) <= set(texts)
    assert {f"{rank:.2f}" for rank in test.mean_ranks} <= set(texts)
    assert f"critical difference {test.critical_difference:.2f}" in texts
    assert any("p = " in text or "p < " in text for text in texts)


@pytest.mark.parametrize("n_methods", [2, 3, 8, 18])
@pytest.mark.parametrize("spread", [0.0, 1.0])
def test_everything_can_be_read(n_methods, spread):
    names = [f"Method {i}, rather long" for i in range(n_methods)]
    assert_legible(critical_difference_canvas(names, ranks_of(n_methods, spread=spread)))


def test_the_largest_difference_there_is_and_odd_names():
    assert_legible(critical_difference_canvas(["a", "b"], ranks_of(2, n_sets=2)))
    assert_legible(critical_difference_canvas(ODD_NAMES, ranks_of(len(ODD_NAMES))))


def test_refusals():
    test = ranks_of(3)
    with refused(ValueError, "format='gif': expected one of"):
        critical_difference_figure("abc", test, "gif")
    with pytest.raises(ValueError, match="theme='blue'"):
        critical_difference_figure("abc", test, theme="blue")
    with refused(ValueError, "2 names for 3 mean ranks"):
        critical_difference_figure("ab", test)
