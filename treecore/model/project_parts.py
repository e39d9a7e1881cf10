"""Content of a project file: trees and the sources of their data."""

import re
from dataclasses import dataclass, field

from treecore.errors import TreeFormatError
from treecore.model.model import Model
from treecore.model.model_parts import NO_FINGERPRINT

MOST_SETTINGS, MOST_TEXT = 60, 300  # maximum number of settings per tree, and of characters per setting


@dataclass(frozen=True)
class DataSource:
    """Source from which the app can reload data.

    name, title : str; fingerprint : str, sha256 of the data (64 hexadecimal digits); file : str, name of the file with
    the data, None for public data; options : dict of plain values, reader options; recipe : dict, choices for columns
    and rows, or None. `options` and `recipe` contain no rows of the data. entry, digest : str, name and digest of the
    entry of a folder of the machine of which the data are a sample, else None.
    """

    name: str
    title: str
    fingerprint: str
    file: str | None = None
    options: dict = field(default_factory=dict)
    recipe: dict | None = None
    entry: str | None = None
    digest: str | None = None

    def __post_init__(self):
        if not re.fullmatch("[0-9a-f]{64}", self.fingerprint):
            raise TreeFormatError(NO_FINGERPRINT)
        if not self.name:
            raise TreeFormatError("A data set of the project has an empty name.")


@dataclass(frozen=True, eq=False)
class ProjectTree:
    """Tree of a project.

    title : str, unique in the project; model : `Model`; settings : dict of strings, settings of the tree's path and the
    position on it, or None.
    """

    title: str
    model: Model
    settings: dict | None = None

    def __post_init__(self):
        if not (0 < len(self.title) <= MOST_TEXT):
            raise TreeFormatError("The title of a tree must have 1 to 300 characters.")
        if not (self.settings is None or len(self.settings) <= MOST_SETTINGS):
            raise TreeFormatError("A tree of the project has too many settings.")
        texts = [text for pair in (self.settings or {}).items() for text in pair]
        if not all(isinstance(text, str) and len(text) <= MOST_TEXT for text in texts):
            raise TreeFormatError("The settings of a tree must be strings of at most 300 characters.")
