"""Sentences on unsupported names and values in a link."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "link",
    {
        "unknown_name": "Unsupported name in this link, ignored: {name}.",
        "unknown_names": "Unsupported names in this link, ignored: {names} and {last}.",
        "no_method": "Unsupported method in this link, ignored: “{name}”.",
        "misread": "Unsupported value in this link: “{name} = {text}”. The default is used instead.",
        "misread.allowed": (
            "Unsupported value in this link: “{name} = {text}” (expected {allowed}). The default is used instead."
        ),
    },
)
