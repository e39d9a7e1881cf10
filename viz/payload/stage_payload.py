"""A regularisation path as one compressed block of bytes, from which the stage can draw it without a server.

`viz.payload.payload_fields` declares the fields, and this module computes their values. Numbers that decide the path of
a row (weights, biases, sampled rows) keep their full precision, so that the browser routes exactly like `Tree.apply`.
"""

from collections.abc import Sequence

import numpy as np

from treecore.errors import ParameterError
from treecore.messages import literal
from treecore.ordered_levels import levels_of
from treecore.statistics.declared import STATISTICS
from treecore.statistics.node_statistic import statistic_facts
from treecore.training.path import RegularizationPath
from treecore.training.phase import PhaseDiagram
from treecore.tree.category_columns import CategoryColumns
from treecore.tree.condition_text import visible
from treecore.tree.conditions import DIFFERENCE, MOST_TERMS
from treecore.tree.data_set_like import DataSetLike
from treecore.tree.date_text import column_name, is_date
from treecore.tree.decision_digits import SplitDigits
from treecore.tree.feature_statistics import feature_deviation
from treecore.tree.leaf_model import CONSTANT
from treecore.tree.number_text import FEW_DIGITS
from treecore.tree.tree import Tree, target_of
from viz.charts.path_points import figure_of, weighted_errors
from viz.charts.path_points import recommended as recommended_of
from viz.looks import LOOKS, looks_header
from viz.nodes.category_columns import category_columns
from viz.nodes.node_kinds import as_difference, is_by_category, kinds_of_nodes
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
from viz.payload.compressed import compressed
from viz.payload.feature_kinds import category_groups, category_names, feature_facts
from viz.payload.grid_facts import grid_facts, is_grid, readable_in_grid, recommended_in_grid
from viz.payload.shared_nodes import SharedNodes, numbered
from viz.tree.layout import path_layout
from viz.tree.readable_tree import TreeNote, readable_tree, tree_notes
from viz.words.row_words import row_name

MAX_SAMPLE_ROWS = 1500
MIN_SAMPLE_ROWS = 120
MAX_SAMPLE_BYTES = 1_000_000  # maximum size before compression
SET_NAMES = ("train", "validation", "test")
MOST_WEIGHTS = 0.995


EMPTY_PATH = "The path has no trees. Train it first."


def stage_payload(
    path_or_tree: Tree | RegularizationPath | PhaseDiagram | Sequence,
    data: DataSetLike,
    rows: Sequence | None = None,
    recommended: dict | None = None,
    sample: np.ndarray | None = None,
    monotone: np.ndarray | None = None,
    whole: bool = False,
) -> bytes:
    """Return bytes that the stage decodes.

    Raise ParameterError without a tree, or if the data or the sample do not belong to the tree.

    path_or_tree : Tree, RegularizationPath, PhaseDiagram, or a list of objects with `tree` and `lam`
    data : DataSet of the trees. Without rows (`viz.tree.bare_data.BareData`), the stage shows the counts in the trees.
    rows : (training, validation, test) row numbers of `data`, None if the data are not divided
    recommended : {"one_se", "min": index in the path}, by default computed for a RegularizationPath with validation
        errors
    sample : numbers of the rows to draw, as returned by `shared_sample`, by default chosen for these trees
    monotone : int8[d], sign of each feature under a monotone constraint, else 0, or None
    whole : whether the counts of the training set are those in the tree, because `data` are a sample of its rows
    """
    return compressed(
        stage_values(path_or_tree, data, rows, recommended=recommended, sample=sample, monotone=monotone, whole=whole)
    )


