"""Single decision trees trained by Tree Alternating Optimization (TAO).

The documentation uses these symbols: n rows, d features, m nodes and k classes. `lam` is lambda of the objective.
The README lists the papers that are cited by authors and year.
"""

from lazy_loader import attach_stub

from treecore.version import VERSION as __version__  # noqa: F401

__getattr__, __dir__, __all__ = attach_stub(__name__, __file__)
