"""Sentences about a tree and about each step of its training."""

import math
import unicodedata
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from treecore.training.recording import RecordedNode, RecordedStep
from treecore.tree.classes import Classes
from treecore.tree.number_text import count, number, percent
from treecore.tree.split import same_split
from treecore.tree.target import Target
from treecore.tree.tree import Tree

CLASSES = Classes(())  # default target, which accepts any class names
TURNED = 0.5  # in degrees; smaller rotations of a line are not mentioned
MOVED = 0.005  # as a share of the standard deviation; smaller shifts of a line are not mentioned
MOST_NAMES = 3  # maximum number of features that a sentence lists by name


def step_sentence(step: RecordedStep, before: RecordedStep | None = None, target: Target = CLASSES) -> str | None:
    """Return a sentence about a `RecordedStep`.

    before : the previous step, or None
    target : target of the data
    """
    kind = step.kind
    if kind == "start":
        return f"The initial tree: {_leaves(step.tree)}, {_wrong(step, target)}."
    if kind == "best":
        where = "the initial tree" if step.iteration == 0 else f"the tree after pass {step.iteration}"
        return f"Best tree restored: {where}, {_leaves(step.tree)}, {_wrong(step, target)}."
    if kind == "prune":
        return _prune_sentence(step, before, target)
    if kind == "split":
        return f"Split {step.iteration}: {_losses(before, step, target)}, {_leaves(step.tree)}."
    changed = sum(node.changed for node in step.nodes)
    if not step.nodes:
        done = "nothing to optimise, because " + _reasons(step.skipped, target)
    elif changed == 0:
        done = f"{_nodes(len(step.nodes))} optimised, none changed"
    else:
        done = f"{_nodes(len(step.nodes))} optimised, {changed} changed"
        done += f"; {_losses(before, step, target)}"
        done += f", objective {_figure(before.objective)} to {_figure(step.objective)}"
    return f"Pass {step.iteration}, depth {step.depth}: {done}."


def node_sentence(
    node: RecordedNode,
    features: tuple[str, ...],
    say: Callable[[float], str],
    middle: np.ndarray,
    deviation: np.ndarray,
    target: Target = CLASSES,
) -> str:
    """Return a sentence about a `RecordedNode`.

    features : names of all features
    say : function that converts a prediction (class code or number) to text
    middle, deviation : float64[d], centre and standard deviation of the data, by which shifts of a line are measured
    target : target of the data
    """
    if node.is_leaf:
        return _leaf_sentence(node, say, target)
    errors = _change(_loss_words(target), node.errors_before, node.errors_after)
    if node.old is None:
        on = _names(node.new.features, features)
        return f"Node {node.origin}: {_points(node.n)}, split on {on}, {errors}."
    what = _what_changed(node.old, node.new, features, middle, deviation)
    if node.rows.size == 0:
        return f"Node {node.origin}: no care points (both children are equally good for every point); {what}."
    points = f"{count(node.rows.size)} care point{'s' * (node.rows.size != 1)}"
    if node.new is not None and same_split(node.old, node.new):
        return f"Node {node.origin}: {points}, {_wrong_points(node.errors_after, target)}; {what}."
    return f"Node {node.origin}: {points}, {errors}, {what}."


def _leaf_sentence(node, say, target):
    start = f"Leaf {node.origin}: {_points(node.n)}"
    new = say(node.new_label)
    if not node.changed:
        return f"{start}, {_wrong_points(node.errors_after, target)}; the prediction stays '{new}'."
    errors = _change(_loss_words(target), node.errors_before, node.errors_after)
    return f"{start}, {errors}, the {target.value_noun} changed from '{say(node.old_label)}' to '{new}'."


def _what_changed(old, new, features, middle, deviation):
    if old is new and new.features.size:
        return f"the {_form(new)} is unchanged"
    before, after = set(old.features.tolist()), set(new.features.tolist())
    if not after:
        side = "right" if new.bias >= 0 else "left"
        same = not before and (old.bias >= 0) == (new.bias >= 0)
        return f"it {'still sends' if same else 'became constant and sends'} every point {side}"
    if same_split(old, new):
        return f"the {_form(new)} is unchanged"
    if not before:
        return f"a {_form(new)} on {_names(new.features, features)} instead of a constant"
    if before == after:
        return f"the {_form(new)} {_motion(old, new, middle, deviation)}"
    gone, come = sorted(before - after), sorted(after - before)
    if len(gone) + len(come) > MOST_NAMES:
        new_ones = f", including {len(come)} new" if come else ""
        return f"a {_form(new)} on {len(after)} features instead of {len(before)}{new_ones}"
    if gone and come:
        return f"a {_form(new)} on {_names(come, features)} instead of {_names(gone, features)}"
    if come:
        return f"it now also uses {_names(come, features)}"
    return f"it no longer uses {_names(gone, features)}"


