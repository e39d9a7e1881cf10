"""Test that trees in PMML files predict like a slow reader of the files."""

import contextlib
import itertools
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from tests.budget import budget
from tests.each import each
from tests.refusals import refused
from tests.treecore.foreign.naive_pmml import REFUSED, score
from treecore import DataError, ParameterError, TreeFormatError, from_pmml
from treecore.errors import ForeignWarning
from treecore.foreign.column_reading import TREATMENTS
from treecore.foreign.pmml_fields import set_values
from treecore.foreign.sources import SOURCES, foreign_model
from treecore.rules import rules


def simple(field, operator, value):
    return f'<SimplePredicate field="{field}" operator="{operator}" value="{value}"/>'


def among(field, operator, *values):
    words = " ".join(values)
    return (
        f'<SimpleSetPredicate field="{field}" booleanOperator="{operator}"><Array n="{len(values)}" type="string">'
        f"{words}</Array></SimpleSetPredicate>"
    )


def compound(operator, *parts):
    return f'<CompoundPredicate booleanOperator="{operator}">{"".join(parts)}</CompoundPredicate>'


def node(number, said, predicate, *children, default=None):
    way = "" if default is None else f' defaultChild="{default}"'
    return f'<Node id="{number}" score="{said}" recordCount="10"{way}>{predicate}{"".join(children)}</Node>'


ALL = "<True/>"


def pmml(root, attributes="", function="classification", more="", head=""):
    return f"""<?xml version="1.0"?>{head}
    <PMML version="4.4" xmlns="http://www.dmg.org/PMML-4_4"><DataDictionary>
    <DataField name="t" optype="continuous" dataType="double"/>
    <DataField name="f" optype="continuous" dataType="float"/>
    <DataField name="outlook" optype="categorical" dataType="string"><Value value="sunny"/><Value value="rain"/>
    <Value value="overcast"/><Value value="?" property="missing"/></DataField>
    <DataField name="what" optype="categorical" dataType="string"/></DataDictionary>{more}
    <TreeModel functionName="{function}" {attributes}><MiningSchema><MiningField name="t"/><MiningField name="f"/>
    <MiningField name="outlook"/><MiningField name="what" usageType="target"/></MiningSchema>
    {root}</TreeModel></PMML>"""


