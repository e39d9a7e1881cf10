"""Trees as source text, or an ONNX model, that runs without this package and decides exactly as `Tree.predict` does.

`python(tree)`, `javascript(tree)`, `c(tree)`, `sql(tree, table=...)` and `json(tree)` return text, `onnx(tree)` bytes.
A new target of text is a file with one function ``target(tree) -> str`` and an entry in `TARGETS`. All take the
features of the tree: where an estimator encoded text columns, those are its 0/1 features (`tree.feature_names`).
Those of `OF_TABLES` also take ``columns=``, TableColumns, and then read rows of the table as it is.
"""

from treecore.export.c_source import c
from treecore.export.javascript_source import javascript
from treecore.export.json_text import json
from treecore.export.onnx_model import onnx
from treecore.export.python_source import python
from treecore.export.sql_query import sql

TARGETS = {"python": python, "javascript": javascript, "c": c, "sql": sql, "json": json}
OF_TABLES = (python, javascript, sql)

__all__ = ["OF_TABLES", "TARGETS", "c", "javascript", "json", "onnx", "python", "sql"]
