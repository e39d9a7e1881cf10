"""What a project holds: trees, and where their data come from."""

import re
from dataclasses import dataclass, field

from treecore.errors import TreeFormatError
from treecore.model.model import Model

MOST_SETTINGS, MOST_TEXT = 60, 300  # of a tree; characters of each


@dataclass(frozen=True)
class DataSource:
    """Where data are to be had again.

    name, title : str; fingerprint : str, sha256 of the data (64 hexadecimal digits); file : str, name of the file that
    they were made from, None for data that everybody has; options : dict of plain values, how that file was read;
    recipe : dict, what was decided of its columns and rows, or None. Neither holds a row.
    """

    name: str
    title: str
    fingerprint: str
    file: str | None = None
    options: dict = field(default_factory=dict)
    recipe: dict | None = None

    def __post_init__(self):
        _require(re.fullmatch("[0-9a-f]{64}", self.fingerprint), "The fingerprint of the data must be a sha256.")
        _require(self.name, "Data of the project have an empty name.")


@dataclass(frozen=True, eq=False)
class ProjectTree:
    """A tree of a project.

    title : str, differs for all trees; model : `Model`; settings : dict of texts, of the path that it is a tree of and
    of its place there, or None.
    """

    title: str
    model: Model
    settings: dict | None = None

    def __post_init__(self):
        _require(0 < len(self.title) <= MOST_TEXT, "A tree of the project needs a title of at most 300 characters.")
        _require(self.settings is None or len(self.settings) <= MOST_SETTINGS, "A tree has too many settings.")
        texts = [text for pair in (self.settings or {}).items() for text in pair]
        _require(
            all(isinstance(text, str) and len(text) <= MOST_TEXT for text in texts),
            "The settings of a tree must be texts of at most 300 characters.",
        )


def _require(condition, message):
    if not condition:
        raise TreeFormatError(message)