LAST, DEFAULT = 'noTrueChildStrategy="returnLastPrediction"', 'missingValueStrategy="defaultChild"'
FILES = {
    "two sides": pmml(
        node(0, "a", ALL, node(1, "b", simple("t", "lessThan", 50)), node(2, "c", simple("t", "greaterOrEqual", 50)))
    ),
    "golf": pmml(
        node(
            0,
            "will play",
            ALL,
            node(
                1,
                "will play",
                simple("outlook", "equal", "sunny"),
                node(
                    2,
                    "will play",
                    compound("and", simple("t", "lessThan", 90), simple("t", "greaterThan", 50)),
                    node(3, "will play", simple("f", "lessThan", 80)),
                    node(4, "no play", simple("f", "greaterOrEqual", 80)),
                ),
                node(5, "no play", compound("or", simple("t", "greaterOrEqual", 90), simple("t", "lessOrEqual", 50))),
            ),
            node(
                6,
                "may play",
                compound("or", simple("outlook", "equal", "overcast"), simple("outlook", "equal", "rain")),
            ),
        )
    ),
    "default child": pmml(
        node(
            0,
            "a",
            ALL,
            node(1, "b", simple("t", "lessThan", 50)),
            node(
                2,
                "c",
                simple("t", "greaterOrEqual", 50),
                node(3, "d", among("outlook", "isIn", '"sunny"', "rain")),
                node(4, "e", among("outlook", "isNotIn", "sunny", '"rain"')),
                default=4,
            ),
            default=1,
        ),
        DEFAULT,
    ),
    "many branches": pmml(
        node(
            0,
            "a",
            ALL,
            node(1, "b", simple("t", "lessOrEqual", 10)),
            node(2, "c", compound("and", simple("t", "greaterThan", 10), simple("t", "lessOrEqual", 20))),
            node(3, "d", compound("and", simple("t", "greaterThan", 20), simple("t", "lessOrEqual", 50))),
            node(4, "e", simple("t", "greaterThan", 50)),
        )
    ),
    "sets of many": pmml(
        node(
            0,
            "a",
            ALL,
            node(1, "b", simple("outlook", "equal", "rain")),
            node(2, "c", simple("outlook", "equal", "sunny")),
            node(3, "d", simple("outlook", "notEqual", "sunny")),
        )
    ),
    "compact": pmml(
        node(
            0,
            "a",
            ALL,
            node(1, "b", simple("t", "greaterThan", 20), node(2, "c", simple("f", "lessOrEqual", 0.1))),
            node(3, "d", simple("f", "lessThan", 0.3)),
            node(4, "e", among("outlook", "isIn", "rain")),
        ),
        LAST,
    ),
    "a number itself": pmml(node(0, "a", ALL, node(1, "b", simple("t", "equal", 20)), node(2, "c", ALL))),
    "whether missing": pmml(
        node(
            0,
            "a",
            ALL,
            node(
                1, "b", compound("or", '<SimplePredicate field="t" operator="isMissing"/>', simple("t", "lessThan", 20))
            ),
            node(2, "c", "<False/>"),
            node(3, "d", simple("t", "greaterOrEqual", 20)),
        )
    ),
    "none of them": pmml(
        node(0, "a", ALL, node(1, "b", compound("xor", simple("t", "lessThan", 10), simple("t", "lessThan", 50)))), LAST
    ),
    "last prediction": pmml(
        node(0, "a", ALL, node(1, "b", simple("t", "lessThan", 50)), node(2, "c", ALL)),
        'missingValueStrategy="lastPrediction"',
    ),
}
NUMBERS = sorted(
    {x for v in (10, 20, 50, 80, 90) for x in (v, np.nextafter(v, 0), np.nextafter(v, 100))} | {-5.0, 200.0}
)
SMALL = [float(np.float32(0.1)), float(np.float32(0.3)), -1.0, 0.2, 79.0, 80.0, 81.0]


@pytest.mark.parametrize("name", FILES)
def test_every_row_gets_what_the_file_says(name):
    text = FILES[name]
    assert [key for key, source in SOURCES.items() if source.is_file(text.encode())] == ["pmml"]
    found = foreign_model(text.encode())
    tree = found.only_tree()
    numbers, small, words = NUMBERS, SMALL, ["sunny", "rain", "overcast"]
    if tree.missing_right is not None:
        numbers, small, words = [*numbers, None], [*small, None], [*words, None]
    rows = pd.DataFrame(list(itertools.product(numbers, small, words)), columns=["t", "f", "outlook"])
    rows = rows.astype({"t": float, "f": float})
    plain = [
        {k: None if v is None or v != v else v for k, v in row.items()}
        for row in rows.astype(object).to_dict("records")
    ]
    wanted = [score(text, row) for row in plain]
    assert None not in wanted
    assert REFUSED not in wanted
    assert tree.predict(found.features(rows)).tolist() == wanted
    assert rules(tree).to_text()


def random_predicate(rng):
    """Return a random predicate of any kind on one column."""
    field, operators = ("t", "f", "outlook")[rng.integers(3)], ["equal", "notEqual"]
    words = ["sunny", "rain", "overcast"]
    parts = []
    for _ in range(1 + (rng.random() < 0.4)):
        if field == "outlook" and rng.random() < 0.6:
            parts.append(
                among(field, ("isIn", "isNotIn")[rng.integers(2)], *rng.permutation(words)[: rng.integers(1, 3)])
            )
        elif field == "outlook":
            parts.append(simple(field, operators[rng.integers(2)], words[rng.integers(3)]))
        elif rng.random() < 0.1:
            parts.append(
                f'<SimplePredicate field="{field}" operator="{("isMissing", "isNotMissing")[rng.integers(2)]}"/>'
            )
        else:
            operator = [*operators, "lessThan", "lessOrEqual", "greaterThan", "greaterOrEqual"][
                rng.choice(6, p=[0.1, 0.1, 0.2, 0.2, 0.2, 0.2])
            ]
            parts.append(simple(field, operator, (10, 20, 50, 80, 90)[rng.integers(5)]))
    return parts[0] if len(parts) == 1 else compound(("and", "or", "xor")[rng.integers(3)], *parts)


