"""Export of a tree as source code, ONNX or PMML that predicts exactly as `Tree.predict` does.

`python(tree)`, `javascript(tree)`, `c(tree)`, `sql(tree, table=...)`, `pmml(tree)` and `json(tree)` return text, and
`onnx(tree)` returns bytes. An export format is a function in its own file, declared by `treecore.artifact` and listed
in `FORMATS`. The app, the command line, the documentation and the tests read this table. All formats accept a `Tree`,
or a fitted estimator or pipeline with one (`fitted_tree`). The result predicts rows of the tree's features. If an
estimator encoded text columns, a row contains its 0/1 features (`tree.feature_names`). With ``columns=``
(TableColumns), the result predicts rows of the original table. `sql` and `pmml` use the columns of such an estimator by
default, because they read tables.
"""

from treecore.artifact import by_name
from treecore.export.c_source import c
from treecore.export.dot_graph import dot
from treecore.export.javascript_source import javascript
from treecore.export.json_text import json
from treecore.export.mermaid_chart import mermaid
from treecore.export.onnx_model import onnx
from treecore.export.pmml_model import pmml
from treecore.export.python_source import python
from treecore.export.sql_query import sql

FORMATS = by_name((json, python, c, javascript, sql, onnx, pmml, dot, mermaid))
TARGETS = FORMATS

__all__ = ["FORMATS", "TARGETS", *FORMATS]
