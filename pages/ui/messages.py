"""Messages about unsupported names and values in a link."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "link",
    {
        "unknown_name": "This link contains an unsupported name: {name}. It is ignored.",
        "unknown_names": "This link contains unsupported names: {names} and {last}. They are ignored.",
        "no_method": "This link contains an unsupported method: '{name}'. It is ignored.",
        "misread": "This link contains an unsupported value: '{name} = {text}'. The default is used instead.",
        "misread.allowed": (
            "This link contains an unsupported value: '{name} = {text}' (expected {allowed}). The default is used "
            "instead."
        ),
    },
)