def random_node(rng, number, depth, predicate):
    """Return a node with up to three children, each with a predicate or for all remaining rows."""
    children, n = [], 0 if depth == 3 else rng.integers(0, 4)
    for k in range(n):
        one = ALL if k == n - 1 and rng.random() < 0.7 else "<False/>" if rng.random() < 0.05 else random_predicate(rng)
        children.append(random_node(rng, 4 * number + k + 1, depth + 1, one))
    return node(number, f"c{number % 5}", predicate, *children, default=4 * number + 1 + rng.integers(n) if n else None)


def random_file(rng):
    """Return a random file: any strategy for missing values, any treatment of invalid ones, floats and categories."""
    strategies = ["none", "lastPrediction", "nullPrediction", "defaultChild", "aggregateNodes", None]
    strategy = strategies[rng.choice(6, p=[0.2, 0.25, 0.1, 0.2, 0.05, 0.2])]
    ways = [LAST] * (rng.random() < 0.6) + ([f'missingValueStrategy="{strategy}"'] if strategy else [])
    text = pmml(random_node(rng, 0, 0, ALL), " ".join(ways))
    for name, replaced in (("t", "20"), ("f", "80"), ("outlook", "rain")):
        more = ""
        if rng.random() < 0.6:
            treatment = TREATMENTS[rng.integers(4)]
            more += f' invalidValueTreatment="{treatment}"'
            more += f' invalidValueReplacement="{replaced}"' if treatment == "asValue" else ""
        if rng.random() < 0.15:
            more += f' missingValueReplacement="{replaced}"'
        elif rng.random() < 0.1:
            more += ' missingValueTreatment="returnInvalid"'
        text = text.replace(f'<MiningField name="{name}"', f'<MiningField name="{name}"{more}')
    if rng.random() < 0.3:  # without a list, all categories are valid
        for word in ("sunny", "rain", "overcast"):
            text = text.replace(f'<Value value="{word}"/>', "")
    if rng.random() < 0.3:
        interval = '<Interval closure="closedClosed" leftMargin="10" rightMargin="90"/>'
        text = text.replace(
            'name="t" optype="continuous" dataType="double"/>',
            f'name="t" optype="continuous" dataType="double">{interval}</DataField>',
        )
    return text.replace('value="80"', 'value="80.1"')  # not a float in single precision


def random_rows(rng, n):
    """Return dicts with values on and next to the thresholds, missing, and unknown ones."""
    numbers = [*NUMBERS, 20.0, np.nan]
    singles = [5.0, 20.0, 60.0, 80.1, float(np.float32(80.1)), np.nextafter(80.1, 0), np.nan]
    words = ["sunny", "rain", "overcast", "snow", "?", None]
    picks = [rng.choice(len(some), n) for some in (numbers, singles, words)]
    rows = [{"t": numbers[i], "f": singles[j], "outlook": words[k]} for i, j, k in zip(*picks, strict=True)]
    return [{name: None if value != value else value for name, value in row.items()} for row in rows]


def answer(found, row):
    """Return the prediction of a row as text, or REFUSED."""
    try:
        frame = pd.DataFrame([row]).astype({"t": float, "f": float})
        return found.only_tree().predict(found.features(frame))[0]
    except DataError:
        return REFUSED


