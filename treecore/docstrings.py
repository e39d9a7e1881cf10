"""`filled`: numpydoc entries for parameters and attributes that several public classes share."""

import inspect
import re
from collections.abc import Callable
from textwrap import fill as fill_text
from typing import Any

_ENTRY = re.compile(r"^([a-zA-Z_]\w*(?:, \w+)*) : (.+)\n((?: {4}.*(?:\n|$))+)", re.MULTILINE)
_LINE = re.compile(r"^\{([\w, ]+)\}$", re.MULTILINE)

SHARED = """
max_depth : int or None
    Maximum depth of the tree. None grows until every leaf is pure.
min_samples_split : int
    Smallest number of training rows of a node that may be split, at least 2.
min_samples_leaf : int
    Smallest number of training rows in a leaf, at least 1.
n_candidate_features : int or None
    Number of random features that are searched for the best threshold. None searches all.
n_orientations : int
    Number of line directions that the search tries (H of the paper), at least 1.
validation_fraction : float or None
    Share of the rows (of each class) that is held out to select the pruned subtree, in (0, 1). None or 0 disables
    pruning.
scale : {'standard', 'minmax'} or None
    Scaling of the features during the search. `tree_` is in raw units.
class_weight : 'balanced', dict or None
    Weight of each class label. 'balanced' gives all classes the same total weight. None gives every row weight 1.
cost_matrix : array-like of shape (n_classes, n_classes), dict of dicts or None
    Cost of each mistake by true and predicted class, as in `TAOClassifier`. Rows are weighted by the mean cost of their
    class during growth, leaves predict their cheapest class, and pruning uses costs.
categories : {'features', 'groups'} or list of lists of int
    Splits on columns of categories: each category is a 0/1 feature of its own, or a split divides the categories of a
    column into two groups, as in `TAOClassifier`.
missing : {'error', 'learn'}
    How to handle missing values (NaN): raise an error, or learn to which side they go.
n_estimators : int
    Number of trees, at least 1.
n_pairs : int
    Number of random feature pairs that are tried for a two-probe split, at least 1.
n_jobs : int or None
    Number of threads. None means 1, and -1 uses all cores. The result does not depend on `n_jobs`.
random_state : int, RandomState, Generator or None
    Seed of all random choices in the fit.
tree_ : Tree
    The trained tree.
estimators_ : list of Tree
    The trees of the forest.
encoder_ : FeatureEncoder
    Converter of table rows to features.
classes_ : array of shape (k,)
    Class labels.
n_features_in_ : int
    Number of columns of the training table.
feature_names_in_ : array of str
    Column names. Set only after a fit on a DataFrame with string column names.
"""
PAPERS = {
    "tao_2018": "M. Á. Carreira-Perpiñán, P. Tavallali: Alternating optimization of decision trees, with application "
    "to learning sparse oblique trees. NeurIPS 2018.",
    "bivariate_2024": "R. Kairgeldin, M. Á. Carreira-Perpiñán: Bivariate decision trees: smaller, interpretable, more "
    "accurate. KDD 2024.",
    "non_greedy_2015": "M. Norouzi, M. D. Collins, M. Johnson, D. J. Fleet, P. Kohli: Efficient non-greedy "
    "optimization of decision trees. NIPS 2015.",
    "co2_2015": "M. Norouzi, M. D. Collins, D. J. Fleet, P. Kohli: CO2 forest: improved random forest by continuous "
    "optimization of oblique splits. arXiv:1506.06155, 2015.",
    "comparison_2021": "A. Zharmagambetov, S. S. Hada, M. Gabidolla, M. Á. Carreira-Perpiñán: Non-greedy algorithms "
    "for decision tree optimization: an experimental comparison. IJCNN 2021.",
    "bidt_2021": "F. Bollwein, S. Westphal: A branch & bound algorithm to determine optimal bivariate splits for "
    "oblique decision tree induction. Applied Intelligence 51, 2021.",
    "cart_1984": "L. Breiman, J. Friedman, R. Olshen, C. Stone: Classification and regression trees. Wadsworth 1984.",
    "oc1_1994": "S. K. Murthy, S. Kasif, S. Salzberg: A system for induction of oblique decision trees. JAIR 2, 1994.",
    "boundary_2015": "C. Mathy, N. Derbinsky, J. Bento, J. Rosenthal, J. Yedidia: The boundary forest algorithm for "
    "online supervised and unsupervised learning. AAAI 2015.",
    "counterfactual_2021": "M. Á. Carreira-Perpiñán, S. S. Hada: Counterfactual explanations for oblique decision "
    "trees: exact, efficient algorithms. AAAI 2021.",
    "streed_2023": "J. G. M. van der Linden, M. M. de Weerdt, E. Demirović: Necessary and sufficient conditions for "
    "optimal decision trees using dynamic programming. NeurIPS 2023.",
    "c50_1993": "J. R. Quinlan: C4.5: programs for machine learning. Morgan Kaufmann 1993.",
}


def entries(text: str) -> dict[str, tuple[str, str]]:
    """Return the numpydoc entries of a docstring, {name: (type, indented description)}."""
    found = {}
    for names, kind, description in _ENTRY.findall(text + "\n"):
        found |= dict.fromkeys(names.split(", "), (kind, description.rstrip("\n")))
    return found


def filled(*sources: Any) -> Callable:
    """Return a decorator that replaces docstring lines such as ``{max_depth, scale}`` by the entries of these names.

    Entries come from `SHARED` and the docstrings of the `sources` (classes or texts), where a later source takes
    precedence. The line ``{parameters}`` inserts all remaining parameters. Defaults are read from the signature. Keys
    of `PAPERS` insert references.
    """
    known = entries(SHARED)
    for source in sources:
        known |= entries(source if isinstance(source, str) else inspect.getdoc(source) or "")

    def fill(thing):
        parameters, own = inspect.signature(thing).parameters, entries(inspect.getdoc(thing) or "")

        def entry(name):
            kind, description = known[name]
            if name in parameters and parameters[name].default is not inspect.Parameter.empty:
                kind = f"{kind.split(', default=')[0]}, default={parameters[name].default!r}"
            return f"{name} : {kind}\n{description}"

        def line(match):
            names = match[1].split(", ")
            if match[1] == "parameters":
                names = [name for name in parameters if name not in own]
            if names[0] in PAPERS:
                return "\n".join(
                    f".. [{i}] " + fill_text(PAPERS[name], 110, subsequent_indent="   ")
                    for i, name in enumerate(names, 1)
                )
            return "\n".join(map(entry, names))

        if thing.__doc__:
            thing.__doc__ = _LINE.sub(line, inspect.cleandoc(thing.__doc__))
        return thing

    return fill
