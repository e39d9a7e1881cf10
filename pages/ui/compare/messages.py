"""Messages on the Compare page."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "page.compare",
    {
        "change_protocol": "Change the protocol or choose another data set in the sidebar.",
        "long_work": (
            "This can take many minutes: {n_methods} methods run {n_folds} times on {n_rows:,} rows with "
            "{n_features:,} features. The time limit for each run is {seconds} s."
        ),
        "protocol": "{n_rows:,} rows: {way}. Within the training rows, {inner} inner folds select the settings.",
        "left_out": " Left out ({why}): {methods}.",
        "left_out.no_classes": "requires classes",
        "left_out.not_varied": "parameter does not apply to these data",
        "left_out.missing": "does not support missing values",
        "errors_of_tests": (
            "Each error is measured on test rows that were not used to select the model. If you choose the method with "
            "the smallest error in this table, that error is optimistic."
        ),
        "linear.same": (
            "A linear model is about as good as the best tree here: test error {linear}, against {tree} for {title} "
            "(difference not significant, p = {p})."
        ),
        "linear.better": (
            "A linear model is better than the best tree here: test error {linear}, against {tree} for {title} "
            "(p = {p})."
        ),
        "linear.worse": (
            "A linear model is worse than the best tree here: test error {linear}, against {tree} for {title} "
            "(p = {p})."
        ),
        "unknown_size": "This link contains an unsupported size: '{asked}'. The chart shows errors by {shown}.",
        "error_by_size": (
            "Large marks: the selected models (mean over the folds, with a 95 % interval corrected for "
            "overlapping training sets). Grey line: the settings that no setting of any method beats in both error and "
            "size. Faint marks: all settings of a method, mean over the folds; point at one for its name. Faint lines: "
            "the best settings or paths of a method. Open marks: initial trees of TAO. "
            "The settings were not selected by their test errors. Click a name to hide its method, or double-click to "
            "show that method only."
        ),
        "forest.first": " Shows the first {n} of {n_all} trees, because the whole forest is too large to store.",
        "forest.strip": (
            "Width: share of training rows. Colour: prediction of the node. The forest combines the predictions of "
            "all trees, so its error is usually smaller than the error of a single tree."
        ),
        "over_parameter": (
            "Mean over the folds (or splits), with the standard deviation between folds. All other settings were "
            "selected on the training rows. Click a name to hide its method, or double-click to show that method only."
        ),
        "side_by_side.wait": "The trees appear here when the comparison is done.",
        "side_by_side.no_tree": "None of these methods trains a single tree. Add such a method (CART, for example) to "
        "see its splits.",
        "side_by_side.choose": "Choose one to three methods.",
        "side_by_side.shown": (
            "These trees were trained in fold {part}. Select rows in one tree (drag, or click the rows of a node) to "
            "see the leaves that they reach in the other trees."
        ),
        "side_by_side.of_tests": " Trees that you opened or saved may have been trained on the test rows.",
    },
)