@pytest.mark.nightly
@pytest.mark.filterwarnings("ignore::treecore.errors.ForeignWarning")
def test_random_files():
    rng, counts = np.random.default_rng(0), {"read": 0, "missing": 0, "refused": 0, "equal": 0}
    for _ in range(budget(40, 1000)):
        text = random_file(rng)
        try:
            found = foreign_model(text.encode())
            tree = found.only_tree()
        except TreeFormatError:
            continue
        counts["read"] += 1
        counts["missing"] += tree.missing_right is not None
        for row in random_rows(rng, 12):
            wanted, given = score(text, row), answer(found, row)
            if given == REFUSED:
                # rows with missing values are refused where the file makes no prediction for some of them
                assert wanted in (None, REFUSED) or tree.missing_right is None and has_missing(text, row), (text, row)
            else:
                assert given == wanted, (text, row)
            counts["refused" if given == REFUSED else "equal"] += 1
    assert counts["read"] >= budget(15, 300), counts
    assert counts["missing"] >= budget(8, 100), counts
    assert counts["equal"] > counts["refused"] > 0, counts


def has_missing(text, row):
    return any(value is None or value == "?" for value in row.values()) or "asMissing" in text


def test_whether_missing_values_are_taken():
    taken = {name for name, text in FILES.items() if from_pmml(text).missing_right is not None}
    assert taken == {
        "default child", "compact", "a number itself", "whether missing", "none of them", "last prediction",
    }  # fmt: skip
    missing = {"t": None, "f": 1.0, "outlook": "rain"}
    assert score(FILES["two sides"], missing) is None
    assert answer(foreign_model(FILES["two sides"].encode()), missing) == REFUSED
    assert (
        answer(foreign_model(FILES["last prediction"].encode()), missing)
        == score(FILES["last prediction"], missing)
        == "a"
    )


def test_the_refusal_of_missing_values_names_the_file():
    found = foreign_model(FILES["two sides"].encode())
    rows = pd.DataFrame({"t": [np.nan], "f": [1.0], "outlook": ["rain"]})
    with refused(
        DataError,
        (
            "X contains missing values, and for some missing values the file makes no prediction that a tree can "
            "have (missingValueStrategy='none')"
        ),
    ):
        found.features(rows)
    with refused(DataError, "X contains NaN or infinite values"):
        found.tree().predict([[np.nan, 1.0, 1, 0, 0]])
    without = FILES["default child"].replace(' defaultChild="4"', "").replace(' defaultChild="1"', "")
    with refused(
        DataError,
        (
            "X contains missing values, and for some missing values the file makes no prediction that a tree can "
            "have (missingValueStrategy='defaultChild'). Fill or remove these values, or write the file with "
            "missingValueStrategy='defaultChild' or 'lastPrediction'"
        ),
    ):
        foreign_model(without.replace(' id="', ' name="').encode()).features(rows)


def test_surrogates_stand_for_missing_values_which_are_refused_then():
    parts = simple("t", "lessThan", 50), simple("f", "lessThan", 1), ALL
    others = simple("t", "greaterOrEqual", 50), simple("f", "greaterOrEqual", 1), "<False/>"
    text = pmml(
        node(0, "a", ALL, node(1, "b", compound("surrogate", *parts)), node(2, "c", compound("surrogate", *others)))
    )
    found = foreign_model(text.encode())
    tree = found.only_tree()
    assert tree.missing_right is None
    rows = pd.DataFrame({"t": NUMBERS, "f": 3.0, "outlook": "rain"})
    assert tree.predict(found.features(rows)).tolist() == [score(text, row) for row in rows.to_dict("records")]


def test_float_columns_round_before_they_are_compared():
    root = node(
        0,
        1.5,
        ALL,
        node(1, -2, simple("double(f)", "lessOrEqual", 0.1)),
        node(2, 3.25, simple("double(f)", "greaterThan", 0.1)),
    )
    derived = (
        '<TransformationDictionary><DerivedField name="double(f)" optype="continuous" dataType="double">'
        '<FieldRef field="f"/></DerivedField></TransformationDictionary>'
    )
    found = foreign_model(pmml(root, function="regression", more=derived).encode())
    x = np.array([0.1, np.float32(0.1), np.nextafter(np.float32(0.1), np.float32(1)), np.nextafter(0.1, 1), 0.2])
    wanted = np.where(x.astype(np.float32).astype(float) <= 0.1, -2, 3.25)
    rows = pd.DataFrame({"t": 0.0, "f": x, "outlook": "rain"})
    assert np.array_equal(found.only_tree().predict(found.features(rows)), wanted)