def stage_values(
    path_or_tree: Tree | RegularizationPath | Sequence,
    data: DataSetLike,
    rows: Sequence | None = None,
    *,
    recommended: dict | None = None,
    sample: np.ndarray | None = None,
    columns: np.ndarray | None = None,
    by_category: bool = True,
    monotone: np.ndarray | None = None,
    whole: bool = False,
    nodes: SharedNodes | None = None,
) -> dict:
    """Return the field values of `stage_payload` before `compressed` packs them, so that callers can add more.

    A path may contain the same Tree object several times at little cost.

    columns : int[c], ascending, the features to include; None for those that the trees need
    by_category : whether categorical splits are drawn by category, and differences as such
    nodes : `SharedNodes` of the trees and all rows of `data`, if they are known
    """
    trees, lams = _trees_and_lams(path_or_tree)
    target = target_of(trees[0], data)
    for tree in _distinct(trees):
        _check(tree, data, target)
    groups = target.group_of(data.y)
    if recommended is None:
        kind = recommended_in_grid if is_grid(path_or_tree) else recommended_of
        recommended = {} if hasattr(path_or_tree, "left") else kind(path_or_tree)
    sets = _sets(data, rows)
    columns = _columns(trees, data) if columns is None else columns
    nodes = SharedNodes(trees, data.X, target, whole) if nodes is None else nodes
    reached = (leaf[sets[0][1]] for leaf in nodes.leaves)
    taken = _spread(data, groups, sets, reached, columns.size) if sample is None else _sample_of(sets, sample)
    sampled, set_of = _order(groups, sets, taken)
    places = path_layout(trees)
    X = data.X[np.ix_(sampled, columns)]
    # Losses are sent if the counts do not determine them.
    has_losses = not target.values_are_groups or any(not tree.leaf_model.is_constant for tree in nodes.trees)
    figures = [
        _leaf_figures(nodes, target, data, groups, part, whole and not i, has_losses)
        for i, (_, part) in enumerate(sets)
    ]
    values = _tree_values(nodes, data, target, columns)
    own = {} if hasattr(path_or_tree, "left") else _path_values(path_or_tree, sets, target, bool(data.image_shape))
    return {
        "name": data.name,
        "title": data.title,
        "target": target.to_dict() | {"colors": {theme: group_colors(target, data.y, theme) for theme in THEMES}},
        **_feature_values(data, columns),
        "n_features": int(data.X.shape[1]),
        "image_shape": list(data.image_shape) if data.image_shape else None,
        "sets": [
            _set_facts(name, part, data, target, trees[0], whole and not i) for i, (name, part) in enumerate(sets)
        ],
        "recommended": recommended,
        "statistics": statistic_facts(STATISTICS.values(), target),
        "notes": {},
        **own,
        "palette": _palette(),
        "looks": looks_header(),
        "monotone": None if monotone is None else np.asarray(monotone, np.int8)[columns],
        "is_oblique": bool((nodes.n_weights > 2).any()),
        "largest_weight": _largest_weight(trees),
        "largest_value": float(X.max()) or 1.0 if data.image_shape and X.size else 1.0,
        "lam": lams,
        "sample_rows": sampled,
        "row_numbers": None if getattr(data, "row_numbers", None) is None else data.row_numbers[sampled],
        "row_names": None if getattr(data, "row_names", None) is None else [row_name(data, row) for row in sampled],
        "sample_set": set_of,
        "sample_y": groups[sampled],
        "sample_value": None if target.values_are_groups else data.y[sampled],
        "sample_X": X.T,
        "place_origin": places.origin,
        "place_x": places.x,
        "place_depth": places.depth,
        "place_parent": places.parent,
        "n_slots": float(places.n_slots),
        **values,
        "kind": _kinds(nodes, data, target, values["digits"] if by_category else None),
        "leaf_kind": _leaf_kind(nodes.trees),
        **_linear_leaves(nodes.trees, target, columns),
        "counts": [counts for counts, _ in figures],
        "loss": [losses for _, losses in figures] if has_losses else None,
    }


def _path_values(path, sets, target, has_images):
    """Return the values of the fields of paths."""
    opens, notes = _opening(path, target, has_images)
    points = points_in_order(path)
    return {
        "opens": opens,
        "notes": notes_facts(notes),
        "choice": choice_facts(points, target, has_images),
        "by_size": all(figure_of(point, "size") is not None for point in points) or None,
        "grid": grid_facts(path) if is_grid(path) else None,
        "weighted": [weighted_errors(points, name) for name, _ in sets],
    }


def _feature_values(data, columns):
    """Return the values of the fields for the shipped features."""
    X, names = data.X[:, columns], [data.feature_names[j] for j in columns]
    return {
        "columns": columns,
        "features": [visible(column_name(name)) for name in names],
        "dates": [place for place, name in enumerate(names) if is_date(name)],
        "levels": {
            place: list(map(visible, levels)) for place, name in enumerate(names) if (levels := levels_of(name))
        },
        "ends": _ends(data, columns),
        "groups": category_groups(getattr(data, "columns", None), columns),
        "categories": category_names(data, columns),
        "deviation": feature_deviation(X),
        **feature_facts(X),
    }


