"""Messages about links and data in lessons and the laboratory."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "page.learn",
    {
        "link.lesson": "The lesson '{name}' does not exist. Choose a lesson below.",
        "link.data_set": "The data set '{name}' in this link is not available. Showing {shown}.",
        "link.no_name": "The data set in this link is not available. Showing {shown}.",
        "link.painting": (
            "The painted points in this link are not readable, so the plane is empty. Paint points, or ask for a new "
            "link."
        ),
        "data.missing": "{n:count row} with missing values in these columns {n:one is|are} left out.",
        "data.many_features": "With {n_features} features, the run uses {n_points} points, so that it appears "
        "immediately.",
        "drawing.no_run": "TAO cannot start from this tree. {why}",
        "kept.points": "The server stores painted points for a limited time. Save the run as a file to keep it.",
        "kept.drawing": "The server stores the drawn tree for a limited time. Save the run as a file to keep it.",
    },
)
