"""Test that names and labels of every kind stay inside their literals, comments and identifiers."""

import json
import sqlite3

import duckdb
import numpy as np
import pytest
from onnx import load_model_from_string

from tests.each import each
from tests.refusals import refused
from tests.strategies import small_tree
from tests.treecore.export.export_examples import RUNNERS, predicted, random_tree, sql_columns
from treecore import ParameterError, Tree, TreeFormatError, export

HOSTILE = [
    "'", '"', '"""', "\\", "\\'", '\\"', "a\nb", "a\r\nb", "*/", '*/ system("true"); /*', "//", "/*", "??/", "\\\n",
    "</script><script>alert(1)</script>", "<!--", "-->", "$", "${1}", "`", "%s%n", "{}", "{0}", "#", "--", ";", "é日本",
    "'; DROP TABLE data; --", '"; DROP TABLE data; --', "\u2028", "\u202e", "\x1a", "\x7f", "\ufeff", "class", "return",
    "select", "prediction", "t", " ", "x" * 10_000, "\\u0027", "\\N{DOLLAR SIGN}", "0", "NULL", "coding: latin-1", "😀",
    "None", "??'", "=cmd|' /C calc'!A0", "'; DROP TABLE x; --", "\u200f\u05d0", "x" * 300, "\u3000", "int", "void",
    "lambda", "function", "await", "__proto__", "constructor", "__import__", "a b", "a_b", "a-b", "\ud800", "a\0b",
]  # fmt: skip
X = np.array([[0.0, 0.0, 0.0], [2.0, 0.0, 1.0], [2.0, 0.0, 3.0]])


def hostile_trees(names, **fields):
    """Return small and large trees whose features and classes have these names."""
    rng = np.random.default_rng(0)
    found = []
    for name in names:
        labels = [f"{name}", f"{name}|{name}", f"1{name}"]
        features = (name, f"{name}2", f"3{name}")
        found.append(small_tree(classes=labels, feature_names=features))
    many = {"n_features": len(names), "feature_names": tuple(names)}
    sizes = {"labels": rng.integers(0, len(names), 159), "values": np.ones((159, len(names))), "classes": list(names)}
    found.append(random_tree(rng, 80, **(many | sizes)))
    return found


@pytest.mark.parametrize("target", RUNNERS)
def test_hostile_names(target, tmp_path):
    in_sql = target in ("sqlite", "duckdb")
    beyond = "\0\ud800" if in_sql else "\ud800" if target == "onnx" else ""
    names = [name for name in HOSTILE if not set(name) & set(beyond)]
    kept = hostile_trees(names)
    tables = [X] * len(names) + [np.random.default_rng(1).standard_normal((50, len(names)))]
    found = RUNNERS[target](kept, tables, tmp_path)
    for tree, table, answers in zip(kept, tables, found, strict=True):
        wanted = predicted(tree, table)
        if target == "c":  # a text in C ends at NUL
            wanted = [label.split("\0")[0] for label in wanted]
        assert answers == wanted


@each("name", HOSTILE)
def test_code_has_the_name_of_the_target_as_a_constant(name):
    module = {}
    exec(export.python(small_tree(), target_name=name), module)
    assert module["TARGET_NAME"] == name
    assert export.c(small_tree(), name).isascii()
    assert "</script" not in export.javascript(small_tree(), target_name=name)
    first, rest = export.sql(small_tree(), target_name=name).split("\n", 1)
    assert first == f"-- prediction of {json.dumps(name)}"
    assert rest == export.sql(small_tree())


def test_diagrams_pmml_and_onnx_name_the_target():
    assert "survived = b" in export.dot(small_tree(), "survived")
    assert "survived = b" in export.mermaid(small_tree(), "survived").replace("#61;", "=")
    assert '<MiningField name="survived" usageType="target"' in export.pmml(small_tree(), target_name="survived")
    graph = load_model_from_string(export.onnx(small_tree(), "survived"))
    stored = {entry.key: entry.value for entry in graph.metadata_props}
    assert stored["target_name"] == '"survived"'


def test_no_name_is_written_as_it_is():
    for name in HOSTILE:
        tree = small_tree(classes=["a", "b", name + "."], feature_names=("a", "b", name + "."))
        for text in (export.python(tree), export.c(tree), export.javascript(tree)):
            assert text.isascii()
            assert "\0" not in text
        assert "</script" not in export.javascript(tree)
        assert "\n" not in name or name not in export.python(tree)
        assert tree.to_json().isascii()
        assert Tree.from_json(tree.to_json()) == tree


@pytest.mark.parametrize("target", RUNNERS)
def test_a_thousand_classes_and_ten_thousand_features(target, tmp_path):
    rng = np.random.default_rng(0)
    d = {"sqlite": 1998, "duckdb": 300}.get(target, 10_000)  # tables in SQLite have at most 2000 columns
    labels = {
        "labels": np.arange(1999) % 1000,
        "values": np.ones((1999, 1000)),
        "classes": [f"c {i}" for i in range(1000)],
    }
    kept = [random_tree(rng, 1000, **labels), random_tree(rng, 30, d)]
    tables = [rng.standard_normal((300, 4)), rng.standard_normal((20, d))]
    tables[1] = tables[1] * (rng.random(d) < 0.5)
    assert RUNNERS[target](kept, tables, tmp_path) == [predicted(*pair) for pair in zip(kept, tables, strict=True)]
    assert len(set(predicted(kept[0], tables[0]))) > 15


