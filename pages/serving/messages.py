"""Messages about refused requests and about settings of the server."""

from treecore.messages import Catalogue

MESSAGES = Catalogue(
    "serving",
    {
        "metrics.readers": "{name}={text!r}: expected addresses or networks separated by spaces, such as 10.1.2.0/24.",
        "quota": "{name}={text!r}: expected an integer > 0 (default: {default}).",
        "owner": "Invalid owner of data: expected 32 hexadecimal digits.",
        "metrics.not_yours": "{readers} does not include your address (see docs/reference/server_settings.md).",
        "come_back": "{why} Try again later.",
        "disk": "The jobs folder is not writable: {why}. Free space on its disk.",
        "left_out": "{n} similar lines omitted.",
        "host.unknown": (
            "This server does not accept the host name {host!r}. Accepted: {names}. The administrator can add names "
            "with STREAMLIT_SERVER_ALLOWED_HOSTS (see docs/how_to/deploy.md)."
        ),
        "host.local": "localhost and the IP address of this machine",
        "places.all": "All {n} sessions of this server are in use.",
        "places.of_address": "All {n} sessions for your network address are in use.",
        "places.descriptors": "This server has too few file descriptors for more than the {n} open sessions.",
        "places.raise_limit": "The limit of {most:,} open files (ulimit -n) is reached. Raise it for more visitors.",
        "places.refused": "Session refused. {why}",
        "uploads.tab": "from this browser tab",
        "uploads.browser": "from this browser",
        "uploads.address": "from your network address",
        "uploads.visitors": "from all visitors",
        "uploads.refused": "Upload refused: the uploads {whose} have reached the limit of {megabytes:,} MB.",
        "uploads.full": (
            "The uploads {whose} have reached the limit of {megabytes:,} MB. Wait until the app has read them, then "
            "upload this file again."
        ),
    },
)
