"""Error messages of `treecore.baselines`."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "baselines",
    {
        "sparse": "{method} does not support sparse X. Use {call}.",
        "c50.weights": (
            "The sample weights of {n_rows} rows sum to {total:.4g}, and each side of a split needs min_cases="
            "{min_cases} of them, so the tree is a single leaf. Multiply the weights by {factor:.4g}."
        ),
        "c50.confidence": (
            "confidence={confidence!r} has no effect with pruning=False. Set pruning=True, or leave out confidence."
        ),
        "bidt_missing": "X contains NaN, which BiDT does not support. Fill or remove these values.",
        "bidt_time_limit": (
            "The time limit of {seconds:g} s was reached: {n_cut_short} of {n_begun} bivariate searches "
            "were incomplete, so their nodes use the best split found so far. Raise time_limit, or set "
            "max_depth."
        ),
        "validation_fraction.below_one": (
            "validation_fraction={share!r}: expected a number below 1, or None for no pruning."
        ),
        "validation_fraction.from_zero": (
            "validation_fraction={share!r}: expected a number from 0 to below 1, or None for no pruning."
        ),
        "cv.rows": "cv: a fold contains rows that X does not have ({error}). X has {n_rows} rows.",
        "cv.rule": "rule={rule!r} selects a tree by cross-validation, but cv=None. Set cv, or leave out rule.",
        "cv.empty": "cv: no fold has both training rows and held-out rows. Pass folds with both.",
        "not_true_or_false": "{name}={value!r}: expected True or False.",
        "momentum": "momentum={momentum!r}: expected a number below 1, such as 0.9.",
        "n_candidate_features": (
            "n_candidate_features={value!r}: expected 'sqrt', a whole number >= 1, or None for all."
        ),
        "init_of_forest": (
            "init={init!r}: expected a name such as 'random', because each tree of the forest needs its own "
            "initial tree."
        ),
        "inference": "inference={inference!r}: expected 'fast' or 'exact'.",
        "stable": "stable={stable!r}: expected True (stable SGD) or False (plain SGD).",
        "optimal.thresholds": (
            "The features have {n_thresholds} thresholds: expected at most {most}. Use a smaller n_thresholds, or "
            "fewer columns."
        ),
        "optimal.max_depth": "max_depth={max_depth}: expected at most {most}. Use TAOClassifier for deeper trees.",
        "optimal.thresholds_of": "thresholds_of={value!r}: expected a Tree, or None for quantiles only.",
        "optimal.not_univariate": (
            "The tree has other splits or features: expected a univariate classification tree with constant leaves on "
            "the {expected:count feature} of X."
        ),
        "init_of_non_greedy": "init={init!r}: expected 'co2', 'cart' or a Tree.",
    },
)