def test_the_content_of_leaves_and_the_names_of_nodes():
    spread = '<ScoreDistribution value="yes" recordCount="{}"/><ScoreDistribution value="no" recordCount="{}"/>'
    left = f'<Node id="l" recordCount="40">{simple("t", "lessThan", 1)}{spread.format(30, 10)}</Node>'
    right = f'<Node id="r" score="no" recordCount="60">{simple("t", "greaterOrEqual", 1)}{spread.format(20, 40)}</Node>'
    tree = from_pmml(pmml(f"<Node>{ALL}{left}{right}</Node>"))
    shares = dict(zip(tree.classes.tolist(), tree.values.T.tolist(), strict=True))
    assert shares == {"yes": [50, 30, 20], "no": [50, 10, 40]}
    assert tree.origin.tolist() == [0, 1, 2]
    assert tree.n_samples.tolist() == [100, 40, 60]


def test_probabilities_of_leaves_come_before_counts():
    spread = (
        '<ScoreDistribution value="yes" recordCount="9" probability="0.25"/>'
        '<ScoreDistribution value="no" recordCount="1" probability="0.75"/>'
    )
    left = f'<Node recordCount="10">{simple("t", "lessThan", 1)}{spread}</Node>'
    right = f'<Node score="no" recordCount="6">{simple("t", "greaterOrEqual", 1)}</Node>'
    tree = from_pmml(pmml(f"<Node>{ALL}{left}{right}</Node>"))
    assert tree.classes.tolist() == ["yes", "no"]
    assert tree.predict_proba(np.zeros((1, 5))).tolist() == [[0.25, 0.75]]
    assert tree.predict(np.zeros((1, 5))).tolist() == ["no"]
    partly = spread.replace(' probability="0.75"', "")
    counted = from_pmml(pmml(f"<Node>{ALL}{left.replace(spread, partly)}{right}</Node>"))
    assert counted.predict_proba(np.zeros((1, 5))).tolist() == [[0.9, 0.1]]


@each("cast", [None, "round", "ceiling", "floor"])
@each("limits", [{}, {"min": "-1"}, {"max": "2.5"}, {"min": "-1", "max": "2.5"}])
@each("scale", [{}, {"rescaleFactor": "1.3", "rescaleConstant": "0.25"}, {"rescaleFactor": "-3"}])
def test_target_limits_then_scales_then_rounds(cast, limits, scale):
    given = limits | scale | ({} if cast is None else {"castInteger": cast})
    words = " ".join(f'{name}="{value}"' for name, value in given.items())
    root = node(0, 0, ALL, *(node(k + 1, said, simple("t", "lessOrEqual", k)) for k, said in enumerate(SAID)))
    text = pmml(root, LAST, function="regression").replace(
        "</MiningSchema>", f"</MiningSchema><Targets><Target {words}/></Targets>"
    )
    predicted = foreign_model(text.encode()).only_tree().predict(np.eye(5)[[0]] * np.arange(len(SAID))[:, None])
    assert predicted.tolist() == [float(score(text, {"t": k})) for k in range(len(SAID))]


SAID = (-2.89, -1, 0.5, 1.49, 2.718, 7)


def test_trees_of_a_forest():
    one = FILES["two sides"]
    start, end = one.index("<TreeModel"), one.index("</PMML>")
    part = f"<Segment>{ALL}{one[start:end]}</Segment>"
    forest = f'<Segmentation multipleModelMethod="majorityVote">{part * 3}</Segmentation>'
    text = f'{one[:start]}<MiningModel functionName="classification">{forest}</MiningModel></PMML>'
    found = foreign_model(text.encode())
    assert found.n_trees == 3
    assert from_pmml(text, tree=2) == from_pmml(one)
    with refused(ParameterError, "Use … for a single tree, or viz.forest_strip(model) for all trees"):
        found.only_tree()


