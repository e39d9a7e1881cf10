"""A regularisation path as one compressed block of bytes: all that the stage needs to draw it without a server.

Layout: zlib of ``uint32 length | header (JSON, UTF-8) | padding to 8 | arrays``, every array at a multiple of 8 bytes.
The header's "arrays" maps a name to [dtype, offset behind the header, number of items]. Numbers that decide a route
(weights, biases, sampled rows) keep their full precision, so that the browser routes exactly as `Tree.apply` does.
"""

import json
import zlib
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from treecore.errors import ParameterError
from treecore.ordered_levels import levels_of
from treecore.statistics.declared import STATISTICS
from treecore.statistics.node_statistic import statistic_facts
from treecore.training.path import RegularizationPath
from treecore.training.phase import PhaseDiagram
from treecore.tree.condition_text import visible
from treecore.tree.data_set_like import DataSetLike
from treecore.tree.date_text import column_name, is_date
from treecore.tree.decision_digits import decision_digits
from treecore.tree.feature_statistics import feature_deviation
from treecore.tree.tree import Tree, target_of
from viz.looks import LOOKS, looks_header
from viz.messages import MESSAGES
from viz.palette import (
    CLASS_COLORS,
    ERROR_COLORS,
    OTHER_CLASS,
    SIZE_COLORS,
    STAGE_DIVERGING,
    STAGE_THEMES,
    THEMES,
    UNCHOSEN_CLASS,
    group_colors,
    named,
)
from viz.payload.choice_facts import choice_facts, notes_facts
from viz.payload.feature_kinds import category_groups, category_names, feature_facts
from viz.payload.grid_facts import grid_facts, is_grid, readable_in_grid, recommended_in_grid
from viz.tree.category_columns import category_columns
from viz.tree.layout import path_layout
from viz.tree.path_points import recommended as recommended_of
from viz.tree.path_points import weighted_errors
from viz.tree.readable_tree import TreeNote, readable_tree, tree_notes
from viz.words.row_words import row_name

MAX_SAMPLE_ROWS = 1500
MIN_SAMPLE_ROWS = 120
MAX_SAMPLE_BYTES = 1_000_000  # before compression
SET_NAMES = ("train", "validation", "test")
COMPRESSION = 6
MOST_WEIGHTS = 0.995
_UNSIGNED = (np.uint8, np.uint16, np.uint32)
_DTYPE_NAMES = {"u1": "u8", "i1": "i8", "u2": "u16", "i2": "i16", "u4": "u32", "i4": "i32", "f4": "f32", "f8": "f64"}


def stage_payload(
    path_or_tree: Tree | RegularizationPath | PhaseDiagram | Sequence,
    data: DataSetLike,
    rows: Sequence | None = None,
    recommended: dict | None = None,
    sample: np.ndarray | None = None,
) -> bytes:
    """Bytes that the browser's stage decodes.

    path_or_tree : Tree, RegularizationPath, PhaseDiagram, or a list of objects with `tree` and `lam`; data : DataSet of
    the trees; of no row (`viz.tree.bare_data.BareData`) only what the trees store is
    shown; rows : (train, validation, test) row numbers of `data`, None when the data are one set; recommended : dict of
    "one_se" and "min" to an index of the path, taken from a RegularizationPath with validation errors when None;
    sample : numbers of the rows to draw, as of `shared_sample`, chosen for these trees when None.
    Raises ParameterError when there is no tree, or when the data or the sample do not belong to it.
    """
    return compressed(*stage_parts(path_or_tree, data, rows, recommended, sample))


