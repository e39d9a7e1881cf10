"""Export of a tree as source text or an ONNX model that predicts exactly as `Tree.predict` does, without this package.

`python(tree)`, `javascript(tree)`, `c(tree)`, `sql(tree, table=...)` and `json(tree)` return text, `onnx(tree)` bytes.
An export format is a file with one function, which `treecore.artifact` declares, and an entry in `FORMATS`. The app,
the command line, the documentation and the tests read that table. All formats take a `Tree`, or a fitted estimator or
pipeline with one (`fitted_tree`), and predict rows of the features of the tree: if an estimator encoded text columns,
those are its 0/1 features (`tree.feature_names`). With ``columns=`` (TableColumns) they predict rows of the table as it
is. `sql` uses the columns of such an estimator by default, because its query runs on the table.
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
TARGETS = FORMATS  # second public name

__all__ = ["FORMATS", "TARGETS", *FORMATS]