def test_a_chain_of_two_thousand_levels():
    inner, levels = "", 2000
    for level in reversed(range(levels)):
        inner = f'<Node score="0">{simple("t", "greaterThan", level)}{inner}</Node>'
        inner = f'<Node score="{level + 1}">{simple("t", "lessOrEqual", level)}</Node>{inner}'
    text = pmml(f"<Node>{ALL}{inner}</Node>", function="regression")
    tree = from_pmml(text)
    assert tree.depth == levels
    rows = np.zeros((levels + 1, 5))
    rows[:, 0] = np.arange(levels + 1)
    assert tree.predict(rows).tolist() == [*range(1, levels + 1), 0]


GAP = pmml(node(0, "a", ALL, node(1, "b", simple("t", "lessThan", 5)), node(2, "c", simple("t", "greaterThan", 5))))
SEVERAL = pmml(
    node(
        0,
        "a",
        ALL,
        node(1, "b", compound("and", simple("t", "lessThan", 5), simple("f", "lessThan", 5))),
        node(2, "c", ALL),
    )
)
DEEP = '<CompoundPredicate booleanOperator="and">' * 5000 + ALL + "</CompoundPredicate>" * 5000
UNSUPPORTED = {
    "document type": (pmml(node(0, "a", ALL), head='<!DOCTYPE PMML [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'), "DTD"),
    "other file": (pmml(node(0, "a", ALL), head='<!DOCTYPE PMML SYSTEM "file:///etc/passwd">'), "DTD"),
    "gap": (GAP, "no child of node 0 applies"),
    "several columns": (SEVERAL, r"several fields \(f, t\)"),
    "order of categories": (pmml(node(0, "a", ALL, node(1, "b", simple("outlook", "lessThan", "rain")))), "lessThan"),
    "unknown column": (
        pmml(node(0, "a", ALL, node(1, "b", simple("x", "lessThan", 1)))),
        "'x', which the file does not",
    ),
    "no number": (pmml(node(0, "a", ALL, node(1, "b", simple("t", "lessThan", "nan")))), "non-finite value"),
    "computed": (
        pmml(
            node(0, "a", ALL, node(1, "b", simple("u", "lessThan", 1))),
            more='<DerivedField name="u"><NormContinuous field="t"/></DerivedField>',
        ),
        "derived field 'u' .NormContinuous",
    ),
    "no tree": ('<PMML version="4.4"><DataDictionary/><RegressionModel/></PMML>', "contains RegressionModel"),
    "other xml": ("<html>PMML</html>", "not PMML"),
    "no xml": ("<PMML", "not XML, or is damaged"),
    "a leaf of nothing": (pmml(f"<Node>{ALL}</Node>"), "Leaf 0 has no score and no .*Add"),
    "a leaf without a number": (
        pmml(
            f'<Node score="1">{ALL}<Node id="low" score="2">{simple("t", "lessThan", 1)}</Node>'
            f'<Node id="high">{simple("t", "greaterOrEqual", 1)}</Node></Node>',
            function="regression",
        ),
        "Leaf high has no score. Add",
    ),
    "deep": (pmml(node(0, "a", ALL, node(1, "b", DEEP))), "nested too deeply"),
}


@pytest.mark.parametrize("name", UNSUPPORTED)
def test_unsupported_models_are_refused(name):
    text, words = UNSUPPORTED[name]
    with pytest.raises(TreeFormatError, match=words):
        from_pmml(text)


def test_damage_is_refused():
    content, rng = FILES["default child"].encode(), np.random.default_rng(0)
    for _ in range(300):
        damaged = bytearray(content)
        for place in rng.integers(0, len(damaged), 2):
            damaged[place] = rng.integers(256)
        with contextlib.suppress(TreeFormatError, ParameterError):
            from_pmml(bytes(damaged))


def test_words_of_an_array():
    array = ElementTree.fromstring(r'<S><Array>one "two three" "a \"b\"" 4</Array></S>')
    assert set_values(array) == ["one", "two three", 'a "b"', "4"]


