"""Sentences on the Tree page."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "page.explore",
    {
        "folds.work": (
            "Cross-validation is choosing the tree: {folds} folds of {rows}, {done} of {total} trees{left}. You "
            "can go on meanwhile."
        ),
        "folds.rows": "the {n:,} rows that do not test",
        "folds.stop": "The validation rows choose then.",
        "folds.failed": "The validation rows alone choose the tree. {why}",
        "folds.stopped": "Cross-validation was stopped: the validation rows alone choose the tree.",
        "folds.chosen": (
            "*Best tree* and *Simplest good tree* are chosen by cross-validation: {folds} folds of {rows}, on "
            "each a path of its own. The {name} of the best λ is {error} ± {spread} (standard error), of the "
            "simplest good one {simplest}. These errors chose λ, so they are optimistic; the test error is not."
        ),
        "grid.map": (
            "Framed: the tree on screen · dashed: within one standard error of the smallest {name} (star) · "
            "dotted grey: a single leaf. After Kairgeldin and Carreira-Perpiñán 2024, figure 1."
        ),
        "improve.what": (
            "TAO optimises all decisions together, from this tree on. Decisions on two features are lines in the "
            "plane of both; they need far fewer leaves, and each says more."
        ),
        "improve.no_data": "TAO trains on the data of this tree, which are not here: open them on the Data page first.",
        "improve.linear_leaves": (
            "TAO begins with a tree whose leaves have one answer for all their rows; the leaves of this one are "
            "linear models. *Leaves* in the side bar trains such trees from the beginning."
        ),
        "improve.better": "Your tree: {before}; after TAO: {after}.",
        "improve.no_smaller": (
            "TAO has found no smaller tree that errs no more. Your tree: {before}; the best smaller one: {after}."
        ),
        "improve.validation": "Errors of the {n:,} validation rows, on which TAO was not trained; they chose the tree.",
        "improve.test": "Of the {n:,} test rows, which chose nothing: {before} before, {after} after.",
        "improve.unknown_rows": (
            "Which of them your tree was grown on, its file does not say, and of those its own error is too "
            "small. A CART of {leaves}, grown on the training rows alone, has the error {error} on the "
            "validation rows. A column of your file that says which rows train (Data page) makes the comparison "
            "fair."
        ),
        "tree_gone": (
            "This link asks for the tree “{asked}”, which is not here: models are in the tab that opened their file."
        ),
        "rare_class": "{share} of the rows are {name}: a tree that never says so is wrong for those alone.",
        "smaller.what": (
            "TAO keeps the structure of its tree and can only cut it. Here subtrees of the tree on the screen "
            "are grown anew on their rows, and kept where error plus λ times size falls. The new tree follows "
            "the old one on the path."
        ),
        "smaller.none": "No subtree grown anew is better at λ = {lam}: the tree stays as it is.",
        "smaller.further": "{sentence} Further right on the slider it is smaller.",
        "smaller.done": "At λ = {lam}: {before} before, {after} now. One step back on the slider is the tree before.",
    },
)