def _distinct(trees):
    return {id(tree): tree for tree in trees}.values()


def _opening(path, target, has_images):
    """Return (index of the tree to show first, `TreeNote` by index) of a path or a grid."""
    if not is_grid(path):
        return readable_tree(path, target, has_images).index, tree_notes(path, target, has_images)
    index, note, better = readable_in_grid(path, target, has_images)
    return index, {index: TreeNote(note, better)} if note else {}


def _check(tree, data, target):
    """Raise ParameterError if a tree was not trained on data of this form."""
    if tree.n_features != data.X.shape[1]:
        raise ParameterError(f"data has {data.X.shape[1]} features, but the tree has {tree.n_features}.")
    unknown = target.unknown_classes(tree)
    if unknown:
        raise ParameterError(
            f"The tree predicts {literal(unknown[0])}, which is not among the {target.nouns} in the data."
        )


def _set_facts(name, part, data, target, tree, is_whole):
    """Return the header of a set. For numbers, it includes the sum of squared distances from their mean."""
    facts = {"name": name, "n": int(tree.n_samples[0] if is_whole or not part.size else part.size)}
    if target.values_are_groups:
        return facts
    if is_whole:
        return facts | {"spread": float(tree.values[0, 2] * tree.n_samples[0])}
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
    """Return a limit that nearly all weights on the path stay below. The limit scales the colours of the weights."""
    sizes = np.sort(np.abs(np.concatenate([tree.weights for tree in trees])))
    return float(sizes[int(sizes.size * MOST_WEIGHTS)]) or 1.0 if sizes.size else 1.0


def _trees_and_lams(path_or_tree):
    if hasattr(path_or_tree, "left"):
        return [path_or_tree], [0.0]
    points = points_in_order(path_or_tree)
    if not points:
        raise ParameterError(EMPTY_PATH)
    return [point.tree for point in points], [point.lam for point in points]


def points_in_order(path: RegularizationPath | PhaseDiagram | Sequence) -> list:
    """Return the points of a path in the order of the stage, the smallest tree last."""
    points = list(getattr(path, "points", path))
    return points[::-1] if getattr(path, "has_sizes", False) else points


def _sets(data, rows):
    if data.X.shape[0] == 0:
        return [("train", np.empty(0, np.int64))]
    if rows is None:
        return [("all rows", np.arange(data.X.shape[0]))]
    return [(name, np.asarray(part)) for name, part in zip(SET_NAMES, rows, strict=True) if len(part)]


def _columns(trees, data):
    """Return the features that the stage needs: features of the trees, pixels of images, axes of planar data."""
    if data.image_shape or data.X.shape[1] <= 2:
        return np.arange(data.X.shape[1])
    used = np.unique(np.concatenate([tree.used_features for tree in _distinct(trees)]))
    return used if used.size else np.arange(1)


def shared_sample(data: DataSetLike, rows: Sequence | None = None, paths: Sequence = ()) -> np.ndarray:
    """Return the row numbers that every stage of a comparison draws, to pass as `sample` to each `stage_payload`.

    Without `paths`, the sample depends on the data alone.

    data, rows : as in `stage_payload`
    paths : all compared paths, so that each leaf has a row to show and wide data have as many rows as fit
    """
    trees = [tree for path in paths for tree in _trees_and_lams(path)[0]]
    sets = _sets(data, rows)
    n_columns = _columns(trees, data).size if trees else data.X.shape[1]
    first = data.X[sets[0][1]]
    groups = (target_of(trees[0], data) if trees else data.target).group_of(data.y)
    taken = _spread(data, groups, sets, [tree.apply(first) for tree in trees], n_columns)
    return _order(groups, sets, taken)[0]


