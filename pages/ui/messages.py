"""Sentences on names and texts of a link that a page cannot read."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "link",
    {
        "unknown_name": "{name} means nothing in a link to this page; it was left out.",
        "unknown_names": "{names} and {last} mean nothing in a link to this page; they were left out.",
        "no_method": "There is no method “{name}” to compare; it was left out.",
        "misread": "“{name} = {text}” in this link is not possible here; the usual was taken instead.",
        "misread.allowed": (
            "“{name} = {text}” in this link is not possible here (it is {allowed}); the usual was taken instead."
        ),
    },
)
