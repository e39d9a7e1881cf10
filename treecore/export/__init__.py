"""Trees as source text, or an ONNX model, that runs without this package and decides exactly as `Tree.predict` does.

`python(tree)`, `javascript(tree)`, `c(tree)`, `sql(tree, table=...)` and `json(tree)` return text, `onnx(tree)` bytes.
A new target is a file with one function ``target(tree)`` and an entry in `TARGETS`, which the pages, the command line
and the tests list. All take a `Tree`, or a fitted estimator or pipeline with one (`fitted_tree`), and rows of the
features of the tree: where an estimator encoded text columns, those are its 0/1 features (`tree.feature_names`). Those
that take ``columns=``, TableColumns, then read rows of the table as it is. `sql` takes those of such an estimator by
itself, since its query runs on the table.
"""

from treecore.export.c_source import c
from treecore.export.export_target import ExportTarget
from treecore.export.javascript_source import javascript
from treecore.export.json_text import json
from treecore.export.onnx_model import onnx
from treecore.export.python_source import python
from treecore.export.sql_query import sql

TARGETS = {
    "json": ExportTarget("Tree (JSON)", "json", "application/json", json),
    "python": ExportTarget("Code (Python)", "py", "text/x-python", python, ("columns",)),
    "c": ExportTarget("Code (C)", "c", "text/x-c", c),
    "javascript": ExportTarget("Code (JavaScript)", "js", "text/javascript", javascript, ("columns",)),
    "sql": ExportTarget("Code (SQL)", "sql", "application/sql", sql, ("columns", "table")),
    "onnx": ExportTarget("Model (ONNX)", "onnx", "application/octet-stream", onnx, is_text=False, package="onnx"),
}

__all__ = ["TARGETS", "ExportTarget", "c", "javascript", "json", "onnx", "python", "sql"]
