"""One sentence about a tree: its target, leaves and errors, as above the tree on the stage."""

import math

from treecore.tree.number_text import count
from treecore.tree.target import Target
from treecore.tree.tree import Tree


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
    name = target.name or ("the class" if target.values_are_groups else "the target")
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


def interval(share: float, n: int) -> tuple[float, float]:
    """Return the 95 % interval of a share of n rows, after Wilson (1927).

    `wilson` in viz/stage/panels/headline.js does the same.
    """
    z = 1.96
    weight = z**2 / n
    middle = (share + weight / 2) / (1 + weight)
    half = z * math.sqrt(share * (1 - share) / n + weight / (4 * n)) / (1 + weight)
    return max(0.0, middle - half), min(1.0, middle + half)