def stage_parts(
    path_or_tree: Tree | RegularizationPath | Sequence,
    data: DataSetLike,
    rows: Sequence | None = None,
    recommended: dict | None = None,
    sample: np.ndarray | None = None,
    columns: np.ndarray | None = None,
) -> tuple[dict, dict]:
    """(header, arrays) of `stage_payload`, dicts that `compressed` turns into its bytes, for those who add to them.

    columns : int[c], rising, the features that go with them; those that the trees need when None.

    A path may hold the same Tree object several times, which costs little.
    """
    trees, lams = _trees_and_lams(path_or_tree)
    target = target_of(trees[0], data)
    for tree in _distinct(trees):
        _check(tree, data, target)
    groups = target.group_of(data.y)
    if recommended is None:
        kind = recommended_in_grid if is_grid(path_or_tree) else recommended_of
        recommended = {} if hasattr(path_or_tree, "left") else kind(path_or_tree)
    opens, notes = (None, {}) if hasattr(path_or_tree, "left") else _opening(path_or_tree, target)
    sets = _sets(data, rows)
    columns = _columns(trees, data) if columns is None else columns
    leaves = [_leaves(trees, data.X[part]) for _, part in sets]
    taken = _spread(data, groups, sets, leaves[0], columns.size) if sample is None else _given(sets, sample)
    sampled, set_of = _ordered(groups, sets, taken)
    places = path_layout(trees)
    X = _narrowest(data.X[np.ix_(sampled, columns)])
    header = {
        "name": data.name,
        "title": data.title,
        "target": target.to_dict() | {"colors": {theme: group_colors(target, data.y, theme) for theme in THEMES}},
        "features": [visible(column_name(data.feature_names[j])) for j in columns],
        "dates": [place for place, j in enumerate(columns.tolist()) if is_date(data.feature_names[j])],
        "levels": {
            place: list(map(visible, levels))
            for place, j in enumerate(columns.tolist())
            if (levels := levels_of(data.feature_names[j]))
        },
        "n_features": int(data.X.shape[1]),
        "ends": _ends(data, columns),
        "groups": category_groups(getattr(data, "columns", None), columns),
        "categories": category_names(data, columns),
        **({} if getattr(data, "row_names", None) is None else {"row_names": [row_name(data, row) for row in sampled]}),
        "image_shape": list(data.image_shape) if data.image_shape else None,
        "sets": [_set_facts(name, part, data, target, trees[0]) for name, part in sets],
        "n_slots": float(places.n_slots),
        "recommended": recommended,
        "opens": opens,
        "notes": notes_facts(notes),
        "statistics": statistic_facts(STATISTICS.values(), target),
        "choice": None if opens is None else choice_facts(_points(path_or_tree), target),
        "grid": grid_facts(path_or_tree) if is_grid(path_or_tree) else None,
        "palette": _palette(),
        "looks": looks_header(),
        "largest_weight": _largest_weight(trees),
        "largest_value": float(X.max()) or 1.0 if data.image_shape and X.size else 1.0,
    }
    arrays = {
        "lam": np.array(lams, np.float64),
        "columns": columns.astype(np.uint32),
        "sample_rows": sampled.astype(np.uint32),
        "sample_set": set_of.astype(np.uint8),
        "sample_y": _unsigned(groups[sampled]),
        "sample_X": X.T,
        "deviation": feature_deviation(data.X[:, columns]),
        **feature_facts(data.X[:, columns]),
        **_row_numbers(data, sampled),
        "place_origin": _unsigned(places.origin),
        "place_x": places.x.astype(np.float32),
        "place_depth": _unsigned(places.depth),
        "place_parent": places.parent.astype(np.int32),
        **_tree_arrays(trees, target, columns),
        "digits": _digits(trees, data),
        **{f"counts_{i}": _leaf_counts(trees, leaves[i], target, groups[part]) for i, (_, part) in enumerate(sets)},
    }
    for i, (set_name, _) in enumerate(sets):
        own = None if hasattr(path_or_tree, "left") else weighted_errors(_points(path_or_tree), set_name)
        arrays |= {} if own is None else {f"weighted_{i}": own}
    if not target.values_are_groups:
        arrays |= {
            "sample_value": np.asarray(data.y[sampled], np.float64),
            "value": np.concatenate([target.usual_outputs(tree) for tree in trees]),
        }
    if not target.values_are_groups or any(tree.linear is not None for tree in trees):
        arrays |= {
            f"loss_{i}": _leaf_losses(trees, leaves[i], target, data.X[part], data.y[part])
            for i, (_, part) in enumerate(sets)
        }
    return header, arrays


def compressed(header: dict, arrays: dict) -> bytes:
    """Bytes of a header (for JSON) and arrays by name."""
    return zlib.compress(_packed(header, arrays), COMPRESSION)


