"""Messages on the Tree page."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "page.explore",
    {
        "purpose": "An optimised tree: all splits are trained together, so few leaves suffice",
        "folds.work": (
            "Running {folds}-fold cross-validation on {rows}: {done} of {total} trees{left}. You can keep working."
        ),
        "folds.rows": "{n:,} training and validation rows",
        "folds.stop": "Stops cross-validation and selects trees by validation error.",
        "folds.failed": "Cross-validation failed. Trees are selected by validation error. {why}",
        "folds.stopped": "Cross-validation stopped. Trees are selected by validation error.",
        "folds.simplified": (
            "The folds contain no simplified trees, so cross-validation cannot select this one. At its λ, the chart "
            "shows the cross-validated error of the path."
        ),
        "folds.chosen": (
            "Cross-validation selects *Best tree* and *Simplest good tree*: {folds} folds of {rows}, one "
            "path for each fold. Best {what}: {name} {error} ± {spread} (standard error). "
            "Simplest good tree: {simplest}. These errors selected the {what}, so they are optimistic. The test "
            "error is not."
        ),
        "reference.work": "Training CART on the same rows for comparison{left}. You can keep working.",
        "reference.stop": "Continue without CART.",
        "grid.map": (
            "Frame: tree on screen. Dashed: within one standard error of the smallest {name} (star). Dotted grey: "
            "single leaf. Based on figure 1 of Kairgeldin and Carreira-Perpiñán 2024."
        ),
        "alternatives.what": (
            "Trains up to eight other paths: without a feature of the first split, other split types, C values, "
            "initial trees and several starts. Takes about as long as eight paths, in the background."
        ),
        "alternatives.shown": (
            "Their error on the validation rows is at most one standard error above that of the original tree. The "
            "test error did not select them. A click shows a tree, and the original tree leads back."
        ),
        "alternatives.none": (
            "Other trees trained: {n}. None is both about as good as the tree with {leaves} and different from it. "
            "Select another tree with the slider, and search again."
        ),
        "alternatives.skipped": "Paths that failed and were skipped: {names}.",
        "alternatives.stopped": "The search stopped after {done} of {total} paths.",
        "alternatives.failed": "The search failed. {why}",
        "gap.what": (
            "The objective is the number of misclassified training rows plus λ for each decision node. The search "
            "compares all trees up to this depth on quantiles of each feature and the thresholds of this tree."
        ),
        "gap.work": "Searching for the best tree of this depth. You can keep working.",
        "gap.start": (
            "Trains the path again from the optimal tree of this depth. The test error can be larger, because the "
            "objective contains training errors."
        ),
        "gap.stop": "Stops the search. The tree does not change.",
        "gap.optimal": (
            "Optimal: no tree up to depth {depth} on {n} thresholds has a smaller objective (training errors + λ × "
            "decision nodes)."
        ),
        "gap.above": (
            "At most {gap} above the best tree up to depth {depth} on {n} thresholds, in training errors + λ × "
            "decision nodes ({objective}; best: {least})."
        ),
        "gap.unproven": (
            "At most {gap} above the best tree up to depth {depth} on {n} thresholds, in training errors + λ × "
            "decision nodes ({objective}; best found: {best}). The search stopped after {seconds:g} s without a proof."
        ),
        "gap.none": "The search for the best tree of this depth stopped. {why}",
        "left_out": "Trained without {names}.",
        "all_rows.by_size": "To train on all rows, choose λ for the slider: all rows have no search for each size.",
        "all_rows.what": (
            "This tree is trained on a random sample of {n:,} of {n_rows:,} rows. Training on all rows reads every "
            "file and takes longer."
        ),
        "all_rows.no_folder": (
            "The app was started without the folder of these rows. Restart it with the folder to train on all rows."
        ),
        "all_rows.curve": (
            "Trains trees on 15 %, 30 % and 60 % of the sample. The decrease of the test error shows whether more rows "
            "are worth their time."
        ),
        "all_rows.train": (
            "Trains on all rows except the validation and test rows of the sample, for three values of λ. The largest "
            "corresponds to λ = {lam} on the sample. The validation error selects a tree."
        ),
        "all_rows.sizes": "Test errors after training on {errors}.",
        "all_rows.other": "The settings have changed since the training on all rows. Train again to compare the trees.",
        "all_rows.done": "Sample: {before}. All rows: {after}.",
        "all_rows.chance": "The difference is smaller than two standard errors.",
        "all_rows.test": "Errors on the {n:,} test rows of the sample, which are not used for training or selection.",
        "all_rows.train_error": (
            "Errors on the validation rows, or else the training rows, because there are no test rows."
        ),
        "all_rows.counts": (
            "The counts and training errors of the tree of all rows are those of {n_rows:,} rows. Its points and "
            "histograms show rows of the sample."
        ),
        "all_rows.save": "Opens the tree on this page and adds it to the list *Tree* of the other pages.",
        "all_rows.duplicates": "Repeated rows are removed from the sample, but not from all rows.",
        "improve.what": (
            "TAO optimises all splits together, starting from this tree. Bivariate splits are lines in the plane of "
            "two features. Trees with bivariate splits usually need fewer leaves."
        ),
        "improve.no_data": "TAO needs the training data of this tree. Open these data on the Data page first.",
        "improve.linear_leaves": (
            "TAO cannot start from a tree with linear leaves. To train a tree with linear leaves, set *Leaves* in "
            "*More*."
        ),
        "improve.better": "Your tree: {before}. After TAO: {after}.",
        "improve.no_smaller": (
            "TAO found no smaller tree with equal or lower validation error. Your tree: {before}. Best smaller tree: "
            "{after}."
        ),
        "improve.validation": "Errors on the {n:,} validation rows. These rows selected the trees, but TAO did not "
        "train on them.",
        "improve.test": "Test error ({n:,} rows): {before} before, {after} after. These rows were not used for "
        "training or selection.",
        "improve.unknown_rows": (
            "The file does not contain the training rows of your tree, so the error here can be too small. For "
            "comparison, a CART tree with {leaves}, trained on the training rows only, has a validation error of "
            "{error}. For a fair comparison, mark the training rows in a column of your table (Data page)."
        ),
        "tree_gone": (
            "The tree '{asked}' in this link is not available. A model is available only in the tab that opened its "
            "file."
        ),
        "rare_class": (
            "Only {share} of the rows are *{name}*, so a tree that never predicts it has an error of just {share}."
        ),
        "many_features": (
            "{n:,} features: in each node, a bivariate split combines two of the {kept} features with the best "
            "thresholds. Training with univariate splits is faster."
        ),
        "sizes.end": (
            "The slider ends at {leaves}, and *Best tree* is its largest tree. For larger trees, choose *λ* as the "
            "slider."
        ),
        "smaller.what": (
            "Regrows subtrees on their training rows and keeps each subtree that lowers error + λ × size. The new "
            "tree follows this tree on the path."
        ),
        "smaller.none": "No smaller subtree found at λ = {lam}.",
        "smaller.further": "{sentence} For a smaller tree, move the slider to the right.",
        "smaller.done": (
            "At λ = {lam}: {before} before, {after} now. Move the slider one step back for the previous tree."
        ),
    },
)
