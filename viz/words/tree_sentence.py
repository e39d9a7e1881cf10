"""One sentence about a tree: its target, leaves and errors, as above the tree on the stage."""

import math
import unicodedata

from treecore.tree.number_text import count
from treecore.tree.target import Target
from treecore.tree.tree import Tree

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
    >>> from viz.words.tree_sentence import tree_sentence
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = CARTClassifier(max_depth=1, random_state=0).fit(X, y).tree_
    >>> tree_sentence(tree, tree.target, 0.1, 50)
    'One split predicts the class: 10.0 % wrong (95 %: 4.3 to 21.4 %)'
    """
    name = _quoted_end(target.name) or ("the class" if target.values_are_groups else "the target")
    leaves = tree.n_leaves
    if leaves == 1 and tree.linear is None:
        words = f"Without a split, {name} is always {target.answer(target.outputs(tree)[0])}"
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
    >>> from viz.words.tree_sentence import tree_doubt
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