def fielded(fields, mining, root, attributes="", target="string"):
    """Return a file with its own fields, as written by R's pmml, JPMML and KNIME."""
    return f"""<PMML version="4.2" xmlns="http://www.dmg.org/PMML-4_2"><DataDictionary>{fields}
    <DataField name="y" optype="categorical" dataType="{target}"/></DataDictionary>
    <TreeModel functionName="classification" {attributes}><MiningSchema>{mining}
    <MiningField name="y" usageType="predicted"/></MiningSchema>{root}</TreeModel></PMML>"""


def predicted(text, **columns):
    found = foreign_model(text.encode())
    return found.only_tree().predict(found.features(pd.DataFrame(columns))).tolist()


ALONE = '<SimplePredicate field="{}" operator="isMissing"/>'
NUMBER = '<DataField name="x" optype="continuous" dataType="double">{}</DataField>'
WORD = (
    '<DataField name="c" optype="categorical" dataType="string"><Value value="red"/><Value value="blue"/>{}</DataField>'
)


@pytest.mark.filterwarnings("ignore::treecore.errors.ForeignWarning")
def test_a_branch_for_missing_values_alone_is_kept():
    root = node(
        0, "a", ALL,
        node(1, "b", ALONE.format("x"), node(2, "d", ALONE.format("c")), node(3, "e", simple("c", "equal", "red"))),
        node(4, "c", simple("x", "lessThan", 5)), node(5, "f", simple("x", "greaterOrEqual", 5)),
    )  # fmt: skip
    text = fielded(NUMBER.format("") + WORD.format(""), '<MiningField name="x"/><MiningField name="c"/>', root)
    with pytest.warns(ForeignWarning, match="no prediction for some categories of c"):  # "blue" after a missing x
        assert from_pmml(text).missing_right is not None
    x, c = [None, None, 4, 5, 4], [None, "red", "red", None, None]
    assert predicted(text, x=np.array(x, float), c=c) == ["d", "e", "c", "f", "c"]
    rows = [{"x": one, "c": other} for one, other in zip(x, c, strict=True)]
    assert predicted(text, x=np.array(x, float), c=c) == [score(text, row) for row in rows]


def test_a_default_child_that_no_number_reaches_is_kept():
    numbers = node(1, "b", simple("x", "lessThan", 5)), node(2, "c", simple("x", "greaterOrEqual", 5))
    root = node(0, "a", ALL, *numbers, node(3, "d", among("x", "isIn", "7")), default=3)
    text = fielded(NUMBER.format(""), '<MiningField name="x"/>', root, DEFAULT)
    assert predicted(text, x=[1.0, 7.0, np.nan]) == ["b", "c", "d"]


def test_values_that_stand_for_missing_ones():
    root = node(
        0, "a", ALL, node(1, "b", simple("x", "lessThan", 0)), node(2, "c", simple("x", "greaterOrEqual", 0)),
        node(3, "d", ALL),
    )  # fmt: skip
    mark = '<Value value="-999" property="missing"/><Value value="?" property="missing"/>'
    text = fielded(NUMBER.format(mark), '<MiningField name="x"/>', root)
    assert predicted(text, x=np.array([-1.0, 1.0, -999.0])) == ["b", "c", "d"]
    assert predicted(text, x=["-1", 1, "?", -999]) == ["b", "c", "d", "d"]
    found = foreign_model(text.encode())
    assert found.only_tree().predict(found.features(np.array([[-999.0], [-1.0]]))).tolist() == ["d", "b"]
    root = node(0, "a", ALL, node(1, "b", ALONE.format("c")), node(2, "d", simple("c", "notEqual", "red")))
    text = fielded(WORD.format(mark), '<MiningField name="c"/>', root, LAST)
    assert predicted(text, c=["?", "blue", "red", None]) == ["b", "d", "a", "b"]


