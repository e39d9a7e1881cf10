"""Messages about data, trees and training that several pages use."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "page.session",
    {
        "tree_gone": (
            "The tree '{asked}' in this link is not available. A model is available only in the tab that opened its "
            "file. Showing {shown}."
        ),
        "no_data_set": "The data set '{name:.60}' does not exist.{hint} Choose one on the Data page.",
        "no_data_set.near": " The most similar name is '{near}'.",
        "one_feature": "{title} has one feature, but bivariate splits need two.",
        "one_class": "All rows of {title} have the same {noun}, so every tree is a single leaf.",
        "choose_another": "Choose another data set on the Data page",
        "model.too_large": "The file has {size:,.0f} MB (maximum {most} MB for a model).",
        "model.too_many": "You can open up to {most} models. Close one on the Predict page first.",
        "model.no_rows": (
            "The model file contains no rows, and the data set ({title}) is not available. You can use the model on "
            "the Predict and Rules pages. For the other pages, save the model again with sample rows."
        ),
        "not_opened": "{name} was not opened. {why}",
        "model.few_rows": "A few training rows saved with the model.",
        "node.no_tree": "This link selects a node but no tree. No node is selected.",
        "node.not_here": "The node in this link does not exist in this tree.",
        "path.left": "the previous tree on the path (λ = {lam:.4g})",
        "path.initial": "the initial tree (λ is below the path)",
        "path.trained": "λ = {lam:.4g}: trained in {seconds} from {origin}.",
        "path.being_trained": "λ = {lam:.4g}: training from {origin}.",
        "path.waits": "This tree will be trained after the path.",
        "path.no_tree": "Tree {tree:,} does not exist (the path has trees 0 to {last}). Showing the default tree.",
        "threshold.linear_leaves": "Thresholds require constant leaves, but the leaves of this tree are linear models.",
        "threshold.not_here": "The {words} does not apply here. {why}",
        "threshold.no_class": "The tree has no class '{name}'. Each leaf predicts its majority class.",
        "threshold.misread": (
            "Unsupported threshold '{text}' in this link: expected a class ({flag}) and a probability "
            "from 0 to 1 ({share}). Each leaf predicts its majority class."
        ),
        "training.watched": "Training continues, because another visitor is watching it.",
        "training.cancelled": "Training cancelled after {done} of {total} {what}.",
        "training.cancelled_sizes": "Training cancelled. These are the best trees found until then.",
        "training.nothing": "No trees yet. Change a setting above, or train again.",
        "file.smaller": (
            "Use a random sample of the rows, remove columns, or save the table as Parquet (the fastest format to "
            "read)."
        ),
        "file.cancelled": "Reading {name} was cancelled.",
        "file.another": (
            "{name} does not match the training data of these trees (fingerprint {found} instead of "
            "{wanted}). Either it is another file, it was changed, or another version of this app read it differently."
        ),
        "sample.name": "{name}, sample of {n:,} of {n_rows:,} rows",
        "file.gone": "The server no longer stores {name}. Open the file again.",
    },
)
