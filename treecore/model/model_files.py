"""Files that the app can save and open."""

from treecore.artifact import Artifact, by_name
from treecore.model.model import Model
from treecore.model.project import Project

_JSON = ("JSON", "json", "application/json")
MODEL_FILES = by_name(
    [
        Artifact("model", "Model", *_JSON, Model.to_json, ("model",),
                 about="tree, names, parameters and metrics, to open on the Predict page"),
        Artifact("project", "Project", *_JSON, Project.to_json, ("project",),
                 about="several trees with a reference to their data, to open on the Data page"),
    ]
)  # fmt: skip
