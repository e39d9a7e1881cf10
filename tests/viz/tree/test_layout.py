"""Test the laws of the tidy layout, for one tree and for the trees of a path."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.refusals import refused
from tests.strategies import small_tree, trees
from treecore import Tree
from viz.tree.layout import layout, layout_in_path, path_layout, tidy_places

ROUNDING = 1e-9


def grown(left, right, origin=None):
    """Return a tree of this shape with empty splits."""
    m = len(left)
    return Tree(
        left=left, right=right, indptr=np.zeros(m + 1), features=[], weights=[], bias=np.zeros(m), labels=np.zeros(m),
        values=np.ones((m, 1)), n_samples=np.ones(m), origin=range(m) if origin is None else origin, classes=["a"],
        n_features=1,
    )  # fmt: skip


def complete(depth):
    m = 2 ** (depth + 1) - 1
    nodes = np.arange(m)
    leaf = nodes >= m // 2
    return grown(np.where(leaf, -1, 2 * nodes + 1), np.where(leaf, -1, 2 * nodes + 2))


def chain(depth, to_left=True):
    """Return a tree in which each decision node has a leaf and a decision node as children, the last one two leaves."""
    m = 2 * depth + 1
    longer, leaf = np.full(m, -1), np.full(m, -1)
    longer[: m - 1 : 2], leaf[: m - 1 : 2] = np.arange(2, m, 2), np.arange(1, m, 2)
    return grown(longer, leaf) if to_left else grown(leaf, longer)


def cut(tree, nodes):
    """Return `tree` with the decision nodes `nodes` turned into leaves."""
    kept = np.ones(tree.n_nodes, bool)
    for node in range(1, tree.n_nodes):
        kept[node] = kept[tree.parents[node]] and tree.parents[node] not in nodes
    number = np.cumsum(kept) - 1

    def below(children):
        return [-1 if node in nodes or children[node] < 0 else number[children[node]] for node in np.flatnonzero(kept)]

    return grown(below(tree.left), below(tree.right), tree.origin[kept])


def rows_of(x, depth, order):
    """Return the nodes of each level, in `order`."""
    return [[node for node in order if depth[node] == level] for level in range(int(depth.max()) + 1)]


def in_order(tree):
    """Return the nodes from left to right."""
    found, waiting = [], [(0, False)]
    while waiting:
        node, opened = waiting.pop()
        if opened or tree.left[node] < 0:
            found.append(node)
        else:
            waiting += [(tree.right[node], False), (node, True), (tree.left[node], False)]
    return found


@given(trees(max_decisions=30))
def test_laws_of_a_tidy_layout(tree):
    places = layout(tree)
    x, room = places.x, places.room
    assert x.dtype == room.dtype == np.float64
    assert places.depth.dtype == np.int32
    np.testing.assert_array_equal(places.depth, tree.depths)
    assert x.min() == 0.5
    assert places.n_slots == x.max() + 0.5
    for node in np.flatnonzero(tree.left >= 0):
        assert x[node] == pytest.approx((x[tree.left[node]] + x[tree.right[node]]) / 2, abs=ROUNDING)
    for row in rows_of(x, places.depth, in_order(tree)):
        assert (np.diff(x[row]) >= 1 - ROUNDING).all()
        for first, second in pairwise(row):
            assert x[first] + room[first] / 2 <= x[second] - room[second] / 2 + ROUNDING
    assert (room >= 1 - ROUNDING).all()
    assert (x - room / 2 >= -ROUNDING).all()
    assert (x + room / 2 <= places.n_slots + ROUNDING).all()
    assert places.n_slots <= tree.n_leaves + ROUNDING


@given(trees(max_decisions=30))
def test_a_mirrored_tree_has_the_mirrored_layout(tree):
    places, mirrored = layout(tree), layout(grown(tree.right, tree.left))
    np.testing.assert_allclose(mirrored.x, places.n_slots - places.x, atol=ROUNDING)
    np.testing.assert_allclose(mirrored.room, places.room, atol=ROUNDING)


@given(trees(max_decisions=20))
def test_no_subtree_could_stand_closer_to_its_sibling(tree):
    places = layout(tree)
    names = in_order(tree)
    for node in np.flatnonzero(tree.left >= 0):
        below = [{int(child)} for child in (tree.left[node], tree.right[node])]
        for nodes in below:
            for other in range(tree.n_nodes):
                if tree.parents[other] in nodes:
                    nodes.add(other)
        gaps = [
            places.x[[n for n in row if n in below[1]][0]] - places.x[[n for n in row if n in below[0]][-1]]
            for row in rows_of(places.x, places.depth, names)
            if below[0] & set(row) and below[1] & set(row)
        ]
        assert min(gaps) == pytest.approx(1, abs=ROUNDING)


def test_shapes_that_are_known():
    assert layout(grown([-1], [-1])).x.tolist() == [0.5]
    assert layout(grown([-1], [-1])).room.tolist() == [1.0]
    assert layout(complete(3)).n_slots == 8
    assert layout(complete(3)).room[:3].tolist() == [8, 4, 4]
    for to_left in (True, False):
        # A chain leans to one side by half a slot per level.
        assert layout(chain(9, to_left)).n_slots == 2 + 8 / 2


def test_deep_and_large_trees_are_fine():
    assert layout(chain(1000)).n_slots == 2 + 999 / 2
    assert layout(complete(10)).n_slots == 1024


@given(trees(max_decisions=30))
def test_ten_layouts_are_identical(tree):
    first = [np.asarray(part).tobytes() for part in layout(tree)]
    whole = [np.asarray(part).tobytes() for part in path_layout([tree, tree])]
    for _ in range(9):
        assert [np.asarray(part).tobytes() for part in layout(tree)] == first
        assert [np.asarray(part).tobytes() for part in path_layout([tree, tree])] == whole


@given(trees(max_decisions=20), st.data())
def test_trees_of_a_path_stand_in_the_layout_of_the_largest(tree, data):
    decisions = np.flatnonzero(tree.left >= 0).tolist()
    smaller = [cut(tree, data.draw(st.sets(st.sampled_from(decisions)))) for _ in range(2)] if decisions else []
    for path in ([tree, *smaller], [*smaller, tree]):
        whole, own = path_layout(path), layout(tree)
        order = np.argsort(tree.origin)
        np.testing.assert_array_equal(whole.origin, tree.origin[order])
        np.testing.assert_array_equal(whole.x, own.x[order])
        np.testing.assert_array_equal(whole.depth, own.depth[order])
        assert whole.n_slots == own.n_slots
        above = [tree.origin[parent] if parent >= 0 else -1 for parent in tree.parents[order]]
        assert [whole.origin[parent] if parent >= 0 else -1 for parent in whole.parent] == above
        for other in path:
            inside = layout_in_path(other, whole)
            own_x = dict(zip(tree.origin.tolist(), own.x, strict=True))
            assert inside.x.tolist() == [own_x[origin] for origin in other.origin.tolist()]
            assert inside.n_slots == own.n_slots
            assert (inside.room >= 1 - ROUNDING).all()


def test_of_trees_with_the_same_ids_the_first_one_is_drawn_tidily():
    left_first = grown([1, 3, -1, -1, -1], [2, 4, -1, -1, -1])
    right_first = grown([1, -1, 3, -1, -1], [2, -1, 4, -1, -1])
    for first, other in ((left_first, right_first), (right_first, left_first)):
        assert path_layout([first, other]).x.tolist() == layout(first).x.tolist() != layout(other).x.tolist()


def test_dtypes_of_a_path_layout():
    whole = path_layout([small_tree()])
    assert [part.dtype for part in whole[:4]] == [np.int64, np.float64, np.int32, np.int32]
    assert whole.parent[whole.origin == 0].tolist() == [-1]


def test_a_node_of_another_tree_hangs_below_its_parent_there():
    # The largest tree has 1 and 2 below 0; another one has 8 and 2, a third one 1 and 9.
    others = [grown([1, -1, -1], [2, -1, -1], origin) for origin in ([0, 8, 2], [0, 1, 9])]
    whole = path_layout([small_tree(), *others])
    assert whole.origin.tolist() == [0, 1, 2, 5, 6, 8, 9]
    places = dict(zip(whole.origin.tolist(), whole.x.tolist(), strict=True))
    parents = dict(zip(whole.origin.tolist(), whole.parent.tolist(), strict=True))
    assert {parents[origin] for origin in (1, 2, 8, 9)} == {whole.origin.tolist().index(0)}
    assert places[1] < places[9] < places[2]
    assert places[1] < places[8] < places[2]
    assert places[0] == pytest.approx((places[1] + places[2]) / 2)
    assert np.diff(sorted(places[origin] for origin in (1, 2, 8, 9))).min() >= 1


def test_an_unknown_root_hangs_below_the_root():
    whole = path_layout([small_tree(), grown([1, -1, -1], [2, -1, -1], [7, 1, 30])])
    places = dict(
        zip(whole.origin.tolist(), zip(whole.parent.tolist(), whole.depth.tolist(), strict=True), strict=True)
    )
    index = whole.origin.tolist().index
    assert places[7] == (index(0), 1)
    assert places[30] == (index(7), 2)
    assert places[1] == (index(0), 1)


@given(trees(max_decisions=12), trees(max_decisions=12))
def test_any_two_trees_share_a_layout(first, second):
    whole = path_layout([first, second])
    assert set(whole.origin.tolist()) == set(first.origin.tolist()) | set(second.origin.tolist())
    assert np.count_nonzero(whole.parent < 0) == 1
    check_tidy(whole.x, whole.parent, whole.depth)


@given(st.lists(st.integers(0, 2**16), max_size=40), st.randoms(use_true_random=False))
def test_laws_with_any_number_of_children(choices, random):
    parents = np.array([-1] + [choice % (i + 1) for i, choice in enumerate(choices)])
    ranks = np.arange(parents.size)
    random.shuffle(ranks)
    x = tidy_places(parents, ranks)
    depth = np.zeros(parents.size, int)
    for node in range(1, parents.size):
        depth[node] = depth[parents[node]] + 1
    check_tidy(x, parents, depth)
    for node in range(parents.size):
        below = np.flatnonzero(parents == node)
        assert (np.diff(x[below[np.argsort(ranks[below])]]) >= 1 - ROUNDING).all()
    np.testing.assert_allclose(tidy_places(parents, -ranks), x.max() + 0.5 - x, atol=ROUNDING)


def test_small_siblings_between_large_ones_stand_in_the_middle():
    parents = np.array([-1, 0, 0, 0, 1, 1, 1, 1, 3, 3, 3, 3])
    x = tidy_places(parents, np.arange(parents.size))
    assert x[2] == x[0] == (x[1] + x[3]) / 2


def check_tidy(x, parents, depth):
    """Assert the distance, the centring and no crossing in the layout of an n-ary tree."""
    assert x.min() == 0.5
    for level in range(int(depth.max()) + 1):
        row = np.flatnonzero(depth == level)
        row = row[np.argsort(x[row])]
        assert (np.diff(x[row]) >= 1 - ROUNDING).all()
        # The parents of a row have the same order as the row, so no two lines cross.
        assert level == 0 or (np.diff(x[parents[row]]) >= -ROUNDING).all()
    for node in range(x.size):
        below = x[parents == node]
        assert below.size == 0 or x[node] == pytest.approx((below.min() + below.max()) / 2, abs=ROUNDING)


def test_no_tree_is_refused():
    with refused(ValueError, "trees is empty: expected at least one tree"):
        path_layout([])
