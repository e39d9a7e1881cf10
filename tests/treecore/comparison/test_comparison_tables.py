"""Test the text tables of a comparison by parsing them, and the Pareto front."""

import csv
import html
import io
import re

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

from treecore.comparison import Method, compare, pareto_front
from treecore.comparison.significance import holm
from treecore.comparison.tables import header, p_text, table_rows
from treecore.tables.text_tables import to_csv, to_latex, to_markdown

NASTY = '\\ | & % $ # _ { } ~ ^ < > [x](y) *b* `c` "q", =1+1 \\\\ &lt; \\|'
LATEX = {
    r"\textbackslash{}": "\\", r"\textasciitilde{}": "~", r"\textasciicircum{}": "^", r"\textless{}": "<",
    r"\textgreater{}": ">", r"\textbar{}": "|", "{[}": "[", "{*}": "*", **{"\\" + c: c for c in "&%$#_{}"},
}  # fmt: skip
NAMES = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")) | st.sampled_from(" |\\&%[*"), max_size=12)


def from_markdown(text):
    """Return the rows of cell texts, parsed by the rules of GitHub's Markdown."""
    rows = []
    for line in text.splitlines():
        assert re.fullmatch(r"\| .* \|", line)
        cells = re.split(r"((?:\\.|[^|\\])*)\|", line[1:])[1::2]
        # An unescaped character would start a code span, emphasis, a link or a tag.
        for cell in cells:
            bare = re.sub(r"\\.|(?<=[A-Za-z0-9])_(?=[A-Za-z0-9])", "", cell)
            assert not re.search(r"[*_`\[\]~]|<(?=[A-Za-z/!?])", bare)
        rows.append([html.unescape(re.sub(r"\\(.)", r"\1", cell)).strip() for cell in cells])
    return rows


def from_latex(text):
    """Return the rows of cell texts in a tabular environment."""
    body = text.split("\\toprule\n")[1].split("\\bottomrule")[0].replace("\\midrule\n", "")
    assert body.endswith(" \\\\\n")
    rows = [re.split(r"(?<!\\) ?& ", " " + line) for line in body[: -len(" \\\\\n")].split(" \\\\\n")]
    pattern = "|".join(map(re.escape, LATEX))
    for cell in (cell for row in rows for cell in row):
        assert not re.search(r"[\\&%$#_{}~^<>|]", re.sub(pattern, "", cell))
        assert not re.match(r" ?[\[*]", cell)
    return [[re.sub(pattern, lambda found: LATEX[found[0]], cell).strip() for cell in row] for row in rows]


@given(st.lists(st.tuples(NAMES, NAMES, NAMES), min_size=1, max_size=4))
@example([(NASTY, NASTY, NASTY), ("[a]", "*", "")])
def test_names_come_back(rows):
    plain = [[" ".join(text.split()) for text in row] for row in [("a", "b", "c"), *rows]]
    markdown = from_markdown(to_markdown(("a", "b", "c"), rows))
    assert markdown[1] == ["---", "---:", "---:"]
    assert markdown[:1] + markdown[2:] == plain
    latex = from_latex(to_latex(("a", "b", "c"), rows))
    assert [len(row) for row in latex] == [3] * len(plain)
    assert latex == plain
    read = list(csv.reader(io.StringIO(to_csv(("a", "b", "c"), rows))))
    assert [[text.removeprefix("'") for text in row] for row in read] == [
        [text.removeprefix("'") for text in row] for row in plain
    ]


@given(st.text("=+-@\t\r\n01a\"',", max_size=8))
def test_no_cell_of_the_csv_is_a_formula(text):
    (cell,) = list(csv.reader(io.StringIO(to_csv((text,), ()), newline="")))[0] or [""]
    assert cell.removeprefix("'") in (plain := " ".join(text.split()), plain.removeprefix("'"))
    if cell[:1] in ("=", "+", "-", "@"):
        float(cell.lstrip("+-"))


def test_lines_stay_lines():
    rows = [("two\nlines", "1"), ("\r\n", "2")]
    assert to_markdown(("a", "b"), rows).count("\n") == 4
    assert from_latex(to_latex(("a", "b"), rows))[1:] == [["two lines", "1"], ["", "2"]]


def test_rows_of_a_comparison(bundled):
    X, y = bundled("iris")
    methods = [
        Method("small", "=small|tree", DecisionTreeClassifier(max_leaf_nodes=2)),
        Method("large", "large & tree", DecisionTreeClassifier()),
        Method("broken", "broken", DecisionTreeClassifier(max_depth=-1)),
        Method("shallow", "shallow", DecisionTreeClassifier(max_depth=2)),
    ]
    found = compare(X, y, methods, cv=5, n_jobs=1)
    rows, names = table_rows(found, "small"), header(found.target)
    assert all(len(row) == len(names) for row in rows)
    small, large, broken, shallow = (dict(zip(names, row, strict=True)) for row in rows)
    assert small["test error %"] == f"{100 * found.errors('small').mean():.2f}" == "33.33"
    assert (small["leaves"], small["nodes"], small["depth"], small["folds"], small["p"]) == (
        "2.0",
        "3.0",
        "1.0",
        "5",
        "",
    )
    p = [found.paired_test(name, "small").p for name in ("large", "shallow")]
    assert [row["p (Holm)"] for row in (small, large, broken, shallow)] == [
        "", p_text(holm(p)[0]), "", p_text(holm(p)[1])
    ]  # fmt: skip
    assert large["p"] == p_text(found.paired_test("large", "small").p)
    assert [p_text(p) for p in (1e-9, 0.0007, 0.0499, 0.0, None, np.nan)] == [
        "1.0e-09",
        "0.001",
        "0.050",
        "0.000",
        "",
        "",
    ]
    assert broken["test error %"] == broken["p"] == broken["leaves"] == ""
    assert "max_depth" in broken["remark"]
    assert to_csv(names, rows).splitlines()[1].startswith("'=small|tree,33.33,")
    assert [row[0] for row in from_latex(to_latex(names, rows))[1:]] == [row[0] for row in rows]
    assert from_markdown(to_markdown(names, rows))[2][0] == "=small|tree"


POINTS = st.lists(st.tuples(st.integers(0, 6) | st.just(np.nan), st.integers(0, 6) | st.just(np.nan)), max_size=12)


@given(POINTS)
def test_pareto_front_is_that_of_all_pairs(points):
    sizes, errors = np.array(points, np.float64).reshape(-1, 2).T
    front = pareto_front(sizes, errors)
    known = [point for point in points if point[0] == point[0] and point[1] == point[1]]
    best = {
        point
        for point in known
        if not any(other != point and other[0] <= point[0] and other[1] <= point[1] for other in known)
    }
    assert [(sizes[i], errors[i]) for i in front] == sorted(best)
    assert all(points.index(points[i]) == i for i in front)
    assert front.dtype == np.int64


@pytest.mark.parametrize("points", [([], []), ([1.0], [0.5])])
def test_pareto_front_of_few(points):
    assert pareto_front(*points).tolist() == list(range(len(points[0])))
