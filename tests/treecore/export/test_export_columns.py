"""Test exports that read raw rows of the user's table: they decide like the tree on the encoded table."""

import datetime
import json
import runpy
import sqlite3
import subprocess
from contextlib import closing
from dataclasses import replace

import duckdb
import numpy as np
import pandas
import pytest

from tests.refusals import refused
from tests.treecore.export.export_examples import program, random_tree
from treecore import CARTClassifier, TAOClassifier, export
from treecore.errors import ParameterError
from treecore.tables.table_columns import TableColumn, TableColumns

COLOURS = ["it's", 'say "blue"', "</script>", "\\n", "'; DROP TABLE d; --", "größer"]
GRADES = ("it's low", "1", "high")
NODE = """
const { rows, path } = JSON.parse(require("fs").readFileSync(0, "utf8"));
const { encode, predict_row } = require(path);
const missing = (x) => x.map((value) => (Number.isNaN(value) ? null : value));
const tried = (row) => {
    try {
        return [missing(encode(row)), predict_row(row)];
    } catch (error) {
        return [error.constructor.name, error.message];
    }
};
process.stdout.write(JSON.stringify(rows.map(tried)));
"""


def columns(date=False):
    """Return columns of a table, with a date column on request."""
    return TableColumns((
        TableColumn('si"ze'), TableColumn("colour", "category", tuple(COLOURS[:-1]), (COLOURS[-1],)),
        TableColumn("zip", "category", ("10", "20")), TableColumn("constructor"),
        TableColumn("grade", "ordered", GRADES), TableColumn("corn", "category", ("Corn",), ("(blank)",)),
        *([TableColumn("joined", "date")] if date else []),
    ))  # fmt: skip


def frame(n=300, share=0.2):
    """Return a table with numbers, texts and missing values."""
    rng = np.random.default_rng(0)
    table = pandas.DataFrame({
        'si"ze': rng.normal(0, 10, n), "colour": rng.choice(COLOURS, n).astype(object),
        "zip": rng.choice([10.0, 20.0, 30.0], n), "constructor": rng.integers(0, 5, n) * 1.0, "note": "x",
    })  # fmt: skip
    table["grade"] = rng.choice([*GRADES, "other"] if share else GRADES, n).astype(object)
    table["corn"] = np.where(rng.random(n) < 0.5, "Corn", None)
    for name in [*table.columns[:4], "grade"]:
        table.loc[rng.random(n) < share, name] = None
    return table


def rows_of(table):
    """Return rows as plain values, with None for missing values."""
    return [
        {key: None if value is None or value != value else value for key, value in row.items()}
        for row in table.to_dict("records")
    ]


def grown(split="bivariate", missing="learn", share=0.2, categories="features"):
    """Return (tree, table); the tree uses features of every column."""
    table = frame(share=share)
    X = columns().encode(table).X
    y = (np.nan_to_num(X[:, 0]) > 3) * 1 + 2 * (np.nan_to_num(X[:, 1:6]).sum(1) + np.nan_to_num(X[:, 6], nan=1.0) > 1)
    y[np.nan_to_num(X[:, 9]) == 2] = 3
    names = np.array(["a", "b'", 'c"', "d"])
    model = TAOClassifier(split, 0.5, init="random", missing=missing, random_state=0, categories=categories)
    model.fit(X, names[y])
    return model.tree_.with_names(columns().feature_names()), table


def run_node(text, rows, folder):
    """Return [features, prediction] of rows in Node."""
    (folder / "tree.js").write_text(text, encoding="utf-8")
    given = json.dumps({"rows": rows, "path": str(folder / "tree.js")})
    answer = subprocess.run([program("node"), "-e", NODE], input=given, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)


def run_module(text, folder):
    """Return the names of the exported module."""
    (folder / "tree.py").write_text(text, encoding="utf-8")
    return runpy.run_path(str(folder / "tree.py"))