def _spread(data, groups, sets, leaves, n_columns):
    """Return bool[rows] for every set, with an equal share of rows from each set and group, but at least one row.

    Rows of the first set are added until every leaf of every tree has a row to show.

    leaves : leaf of each row, for every tree
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


def _sample_of(sets, sample):
    """Return the sampled rows as bool[rows] for every set."""
    marks = [np.isin(part, sample) for _, part in sets]
    if sum(np.count_nonzero(taken) for taken in marks) != len(sample):
        raise ParameterError("sample contains rows that belong to no set.")
    return marks


def _order(groups, sets, marks):
    """Return (numbers of the marked rows, set of each), sorted by set and group."""
    chosen = [part[taken] for (_, part), taken in zip(sets, marks, strict=True)]
    chosen = [rows[np.argsort(groups[rows], kind="stable")] for rows in chosen]
    return np.concatenate(chosen), np.repeat(np.arange(len(chosen)), [rows.size for rows in chosen])


def _tree_values(nodes, data, target, columns):
    """Return the values of the fields of nodes and weights.

    Features are indices in `columns`, and labels are groups of the target. A child is stored as its distance from its
    parent, which is 0 for a leaf.
    """
    sizes = np.diff(nodes.start)[nodes.which]
    own = np.arange(nodes.start[-1])
    content = nodes.per_tree(nodes.content)
    counts = nodes.n_weights[nodes.first]
    weights = _of_contents(nodes.n_weights, nodes.first)
    outputs = nodes.outputs[nodes.first]
    return {
        "node_start": np.cumsum([0, *sizes]),
        "left": nodes.per_tree(np.where(nodes.is_leaf, 0, nodes.left - own)),
        "right": nodes.per_tree(np.where(nodes.is_leaf, 0, nodes.right - own)),
        "content": None if np.array_equal(content, own) else content,
        "origin": nodes.origin[nodes.first],
        "n_weights": counts,
        "label": target.group_of(outputs),
        "value": None if target.values_are_groups else outputs,
        "feature": np.searchsorted(columns, nodes.features[weights]),
        "weight": nodes.weights[weights],
        "bias": nodes.bias[nodes.first],
        "digits": path_digits(nodes, data.X, category_columns(data)),
        "missing_right": (
            None if all(tree.missing_right is None for tree in nodes.trees) else nodes.missing_right[nodes.first]
        ),
    }


def _of_contents(sizes, first):
    """Return the indices of the items of some nodes.

    sizes : int64[nodes], number of items of each node
    """
    counts = sizes[first]
    stops = np.cumsum(counts)
    return np.repeat((np.cumsum(sizes) - sizes)[first] - stops + counts, counts) + np.arange(stops[-1])


def _leaf_kind(trees):
    """Return the kind of leaves other than constant ones, or None."""
    return next((tree.leaf_model.kind for tree in trees if tree.leaf_model != CONSTANT), None)


def _linear_leaves(trees, target, columns):
    """Return the models of linear leaves, concatenated over all trees, or {} if there are none.

    Groups that a tree does not predict have weights 0 and bias -inf.
    """
    if all(tree.leaf_model.is_constant for tree in trees):
        return {}
    n_scores = len(target.groups) if target.values_are_groups else 1
    numbers, features, weights, bias = [], [], [], []
    for tree in trees:
        leaves, scores = tree.leaf_model, target.positions(tree)
        scores = np.arange(1) if scores is None else scores
        bias.append(np.full((tree.n_nodes, n_scores), -np.inf))
        bias[-1][:, scores] = 0.0 if leaves.is_constant else leaves.bias
        numbers.append(leaves.sizes(tree))
        used = leaves.used_features()
        features.append(np.searchsorted(columns, used))
        weights.append(np.zeros((used.size, n_scores)))
        if used.size:
            weights[-1][:, scores] = leaves.weights
    return {
        "linear_n": np.concatenate(numbers),
        "linear_feature": np.concatenate(features),
        "linear_weight": np.concatenate(weights).ravel(),
        "linear_bias": np.concatenate(bias).ravel(),
    }


def _kinds(nodes, data, target, digits):
    """Return the kind of each content.

    digits : digits of each content, None if no split is drawn by category or as a difference
    """
    columns = None if digits is None else category_columns(data)
    is_category, is_difference = np.zeros((2, nodes.first.size), bool)
    for content in () if columns is None else np.flatnonzero(digits > DIFFERENCE):
        at = nodes.tree_of(nodes.first[content])
        is_difference[content] = as_difference(*at, columns, int(digits[content])) is not None
    if columns is not None and columns.group_of:
        for content in np.flatnonzero(~nodes.is_leaf[nodes.first]):
            is_category[content] = is_by_category(*nodes.tree_of(nodes.first[content]), columns)
    has_models = nodes.joined(lambda tree: tree.leaf_model.sizes(tree) > 0)
    return kinds_of_nodes(
        nodes.is_leaf[nodes.first], nodes.n_weights[nodes.first], has_models[nodes.first], is_category,
        is_difference,
        not target.values_are_groups, bool(data.image_shape), nodes.trees[0].n_features == 2,
    )  # fmt: skip


def _leaf_figures(nodes, target, data, groups, part, is_whole, has_losses):
    """Return (counts, losses or None) of one set, in order of the leaf contents.

    counts : int64[leaves * groups], number of rows per leaf and group
    losses : float64[leaves], total loss of the rows
    groups : int[rows of `data`]
    part : int[rows in the set], their numbers
    """
    k, leaves = len(target.groups), nodes.is_leaf[nodes.first]
    if is_whole or not part.size:  # the trees contain the figures, and share no content
        counts, losses = zip(*(tree.leaf_model.leaf_counts(tree, target) for tree in nodes.trees), strict=True)
        return np.concatenate(counts).ravel(), np.concatenate(losses) if has_losses else None
    groups, y = groups[part], data.y[part]
    are_constant = all(tree.leaf_model.is_constant for tree in nodes.trees)
    counts, losses = np.zeros(nodes.first.size * k, np.int64), np.zeros(nodes.first.size)
    for rows, contents in nodes.visits(part):
        counts += np.bincount(contents * k + groups[rows], minlength=counts.size)
        if has_losses and are_constant:
            of_rows = target.losses(nodes.outputs[nodes.first[contents]], y[rows])
            losses += np.bincount(contents, of_rows, losses.size)
    counts = counts.reshape(-1, k)[leaves].ravel()
    if not has_losses:
        return counts, None
    return counts, losses[leaves] if are_constant else _model_losses(nodes, target, data, part)


def _model_losses(nodes, target, data, part):
    """Return the losses of linear leaves, as in `_leaf_figures`. No content is shared."""
    losses, X, y = [], data.X[part], data.y[part]
    for tree, leaf in zip(nodes.trees, nodes.leaves, strict=True):
        of_rows = target.losses(target.row_outputs(tree, X, leaf[part]), y)
        losses.append(np.bincount(leaf[part], of_rows, tree.n_nodes)[tree.left < 0])
    return np.concatenate(losses)


def _ends(data, columns):
    """Return [low, high] for the axis of each feature of a data set without rows, or None if unknown."""
    ends = getattr(data, "ends", None)
    return None if ends is None else [None if np.isnan(pair).any() else pair.tolist() for pair in ends[columns]]


FEW = 8  # number of nodes of a tree from which it is faster to sort all rows by leaf


def path_digits(nodes: SharedNodes, X: np.ndarray, columns: CategoryColumns | None = None) -> np.ndarray:
    """Return `decision_digits` of the contents, uint8[contents].

    A split has the same digits wherever the same rows reach it.

    X : array [n, d], the rows of `nodes`
    columns : CategoryColumns, for conditions on categories
    """
    found = np.full(nodes.first.size, FEW_DIGITS, np.uint8)
    contents = np.flatnonzero(nodes.n_weights[nodes.first])
    if X.shape[0] == 0 or contents.size == 0:
        return found
    splits = nodes.first[contents]
    first, same = numbered(nodes.splits[splits] ^ nodes.rows[splits])
    chosen, digits, known = splits[first], [], {}
    for which, some in enumerate(np.split(chosen, np.searchsorted(chosen, nodes.start[1:-1]))):
        tree, start = nodes.trees[which], int(nodes.start[which])
        for node, rows in zip(some.tolist(), _rows_of(some, nodes, which), strict=True):
            code = nodes.splits[node]
            if code not in known:
                known[code] = SplitDigits(tree.split(node - start), MOST_TERMS, columns)
            digits.append(known[code].of(X, rows))
    found[contents] = np.array(digits, np.uint8)[same]
    return found


def _rows_of(some, nodes, which):
    """Yield the rows that reach each of some nodes of one tree."""
    if not some.size:
        return
    low, high = (ends[some] for ends in nodes.leaf_ranges)
    place = nodes.leaf_ranges[0][nodes.start[which] : nodes.start[which + 1]][nodes.leaves[which]]
    if some.size < FEW:
        for begin, end in zip(low, high, strict=True):
            yield np.flatnonzero((place >= begin) & (place < end))
        return
    if place.max(initial=0) < 1 << 16:
        place = place.astype(np.uint16)  # sorted faster
    order = np.argsort(place, kind="stable")
    for begin, end in np.searchsorted(place[order], [low, high]).T.tolist():
        yield order[begin:end]
