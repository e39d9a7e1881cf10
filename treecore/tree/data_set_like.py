"""`DataSetLike`: interface of a data set."""

from typing import Any, Protocol

import numpy as np


class DataSetLike(Protocol):
    """Attributes of a DataSet that targets, figures and models use.

    X : [n, d]; y : [n], class codes or numbers; image_shape : (height, width) or None; columns : TableColumns or
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
