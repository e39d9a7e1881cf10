"""Sentences of lessons and the laboratory on links and data."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "page.learn",
    {
        "link.lesson": "Lesson “{name}” does not exist. All lessons are listed below.",
        "link.data_set": "The data set “{name}” in this link is not available. Showing {shown}.",
        "link.no_name": "The data set in this link is not available. Showing {shown}.",
        "link.painting": (
            "The painted points in this link are not readable, so the plane is empty. Paint points, or get a new link."
        ),
        "data.missing": "{n:count row} {n:one has|have} missing values in these columns and {n:one is|are} left out.",
        "data.many_features": "{n_features} features: the run uses {n_points} points, so that it appears immediately.",
        "drawing.no_run": "TAO cannot start from this tree. {why}",
        "kept.points": "The server stores painted points for a limited time. Save the run as a file to keep it.",
        "kept.drawing": "The server stores the drawn tree for a limited time. Save the run as a file to keep it.",
    },
)