def _motion(old, new, middle, deviation):
    """Describe how a boundary with the same features moved, in standard deviations of the data."""
    use = new.features
    (a, at), (b, to) = ((s.weights * deviation[use], s.bias + s.weights @ middle[use]) for s in (old, new))
    sizes = np.linalg.norm(a), np.linalg.norm(b)
    if min(sizes) == 0:
        return "changed"
    cosine = float(a @ b) / (sizes[0] * sizes[1])
    swapped = cosine < 0
    degrees = float(np.degrees(np.arccos(min(abs(cosine), 1.0))))
    words = ["moved"] if abs(to / sizes[1] - np.sign(cosine) * at / sizes[0]) > MOVED else []
    if degrees > TURNED:
        words.append(f"turned by {max(degrees, 1):.0f}°" if use.size == 2 else "turned")
    if swapped:
        words.append("swapped its sides")
    return _join(words) or "moved a little"


def _form(split):
    k = split.features.size
    return "constant" if k == 0 else "threshold" if k == 1 else "line" if k == 2 else "weighted sum"


def _names(indices, features):
    """Return the names of a few features, or the number of many."""
    names = [features[j] for j in indices]
    if len(names) > MOST_NAMES:
        return f"{len(names)} features"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _prune_sentence(step, before, target):
    if not step.skipped:
        return f"Pruning finds nothing to remove: {_leaves(step.tree)}, {_wrong(step, target)}."
    texts = {
        "dead": "{} without training points",
        "one-sided": "{} with all points on one side",
        "pure": "{} with points of a single " + target.value_noun,
        "same": "{} with one prediction in all leaves",
    }
    reasons = list(step.skipped.values())
    parts = [texts[reason].format(_nodes(reasons.count(reason))) for reason in texts if reason in reasons]
    verb = "is" if step.tree.n_leaves == 1 else "are"
    wrong = f"{_wrong(step, target)}, as before"
    if _figure(before.loss) != _figure(step.loss):
        best = "mean" if target.is_root else "majority"
        wrong = f"{_losses(before, step, target)}: leaves predict their {best} again"
    return f"Pruning removes {_join(parts)}. {_leaves(step.tree).capitalize()} {verb} left, {wrong}."


def _reasons(skipped, target):
    pure = f"all points there have the same {target.value_noun}"
    texts = {"dead": "no point reaches the nodes", "pure": pure, "frozen": "the nodes are locked"}
    found = [text for reason, text in texts.items() if reason in skipped.values()]
    return _join(found) or "the tree has no nodes there"


def _join(parts):
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _nodes(k):
    return f"{count(k)} node{'s' * (k != 1)}"


def _points(k):
    return f"{count(k)} point{'s' * (k != 1)}"


def _leaves(tree):
    return f"{count(tree.n_leaves)} {'leaf' if tree.n_leaves == 1 else 'leaves'}"


def _wrong(step, target):
    if target.is_root:
        return f"{target.error_label} {target.error_text(step.error)}"
    return f"{_wrong_points(step.loss, target)} ({percent(step.error)})"


def _loss_words(target):
    return "squared errors" if target.is_root else "errors"


def _losses(before, step, target):
    """Describe the change of the loss over all points."""
    if not target.is_root:
        return _change("errors", before.loss, step.loss)
    was, now = (target.error_text(one.error) for one in (before, step))
    return f"{target.error_label} " + (f"stays {now}" if was == now else f"{was} to {now}")


def _wrong_points(weight, target):
    figure = _figure(weight)
    return f"squared errors {figure}" if target.is_root else f"{figure} error{'s' * (figure != '1')}"


def _change(what, before, after):
    if _figure(before) == _figure(after):
        return f"{what} stay {_figure(after)}"
    return f"{what} {_figure(before)} to {_figure(after)}"