@pytest.mark.parametrize(("treatment", "said"), [
    ('invalidValueTreatment="asMissing"', "b"), ('invalidValueTreatment="asIs"', "d"), ("", None),
    ('invalidValueTreatment="asValue" invalidValueReplacement="red"', "c"),
])  # fmt: skip
def test_invalid_values_are_treated_as_the_file_says(treatment, said):
    root = node(
        0, "a", ALL, node(1, "b", ALONE.format("c")), node(2, "c", simple("c", "equal", "red")),
        node(3, "d", simple("c", "notEqual", "red")),
    )  # fmt: skip
    text = fielded(WORD.format(""), f'<MiningField name="c" {treatment}/>', root)
    if said is None:
        with refused(
            DataError, "Column 'c' contains 'green', which the model declares invalid, so it makes no prediction"
        ):
            predicted(text, c=["blue", "red", "green"])
        return
    assert predicted(text, c=["blue", "red", "green"]) == ["d", "c", said]


def test_numbers_outside_their_interval_and_listed_invalid_values():
    root = node(
        0, "a", ALL, node(1, "b", ALONE.format("x")), node(2, "c", simple("x", "lessThan", 5)),
        node(3, "d", simple("x", "greaterOrEqual", 5)),
    )  # fmt: skip
    limits = NUMBER.format('<Interval closure="closedOpen" leftMargin="0" rightMargin="9"/>')
    mining = '<MiningField name="x" invalidValueTreatment="asMissing"/>'
    assert predicted(fielded(limits, mining, root), x=[-1.0, 0.0, 8.0, 9.0]) == ["b", "c", "d", "b"]
    listed = NUMBER.format('<Value value="7" property="invalid"/>')
    assert predicted(fielded(listed, mining, root), x=[7.0, 8.0]) == ["b", "d"]
    with refused(DataError, "Column 'x' contains '7', which the model declares invalid, so it makes no prediction"):
        predicted(fielded(listed, '<MiningField name="x"/>', root), x=[7.0])
    with refused(TreeFormatError, "invalidValueTreatment='asNothing' of field"):
        from_pmml(fielded(limits, mining.replace("asMissing", "asNothing"), root))
    with refused(TreeFormatError, "The field … has no invalidValueReplacement"):
        from_pmml(fielded(limits, mining.replace("asMissing", "asValue"), root))


LOGICAL = (
    '<DataField name="c" optype="categorical" dataType="boolean"><Value value="{}"/><Value value="{}"/></DataField>'
)


@pytest.mark.parametrize("words", [("true", "false"), ("TRUE", "FALSE")])
def test_boolean_columns_match_however_true_is_written(words):
    root = node(
        0, "a", ALL, node(1, "yes", simple("c", "equal", words[0])), node(2, "no", simple("c", "equal", words[1]))
    )
    text = fielded(LOGICAL.format(*words), '<MiningField name="c"/>', root)
    assert from_pmml(text).feature_names == ("c = True", "c = False")
    for values in ([True, False], ["true", "false"], ["TRUE", "FALSE"], [1, 0], np.array([True, False])):
        assert predicted(text, c=values) == ["yes", "no"]


def test_the_word_true_of_a_text_column_is_a_word():
    words = WORD.replace("red", "true").replace("blue", "false")
    root = node(0, "a", ALL, node(1, "yes", simple("c", "equal", "true")), node(2, "no", simple("c", "equal", "false")))
    text = fielded(words.format(""), '<MiningField name="c"/>', root)
    assert from_pmml(text).feature_names == ("c = true", "c = false")
    assert predicted(text, c=["true", "false"]) == ["yes", "no"]


def test_a_logical_column_that_r_compares_with_one_half():
    root = node(
        0, "a", ALL, node(1, "no", simple("c", "lessThan", 0.5)), node(2, "yes", simple("c", "greaterOrEqual", 0.5))
    )
    text = fielded(LOGICAL.format("TRUE", "FALSE"), '<MiningField name="c"/>', root)
    assert from_pmml(text).feature_names == ("c",)
    for values in ([True, False], ["TRUE", "FALSE"], [1, 0], np.array([True, False])):
        assert predicted(text, c=values) == ["yes", "no"]
