"""Sentences of errors of `treecore.baselines`."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "baselines",
    {
        "sparse": "Sparse X is not supported by {method}: use {call}.",
        "bidt_missing": "X holds NaN, which BiDT cannot place: fill or drop those values first.",
        "bidt_time_limit": (
            "The time limit of {seconds:g} s was reached: {n_cut_short} of {n_begun} searches for a line did not end, "
            "and those nodes have the best split found so far. Raise time_limit, or set max_depth."
        ),
        "validation_fraction.below_one": "validation_fraction={share!r}: use a number below 1, or None for no pruning.",
        "validation_fraction.from_zero": (
            "validation_fraction={share!r}: use a number from 0 to below 1, or None for no pruning."
        ),
        "cv.rows": "cv: a fold names rows that X has not ({error}); X has {n_rows} rows.",
        "cv.empty": "cv: no fold has rows to train on and rows that are held out.",
        "not_true_or_false": "{name}={value!r}: use True or False.",
        "momentum": "momentum={momentum!r}: use a number below 1, such as 0.9.",
        "n_candidate_features": "n_candidate_features={value!r}: use 'sqrt', a whole number >= 1, or None for all.",
        "init_of_forest": "init={init!r}: name an initial tree, so that every tree of the forest has its own.",
        "inference": "inference={inference!r}: use one of 'fast' or 'exact'.",
        "stable": "stable={stable!r}: use True (stable SGD) or False (plain SGD).",
        "init_of_non_greedy": "init={init!r}: use 'co2', 'cart', or a Tree to start from.",
    },
)
