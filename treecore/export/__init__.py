"""Trees as source text that runs without this package and decides exactly as `Tree.predict` does.

`python(tree)`, `javascript(tree)`, `c(tree)`, `sql(tree, table=...)` and `json(tree)` return text. A new target is a
file with one function ``target(tree) -> str`` and an entry in `TARGETS`. The text takes the features of the tree: where
an estimator encoded text columns, those are its 0/1 features (`tree.feature_names`).
"""

from treecore.export.c_source import c
from treecore.export.javascript_source import javascript
from treecore.export.json_text import json
from treecore.export.python_source import python
from treecore.export.sql_query import sql

TARGETS = {"python": python, "javascript": javascript, "c": c, "sql": sql, "json": json}

__all__ = ["TARGETS", "c", "javascript", "json", "python", "sql"]
