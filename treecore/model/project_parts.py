"""What a project holds: trees, and where their data come from."""

import re
from dataclasses import dataclass, field

from treecore.errors import TreeFormatError
from treecore.model.messages import MESSAGES
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
        MESSAGES.require(re.fullmatch("[0-9a-f]{64}", self.fingerprint), TreeFormatError, "data.fingerprint")
        MESSAGES.require(self.name, TreeFormatError, "project.empty_name")


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
        MESSAGES.require(0 < len(self.title) <= MOST_TEXT, TreeFormatError, "project.title")
        MESSAGES.require(
            self.settings is None or len(self.settings) <= MOST_SETTINGS, TreeFormatError, "project.too_many_settings"
        )
        texts = [text for pair in (self.settings or {}).items() for text in pair]
        MESSAGES.require(
            all(isinstance(text, str) and len(text) <= MOST_TEXT for text in texts),
            TreeFormatError,
            "project.texts_of_settings",
        )
