"""Trees as source text, or an ONNX model, that runs without this package and decides exactly as `Tree.predict` does.

`python(tree)`, `javascript(tree)`, `c(tree)`, `sql(tree, table=...)` and `json(tree)` return text, `onnx(tree)` bytes.
An export format is a file with one function, which `treecore.artifact` declares, and an entry in `FORMATS`; the app,
the command line, the documentation and the tests list what stands there. All take a `Tree`, or a fitted estimator or
pipeline with one (`fitted_tree`), and rows of the features of the tree: if an estimator encoded text columns, those
are its 0/1 features (`tree.feature_names`). Those that take ``columns=``, TableColumns, then read rows of the table as
it is. `sql` takes those of such an estimator by itself, since its query runs on the table.
"""

from treecore.artifact import by_name
from treecore.export.c_source import c
from treecore.export.dot_graph import dot
from treecore.export.javascript_source import javascript
from treecore.export.json_text import json
from treecore.export.mermaid_chart import mermaid
from treecore.export.onnx_model import onnx
from treecore.export.python_source import python
from treecore.export.sql_query import sql

FORMATS = by_name((json, python, c, javascript, sql, onnx, dot, mermaid))
TARGETS = FORMATS  # another public name of it

__all__ = ["FORMATS", "TARGETS", *FORMATS]
