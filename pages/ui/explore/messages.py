"""Sentences on the Tree page."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "page.explore",
    {
        "folds.work": (
            "Running {folds}-fold cross-validation on {rows}: {done} of {total} trees{left}. You can keep working."
        ),
        "folds.rows": "{n:,} training and validation rows",
        "folds.stop": "Stop and select by validation error.",
        "folds.failed": "Cross-validation failed. Trees are selected by validation error. {why}",
        "folds.stopped": "Cross-validation stopped. Trees are selected by validation error.",
        "folds.chosen": (
            "Cross-validation selects *Best tree* and *Simplest good tree*: {folds} folds of {rows}, one "
            "path for each fold. Best λ: {name} {error} ± {spread} (standard error). "
            "Simplest good tree: {simplest}. These errors selected λ and are therefore optimistic; the "
            "test error is not."
        ),
        "reference.work": "Training CART on the same rows for comparison{left}. You can keep working.",
        "reference.stop": "Continue without CART.",
        "grid.map": (
            "Frame: tree on screen · dashed: within one standard error of the smallest {name} (star) · "
            "dotted grey: single leaf. After Kairgeldin and Carreira-Perpiñán 2024, figure 1."
        ),
        "improve.what": (
            "TAO optimises all splits together, starting from this tree. Bivariate splits are lines "
            "through two features; trees with such splits need far fewer leaves."
        ),
        "improve.no_data": "TAO needs the data of this tree. Open them on the Data page first.",
        "improve.linear_leaves": (
            "TAO cannot start from a tree with linear leaves. To train such trees, set *Leaves* in the sidebar."
        ),
        "improve.better": "Your tree: {before}; after TAO: {after}.",
        "improve.no_smaller": (
            "No smaller tree with equal or lower validation error found. Your tree: {before}; best "
            "smaller tree: {after}."
        ),
        "improve.validation": "Errors on the {n:,} validation rows, which selected the trees and did not train TAO.",
        "improve.test": "Error on the {n:,} test rows, which selected nothing: {before} before, {after} after.",
        "improve.unknown_rows": (
            "The file of your tree does not name its training rows, so its error here can be too small. "
            "For comparison: a CART of {leaves}, trained on the training rows only, has a validation "
            "error of {error}. Mark the training rows in a column of your table (Data page) for a fair "
            "comparison."
        ),
        "tree_gone": (
            "The tree “{asked}” in this link is not available. Models are available in the tab that opened their file."
        ),
        "rare_class": (
            "Only {share} of rows are *{name}*, so a tree that never predicts it has an error of just {share}."
        ),
        "smaller.what": (
            "Regrows subtrees on their training rows and keeps each one that lowers error + λ × size. The"
            " result is added to the path after this tree."
        ),
        "smaller.none": "No smaller subtree found at λ = {lam}.",
        "smaller.further": "{sentence} For a smaller tree, move the slider to the right.",
        "smaller.done": (
            "At λ = {lam}: {before} before, {after} now. Move the slider one step back for the previous tree."
        ),
    },
)
