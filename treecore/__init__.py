"""Single decision trees trained by Tree Alternating Optimization (TAO).

Symbols used throughout: n rows, d features, m nodes, k classes; `lam` is lambda of the objective.
The papers that are cited by authors and year are listed in the README.
"""

from treecore.lazy_names import lazy_names
from treecore.version import VERSION as __version__  # noqa: F401

__getattr__, __dir__, __all__ = lazy_names(__name__, __file__)
