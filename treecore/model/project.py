"""`Project`: several trees with the sources of their data. A file stores the project without loss."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from treecore.errors import TreeFormatError
from treecore.model import model_json
from treecore.model.model import Model, versions
from treecore.model.project_parts import DataSource, ProjectTree
from treecore.tree import tree_json

FORMAT, VERSION = "treecore-project", 1
MOST_TREES = 60
_CONTENT = {"trees", "data", "opened", "created_by"}
_TREE = {"title", "model", "settings"}
_DATA = {"name", "title", "fingerprint", "file", "options", "recipe"}
_SAMPLE = {"entry": None, "digest": None}  # written only for a sample of a folder of the machine


@dataclass(frozen=True, eq=False)
class Project:
    """Trees and the sources of their data.

    Parameters
    ----------
    trees : tuple of ProjectTree
        1 to 60 trees.
    data : tuple of DataSource, default=()
        One source per data set.
    opened : int, default=0
        Index of the tree that was open.
    created_by : dict
        Versions of the programs that wrote the project.

    Raises
    ------
    TreeFormatError
        If the parts do not match.

    See Also
    --------
    Model : A single tree in a file.

    Examples
    --------
    >>> import sample_data
    >>> from treecore import CARTClassifier, Model, Project
    >>> data = sample_data.load("iris")
    >>> tree = CARTClassifier(random_state=0).fit(data.X, data.labels()).tree_
    >>> project = Project.of({"iris": Model.of(tree.with_names(data.feature_names), data)})
    >>> [one.title for one in Project.from_json(project.to_json()).trees]
    ['iris']
    """

    trees: tuple[ProjectTree, ...]
    data: tuple[DataSource, ...] = ()
    opened: int = 0
    created_by: dict = field(default_factory=versions)

    def __post_init__(self):
        titles = [tree.title for tree in self.trees]
        if not (0 < len(titles) <= MOST_TREES):
            raise TreeFormatError(f"The project has {len(titles)} trees (expected 1 to {MOST_TREES}).")
        if len(set(titles)) != len(titles):
            raise TreeFormatError("Two trees of the project have the same title. Rename one.")
        if not (type(self.opened) is int and 0 <= self.opened < len(titles)):
            raise TreeFormatError("The project does not contain the tree that was open.")
        known = [source.fingerprint for source in self.data]
        if len(set(known)) != len(known):
            raise TreeFormatError("The project lists the same data twice.")
        used = {tree.model.data.fingerprint for tree in self.trees if tree.model.data is not None}
        if used != set(known):
            raise TreeFormatError("The project does not contain the source of its data.")

    @classmethod
    def of(cls, models: dict[str, Model]) -> Self:
        """Create a project from models that were trained on public data.

        Parameters
        ----------
        models : dict of str to Model
            The models by title.

        Returns
        -------
        Project
            The project.

        Raises
        ------
        TreeFormatError
            If the models do not match.
        """
        data = {model.data.fingerprint: model.data for model in models.values() if model.data is not None}
        sources = (DataSource(one.name, one.title, one.fingerprint) for one in data.values())
        return cls(tuple(ProjectTree(title, model) for title, model in models.items()), tuple(sources))

    def source(self, tree: ProjectTree) -> DataSource | None:
        """Return the data source of a tree.

        Parameters
        ----------
        tree : ProjectTree
            A tree of the project.

        Returns
        -------
        DataSource or None
            The source, or None for a tree without data.
        """
        data = tree.model.data
        return None if data is None else next(one for one in self.data if one.fingerprint == data.fingerprint)

    def to_json(self) -> str:
        """Return the project as JSON text.

        Returns
        -------
        str
            Text that `from_json` converts to an identical project.
        """
        content = {
            "trees": [
                {"title": one.title, "model": model_json.to_record(one.model), "settings": one.settings}
                for one in self.trees
            ],
            "data": [_record(source) for source in self.data],
            "opened": self.opened,
            "created_by": self.created_by,
        }
        return json.dumps(model_json.framed(FORMAT, VERSION, content), allow_nan=False, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """Return the project from JSON text.

        Every field is validated, and nothing in the file is executed. The checksum detects damage and accidental edits.
        The checksum is not a signature.

        Parameters
        ----------
        text : str or bytes
            Text (or its UTF-8 bytes) from `to_json`.

        Returns
        -------
        Project
            The project.

        Raises
        ------
        TreeFormatError
            If the text is damaged or does not describe a project.
        """
        content = model_json.content_of(tree_json.parse(text), FORMAT, VERSION, "project")
        tree_json.check_keys(content, _CONTENT, "content of the project")
        trees, data = (_records(content[name], name) for name in ("trees", "data"))
        return cls(
            tuple(map(_tree, trees)),
            tuple(map(_source, data)),
            content["opened"],
            model_json.plain_texts(content["created_by"]),
        )


def _records(value: Any, what: str) -> list:
    if not (isinstance(value, list) and len(value) <= MOST_TREES):
        raise TreeFormatError(f"'{what}' must be a list of at most {MOST_TREES} entries.")
    return value


def _tree(value: Any) -> ProjectTree:
    tree_json.check_keys(value, _TREE, "tree of a project")
    if not isinstance(value["title"], str):
        raise TreeFormatError("The title of a tree must be a string.")
    if not (value["settings"] is None or isinstance(value["settings"], dict)):
        raise TreeFormatError("The settings of a tree must be null or an object.")
    return ProjectTree(value["title"], Model.from_record(value["model"]), value["settings"])


def _record(source: DataSource) -> dict[str, Any]:
    return {name: value for name, value in asdict(source).items() if name in _DATA or value is not None}


def _source(found: Any) -> DataSource:
    value: Any = _SAMPLE | found if isinstance(found, dict) else found
    tree_json.check_keys(value, _DATA | _SAMPLE.keys(), "data of a project")
    for name in ("name", "title", "fingerprint", "file", "entry", "digest"):
        is_optional = name == "file" or name in _SAMPLE
        is_text = isinstance(value[name], str) or (is_optional and value[name] is None)
        if not is_text:
            raise TreeFormatError(f"'{name}' of the data must be a string.")
    if not (value["recipe"] is None or isinstance(value["recipe"], dict)):
        raise TreeFormatError("'recipe' must be null or an object.")
    return DataSource(**value | {"options": model_json.plain_dict(value["options"], "options")})