def _distinct(trees):
    return {id(tree): tree for tree in trees}.values()


def _opening(path, target):
    """(index of the tree that opens, `TreeNote` by index) of a path or a grid."""
    if not is_grid(path):
        return readable_tree(path, target).index, tree_notes(path, target)
    index, note, better = readable_in_grid(path, target)
    return index, {index: TreeNote(note, better)} if note else {}


def _leaves(trees, X):
    """Leaf of each row in every tree."""
    found = {id(tree): tree.apply(X) for tree in _distinct(trees)}
    return [found[id(tree)] for tree in trees]


def _check(tree, data, target):
    """Raise ParameterError when a tree was not trained on such data."""
    if tree.n_features != data.X.shape[1]:
        raise ParameterError(MESSAGES("stage.features", n=data.X.shape[1], n_features=tree.n_features))
    strangers = target.strangers(tree)
    if strangers:
        raise ParameterError(MESSAGES("stage.strangers", value=strangers[0], nouns=target.nouns))


def _set_facts(name, part, data, target, tree):
    """What the header says of a set; of numbers also the sum of their squared distances from their mean."""
    facts = {"name": name, "n": int(part.size or tree.n_samples[0])}
    if target.values_are_groups:
        return facts
    y = np.asarray(data.y)[part]
    return facts | {"spread": float(((y - y.mean()) ** 2).sum()) if part.size else None}


def _palette():
    return {
        "classes": CLASS_COLORS,
        "other": OTHER_CLASS,
        "grey": UNCHOSEN_CLASS,
        "diverging": STAGE_DIVERGING,
        "themes": {
            name: {**theme._asdict(), **STAGE_THEMES[name], "split": named(theme, LOOKS.split.color)}
            for name, theme in THEMES.items()
        },
        "curves": {"errors": ERROR_COLORS, "sizes": SIZE_COLORS},
    }


def _largest_weight(trees):
    """Size that nearly all weights of the path stay below: what the colours of all its weights are scaled by."""
    sizes = np.sort(np.abs(np.concatenate([tree.weights for tree in trees])))
    return float(sizes[int(sizes.size * MOST_WEIGHTS)]) or 1.0 if sizes.size else 1.0


def _trees_and_lams(path_or_tree):
    if hasattr(path_or_tree, "left"):
        return [path_or_tree], [0.0]
    points = _points(path_or_tree)
    if not points:
        raise ParameterError(MESSAGES("stage.empty"))
    return [point.tree for point in points], [point.lam for point in points]


def _points(path):
    return list(getattr(path, "points", path))


def _row_numbers(data, sampled):
    """Where the rows stand in their file, for people; nothing where that is as the data count."""
    numbers = getattr(data, "row_numbers", None)
    return {} if numbers is None else {"row_numbers": numbers[sampled].astype(np.uint32)}


def _sets(data, rows):
    if data.X.shape[0] == 0:
        return [("train", np.empty(0, np.int64))]
    if rows is None:
        return [("all rows", np.arange(data.X.shape[0]))]
    return [(name, np.asarray(part)) for name, part in zip(SET_NAMES, rows, strict=True) if len(part)]


def _columns(trees, data):
    """Features that the stage needs: those that some tree uses; every pixel of images; both axes of planar data."""
    if data.image_shape or data.X.shape[1] <= 2:
        return np.arange(data.X.shape[1])
    used = np.unique(np.concatenate([tree.used_features for tree in _distinct(trees)]))
    return used if used.size else np.arange(1)


def shared_sample(data: DataSetLike, rows: Sequence | None = None, paths: Sequence = ()) -> np.ndarray:
    """Numbers of the rows that every stage of a comparison draws: `sample` of the `stage_payload` of each.

    data, rows : as there; paths : all that is compared, so that each leaf has a row to show and wide data as many rows
    as fit. Without them the sample depends on the data alone.
    """
    trees = [tree for path in paths for tree in _trees_and_lams(path)[0]]
    sets = _sets(data, rows)
    n_columns = _columns(trees, data).size if trees else data.X.shape[1]
    first = data.X[sets[0][1]]
    groups = (target_of(trees[0], data) if trees else data.target).group_of(data.y)
    taken = _spread(data, groups, sets, [tree.apply(first) for tree in trees], n_columns)
    return _ordered(groups, sets, taken)[0]


