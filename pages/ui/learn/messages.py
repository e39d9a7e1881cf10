"""Sentences of lessons and the laboratory: on their links and their data."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "page.learn",
    {
        "link.lesson": "There is no lesson “{name}”. Here are those that there are.",
        "link.data_set": "The data set “{name}” of this link is not here. Shown instead: {shown}.",
        "link.no_name": "The data set of this link is not here. Shown instead: {shown}.",
        "link.painting": (
            "The painted points in this link could not be read: the plane is empty. Paint some, or ask for the link "
            "again."
        ),
        "data.missing": "{n:count row} {n:one misses|miss} a value in these columns and {n:one is|are} left out.",
        "data.many_features": (
            "{n_features} features: {n_points} points are trained on, so that the run is there at once."
        ),
        "drawing.no_run": "TAO cannot run from this tree. {why}",
        "kept.points": (
            "The painted points are kept on this server, which forgets the oldest. A run as a file keeps everything."
        ),
        "kept.drawing": (
            "The tree drawn by hand is kept on this server, which forgets the oldest. A run as a file keeps everything."
        ),
    },
)