def run_sql(
    connection, tree, table, types=("DOUBLE", "VARCHAR(99)", "DOUBLE", "DOUBLE", *("VARCHAR(99)",) * 3), given=None
):
    """Return the predictions of the query on the raw table."""
    names = ", ".join('"' + name.replace('"', '""') + f'" {kind}' for name, kind in zip(table, types, strict=True))
    connection.execute(f"CREATE TABLE d (row_number INTEGER, {names})")
    rows = [(i, *row.values()) for i, row in enumerate(rows_of(table))]
    rows = [tuple("" if given == "" and value is None else value for value in row) for row in rows]
    connection.executemany("INSERT INTO d VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
    found = connection.execute(export.sql(tree, table="d", columns=columns())).fetchall()
    return [row[-1] for row in sorted(found)]


@pytest.mark.parametrize("split", ["univariate", "bivariate", "groups"])
def test_all_decide_on_the_raw_table_as_the_tree(split, tmp_path):
    groups = [list(group) for group in columns().groups() if len(group) > 1]
    tree, table = grown("univariate", categories=groups) if split == "groups" else grown(split)
    assert split != "groups" or np.diff(tree.indptr).max() > 1
    X = columns().encode(table).X
    expected = tree.predict(X).tolist()
    assert len(set(tree.features.tolist())) > 3
    module = run_module(export.python(tree, columns=columns()), tmp_path)
    assert [module["predict_row"](row) for row in rows_of(table)] == expected
    assert [module["predict_row"](row) for row in table.to_dict("records")] == expected  # with NaN, not None
    np.testing.assert_array_equal([module["encode"](row) for row in rows_of(table)], X)
    text = export.javascript(tree, columns=columns())
    assert "</script" not in text
    answers = run_node(text, rows_of(table), tmp_path)
    assert [answer[1] for answer in answers] == expected
    np.testing.assert_array_equal(np.array([answer[0] for answer in answers], float), X)
    with closing(sqlite3.connect(":memory:")) as lite, duckdb.connect() as duck:
        assert run_sql(lite, tree, table) == expected
        assert run_sql(duck, tree, table) == expected
    types = ("TEXT",) * 7  # as .import of the sqlite shell creates them
    with closing(sqlite3.connect(":memory:")) as lite:
        whole = table.assign(zip=[None if value != value else str(int(value)) for value in table["zip"]])
        whole['si"ze'] = [None if value != value else repr(value) for value in table['si"ze'].tolist()]
        assert run_sql(lite, tree, whole, types, given="") == expected


def test_marked_values_are_missing_and_rare_ones_one_group_in_all_forms(tmp_path):
    known = TableColumns((
        TableColumn("size", missing=("k.A.", "-999")),
        TableColumn("town", "category", ("Köln", "others (2 categories)"), ("Ulm", "Trier"), missing=("k.A.", "?"),
                    grouped=True),
    ))  # fmt: skip
    assert TableColumns.from_dict(json.loads(json.dumps(known.to_dict()))) == known
    towns = ["Köln", "Ulm", "Trier", "k.A.", " ? ", None, "Mainz", "others (2 categories)"] * 6
    table = pandas.DataFrame({"size": ["1", "2.5", " -999", "k.A.", "7", "-3", "12", None] * 6, "town": towns})
    found = known.encode(table)
    assert "They are treated as 'others (2 categories)'" in " ".join(found.notes)
    np.testing.assert_array_equal(found.X[:4, 0], [1, 2.5, np.nan, np.nan])
    np.testing.assert_array_equal(
        found.X[:8, 1:], [[1, 0], [0, 1], [0, 1], [np.nan] * 2, [np.nan] * 2, [np.nan] * 2, [0, 1], [0, 1]]
    )
    X = np.column_stack([found.X[:, :2], found.X[:, 2]])
    y = np.where(np.nan_to_num(X[:, 2]) == 1, "group", np.where(np.isnan(X[:, 0]), "unknown", "known"))
    tree = TAOClassifier(split="univariate", lam=0.01, missing="learn", init="cart", random_state=0).fit(X, y).tree_
    tree = tree.with_names(known.feature_names())
    expected = tree.predict(X).tolist()
    assert len(set(expected)) == 3
    module = run_module(export.python(tree, columns=known), tmp_path)
    np.testing.assert_array_equal([module["encode"](row) for row in rows_of(table)], X)
    answers = run_node(export.javascript(tree, columns=known), rows_of(table), tmp_path)
    np.testing.assert_array_equal(np.array([answer[0] for answer in answers], float), X)
    assert [answer[1] for answer in answers] == expected
    query = export.sql(tree, table="d", columns=known)
    for connection in (sqlite3.connect(":memory:"), duckdb.connect()):
        with closing(connection):
            connection.execute("CREATE TABLE d (row_number INTEGER, size VARCHAR(9), town VARCHAR(99))")
            connection.executemany(
                "INSERT INTO d VALUES (?, ?, ?)", [(i, *r.values()) for i, r in enumerate(rows_of(table))]
            )
            assert [row[-1] for row in sorted(connection.execute(query).fetchall())] == expected
    table["size"] = [1.0, 2.5, -999.0, np.nan, 7.0, -3.0, 12.0, np.nan] * 6  # the marker -999 also occurs as a number
    np.testing.assert_array_equal(known.encode(table).X, X)
    np.testing.assert_array_equal([module["encode"](row) for row in rows_of(table)], X)
    np.testing.assert_array_equal(
        np.array([answer[0] for answer in run_node(export.javascript(tree, columns=known), rows_of(table), tmp_path)],
                 float), X)  # fmt: skip


@pytest.mark.parametrize("kind", ["date", "number"])
@pytest.mark.parametrize("missing", ["learn", "error"])
def test_differences_are_computed_in_all_forms(tmp_path, kind, missing):
    parts = (TableColumn("it's late", kind, missing=("-9",) * (kind == "number")), TableColumn("early", kind))
    known = TableColumns((TableColumn("stay", of=parts), TableColumn("size"), TableColumn("un/used", of=parts[::-1])))
    rng = np.random.default_rng(0)
    early, late = rng.integers(19_000, 19_300, 200), rng.integers(19_000, 19_300, 200)
    table = pandas.DataFrame({"it's late": late, "early": early, "size": rng.integers(0, 9, 200)}).astype(object)
    if kind == "date":
        for name in ("it's late", "early"):
            table[name] = [str(np.datetime64(day, "D")) for day in table[name].tolist()]
    y = np.where(late - early > 20, "a", np.where(late - early < -30 + 3 * table["size"].astype(int), "b", "c"))
    X = known.encode(table).X
    np.testing.assert_array_equal(X[:, 0], late - early)
    model = TAOClassifier(split="bivariate", init="bivariate_cart", lam=0.5, missing=missing, random_state=0)
    tree = model.fit(X[:, :2], y).tree_
    tree = replace(tree, n_features=3, feature_quantiles=None).with_names(known.feature_names())
    assert tree.used_features.tolist() == [0, 1]
    if missing == "learn":
        table.loc[:3, "early"] = table.loc[2:5, "it's late"] = None
        if kind == "number":
            table.loc[9, "it's late"] = -9
    X = known.encode(table).X
    expected = tree.predict(X).tolist()
    module = run_module(export.python(tree, columns=known), tmp_path)
    np.testing.assert_array_equal([module["encode"](row) for row in rows_of(table)], X)
    assert [module["predict_row"](row) for row in rows_of(table)] == expected
    assert module["predict_row"]({"stay": X[50, 0], "size": X[50, 1], "un/used": 0.0}) == expected[50]
    answers = run_node(export.javascript(tree, columns=known), rows_of(table), tmp_path)
    np.testing.assert_array_equal(np.array([answer[0] for answer in answers], float), X)
    assert [answer[1] for answer in answers] == expected
    query = export.sql(tree, table="d", columns=known)
    types = "VARCHAR(20)" if kind == "date" else "DOUBLE PRECISION"
    for connection in (sqlite3.connect(":memory:"), duckdb.connect()):
        with closing(connection):
            connection.execute(
                f"""CREATE TABLE d (row_number INTEGER, "it's late" {types}, early {types}, size INTEGER)"""
            )
            connection.executemany(
                "INSERT INTO d VALUES (?, ?, ?, ?)", [(i, *r.values()) for i, r in enumerate(rows_of(table))]
            )
            assert [row[-1] for row in sorted(connection.execute(query).fetchall())] == expected
    assert 'name="stay"' in export.pmml(tree, columns=known)


@pytest.mark.parametrize("separator", [";", ", ", "|"])
@pytest.mark.parametrize("missing", ["learn", "error"])
def test_spellings_and_labels_are_read_in_all_forms(tmp_path, separator, missing):
    spellings = (("it's HIGH", "it's high"), ("Low", "low"))
    labels = [TableColumn(f"tags: {one}", "category", ("yes",), ("no",), missing=("none",),
                          label=("tags", separator, one)) for one in ("re'd", "b%e", "a")]  # fmt: skip
    known = TableColumns((
        TableColumn("result", "category", ("it's high", "low"), ("mid",), spellings=spellings), *labels,
        TableColumn("size", "ordered", ("small", "large"), spellings=(("LARGE", "large"),)),
    ))  # fmt: skip
    rng = np.random.default_rng(0)
    words = ["re'd", "b%e", "a", "bxe", "aa"]
    cells = [separator.join(rng.choice(words, rng.integers(1, 4), replace=False)) for _ in range(200)]
    table = pandas.DataFrame({
        "result": rng.choice(["it's high", "it's HIGH", "low", "Low", "mid"], 200), "tags": cells,
        "size": rng.choice(["small", "large", "LARGE"], 200),
    }).astype(object)  # fmt: skip
    X = known.encode(table).X
    y = np.where(X[:, 0] > X[:, 2], "a", np.where(X[:, 3] + X[:, 4] > 1, "b", np.where(X[:, 5] > 0, "c", "d")))
    tree = TAOClassifier(split="univariate", init="cart", lam=0.01, missing=missing, random_state=0).fit(X, y).tree_
    tree = tree.with_names(known.feature_names())
    assert (tree.predict(X) == y).mean() > 0.9
    if missing == "learn":
        table.loc[:3, "tags"] = table.loc[2:5, "result"] = table.loc[7, "size"] = None
        table.loc[9, "tags"] = "none"
    X = known.encode(table).X
    expected = tree.predict(X).tolist()
    module = run_module(export.python(tree, columns=known), tmp_path)
    np.testing.assert_array_equal([module["encode"](row) for row in rows_of(table)], X)
    assert [module["predict_row"](row) for row in rows_of(table)] == expected
    answers = run_node(export.javascript(tree, columns=known), rows_of(table), tmp_path)
    np.testing.assert_array_equal(np.array([answer[0] for answer in answers], float), X)
    assert [answer[1] for answer in answers] == expected
    query = export.sql(tree, table="d", columns=known)
    for connection in (sqlite3.connect(":memory:"), duckdb.connect()):
        with closing(connection):
            connection.execute("CREATE TABLE d (row_number INTEGER, result VARCHAR, tags VARCHAR, size VARCHAR)")
            connection.executemany(
                "INSERT INTO d VALUES (?, ?, ?, ?)", [(i, *r.values()) for i, r in enumerate(rows_of(table))]
            )
            assert [row[-1] for row in sorted(connection.execute(query).fetchall())] == expected
    with refused(ParameterError, "PMML does not support the combined spellings of column 'result'"):
        export.pmml(tree, columns=known)


@pytest.mark.parametrize("kind", ["INTEGER", "DOUBLE", "VARCHAR(9)"])
def test_codes_with_marked_values_are_categories_whatever_the_type_of_their_column_in_the_database(kind):
    for grouped in (False, True):
        code = TableColumn("code", "category", ("1", "2", "others (2 categories)"[: 21 * grouped] or "3"), ("4", "5"),
                           missing=("-1",), grouped=grouped)  # fmt: skip
        known = TableColumns((code,))
        values = [1, 2, 3, 4, 5, -1, None] * 5
        X = known.encode(pandas.DataFrame({"code": pandas.Series(values, dtype="Int64")})).X
        y = np.array(["one", "two", "more", "none"])[np.where(np.isnan(X[:, 0]), 3, np.abs(X - 1).argmin(axis=1))]
        tree = TAOClassifier(split="univariate", lam=0.01, missing="learn", init="cart", random_state=0).fit(X, y).tree_
        expected = tree.predict(X).tolist()
        assert len(set(expected)) == 4
        query = export.sql(tree.with_names(known.feature_names()), table="d", columns=known)
        for connection in (sqlite3.connect(":memory:"), duckdb.connect()):
            with closing(connection):
                connection.execute(f"CREATE TABLE d (row_number INTEGER, code {kind})")
                connection.executemany("INSERT INTO d VALUES (?, ?)", list(enumerate(values)))
                assert [row[-1] for row in sorted(connection.execute(query).fetchall())] == expected


def test_marked_money_and_times_are_missing_in_sql_too():
    known = TableColumns(
        (TableColumn("price", missing=("-999",)), TableColumn("since", "date", missing=("2999-12-31",)))
    )
    tree = random_tree(
        np.random.default_rng(0), 2, 2, indptr=[0, 2, 2, 2], features=[0, 1], weights=[1.0, 1.0], missing=True,
        bias=np.zeros(3), labels=[0, 0, 1],
    )  # fmt: skip
    tree = replace(tree, missing_right=[False, False, False])
    query = export.sql(tree, columns=known)
    with duckdb.connect() as duck:
        for kinds in (("DECIMAL(10, 2)", "TIMESTAMP"), ("INTEGER", "DATE"), ("DOUBLE", "VARCHAR")):
            duck.execute("CREATE OR REPLACE TABLE data (price {}, since {})".format(*kinds))
            duck.execute("INSERT INTO data VALUES (-999, '2020-01-01'), (5, '2999-12-31'), (5, '2020-01-01')")
            missing, present = tree.predict([[np.nan, 0.0], [5.0, 18262.0]])
            assert missing != present
            assert [row[-1] for row in duck.execute(query).fetchall()] == [missing, missing, present]


def test_without_missing_values_in_training_they_are_refused(tmp_path):
    tree, table = grown(missing="error", share=0.0)
    expected = tree.predict(columns().encode(table).X).tolist()
    table.loc[3, "colour"] = table.loc[4, "constructor"] = None
    expected[3] = expected[4] = None
    for connection in (sqlite3.connect(":memory:"), duckdb.connect()):
        with closing(connection):
            assert run_sql(connection, tree, table) == expected
    answers = run_node(export.javascript(tree, columns=columns()), rows_of(table), tmp_path)
    assert [None if answer[0] == "RangeError" else answer[1] for answer in answers] == expected
    predict_row = run_module(export.python(tree, columns=columns()), tmp_path)["predict_row"]
    with pytest.raises(ValueError, match="finite numbers"):
        predict_row(rows_of(table)[3])


def test_dates_become_days(tmp_path):
    texts = ["2020-02-29", "1969-12-31T18:00", "2001-09-09 01:46:40.123456", "2024-05-01T00:30:00+02:00",
             "1999-12-31T23:59:59Z", None]  # fmt: skip
    known = TableColumns((TableColumn("joined", "date"), TableColumn("x")))
    X = known.encode(pandas.DataFrame({"joined": texts, "x": [1.0, np.inf, 3.0, 4.0, 5.0, 6.0]})).X
    tree = random_tree(np.random.default_rng(0), n_features=2, most_terms=2, missing=True)
    rows = [{"joined": text, "x": x} for text, x in zip(texts, ["1", 1e999, 3, True, "", 6], strict=True)]
    X[3:5, 1] = [1, np.nan]
    module = run_module(export.python(tree, columns=known), tmp_path)
    np.testing.assert_array_equal([module["encode"](row) for row in rows], X)
    rows[1]["x"] = None
    found = run_node(export.javascript(tree, columns=known), [*rows, {}], tmp_path)
    np.testing.assert_array_equal(np.array([answer[0] for answer in found], float), [*X, [np.nan, np.nan]])
    days = 18321
    zone = datetime.timezone(datetime.timedelta(hours=6))
    for value in (
        datetime.date(2020, 2, 29),
        datetime.datetime(2020, 2, 29, 6, tzinfo=zone),
        pandas.Timestamp(days, unit="D"),
    ):
        assert module["encode"]({"joined": value})[0] == days


@pytest.mark.parametrize("row", [{"joined": "29/02/2020"}, {"joined": "2021-02-29"}, {"joined": 3}, {"x": "many"}])
def test_text_that_is_no_date_or_number_is_refused_by_name(row, tmp_path):
    known = TableColumns((TableColumn("joined", "date"), TableColumn("x")))
    tree = random_tree(np.random.default_rng(0), n_features=2, most_terms=2, missing=True)
    name = next(iter(row))
    with pytest.raises(ValueError, match=f"column '{name}': .* is not a (date|number)"):
        run_module(export.python(tree, columns=known), tmp_path)["encode"](row)
    ((kind, message),) = run_node(export.javascript(tree, columns=known), [row], tmp_path)
    assert kind == "RangeError"
    assert f'column "{name}"' in message


def test_truth_values_are_categories_however_they_were_written(tmp_path):
    for category in ("true", "True"):
        known = TableColumns((TableColumn("member", "category", (category,)),))
        tree = random_tree(np.random.default_rng(0), n_features=1, most_terms=1, missing=True)
        rows = [{"member": value} for value in (True, False, category, "")]
        encode = run_module(export.python(tree, columns=known), tmp_path)["encode"]
        np.testing.assert_array_equal([encode(row) for row in rows], [[1], [0], [1], [np.nan]])
        found = run_node(export.javascript(tree, columns=known), rows, tmp_path)
        assert [answer[0] for answer in found] == [[1], [0], [1], [None]]


@pytest.mark.parametrize("missing", [True, False])
def test_sql_decides_on_dates_as_the_tree_does(missing):
    rng = np.random.default_rng(1)
    known = TableColumns((TableColumn("joined", "date"), TableColumn("x")))
    days = np.concatenate([np.arange(-800, 800), rng.integers(-500_000, 90_000, 300), [-25_509, 11_016, 47_540]])
    texts = [str(np.datetime64(int(day), "D")) for day in days]
    instants = (np.datetime64("1905-03-01T00:00:00.000000") + rng.integers(0, 10**16, 300)).astype(str).tolist()
    texts += [*instants, *(text[:16] for text in instants), *(text[:19].replace("T", " ") for text in instants)]
    x = rng.normal(0, 400, len(texts))
    X = known.encode(pandas.DataFrame({"joined": texts, "x": x})).X
    assert np.isfinite(X).all()
    # Test both sides of days in the table, in a split alone and in a sum.
    at = rng.choice(X[:, 0], 2)
    tree = random_tree(
        rng, 4, 2, left=[1, 3, 5, *[-1] * 4], right=[2, 4, 6, *[-1] * 4], indptr=[0, 1, 2, *[4] * 5],
        features=[0, 0, 0, 1], weights=[1.0, -1.0, 1.0, 1.0], bias=np.array([-at[0], at[1], 3.0, 0, 0, 0, 0]),
        labels=[0, 0, 0, 0, 1, 2, 1], missing=missing,
    )  # fmt: skip
    expected = tree.predict(X).tolist()
    assert len(set(expected)) > 2
    odd = ["", "yesterday", "29/02/2020", "2020-02-29T06:00:00+06:00", "2020-02-29 06:00:00Z", None]
    nothing = tree.predict([[np.nan, 1.0]])[0] if missing else None
    query = export.sql(tree, columns=known)
    for connection in (sqlite3.connect(":memory:"), duckdb.connect()):
        with closing(connection):
            connection.execute("CREATE TABLE data (i INTEGER, joined VARCHAR, x DOUBLE)")
            rows = [*zip(texts, x.tolist(), strict=True), *((text, 1.0) for text in odd)]
            connection.executemany("INSERT INTO data VALUES (?, ?, ?)", [(i, *row) for i, row in enumerate(rows)])
            found = [row[-1] for row in sorted(connection.execute(query).fetchall(), key=lambda row: row[0])]
            assert found == [*expected, *[nothing] * len(odd)]
    with duckdb.connect() as duck:
        for kind in ("DATE", "TIMESTAMP"):
            duck.execute(f"CREATE OR REPLACE TABLE data (joined {kind}, x DOUBLE)")
            duck.execute("INSERT INTO data VALUES ('2020-02-29', 1.0), (NULL, 1.0)")
            assert [row[-1] for row in duck.execute(query).fetchall()] == [tree.predict([[18321.0, 1.0]])[0], nothing]


def test_sql_leaves_alone_dates_that_the_tree_does_not_use():
    known = TableColumns((TableColumn("x"), TableColumn("joined", "date")))
    leaf = random_tree(np.random.default_rng(0), 1, 2)
    unused = random_tree(
        np.random.default_rng(0), 2, 2, indptr=[0, 1, 1, 1], features=[0], weights=[1.0], bias=np.zeros(3)
    )
    for tree, missing in ((unused, None), (leaf, None), (replace(leaf, missing_right=[False]), "a")):
        for connection in (sqlite3.connect(":memory:"), duckdb.connect()):
            with closing(connection):
                connection.execute("CREATE TABLE data (x DOUBLE, joined DATE)")
                connection.execute("INSERT INTO data VALUES (-1e3, '2020-01-01'), (1e3, NULL)")
                found = [row[-1] for row in connection.execute(export.sql(tree, columns=known)).fetchall()]
                first = tree.predict([[-1e3, 0.0]])[0]
                assert found == [first, None if missing is None else first]


@pytest.mark.parametrize("target", [target for target in export.FORMATS.values() if "columns" in target.takes])
def test_columns_that_are_not_those_of_the_tree(target):
    tree, _ = grown()
    for wrong, words in ((columns(date=True), "features"), ({"columns": []}, "TableColumns")):
        with pytest.raises(ParameterError, match=words):
            target(tree, columns=wrong)


@pytest.mark.parametrize(("missing", "share"), [("learn", 0.2), ("error", 0.0)])
def test_sql_of_an_estimator_reads_the_text_columns_it_was_trained_on(missing, share):
    table = frame(share=share).drop(columns="corn")
    table["grade"] = pandas.Categorical(table["grade"], [*GRADES, "other"], ordered=True)
    target = (table["colour"] == COLOURS[4]) + 2 * (table["grade"].cat.codes == 2)
    model = TAOClassifier(split="bivariate", lam=0.5, random_state=0, missing=missing).fit(table, target)
    assert len({model.tree_.feature_name(k).partition(" = ")[0] for k in model.tree_.used_features}) > 1
    other = table.assign(colour=table["colour"].replace(COLOURS[0], "never seen"))
    other["grade"] = other["grade"].astype(object)
    expected = model.predict(other).tolist()
    text = export.sql(model, table="d")
    for connection in (sqlite3.connect(":memory:"), duckdb.connect()):
        with closing(connection):
            types = ("DOUBLE", "VARCHAR", "DOUBLE", "DOUBLE", "VARCHAR", "VARCHAR")
            names = ", ".join(
                '"' + name.replace('"', '""') + f'" {kind}' for name, kind in zip(other, types, strict=True)
            )
            connection.execute(f"CREATE TABLE d (row_number INTEGER, {names})")
            rows = [(i, *row.values()) for i, row in enumerate(rows_of(other))]
            connection.executemany("INSERT INTO d VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
            assert [row[-1] for row in sorted(connection.execute(text).fetchall(), key=lambda row: row[0])] == expected
    blank = table.assign(colour=table["colour"].replace(COLOURS[0], ""))
    model = TAOClassifier(split="bivariate", lam=0.5, random_state=0, missing=missing).fit(blank, target)
    with refused(
        ParameterError, "Column 'colour' has the category '', which a table cannot distinguish from a missing value"
    ):
        export.sql(model)


@pytest.mark.parametrize("stored", [1.0, 1, "1"])
def test_sql_reads_a_check_box_as_numbers_or_text(stored):
    columns = TableColumns((TableColumn("tick", "category", ("1", "(blank)")),))
    table = pandas.DataFrame({"tick": [stored, None] * 20})
    encoded = columns.encode(table.astype(object)).X
    tree = CARTClassifier(random_state=0).fit(encoded, np.array(["yes", "no"] * 20)).tree_
    query = export.sql(tree.with_names(columns.feature_names()), "data", columns=columns)
    with closing(sqlite3.connect(":memory:")) as connection:
        table.to_sql("data", connection, index=False)
        assert [row[-1] for row in connection.execute(query)] == ["yes", "no"] * 20


def test_sql_takes_days_as_numbers_and_answers_as_a_database_keeps_them():
    known = TableColumns((TableColumn("day", "date"), TableColumn("paid", "category", ("False", "True"))))
    days = ["1999-12-31", "2000-02-29", "2000-03-01", "2023-01-01", "2024-02-29", "2024-12-31", None, "2024-06-01"]
    paid = [True, False, True, None, False, True, True, False]
    table = pandas.DataFrame({"day": pandas.to_datetime(days), "paid": pandas.Series(paid, dtype=object)})
    X = known.encode(table).X
    y = np.array([f"{row}" for row in range(len(days))])
    tree = (
        TAOClassifier(split="univariate", lam=0, missing="learn", random_state=0)
        .fit(X, y)
        .tree_.with_names(known.feature_names())
    )
    assert {0} < set(tree.features.tolist())
    expected = tree.predict(X).tolist()
    rows = [
        (i, int(day.replace("-", "")) if day else None, answer)
        for i, (day, answer) in enumerate(zip(days, paid, strict=True))
    ]
    for connect, day, kind in (
        (sqlite3.connect, "BIGINT", "INTEGER"),
        (sqlite3.connect, "REAL", "REAL"),
        (duckdb.connect, "BIGINT", "BOOLEAN"),
        (duckdb.connect, "DOUBLE", "VARCHAR(9)"),
        (duckdb.connect, "DECIMAL(12, 2)", "VARCHAR(9)"),
    ):
        with closing(connect(":memory:")) as connection:
            connection.execute(f"CREATE TABLE d (i INTEGER, day {day}, paid {kind})")
            connection.executemany("INSERT INTO d VALUES (?, ?, ?)", rows)
            found = connection.execute(export.sql(tree, table="d", columns=known)).fetchall()
            assert [row[-1] for row in sorted(found)] == expected


@pytest.mark.parametrize(
    "value",
    [
        *("2024-1-1", "12:30:00", "2024011", "abcdefgh", "202401155", "2024011½", "2024-02-30", "2023-02-29"),
        *("2024-04-31", "2024-00-10", "2024-13-01", "2024-01-00", "99991231", "20240230", "20230229", "20241301"),
        *("20240100", "11111111", "18991231", "21010101"),
    ],
)
def test_sql_takes_nothing_for_a_day_that_is_none(value):
    known = TableColumns((TableColumn("day", "date"),))
    X = np.repeat([[0.0], [9e4]], 9, 0)
    tree = CARTClassifier(max_depth=1).fit(X, np.repeat(["before", "after"], 9)).tree_.with_names(known.feature_names())
    for connect in (sqlite3.connect, duckdb.connect):
        with closing(connect(":memory:")) as connection:
            connection.execute("CREATE TABLE d (day VARCHAR(9))")
            connection.executemany("INSERT INTO d VALUES (?)", [(value,), ("20240115",)])
            found = connection.execute(export.sql(tree, table="d", columns=known)).fetchall()
            assert sorted(found) == sorted([(value, None), ("20240115", "before")])


def test_a_marked_value_of_a_check_box_is_its_empty_one(tmp_path):
    known = TableColumns((TableColumn("corn", "category", ("Corn", "(blank)"), missing=("k.A.",)),))
    table = pandas.DataFrame({"corn": ["Corn", None, " k.A. ", "Corn"] * 6})
    X = known.encode(table).X
    np.testing.assert_array_equal(X[:4], [[1, 0], [0, 1], [0, 1], [1, 0]])
    tree = CARTClassifier().fit(X, X[:, 0].astype(int)).tree_.with_names(known.feature_names())
    module = run_module(export.python(tree, columns=known), tmp_path)
    np.testing.assert_array_equal([module["encode"](row) for row in rows_of(table)], X)
    answers = run_node(export.javascript(tree, columns=known), rows_of(table), tmp_path)
    np.testing.assert_array_equal([answer[0] for answer in answers], X)


@pytest.mark.parametrize(
    ("column", "values"),
    [
        (TableColumn("p", "category", ("FALSE", "TRUE", "true")), ["FALSE", "TRUE", "true"]),
        (TableColumn("p", "category", ("False", "True"), ("1", "0")), ["False", "True", "1", "0"]),
        (TableColumn("p", "category", ("False", "other"), ("0",), grouped=True), ["False", "0", "other"]),
    ],
)
def test_sql_distinguishes_the_values_that_training_distinguished(column, values):
    known = TableColumns((column,))
    X = known.encode(pandas.DataFrame({"p": values * 5})).X
    for feature in range(X.shape[1]):
        tree = CARTClassifier(max_depth=1, cv=None).fit(X[:, [feature]], X[:, feature].astype(int)).tree_
        tree = replace(tree, features=tree.features + feature, n_features=X.shape[1], feature_quantiles=None)
        tree = tree.with_names(known.feature_names())
        for connect in (sqlite3.connect, duckdb.connect):
            with closing(connect(":memory:")) as connection:
                connection.execute("CREATE TABLE d (i INTEGER, p VARCHAR(9))")
                connection.executemany("INSERT INTO d VALUES (?, ?)", [*enumerate(values)])
                found = connection.execute(export.sql(tree, table="d", columns=known)).fetchall()
                assert [row[-1] for row in sorted(found)] == tree.predict(X[: len(values)]).tolist()