@pytest.mark.parametrize("table", ["data", 'a"b', "'; DROP TABLE x; --", "select", "a b", "x" * 300, "é", "a.b"])
def test_table_names_are_quoted(table):
    tree = small_tree()
    quoted = '"' + table.replace('"', '""') + '"'
    with sqlite3.connect(":memory:") as lite, duckdb.connect() as duck:
        for connection in (lite, duck):
            connection.execute(f"CREATE TABLE {quoted} ({', '.join(sql_columns(tree))})")
            connection.execute(f"INSERT INTO {quoted} VALUES (2, 0, 3)")
            assert connection.execute(export.sql(tree, table=table)).fetchall() == [(2, 0, 3, "b")]
    lite.close()


def test_tables_in_a_schema_integers_and_empty_tables():
    tree = small_tree()
    with sqlite3.connect(":memory:") as lite, duckdb.connect() as duck:
        lite.execute("ATTACH ':memory:' AS \"sc.x\"")
        duck.execute('CREATE SCHEMA "sc.x"')
        for connection in (lite, duck):
            connection.execute(f'CREATE TABLE "sc.x"."t" ({", ".join(sql_columns(tree, "INTEGER"))}, id TEXT)')
            query = export.sql(tree, table=("sc.x", "t"))
            assert connection.execute(query).fetchall() == []
            connection.execute("INSERT INTO \"sc.x\".\"t\" VALUES (3, 0, 2, 'k'), (1, 0, NULL, 'l'), (1, 0, 0, 'm')")
            found = connection.execute(query)
            assert [column[0] for column in found.description] == ["x0", "x1", "x2", "id", "prediction"]
            assert {row[3]: row[4] for row in found.fetchall()} == {"k": "c", "l": None, "m": "a"}
    lite.close()


@pytest.mark.parametrize("table", ["", None, 3, (), ("a", ""), "a\0b", ["a", 1], "\ud800"])
def test_wrong_table_names(table):
    with pytest.raises(ParameterError, match="table"):
        export.sql(small_tree(), table=table)


@pytest.mark.parametrize("names", [("a", "A", "b"), ("a", "a", "b"), ("", "a", "b"), ("a\0", "b", "c")])
def test_names_that_sql_has_no_columns_for(names):
    tree = small_tree(feature_names=names)
    with pytest.raises(ParameterError) as caught:
        export.sql(tree)
    words = ("in SQL, which ignores case", "expected a string of at least one character", "which contains NUL")
    assert any(one in str(caught.value) for one in words)
    for target in (export.python, export.javascript, export.c):
        assert "predict" in target(tree)


@each("target", export.FORMATS.values())
@each("tree", [None, "tree", small_tree().to_json()])
def test_what_is_no_tree(target, tree):
    with refused(ParameterError, "tree=…: expected a Tree or a fitted model with one tree"):
        target(tree)


@pytest.mark.parametrize("classes", [
    np.array([1.0, 2.0, np.inf]), np.array([1j, 2, 3]), np.array(["2020", "2021", "2022"], "datetime64[Y]"),
    np.array([b"a", b"b", b"c"]),
])  # fmt: skip
def test_labels_that_cannot_be_written(classes):
    for target in (export.python, export.javascript, export.c, export.sql):
        with refused(ParameterError, "Unsupported class label"):
            target(small_tree(classes=classes))


def test_whole_numbers_beyond_a_target():
    tree = small_tree(classes=np.array([1, 2, 2**63], np.uint64))
    for target in (export.javascript, export.sql, export.onnx):
        with refused(
            ParameterError, f"Unsupported class label {2**63}. This export format supports whole numbers up to"
        ):
            target(tree)
    assert str(2**63) in export.python(tree)
    assert str(2**63) in export.c(tree)


def test_features_that_are_only_claimed_are_not_listed():
    tree = small_tree(n_features=2_000_001)
    for target in (export.sql, export.onnx):
        with refused(ParameterError, "2,000,001"):
            target(tree)
    with refused(TreeFormatError, "The tree has 2000001 features (maximum …)"):
        Tree.from_json(tree.to_json())
    assert Tree.from_json(small_tree(n_features=47_236).to_json()).n_features == 47_236


def test_limits_of_sql_are_said():
    rng = np.random.default_rng(0)
    wide = random_tree(rng, 40, 2000, 2000)
    with refused(ParameterError, "SQL export supports at most 900 features per node; a node uses"):
        export.sql(wide)
    m = 2**16 - 1
    leaves = np.arange(m) >= 2**15 - 1
    complete = random_tree(
        rng, 2**15, left=np.where(leaves, -1, 2 * np.arange(m) + 1), right=np.where(leaves, -1, 2 * np.arange(m) + 2),
        indptr=np.zeros(m + 1), features=[], weights=[],
    )  # fmt: skip
    with refused(
        ParameterError, "SQL export supports at most … nested CASE expressions; the tree needs … (32768 leaves)"
    ):
        export.sql(complete)
    assert "predict" in export.python(complete)