def _spread(data, groups, sets, leaves, n_columns):
    """bool[rows] of every set: the same share of every set and group, at least one row of each, spread evenly.

    Rows of the first set are added until every leaf of every tree (`leaves`: its leaf of each row) has one to show.
    """
    total = max(1, sum(part.size for _, part in sets))
    most = int(np.clip(MAX_SAMPLE_BYTES // (n_columns * data.X.itemsize), MIN_SAMPLE_ROWS, MAX_SAMPLE_ROWS))
    share = min(1.0, most / total)
    marks = []
    for index, (_, part) in enumerate(sets):
        y = groups[part]
        taken = np.zeros(part.size, bool)
        for code in np.unique(y):
            members = np.flatnonzero(y == code)
            count = max(1, round(members.size * share))
            taken[members[(np.arange(count) * members.size) // count]] = True
        if index == 0:
            for reached in leaves:
                found, first = np.unique(reached, return_index=True)
                taken[first[~np.isin(found, reached[taken])]] = True
        marks.append(taken)
    return marks


def _given(sets, sample):
    """The same for rows that were chosen before."""
    marks = [np.isin(part, sample) for _, part in sets]
    if sum(np.count_nonzero(taken) for taken in marks) != len(sample):
        raise ParameterError(MESSAGES("stage.sample"))
    return marks


def _ordered(groups, sets, marks):
    """(numbers of the marked rows, their set): set after set, group after group."""
    chosen = [part[taken] for (_, part), taken in zip(sets, marks, strict=True)]
    chosen = [rows[np.argsort(groups[rows], kind="stable")] for rows in chosen]
    return np.concatenate(chosen), np.repeat(np.arange(len(chosen)), [rows.size for rows in chosen])


def _tree_arrays(trees, target, columns):
    """The flat arrays of all trees, one behind the other; features count within `columns`, label is a group."""

    def joined(part):
        return np.concatenate([part(tree) for tree in trees])

    return {
        "node_start": np.cumsum([0, *(tree.n_nodes for tree in trees)]).astype(np.uint32),
        "left": _unsigned(joined(lambda tree: tree.left) + 1),
        "right": _unsigned(joined(lambda tree: tree.right) + 1),
        "origin": _unsigned(joined(lambda tree: tree.origin)),
        "n_weights": _unsigned(joined(lambda tree: np.diff(tree.indptr))),
        "label": _unsigned(joined(lambda tree: target.group_of(target.usual_outputs(tree)))),
        "feature": _unsigned(joined(lambda tree: np.searchsorted(columns, tree.features))),
        "weight": joined(lambda tree: tree.weights),
        "bias": joined(lambda tree: tree.bias),
        **_missing_right(trees),
        **_linear_leaves(trees, target, columns),
    }


def _linear_leaves(trees, target, columns):
    """Models of linear leaves, of all trees one behind the other; nothing when no tree has one.

    linear_n : weights of each node; linear_feature; linear_weight, linear_bias : float64, for each of them and for each
    node one of every group (or one, of numbers), of groups that a tree does not know 0 and -inf.
    """
    if all(tree.linear is None for tree in trees):
        return {}
    n_scores = len(target.groups) if target.values_are_groups else 1
    numbers, features, weights, bias = [], [], [], []
    for tree in trees:
        linear, scores = tree.linear, target.positions(tree)
        scores = np.arange(1) if scores is None else scores
        bias.append(np.full((tree.n_nodes, n_scores), -np.inf))
        bias[-1][:, scores] = 0.0 if linear is None else linear.bias
        numbers.append(np.zeros(tree.n_nodes, np.int64) if linear is None else np.diff(linear.indptr))
        if linear is not None:
            features.append(np.searchsorted(columns, linear.features))
            weights.append(np.zeros((linear.features.size, n_scores)))
            weights[-1][:, scores] = linear.weights
    return {
        "linear_n": _unsigned(np.concatenate(numbers)),
        "linear_feature": _unsigned(np.concatenate(features)),
        "linear_weight": np.concatenate(weights).ravel(),
        "linear_bias": np.concatenate(bias).ravel(),
    }


def _digits(trees, data):
    """Digits that each decision is written with."""
    told, shared = category_columns(data), {}
    found = {id(tree): decision_digits(tree, data.X, columns=told, shared=shared) for tree in _distinct(trees)}
    return np.concatenate([found[id(tree)] for tree in trees])


def _missing_right(trees):
    """Where rows go that miss a value, 1 = right; nothing when no tree knows of such rows (they then go left)."""
    sides = [getattr(tree, "missing_right", None) for tree in trees]
    if all(side is None for side in sides):
        return {}
    parts = [np.zeros(tree.n_nodes) if side is None else side for tree, side in zip(trees, sides, strict=True)]
    return {"missing_right": np.concatenate(parts).astype(np.uint8)}


def _leaf_counts(trees, leaves, target, groups):
    """Unsigned [total leaves * groups]: rows of one set per leaf (in node order) and group.

    leaves : of each tree the leaf of every row; groups : int[rows]; without rows the trees say what they store.
    """
    k = len(target.groups)
    if not groups.size:
        return _unsigned(np.concatenate([target.stored(replace(tree, linear=None))[0] for tree in trees]).ravel())
    counts = []
    for tree, reached in zip(trees, leaves, strict=True):
        table = np.bincount(reached * np.int64(k) + groups, minlength=tree.n_nodes * k).reshape(tree.n_nodes, k)
        counts.append(table[tree.left < 0].ravel())
    return _unsigned(np.concatenate(counts))


def _leaf_losses(trees, leaves, target, X, y):
    """float64[total leaves]: sum of the losses of one set's rows, as in `_leaf_counts`."""
    if not y.size:
        leaves = [(tree, tree.left < 0) for tree in trees]
        parts = [target.stored(tree)[1] if tree.linear is None else tree.linear.losses[leaf] for tree, leaf in leaves]
        return np.concatenate(parts)
    losses = []
    for tree, reached in zip(trees, leaves, strict=True):
        of_rows = target.losses(target.row_outputs(tree, X, reached), y)
        losses.append(np.bincount(reached, of_rows, tree.n_nodes)[tree.left < 0])
    return np.concatenate(losses)


def _ends(data, columns):
    """[low, high] of the axis of each feature of a data set without rows, where they are known."""
    ends = getattr(data, "ends", None)
    return None if ends is None else [None if np.isnan(pair).any() else pair.tolist() for pair in ends[columns]]


def _unsigned(values):
    """The same numbers in the smallest unsigned dtype that holds them."""
    values = np.asarray(values)
    top = int(values.max()) if values.size else 0
    return values.astype(next(dtype for dtype in _UNSIGNED if top <= np.iinfo(dtype).max))


def _narrowest(X):
    """`X` in the smallest dtype that keeps every number exactly (integers up to 53 bits of the browser's numbers)."""
    if X.size == 0:
        return X.astype(np.uint8)
    for dtype in (np.uint8, np.int16, np.int32, np.float32):
        limits = np.iinfo(dtype) if np.issubdtype(dtype, np.integer) else None
        if limits and not (X.min() >= limits.min and X.max() <= limits.max):
            continue
        with np.errstate(over="ignore", invalid="ignore"):
            narrow = X.astype(dtype)
        if np.array_equal(narrow, X, equal_nan=X.dtype.kind == "f"):
            return narrow
    return X.astype(np.float64)


def _packed(header, arrays):
    blocks, table, offset = [], {}, 0
    for name, array in arrays.items():
        array = np.ascontiguousarray(array)
        block = array.astype(array.dtype.newbyteorder("<")).tobytes()
        table[name] = [_DTYPE_NAMES[array.dtype.str[1:]], offset, array.size]
        padding = -len(block) % 8
        blocks += [block, bytes(padding)]
        offset += len(block) + padding
    text = json.dumps({**header, "arrays": table}, ensure_ascii=False).encode("utf-8", "replace")
    text += b" " * (-(len(text) + 4) % 8)
    return b"".join([len(text).to_bytes(4, "little"), text, *blocks])
