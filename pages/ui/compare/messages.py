"""Sentences on the Compare page."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "page.compare",
    {
        "change_protocol": "Change the protocol or choose another data set in the sidebar.",
        "long_work": (
            "{n_methods} methods on {n_rows:,} rows with {n_features:,} features, {n_folds} times: this "
            "can take many minutes. Each run of a method has a limit of {seconds} s."
        ),
        "protocol": "{n_rows:,} rows: {way}. {inner} inner folds of the training rows select the settings.",
        "left_out": " Left out ({why}): {methods}.",
        "left_out.no_classes": "needs classes",
        "left_out.not_varied": "parameter does not apply to these data",
        "left_out.missing": "does not support missing values",
        "errors_of_tests": (
            "Each error is measured on test rows that did not select the model. If you choose a method by"
            " the smallest error in this table, that error is optimistic."
        ),
        "unknown_size": "Unsupported size “{asked}” in this link. The chart shows errors by {shown}.",
        "error_by_size": (
            "Large marks: the selected models (mean over the folds, with a 95 % interval corrected for "
            "overlapping training sets). Small marks: all settings of a method, mean over the folds. "
            "Lines: the settings of a method that no other setting beats in both error and size, or one "
            "line for each path of a method with several paths. Open marks: initial trees of TAO. The "
            "test errors shown here did not select the settings. Grey: front of all methods. Click a name"
            " to hide its method; double-click to show that method only."
        ),
        "forest.first": " The first {n} of {n_all} trees; the whole forest is too large to store.",
        "forest.strip": (
            "Width: share of training rows. Colour: prediction of the node. The forest combines the "
            "predictions of all trees; a single tree has a larger error."
        ),
        "over_parameter": (
            "Mean over the folds (or splits) with the standard deviation between them. All other settings"
            " were selected on the training rows. Click a name to hide its method; double-click to show "
            "that method only."
        ),
        "side_by_side.wait": "The trees appear here when the comparison is done.",
        "side_by_side.no_tree": "None of these methods is a single tree. Add one, such as CART, to see its splits.",
        "side_by_side.choose": "Choose one to three methods.",
        "side_by_side.shown": (
            "Trained on part {part} of the protocol. Select rows in one tree (drag, or click the rows of "
            "a node) to see their leaves in the other trees."
        ),
        "side_by_side.of_tests": " Trees that you opened or saved may have been trained on these test rows.",
    },
)
