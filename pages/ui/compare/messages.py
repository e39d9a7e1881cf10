"""Sentences on the Compare page."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "page.compare",
    {
        "change_protocol": "Change the protocol, or choose another data set, in the side bar.",
        "long_work": (
            "{n_methods} methods on {n_rows:,} rows of {n_features:,} features, {n_folds} times: this may take "
            "many minutes. Each method has {seconds} seconds at most, each time."
        ),
        "protocol": "{n_rows:,} rows: {way}. Settings were chosen by {inner} inner folds of the training rows.",
        "left_out": " Left out, because {why}: {methods}.",
        "left_out.no_classes": "there must be classes for it",
        "left_out.not_varied": "it cannot be varied for these data",
        "left_out.missing": "these data miss values",
        "errors_of_tests": (
            "Each error is of test rows that did not choose its model. The smallest error of the table is "
            "optimistic if you choose the method by it."
        ),
        "unknown_size": "This page knows no size “{asked}”: errors stand against {shown}.",
        "error_by_size": (
            "Large: the models that were chosen, mean over the folds, with a 95 % interval that is corrected for "
            "training rows that folds share. Small: all settings of a method, mean over the folds; line: those "
            "that no other setting of it beats in both, or, of a method with several paths, such as one for each "
            "depth, all of them. Open: the trees that TAO starts from. Settings were not chosen by what is shown "
            "here. Grey: the front of all methods together. A click on a name takes the method away, a double "
            "click leaves it alone."
        ),
        "forest.first": " These are the first {n} of {n_all}: all of them are too large to be kept.",
        "forest.strip": (
            "Width: share of the training rows; colour: what a node predicts. The forest predicts by all of its "
            "trees together; one of them alone errs more."
        ),
        "over_parameter": (
            "Mean over the folds (or splits), with the standard deviation between them. What else a method can "
            "choose was chosen on the training rows. A click on a name takes the method away, a double click "
            "leaves it alone."
        ),
        "side_by_side.wait": "They appear here when the comparison is done.",
        "side_by_side.no_tree": (
            "None of these methods is a single tree: add one, such as CART, to look at its decisions."
        ),
        "side_by_side.choose": "Choose one to three methods.",
        "side_by_side.shown": (
            "Trained on part {part} of the protocol. Select rows in one tree (drag, or a node's rows) to see "
            "where the others send them."
        ),
        "side_by_side.of_tests": " Those that you have opened or kept may have been grown on its test rows.",
    },
)