@lru_cache(maxsize=2000)  # most nodes do not change in a step
def _figure(value):
    """Format a sum of weights without decimals if it is a whole number, otherwise with four digits."""
    whole = round(value)
    return count(whole) if abs(value - whole) < 1e-6 else number(value, 4)


_MOST_DOUBTED = 3  # maximum number of features that the doubt about a tree without errors names


def tree_sentence(
    tree: Tree, target: Target, error: float | None = None, n: int | None = None, is_weighted: bool = False
) -> str:
    """Return the sentence, such as "8 leaves predict price: 2.3 % wrong (95 %: 1.1 to 4.2 %)".

    Parameters
    ----------
    tree : Tree
        The tree.
    target : Target
        Its target, with names.
    error : float or None, default=None
        Error on `n` rows that were not used for training, if known.
    n : int or None, default=None
        Number of these rows.
    is_weighted : bool, default=False
        Whether the error counts weights, for which there is no interval.

    Returns
    -------
    str
        The sentence, without a full stop.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import CARTClassifier
    >>> from viz.words.sentences import tree_sentence
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = CARTClassifier(max_depth=1, random_state=0).fit(X, y).tree_
    >>> tree_sentence(tree, tree.target, 0.1, 50)
    'One split predicts the class: 10.0 % wrong (95 %: 4.3 to 21.4 %)'
    """
    name = _quoted_end(target.name) or ("the class" if target.values_are_groups else "the target")
    leaves = tree.n_leaves
    if leaves == 1 and tree.leaf_model.is_constant:
        words = f"Without a split, {name} is always {tree.leaf_model.worded(target.answer(target.outputs(tree)[0]))}"
    else:
        words = f"One split predicts {name}" if leaves == 2 else f"{count(leaves)} leaves predict {name}"
    if error is None or not math.isfinite(error):
        return words
    if target.is_root or is_weighted:
        return f"{words}: {target.error_label} {target.error_text(error)}"
    found = f"{words}: {target.error_text(error)} wrong"
    if not n:
        return found
    low, high = (target.error_text(end) for end in interval(error, n))
    return f"{found} (95 %: {low.removesuffix(' %')} to {high})"


def tree_doubt(tree: Tree, target: Target, error: float | None) -> str:
    """Return the doubt about a tree without errors, with the first features of its splits, or "".

    `doubt` in viz/stage/panels/headline.js does the same.

    Parameters
    ----------
    tree : Tree
        The tree.
    target : Target
        Its target.
    error : float or None
        Error on rows that were not used for training, if known.

    Returns
    -------
    str
        Such as "Too good to be true: test whether 'paid' repeats the target."

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import CARTClassifier
    >>> from viz.words.sentences import tree_doubt
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = CARTClassifier(max_depth=1, random_state=0).fit(X, y).tree_
    >>> tree_doubt(tree, tree.target, 0.1)
    ''
    """
    if error is None or not math.isfinite(error) or tree.left[0] < 0:
        return ""
    if error and (target.is_root or target.error_text(error) != target.error_text(0.0)):
        return ""
    names: list[str] = []
    level = [0]
    while level and len(names) < _MOST_DOUBTED:
        inner = [node for node in level if tree.left[node] >= 0]
        for node in inner:
            used = tree.features[tree.indptr[node] : tree.indptr[node + 1]].tolist()
            names += [name for j in used if (name := _name(tree, j)) not in names]
        level = [int(child) for node in inner for child in (tree.left[node], tree.right[node])]
    shown = [f"{name!r}" for name in names[:_MOST_DOUBTED]]
    return (
        f"Too good to be true: test whether {', '.join(shown)} {'repeat' if len(shown) > 1 else 'repeats'} the target."
    )


def _quoted_end(name):
    """Return a name, in quotes if its last character is a punctuation mark."""
    return f"'{name}'" if name and unicodedata.category(name[-1]) == "Po" else name


def _name(tree, feature):
    return tree.feature_names[feature] if tree.feature_names else f"feature {feature}"


def interval(share: float, n: int) -> tuple[float, float]:
    """Return the 95 % interval of a share of n rows, after Wilson (1927).

    `wilson` in viz/stage/panels/headline.js does the same.
    """
    z = 1.96
    weight = z**2 / n
    middle = (share + weight / 2) / (1 + weight)
    half = z * math.sqrt(share * (1 - share) / n + weight / (4 * n)) / (1 + weight)
    return max(0.0, middle - half), min(1.0, middle + half)
