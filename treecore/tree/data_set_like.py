"""`DataSetLike`: rows with the words that belong to them."""

from typing import Any, Protocol

import numpy as np


class DataSetLike(Protocol):
    """What targets, pictures and models ask of a DataSet, or of whatever stands in its place.

    X : [n, d]; y : [n], codes of classes or numbers; image_shape : (height, width) or None; columns : TableColumns or
    None.
    """

    @property
    def X(self) -> np.ndarray: ...
    @property
    def y(self) -> np.ndarray: ...
    @property
    def feature_names(self) -> tuple[str, ...]: ...
    @property
    def class_names(self) -> tuple[str, ...]: ...
    @property
    def name(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def image_shape(self) -> tuple[int, int] | None: ...
    @property
    def columns(self) -> Any: ...
