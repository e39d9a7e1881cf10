"""Test node statistics in the browser: formats and values equal Python's, and a declaration is enough for a new one."""

from base64 import b64encode

import numpy as np
import pytest

import sample_data
from tests.in_node import in_node
from treecore import TAOClassifier, TAORegressor
from treecore.rules.rule_set import rules
from treecore.statistics.declared import STATISTICS
from treecore.statistics.node_statistic import FORMATS, STAGE_FACES, NodeStatistic, in_face
from viz.nodes.node_contents import node_contents
from viz.payload.stage_payload import stage_payload

ASK = """
const [{ decode, inflate }, { documentOf, treeOf }, statistics] = await Promise.all(
  ["model/payload.js", "model/edited_tree.js", "model/node_statistics.js"].map(load));
const path = decode(await inflate(Buffer.from(value, "base64")));
const { trees: [tree] } = path;
const last = path.sets.length - 1;
const { FORMATS, statisticsIn, statisticOf, phrases, columnTitle } = statistics;
const names = (tree, set) => statisticsIn(tree, set, "table").map(({ name }) => name);
const nodes = Array.from({ length: tree.n }, (_, node) => node);
return {
  forms: Object.keys(FORMATS),
  shown: [names(tree, 0), names(tree, last)],
  titles: statisticsIn(tree, last, "table").map((one) => columnTitle(one, path)),
  values: path.statistics.map((one) => [one.name, nodes.map((node) => statisticOf(one, tree, last, node))]),
  words: nodes.map((node) => phrases(tree, last, node, "inspector")),
  bare: nodes.map((node) => phrases(tree, last, node, "leaf", true)),
  edited: names(treeOf(path, documentOf(tree, new Set())), last),
};
"""
EXCESS = NodeStatistic(
    "excess",
    help="Root of the rows above the mean of the leaf",
    formula="sqrt(rows - training_rows / 4) - -1",
    form="share",
    faces={"rules": "Excess", "files": "excess", "text": "excess {value}", "table": "excess", "leaf": "over {value}",
           "inspector": "excess {value} of {set}"},
)  # fmt: skip


def on_stage(tree, data, rows):
    return in_node(ASK, b64encode(stage_payload(tree, data, rows)).decode())


def example(name):
    data = sample_data.load(name)
    rows = np.arange(data.n_rows)
    parts = rows[rows % 3 > 0], rows[rows % 3 == 3], rows[rows % 3 == 0]
    make = TAOClassifier if data.target.values_are_groups else TAORegressor
    lam = 1.0 if data.target.values_are_groups else 20_000.0
    model = make("univariate", lam=lam, max_depth=3, random_state=0).fit(data.X[parts[0]], data.y[parts[0]])
    return model.tree_, data, parts


@pytest.mark.parametrize("name", ["iris", "diabetes"])
def test_values_and_words_are_those_of_python(name):
    tree, data, parts = example(name)
    found, contents = on_stage(tree, data, parts), node_contents(tree, data, parts[2])
    assert tree.n_leaves > 2
    assert set(found["forms"]) == FORMATS.keys()
    values = dict(found["values"])
    assert values.keys() == {
        one.name for face in STAGE_FACES for one in in_face(STATISTICS.values(), face, contents.target)
    }
    for statistic, of_nodes in values.items():
        told = [content.figures.statistics.get(statistic, np.nan) for content in contents.nodes]
        np.testing.assert_allclose(np.array(of_nodes, float), told, rtol=1e-12)
    for content, words, bare in zip(contents.nodes, found["words"], found["bare"], strict=True):
        told = contents.phrases("inspector", content.figures)
        assert [text.replace("the test rows", "the rows") for text in words] == told
        assert bare == contents.phrases("leaf", content.figures, is_bare=True)


def test_the_share_of_training_rows_is_shown_with_other_rows():
    found = on_stage(*example("iris"))
    assert found["shown"] == [["rows", "share", "loss", "error"], ["rows", "share", "training_share", "loss", "error"]]
    assert found["titles"] == ["rows", "share", "training share", "wrong", "error"]
    assert "training_share" in found["edited"]


def test_a_declaration_suffices(monkeypatch):
    tree, data, parts = example("iris")
    monkeypatch.setitem(STATISTICS, "excess", EXCESS)
    found, told = on_stage(tree, data, parts), rules(tree, data.X[parts[2]], data.labels()[parts[2]])
    assert found["shown"][0][-1] == "excess"
    assert found["words"][0][-1].startswith("excess ")
    for rule in told:
        value = np.sqrt(rule.n_rows - tree.n_samples[rule.leaf] / 4) + 1
        assert rule.statistics["excess"] == pytest.approx(value)
        assert found["bare"][rule.leaf][-1] == f"over {100 * value:.1f} %"
        assert f"excess {100 * value:.1f} %" in str(rule)
    assert told.to_csv().splitlines()[0].split(",")[7] == "excess"
    assert "excess" in told.to_latex()
    assert [one.name for one in told.statistics_in("rules")][-1] == "excess"
