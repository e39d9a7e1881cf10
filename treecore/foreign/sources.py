"""Supported programs and `foreign_model`, which detects the program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from treecore.errors import TreeFormatError
from treecore.foreign.foreign_columns import ForeignColumns
from treecore.foreign.foreign_model import ForeignModel, all_trees
from treecore.foreign.from_lightgbm import lightgbm_model
from treecore.foreign.from_onnx import onnx_model
from treecore.foreign.from_pmml import pmml_model
from treecore.foreign.from_sklearn import sklearn_model
from treecore.foreign.from_xgboost import xgboost_model
from treecore.foreign.scaling import Scaling, steps_of
from treecore.tree.tree import Tree


@dataclass(frozen=True)
class ForeignSource:
    """Supported program.

    words : displayed name; endings : file suffixes, without a dot; read : function that returns a `ForeignModel`;
    is_object, is_file : functions that return whether an object is a fitted model of the program, and whether bytes are
    one of its files.
    """

    words: str
    endings: tuple[str, ...]
    read: Callable[[Any], ForeignModel]
    is_object: Callable[[Any], bool]
    is_file: Callable[[bytes], bool]


SOURCES = {
    "xgboost": ForeignSource(
        "XGBoost (JSON)",
        ("json",),
        xgboost_model,
        lambda model: hasattr(model, "get_booster") or hasattr(model, "save_raw"),
        lambda content: content[:2] == b"{L" or content.lstrip()[:1] == b"{" and b'"learner"' in content,
    ),
    "lightgbm": ForeignSource(
        "LightGBM (text)",
        ("txt",),
        lightgbm_model,
        lambda model: hasattr(model, "booster_") or hasattr(model, "model_to_string"),
        lambda content: content.startswith((b"tree\n", b"tree\r\n")) and b"version=" in content[:100],
    ),
    "onnx": ForeignSource(
        "ONNX",
        ("onnx",),
        onnx_model,
        lambda model: hasattr(model, "SerializeToString"),
        lambda content: content[:1] == b"\x08" and (b"ai.onnx.ml" in content or b"treecore" in content[:40]),
    ),
    "pmml": ForeignSource(
        "PMML",
        ("pmml", "xml"),
        pmml_model,
        lambda model: False,
        lambda content: content[:200].lstrip(b"\xef\xbb\xbf \r\n\t")[:1] == b"<" and b"PMML" in content[:20_000],
    ),
    "sklearn": ForeignSource(
        "scikit-learn (skops)",
        ("skops",),
        sklearn_model,
        lambda model: any(hasattr(model, name) for name in ("tree_", "estimators_", "_predictors")),
        lambda content: content[:2] == b"PK" and b"schema.json" in content,
    ),
}


def foreign_model(model: Any) -> ForeignModel | None:
    """Return the `ForeignModel` for a fitted model or for the bytes of a file, or None for other types.

    The function supports the programs in `SOURCES` (scikit-learn also at the end of a pipeline of scalers) and forests
    of treecore. Raise TreeFormatError and ParameterError as `from_sklearn` does.
    """
    if isinstance(model, bytes):
        source = next((source for source in SOURCES.values() if source.is_file(model)), None)
        return None if source is None else source.read(model)
    steps, estimator = steps_of(model)
    if (own := _own_forest(steps, estimator)) is not None:
        return own
    source = next((source for source in SOURCES.values() if source.is_object(estimator)), None)
    if source is None:
        return None
    if not steps or source is SOURCES["sklearn"]:
        return source.read(model)
    if Scaling(steps).steps:
        raise TreeFormatError(
            f"The pipeline transforms the features before the {source.words.split(' ')[0]} model, which cannot "
            "be represented. Pass pipeline[-1], with rows transformed by pipeline[:-1].transform(X)."
        )
    return source.read(estimator)


def _own_forest(steps, estimator):
    """Return the `ForeignModel` of a treecore forest, or None for other types."""
    trees = getattr(estimator, "estimators_", None)
    if not isinstance(trees, list) or not trees or not all(isinstance(tree, Tree) for tree in trees):
        return None
    scaling = Scaling(steps)
    return ForeignModel(
        "treecore",
        len(trees),
        ForeignColumns(trees[0].n_features, trees[0].feature_names),
        all_trees(type(estimator).__name__),
        lambda number: scaling.tree(trees[number]),
    )
