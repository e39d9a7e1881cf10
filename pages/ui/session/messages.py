"""Sentences that several pages say of data, trees and training."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "page.session",
    {
        "tree_gone": (
            "This link asks for the tree “{asked}”, which is not here: models are in the tab that opened their "
            "file. Shown is the tree {shown}."
        ),
        "no_data_set": "There is no data set “{name:.60}” here. Choose one on the Data page.",
        "one_feature": "{title} has one feature, so there is no pair of features: lines need two.",
        "one_class": (
            "{title} has rows of one {noun} only: there is nothing to tell apart, every tree is a single leaf."
        ),
        "choose_another": "Choose another data set in the side bar or on the Data page.",
        "model.too_large": "It has {size:,.0f} MB; models of at most {most} MB are opened.",
        "model.too_many": "{most} models can be open; close one on the Predict page first.",
        "model.no_rows": (
            "The model file holds no rows, and the data set ({title}) is not here, so there is no row to look "
            "at. The Predict page applies the model, the Rules page shows its rules. For more, save it again "
            "with a few rows."
        ),
        "not_opened": "{name} was not opened. {why}",
        "model.few_rows": "A few training rows that were saved with the model.",
        "node.no_tree": "This link selects a node but names no tree that has it; none is selected.",
        "node.not_here": "This link selects a node that this tree does not have; none is selected.",
        "path.left": "the tree of λ = {lam:.4g}, its left neighbour on the path",
        "path.initial": "the initial tree, being left of the whole path",
        "path.trained": "λ = {lam:.4g}: trained in {seconds}, starting from {origin}.",
        "path.being_trained": "λ = {lam:.4g}: being trained, starting from {origin}.",
        "path.waits": "Its tree is trained as soon as the path is there.",
        "path.no_tree": (
            "This link asks for tree {tree:,}, and this path has the trees 0 to {last}. Shown is another one."
        ),
        "threshold.linear_leaves": "it goes by the shares of leaves, and these leaves are linear models.",
        "threshold.not_here": "The {words} does not hold here: {why}",
        "threshold.no_class": "The tree has no class “{name}”: its leaves predict what is commonest there.",
        "threshold.misread": (
            "The threshold “{text}” of this link is none: it names a class ({flag}) and a share from 0 to 1 "
            "({share}). Each leaf predicts what is commonest there."
        ),
        "training.watched": "Somebody else is watching this training too, so it goes on.",
        "training.cancelled": "Training was cancelled after {done} of {total} {what}.",
        "training.nothing": "There is nothing to show yet. Change something in the side bar, or train again.",
        "file.smaller": (
            "Draw a random part of the rows, leave out columns, or save it as Parquet, which is quickest to read."
        ),
        "file.cancelled": "{name} was not read: that was cancelled.",
        "file.another": (
            "{name} is not the file that these trees were trained on, it was changed since, or another version "
            "of this app read it otherwise: its data have the fingerprint {found}, those of the project {wanted}."
        ),
        "file.gone": "{name} was open, but is not kept any more. Open it again.",
    },
)
