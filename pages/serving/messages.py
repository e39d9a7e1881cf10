"""Sentences for visitors that the server refuses, and on its settings."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "serving",
    {
        "metrics.readers": "{name} is {text!r}; it must be addresses or networks between blanks, such as 10.1.2.0/24.",
        "quota": "{name} is {text!r}; it must be a whole number > 0 (default: {default}).",
        "owner": "An owner of data is named by 32 hexadecimal digits.",
        "metrics.not_yours": "{readers} does not name your address (docs/reference/server_settings.md).",
        "come_back": "{why} Come back in a while.",
        "disk": "The jobs folder cannot be written: {why}. Free space on its disk.",
        "left_out": "{n} such lines were left out.",
        "host.unknown": (
            "This server does not answer under the name {host!r}. It answers under: {names}. Whoever runs it "
            "allows another name with STREAMLIT_SERVER_ALLOWED_HOSTS (docs/how_to/deploy.md)."
        ),
        "host.local": "localhost, and this machine's address in digits",
        "places.all": "All {n} places of this server are taken.",
        "places.of_address": "All {n} places of this server for one network address are taken.",
        "places.refused": "A visitor was refused. {why}",
        "uploads.tab": "of this browser tab",
        "uploads.browser": "of this browser",
        "uploads.address": "from your network address",
        "uploads.visitors": "of all visitors",
        "uploads.refused": "An upload was refused: the uploads {whose} reached {megabytes:,} MB.",
        "uploads.full": (
            "The uploads {whose} reached {megabytes:,} MB. Wait until they are read, then upload this again."
        ),
    },
)
