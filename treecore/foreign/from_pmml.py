"""Conversion of trees from PMML files (TreeModel, alone or in a MiningModel), without any package."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from xml.etree.ElementTree import Element

import numpy as np

from treecore.errors import TreeFormatError
from treecore.first_number import first_number
from treecore.foreign.file_content import file_content
from treecore.foreign.file_damage import report_damage
from treecore.foreign.foreign_model import ForeignModel
from treecore.foreign.foreign_nodes import ForeignNodes
from treecore.foreign.messages import MESSAGES
from treecore.foreign.pmml_elements import pmml_elements
from treecore.foreign.pmml_fields import PmmlFields
from treecore.foreign.pmml_predicate import KINDS, PmmlPredicate
from treecore.tree.tree import Tree
from treecore.tree.tree_json import MAX_NODES

_FALLS = -1  # outcome if no predicate is true
_CASTS = {"round": lambda x: np.floor(x + 0.5), "ceiling": np.ceil, "floor": np.floor}


def from_pmml(model: Any, tree: int = 0) -> Tree:
    """Convert one tree of a PMML file (3.0 to 4.4), for example from sklearn2pmml, KNIME, SPSS or pmml for R.

    Rows without missing values go to the first child whose predicate is true. A node with more than two children, or
    with a predicate on a set of numbers, becomes several decision nodes. Each category of a column is a 0/1 feature.
    Missing values go where the file sends them. They are not supported if the file makes no prediction for them,
    combines several leaves, or uses surrogates. A category that no predicate contains goes to the last child.
    `Tree.origin` contains the positions of the nodes in the file, and larger numbers for additional decision nodes. If
    the file does not store training rows, each leaf counts as one row.

    Parameters
    ----------
    model : path, bytes or str
        The file.
    tree : int, default=0
        Number of the TreeModel, in file order.

    Returns
    -------
    Tree
        The converted tree.

    Raises
    ------
    ParameterError
        If `model` is not a file.
    TreeFormatError
        If the file is damaged, contains another model, a document type, computed columns or predicates on several
        columns, or makes no prediction for some numbers.

    See Also
    --------
    from_onnx : Converts a tree of an ONNX file.

    Examples
    --------
    >>> from treecore import from_pmml
    >>> text = '''<PMML version="4.4" xmlns="http://www.dmg.org/PMML-4_4"><Header/><DataDictionary>
    ...   <DataField name="x" optype="continuous" dataType="double"/>
    ...   <DataField name="y" optype="categorical" dataType="string"><Value value="a"/><Value value="b"/></DataField>
    ... </DataDictionary><TreeModel functionName="classification" splitCharacteristic="binarySplit"><MiningSchema>
    ...   <MiningField name="x"/><MiningField name="y" usageType="target"/></MiningSchema><Node score="a"><True/>
    ...   <Node score="a"><SimplePredicate field="x" operator="lessOrEqual" value="2"/></Node>
    ...   <Node score="b"><SimplePredicate field="x" operator="greaterThan" value="2"/></Node>
    ... </Node></TreeModel></PMML>'''
    >>> print(from_pmml(text))
    x <= 2: a (1 row)
    x > 2: b (1 row)
    """
    return pmml_model(model).tree(tree)


def pmml_model(model: Any) -> ForeignModel:
    """Return the `ForeignModel` of a file that `from_pmml` supports."""
    with report_damage(MESSAGES("pmml.file")):
        return _model(pmml_elements(file_content(model, MESSAGES("pmml.accepted"))))


def _model(root):
    trees, fields = list(root.iter("TreeModel")), PmmlFields(root)
    if not trees:
        kinds = [child.tag for child in root if child.tag.endswith("Model")]
        raise TreeFormatError(MESSAGES("pmml.other_model" if kinds else "pmml.no_model", kinds=kinds))
    alone = None
    if len(trees) > 1 or root.find("TreeModel") is None:
        ways = [part.get("multipleModelMethod", "") for part in root.iter("Segmentation")]
        alone = MESSAGES("pmml.joins_trees", n_trees=len(trees), ways=ways)
    return ForeignModel("PMML", len(trees), fields.columns, alone, lambda number: _Growth(trees[number], fields).tree())


class _Growth:
    """Conversion of a TreeModel to decision nodes with two children each."""

    def __init__(self, model: Element, fields: PmmlFields, takes_missing: bool = True) -> None:
        self.model, self.fields = model, fields
        self.strategy = model.get("missingValueStrategy", "none")
        self.returns_last = model.get("noTrueChildStrategy", "returnNullPrediction") == "returnLastPrediction"
        self.takes_missing = takes_missing and not fields.replaces_missing
        self.has_missing_alone = False  # whether a split only separates missing values from other values
        self.nodes: list[dict] = []
        self.ids = {element: place for place, element in enumerate(model.iter("Node"))}
        self._stack: list[tuple[int, Element, int]] = []

    def tree(self) -> Tree:
        """Return the whole tree."""
        root = self.model.find("Node")
        if root is None or not self.ids:
            raise TreeFormatError(MESSAGES("pmml.no_node"))
        if _predicate(root).tag != "True":
            raise TreeFormatError(MESSAGES("pmml.root_predicate"))
        self._reserve(root, 0)
        while self._stack:
            self._branch(*self._stack.pop())
        if self.has_missing_alone and not self.takes_missing:
            return _Growth(self.model, self.fields, takes_missing=False).tree()
        nodes, record = self._foreign_nodes(), self.nodes
        elements = [node.get("leaf") for node in record]
        if self.model.get("functionName") == "regression":
            outputs = [0.0 if element is None else self._score(element) for element in elements]
            return nodes.regression(_of_target(np.array(outputs), self.model.find("Targets/Target")))
        return self._classification(nodes, elements)

    def _score(self, leaf):
        """Return the prediction of a leaf of a regression tree."""
        score = leaf.get("score")
        if score is None:
            raise TreeFormatError(MESSAGES("pmml.leaf_without_number", leaf=self._node_id(leaf)))
        return float(score)

    def _node_id(self, element):
        return element.get("id") or self.ids[element]

    def _reserve(self, element, start):
        """Reserve an index for a node that `_branch` fills later."""
        if len(self.nodes) >= MAX_NODES:
            raise TreeFormatError(MESSAGES("pmml.too_many_nodes", most=MAX_NODES))
        self.nodes.append({})
        self._stack.append((len(self.nodes) - 1, element, start))
        return len(self.nodes) - 1

    def _branch(self, place, element, start):
        """Fill a reserved index with the split of a node on its children from `start` on."""
        children = _children(element)
        while True:
            if start == len(children):
                if children and not self.returns_last:
                    raise TreeFormatError(MESSAGES("pmml.no_branch", node=self._node_id(element)))
                self.nodes[place] |= {"leaf": element}
                return
            predicate = PmmlPredicate(_predicate(children[start]))
            if predicate.field is not None:
                break
            if predicate.truth(self.fields, ())[0]:
                element, children, start = children[start], _children(children[start]), -1
            start += 1
        same = [predicate]
        for child in children[start + 1 :]:
            following = PmmlPredicate(_predicate(child))
            if following.field != predicate.field:
                break
            same.append(following)
        self._split(place, element, start, children, same)

    def _split(self, place, element, start, children, same):
        """Add the decision nodes for children that test the same column."""
        field, fields = same[0].field, self.fields
        is_category = fields.is_category(field)
        known = fields.categories(field) if is_category else np.unique([x for one in same for x in one.numbers])
        truth = np.array([one.truth(fields, known) for one in same])
        is_last = start + len(same) == len(children)
        outcomes = np.where((truth == 1).any(axis=0), (truth == 1).argmax(axis=0), _FALLS)
        cells = outcomes[:-1]
        if is_category and is_last and not self.returns_last:
            cells = np.where(cells == _FALLS, len(same) - 1, cells)
        missing = self._missing(truth[:, -1], element, start, children, cells)
        self.takes_missing &= missing is not None and not any(one.has_surrogates for one in same)
        first_id = self.ids[element] if start == 0 else None

        def target(outcome):
            if outcome == _FALLS:
                return self._reserve(element, start + len(same))
            return self._reserve(children[start + outcome], 0)

        if self.takes_missing and missing not in cells:  # child for missing values only
            self.has_missing_alone = True
            rest = len(self.nodes)
            self.nodes.append({})
            feature = fields.columns.first[fields.column(field)]
            self.nodes[place] |= {
                "id": first_id, "feature": feature, "first": np.inf, "left": rest, "right": target(missing),
                "missing": True,
            }  # fmt: skip
            place, missing, first_id = rest, None, None
        if len(set(cells.tolist())) == 1:
            falls = cells[0] == _FALLS
            self._stack.append((place, element, start + len(same)) if falls else (place, children[start + cells[0]], 0))
            return

        self.nodes[place]["id"] = first_id
        if is_category:
            self._categories(place, field, cells, missing, target)
        else:
            self._numbers(place, field, known, cells, missing, target)

    def _missing(self, truth, element, start, children, cells):
        """Return the outcome for missing values, or None if no single leaf has the prediction of the file."""
        for k, value in enumerate(truth):
            if value == 1:
                return k
            if value and self.strategy == "defaultChild":
                ids = [child.get("id") for child in children[start : start + truth.size]]
                named = element.get("defaultChild")
                return ids.index(named) if named in ids else None
            if value and self.strategy != "none":
                return None
        has_more = self.returns_last or _predicate(children[-1]).tag == "True"
        return _FALLS if _FALLS in cells or has_more else None

    def _categories(self, place, field, cells, missing, target):
        """Add a chain of decision nodes: one for the first child, one for the second, and so on."""
        column = self.fields.column(field)
        found = list(dict.fromkeys(sorted(cells.tolist(), key=lambda one: (one == _FALLS, one))))
        for k, outcome in enumerate(found[:-1]):
            features = self.fields.columns.set_features(column, np.flatnonzero(cells == outcome))
            right = target(outcome)
            if k == len(found) - 2:
                rest = target(found[-1])
            else:
                self.nodes.append({})
                rest = len(self.nodes) - 1
            self.nodes[place] |= {"set": features, "left": rest, "right": right, "missing": missing == outcome}
            place = rest

    def _numbers(self, place, field, known, cells, missing, target):
        """Add thresholds between the runs of cells with the same outcome, as a balanced tree."""
        feature, rounding = self.fields.columns.first[self.fields.column(field)], self.fields.rounding(field)
        limits = np.repeat(known, 2)
        with_equal = np.arange(limits.size) % 2 == 0
        cuts = first_number(lambda x: np.where(with_equal, rounding(x) >= limits, rounding(x) > limits), limits.size)
        starts = np.flatnonzero(np.append(True, cells[1:] != cells[:-1]))
        stack = [(place, 0, len(starts))]
        while stack:
            place, low, high = stack.pop()
            middle = (low + high) // 2
            goes_right = missing is not None and missing in cells[starts[middle:high]]
            sides = []
            for first, last in ((low, middle), (middle, high)):
                if last - first == 1:
                    sides.append(target(int(cells[starts[first]])))
                else:
                    self.nodes.append({})
                    sides.append(len(self.nodes) - 1)
                    stack.append((sides[-1], first, last))
            self.nodes[place] |= {
                "feature": feature, "first": cuts[starts[middle] - 1], "left": sides[0], "right": sides[1],
                "missing": goes_right,
            }  # fmt: skip

    def _foreign_nodes(self):
        nodes, n = self.nodes, len(self.nodes)
        ids, beyond = np.empty(n, np.int64), len(self.ids)
        taken = set()
        for k, node in enumerate(nodes):
            own = self.ids[node["leaf"]] if "leaf" in node else node.get("id")
            if own is None or own in taken:
                own, beyond = beyond, beyond + 1
            taken.add(own)
            ids[k] = own
        weights = [_weight(node["leaf"]) if "leaf" in node else 0.0 for node in nodes]
        found = ForeignNodes(
            left=np.array([node.get("left", -1) for node in nodes]),
            right=np.array([node.get("right", -1) for node in nodes]),
            features=np.array([node.get("feature", 0) for node in nodes]),
            first=np.array([node.get("first", 0.0) for node in nodes], np.float64),
            missing_right=np.array([node.get("missing", False) for node in nodes]) if self.takes_missing else None,
            weights=np.array(weights, np.float64),
            ids=ids,
            n_features=self.fields.columns.first[-1],
            feature_names=self.fields.columns.feature_names,
            sets={k: node["set"] for k, node in enumerate(nodes) if "set" in node},
        )
        found.weights[:] = found.sums(found.weights[:, None])[:, 0]
        return replace(found, n_samples=found.weights)

    def _classification(self, nodes, elements):
        fields = self.fields
        schema = self.model.findall("MiningSchema/MiningField")
        target = next((field.get("name") for field in schema if field.get("name") in fields.targets), None)
        leaves = [element for element in elements if element is not None]
        named = {} if target is None else dict.fromkeys(fields.values(target))
        for element in leaves:
            named |= dict.fromkeys(
                fields.text(one.get("value"), target) for one in element.findall("ScoreDistribution")
            )
            named |= {} if element.get("score") is None else {fields.text(element.get("score"), target): None}
        classes = list(named)
        values, labels = np.zeros((len(elements), len(classes))), np.zeros(len(elements), np.int64)
        for k, element in enumerate(elements):
            if element is not None:
                values[k] = _shares(element, self._node_id(element), classes, lambda value: fields.text(value, target))
                score = element.get("score")
                labels[k] = values[k].argmax() if score is None else classes.index(fields.text(score, target))
        values *= np.where(nodes.left < 0, nodes.weights, 0.0)[:, None]
        values = nodes.sums(values)
        labels = np.where(nodes.left < 0, labels, values.argmax(axis=1))
        are_whole = fields.data_type(target) == "integer"
        return nodes.classification(values, [int(name) for name in classes] if are_whole else classes, labels)


def _children(node):
    """Return the children of a node that rows can reach."""
    return [child for child in node.findall("Node") if _predicate(child).tag != "False"]


def _predicate(node):
    found = next((part for part in node if part.tag in KINDS), None)
    if found is None:
        raise TreeFormatError(MESSAGES("pmml.no_predicate"))
    return found


def _weight(leaf):
    """Return the number of rows in a leaf, 1 if the file does not store it."""
    counts = [one.get("recordCount") for one in leaf.findall("ScoreDistribution")]
    told = leaf.get("recordCount")
    weight = float(told) if told is not None else sum(float(count) for count in counts if count is not None)
    return weight if weight > 0 else 1.0


def _shares(leaf, called, classes, text):
    """Return the class probabilities of a leaf, float64[k]. Those in the file can differ from the counts."""
    shares, spread = np.zeros(len(classes)), leaf.findall("ScoreDistribution")
    names = ("probability", "recordCount", "confidence")
    name = next((one for one in names if spread and all(part.get(one) for part in spread)), names[1])
    for part in spread:
        shares[classes.index(text(part.get("value")))] += float(part.get(name) or 0)
    if not shares.sum() > 0:
        if leaf.get("score") is None:
            raise TreeFormatError(MESSAGES("pmml.leaf_without_class", leaf=called))
        shares[classes.index(text(leaf.get("score")))] = 1.0
    return shares / shares.sum()


def _of_target(outputs, target):
    """Apply the limits, the scale and the rounding of a Target element, in this order, and return float64[m]."""
    if target is None:
        return outputs
    limits = float(target.get("min", -np.inf)), float(target.get("max", np.inf))
    scaled = np.clip(outputs, *limits) * float(target.get("rescaleFactor", 1)) + float(target.get("rescaleConstant", 0))
    cast = target.get("castInteger")
    if cast is None:
        return scaled
    if cast not in _CASTS:
        raise TreeFormatError(MESSAGES("pmml.cast", cast=cast, casts=_CASTS))
    return _CASTS[cast](scaled)
