"""Conversion of trees from PMML files (TreeModel, alone or in a MiningModel), without any package."""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import cached_property
from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

import numpy as np

from treecore.errors import DataError, ForeignWarning, TreeFormatError
from treecore.first_number import first_number
from treecore.foreign.file_content import file_content
from treecore.foreign.file_damage import report_damage
from treecore.foreign.foreign_model import ForeignModel
from treecore.foreign.foreign_nodes import ForeignNodes
from treecore.foreign.pmml_fields import PmmlFields, set_values
from treecore.messages import counted, joined, literal
from treecore.tree.tree import Tree
from treecore.tree.tree_json import MAX_NODES

# outcomes of a node apart from its children: go on with the next children, end with the prediction of the node, or end
# without a prediction
_FALLS, _STOPS, _NULL = -1, -2, -3
_STRATEGIES = ("none", "lastPrediction", "nullPrediction", "defaultChild", "weightedConfidence", "aggregateNodes")
_WITHOUT_CHILD = ("returnNullPrediction", "returnLastPrediction")
_FUNCTIONS = ("classification", "regression")
_SMALL = 1e-9  # weight of a leaf for which the file has no rows, because the weight of a leaf must be positive
_CASTS = {"round": lambda x: np.floor(x + 0.5), "ceiling": np.ceil, "floor": np.floor}


def from_pmml(model: Any, tree: int = 0) -> Tree:
    """Convert one tree of a PMML file (3.0 to 4.4), for example from sklearn2pmml, KNIME, SPSS or pmml for R.

    Rows without missing values go to the first child whose predicate is true. A node with more than two children, or
    with a predicate on a set of numbers, becomes several decision nodes. Each category of a column is a 0/1 feature.
    Missing values go where the missingValueStrategy of the file sends them. They are not supported if the file makes no
    prediction for them, combines several leaves, or uses surrogates. A category that no predicate contains goes to the
    last child, with a `ForeignWarning` if the file makes no prediction for it (`foreign_model(model).features` refuses
    such rows). `Tree.origin` contains the positions of the nodes in the file, and larger numbers for additional
    decision nodes. If the file does not store training rows, each leaf counts as one row.

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
    with report_damage("The PMML file"):
        return _model(pmml_elements(file_content(model, "a PMML model")))


def _model(root):
    trees, fields = list(root.iter("TreeModel")), PmmlFields(root)
    if not trees:
        kinds = [child.tag for child in root if child.tag.endswith("Model")]
        raise TreeFormatError(
            f"The PMML file contains {joined(kinds)[:60]}, which is not supported. Supported: TreeModel."
            if kinds
            else "The PMML file contains no model. Supported: TreeModel."
        )
    models = [child.tag for child in root if child.tag.endswith("Model")]
    alone = None
    if len(trees) > 1 or models != ["TreeModel"]:
        ways = [part.get("multipleModelMethod", "") for part in root.iter("Segmentation")]
        alone = f"The model combines its {len(trees):,} trees with other elements ({joined(ways or models)[:60]})."
    converted = [_PmmlTree(tree, fields) for tree in trees]
    check = converted[0].check if len(trees) == 1 else None
    return ForeignModel(
        "PMML", len(trees), fields.columns, alone, lambda number: converted[number].tree(), check=check
    )  # fmt: skip


class _PmmlTree:
    """TreeModel of a file, and the rows for which it makes no prediction."""

    def __init__(self, model: Element, fields: PmmlFields) -> None:
        self.model, self.fields = model, fields

    def tree(self) -> Tree:
        """Return the `Tree`. Warn of categories for which the file makes no prediction."""
        tree, uncovered = self._converted
        if uncovered:
            warnings.warn(
                (
                    f"The file makes no prediction for some categories of {joined(sorted(uncovered), 8)}, because no "
                    "predicate contains them. The tree sends them to the last child."
                ),
                ForeignWarning,
                stacklevel=4,
            )
        return tree

    def check(self, features: np.ndarray) -> None:
        """Raise DataError for rows for which the file makes no prediction. features : float64[n, d]."""
        tree, uncovered = self._converted
        if tree.missing_right is None and np.isnan(features).any():
            strategy = self.model.get("missingValueStrategy", "none")
            raise DataError(
                "X contains missing values, and for some missing values the file makes no prediction that a tree "
                f"can have (missingValueStrategy={literal(strategy)}). Fill or remove these values, or write the "
                "file with missingValueStrategy='defaultChild' or 'lastPrediction'."
            )
        if not uncovered:
            return
        full = _Growth(self.model, self.fields, is_full=True)
        all_rows = full.tree()
        rows = np.flatnonzero(np.isin(all_rows.origin[all_rows.apply(features)], list(full.null_ids)))
        if rows.size:
            raise DataError(
                f"The file makes no prediction for {counted(rows.size, 'row')} (first: {int(rows[0])}), because "
                f"no predicate contains a category of {joined(sorted(uncovered), 8)}. Remove these rows, or add "
                "noTrueChildStrategy='returnLastPrediction' to the file."
            )

    @cached_property
    def _converted(self):
        """Return the `Tree` and the fields with categories for which the file makes no prediction."""
        growth = _Growth(self.model, self.fields)
        tree = growth.tree()
        if growth.has_missing_alone and not growth.takes_missing:
            growth = _Growth(self.model, self.fields, takes_missing=False)
            tree = growth.tree()
        return tree, growth.uncovered


class _Growth:
    """Conversion of a TreeModel to decision nodes with two children each.

    A `Tree` has a prediction for every row. If the file makes none for missing values, they are not supported, and a
    category without a prediction goes to the last child. With `is_full`, such rows reach leaves of their own.
    """

    def __init__(self, model: Element, fields: PmmlFields, takes_missing: bool = True, is_full: bool = False) -> None:
        self.model, self.fields, self.is_full = model, fields, is_full
        self.strategy = _one_of(model, "missingValueStrategy", _STRATEGIES)
        self.returns_last = _one_of(model, "noTrueChildStrategy", _WITHOUT_CHILD) == "returnLastPrediction"
        self.takes_missing = takes_missing
        self.has_missing_alone = False  # whether a split only separates missing values from other values
        self.uncovered: set[str] = set()  # fields with categories for which the file makes no prediction
        self.null_ids: set[int] = set()  # ids of the leaves of rows without a prediction
        self.nodes: list[dict] = []
        self.ids = {element: place for place, element in enumerate(model.iter("Node"))}
        self._stack: list[tuple[int, Element, int]] = []

    def tree(self) -> Tree:
        """Return the whole tree."""
        root = self.model.find("Node")
        if root is None or not self.ids:
            raise TreeFormatError("The file is damaged: a TreeModel has no node.")
        if _predicate(root).tag != "True":
            raise TreeFormatError(
                "The root node has a predicate. Only trees whose root accepts every row are supported."
            )
        if self.model.get("isScorable", "true") == "false" or any(map(_has_model, self.ids)):
            raise TreeFormatError(
                "The TreeModel has isScorable='false' or contains other models in its nodes, so it does not make "
                "the predictions. Supported: TreeModel with scores in its nodes."
            )
        if self.model.get("functionName") not in _FUNCTIONS:
            function = self.model.get("functionName", "")
            raise TreeFormatError(
                f"functionName={literal(function, 40)} of the TreeModel: expected one of {joined(_FUNCTIONS)}."
            )
        self._reserve(root, 0)
        while self._stack:
            self._branch(*self._stack.pop())
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
            raise TreeFormatError(f"Leaf {self._node_id(leaf)} has no score. Add a number as the score of its Node.")
        return float(score)

    def _node_id(self, element):
        return element.get("id") or self.ids[element]

    def _new(self):
        """Return the index of a new node."""
        if len(self.nodes) >= MAX_NODES:
            raise TreeFormatError(f"The tree has more than {MAX_NODES:,} decision nodes, the maximum.")
        self.nodes.append({})
        return len(self.nodes) - 1

    def _reserve(self, element, start):
        """Reserve an index for a node that `_branch` fills later."""
        place = self._new()
        self._stack.append((place, element, start))
        return place

    def _branch(self, place, element, start):
        """Fill a reserved index with the split of a node on its children from `start` on."""
        children = _children(element)
        while True:
            if start == len(children):
                if self.returns_last or element.find("Node") is None:
                    self.nodes[place] |= {"leaf": element}
                elif self.is_full:
                    self.nodes[place] |= {"null": True}
                else:
                    raise TreeFormatError(
                        f"For some values, no child of node {self._node_id(element)} applies and the tree makes "
                        "no prediction, which is not supported."
                    )
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
        if is_category:
            known: Any = (*fields.categories(field), None)  # None for all other categories
        else:
            known = np.unique([x for one in same for x in one.numbers(fields)])
        truth = np.array([one.truth(fields, known) for one in same])
        outcomes = np.where((truth == 1).any(axis=0), (truth == 1).argmax(axis=0), _FALLS)
        cells, other = outcomes[:-1], None
        is_last = start + len(same) == len(children) and not self.returns_last
        missing = self._missing(truth[:, -1], element, start, children, same, known)
        replacement = fields.replacement(field)
        if replacement is not None:
            missing = int(cells[fields.cell(replacement, field, known)])
        if is_category:
            other = self._other(field, cells, known, missing)
            if is_last and not self.is_full:
                if _FALLS in (*cells[:-1].tolist(), other):
                    self.uncovered.add(fields.source(field))
                cells = np.where(cells == _FALLS, len(same) - 1, cells)
                other = len(same) - 1 if other == _FALLS else other
                missing = None if missing == _FALLS else missing
            cells = cells[:-1]
        if self.is_full and missing is None:
            missing = _NULL
        self.takes_missing &= missing is not None
        first_id = self.ids[element] if start == 0 else None

        def fill(place, outcome):
            if outcome == _FALLS:
                self._stack.append((place, element, start + len(same)))
            elif outcome == _STOPS:
                self.nodes[place] |= {"leaf": element, "is_extra": True}
            elif outcome == _NULL:
                self.nodes[place] |= {"null": True}
            else:
                self._stack.append((place, children[start + outcome], 0))

        def target(outcome):
            new = self._new()
            fill(new, outcome)
            return new

        reached = {*cells.tolist(), *(() if other is None else (other,))}
        if self.takes_missing and missing not in reached:  # child for missing values only
            self.has_missing_alone = True
            rest = self._new()
            feature = fields.columns.first[fields.column(field)]
            self.nodes[place] |= {
                "id": first_id, "feature": feature, "first": np.inf, "left": rest, "right": target(missing),
                "missing": True,
            }  # fmt: skip
            place, missing, first_id = rest, None, None
        if len(reached) == 1:
            fill(place, reached.pop())
            return
        self.nodes[place]["id"] = first_id
        if is_category:
            self._categories(place, field, cells, other, missing, target)
        else:
            self._numbers(place, field, known, cells, missing, target)

    def _other(self, field, cells, known, missing):
        """Return the outcome for categories that the file does not contain, None if it treats them as invalid."""
        treatment, replacement = self.fields.treatment(field)
        if treatment == "asIs" or not self.fields.values(self.fields.source(field)):
            return int(cells[-1])
        if treatment == "asValue":
            return int(cells[self.fields.cell(replacement, field, known)])
        return missing if treatment == "asMissing" else None

    def _missing(self, truth, element, start, children, same, known):
        """Return the outcome for missing values, or None if the file makes no prediction that a single leaf has."""
        if self.fields.refuses_missing(same[0].field) or any(one.has_surrogates for one in same):
            return None
        for k, value in enumerate(truth):
            if value == 1:
                return k
            if value == 0:
                continue
            if self.strategy == "lastPrediction":
                return _STOPS
            if self.strategy == "defaultChild":
                names, named = [child.get("id") for child in children[start:]], element.get("defaultChild")
                return names.index(named) if named is not None and named in names else None
            if self.strategy != "none" or same[k].is_ambiguous(self.fields, known):
                return None
        has_more = self.returns_last or start + len(same) < len(children)
        return _FALLS if has_more or self.is_full else None

    def _categories(self, place, field, cells, other, missing, target):
        """Add a chain of decision nodes: one for the first child, one for the second, and so on.

        other : outcome for categories that the file does not contain, or None. It is the last one.
        """
        column = self.fields.column(field)
        found = sorted({*cells.tolist()} - {other}, key=lambda one: (one < 0, one))
        found += [] if other is None else [other]
        for k, outcome in enumerate(found[:-1]):
            features = self.fields.columns.set_features(column, np.flatnonzero(cells == outcome))
            right = target(outcome)
            rest = target(found[-1]) if k == len(found) - 2 else self._new()
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
                    sides.append(self._new())
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
        self.null_ids = {int(ids[k]) for k, node in enumerate(nodes) if "null" in node}
        weights = [_weight(node) for node in nodes]
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
        classes = list(named) or [""]  # if no row has a prediction
        values, labels = np.zeros((len(elements), len(classes))), np.zeros(len(elements), np.int64)
        for k, element in enumerate(elements):
            if element is not None:
                values[k] = _shares(element, self._node_id(element), classes, lambda value: fields.text(value, target))
                score = element.get("score")
                labels[k] = values[k].argmax() if score is None else classes.index(fields.text(score, target))
            elif "null" in self.nodes[k]:
                values[k, :1] = 1.0
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
        raise TreeFormatError("The file is damaged: a node of the tree has no predicate.")
    return found


def _one_of(element, name, choices):
    """Return the value of an attribute, the first choice if it has none."""
    value = element.get(name, choices[0])
    if value not in choices:
        raise TreeFormatError(f"{name}={literal(value, 40)} of the TreeModel: expected one of {joined(choices)}.")
    return value


def _has_model(node):
    return any(part.tag in ("Regression", "DecisionTree") or part.tag.endswith("Model") for part in node)


def _weight(node):
    """Return the number of rows of a node: 0 for a split, and 1 for a leaf if the file does not store it."""
    if "leaf" not in node:
        return _SMALL if "null" in node else 0.0
    if "is_extra" in node:
        return _SMALL
    count, children = _count(node["leaf"]), [_count(child) for child in node["leaf"].findall("Node")]
    if children and count is not None and None not in children:  # rows that reach none of the children
        return max(count - sum(children), _SMALL)
    return count if count else 1.0


def _count(leaf):
    """Return the number of rows in a leaf, or None if the file does not store it."""
    counts = [one.get("recordCount") for one in leaf.findall("ScoreDistribution")]
    told = leaf.get("recordCount")
    if told is not None:
        return float(told)
    return sum(map(float, counts)) if counts and None not in counts else None


def _shares(leaf, called, classes, text):
    """Return the class probabilities of a leaf, float64[k]. Those in the file can differ from the counts."""
    shares, spread = np.zeros(len(classes)), leaf.findall("ScoreDistribution")
    names = ("probability", "recordCount", "confidence")
    name = next((one for one in names if spread and all(part.get(one) for part in spread)), names[1])
    for part in spread:
        shares[classes.index(text(part.get("value")))] += float(part.get(name) or 0)
    if not shares.sum() > 0:
        if leaf.get("score") is None:
            raise TreeFormatError(
                f"Leaf {called} has no score and no distribution. Add a class as the score of its Node, or add "
                "ScoreDistribution elements."
            )
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
        raise TreeFormatError(f"castInteger={literal(cast, 40)} of the Target: expected one of {joined(_CASTS)}.")
    return _CASTS[cast](scaled)


MOST_BYTES = 64 * 1024 * 1024


def pmml_elements(content: bytes) -> Element:
    """Return the root element of a file, with tags without namespaces.

    Raise TreeFormatError for files that are not XML or PMML, are too large, or have a document type (DTD), which could
    declare entities.
    """
    if len(content) > MOST_BYTES:
        raise TreeFormatError(
            f"The PMML file has {len(content):,} bytes (maximum {MOST_BYTES:,}). Save a smaller model."
        )
    builder, parser = TreeBuilder(), expat.ParserCreate()

    def refuse(*_):
        raise TreeFormatError(
            "The PMML file declares a document type (DTD), which is not supported for security. Remove the line "
            "<!DOCTYPE ...>."
        )

    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refuse
    parser.StartElementHandler = lambda name, attributes: builder.start(name.rpartition(":")[2], attributes)
    parser.EndElementHandler = lambda name: builder.end(name.rpartition(":")[2])
    parser.CharacterDataHandler = builder.data
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        raise TreeFormatError(f"The file is not XML, or is damaged: {error!s:.80}.") from None
    root = builder.close()
    if root.tag != "PMML":
        raise TreeFormatError(f"The file is XML with the root element {root.tag!r:.40}, not PMML.")
    return root


KINDS = ("True", "False", "SimplePredicate", "SimpleSetPredicate", "CompoundPredicate")
_COMPARED = {
    "equal": np.equal, "notEqual": np.not_equal, "lessThan": np.less, "lessOrEqual": np.less_equal,
    "greaterThan": np.greater, "greaterOrEqual": np.greater_equal,
}  # fmt: skip
_UNKNOWN = 0.5  # between false (0) and true (1), as in Kleene's logic


class PmmlPredicate:
    """Predicate of a node. field : the tested field, None if the predicate has the same value for all rows.

    For a surrogate, only the first predicate is used. The others apply to missing values, and has_surrogates is True.
    """

    def __init__(self, element: Element) -> None:
        self.element, self.has_surrogates = element, False
        fields = set()
        stack = [element]
        while stack:
            one = stack.pop()
            if one.tag == "CompoundPredicate":
                parts = [part for part in one if part.tag in KINDS]
                is_surrogate = one.get("booleanOperator") == "surrogate"
                self.has_surrogates |= is_surrogate
                stack += parts[:1] if is_surrogate else parts
            elif one.tag not in ("True", "False"):
                fields.add(one.get("field"))
        if len(fields) > 1:
            raise TreeFormatError(
                f"A predicate uses several fields ({joined(sorted(map(str, fields)))[:80]}). Only one field per "
                "predicate is supported."
            )
        self.field = next(iter(fields), None)

    def numbers(self, fields: PmmlFields) -> list[float]:
        """Numbers in the comparisons."""
        found = []
        for one in self.element.iter():
            if one.get("field") != self.field:  # part of a surrogate
                continue
            values = set_values(one) if one.tag == "SimpleSetPredicate" else [one.get("value")]
            found += [fields.number(value, self.field) for value in values if value is not None]
        if not np.isfinite(found).all():
            raise TreeFormatError(
                f"Invalid PMML: the predicate on field {self.field!r:.60} compares with a non-finite value."
            )
        return found

    def truth(self, fields: PmmlFields, known: np.ndarray | tuple) -> np.ndarray:
        """Return the truth value in each cell, then for a missing value: 0, 1 or 0.5 (unknown), float64[cells + 1].

        known : sorted numbers float64[m], which define 2 m + 1 cells (below the first number, the first number, between
        the first and the second, ...); or the categories, with one cell each, None for all other categories.
        """
        return _truth(self.element, fields, known, _UNKNOWN)

    def is_ambiguous(self, fields: PmmlFields, known: np.ndarray | tuple) -> bool:
        """Return whether the predicate is unknown for a missing value, but true if comparisons with it are false.

        The standard has both readings, for the strategy "none". They only differ for xor.
        """
        truth = (_truth(self.element, fields, known, unknown)[-1] for unknown in (_UNKNOWN, 0.0))
        return tuple(truth) == (_UNKNOWN, 1.0)


def _truth(element, fields, known, unknown):
    n_cells = len(known) if isinstance(known, tuple) else 2 * len(known) + 1
    if element.tag in ("True", "False"):
        return np.full(n_cells + 1, float(element.tag == "True"))
    if element.tag == "CompoundPredicate":
        parts = [part for part in element if part.tag in KINDS]
        operator = element.get("booleanOperator")
        if operator == "surrogate":
            return _truth(parts[0], fields, known, unknown)
        found = np.array([_truth(part, fields, known, unknown) for part in parts])
        if operator in ("and", "or"):
            return found.min(axis=0) if operator == "and" else found.max(axis=0)
        if operator != "xor":
            raise TreeFormatError(
                f"Unsupported operator {operator!r:.40} in a compound predicate. Supported: and, or, xor, surrogate."
            )
        return np.where((found == _UNKNOWN).any(axis=0), _UNKNOWN, found.sum(axis=0) % 2)
    operator = element.get("operator") if element.tag == "SimplePredicate" else element.get("booleanOperator")
    if operator in ("isMissing", "isNotMissing"):
        is_missing = np.arange(n_cells + 1) == n_cells
        return (is_missing == (operator == "isMissing")).astype(np.float64)
    return np.append(_compared(element, operator, fields, known, n_cells), unknown)


def _compared(element, operator, fields, known, n_cells):
    """Return the truth value of a comparison or set predicate in each cell, float64[cells]."""
    field = element.get("field")
    if element.tag == "SimpleSetPredicate":
        values = set_values(element)
        if operator not in ("isIn", "isNotIn"):
            raise TreeFormatError(
                f"Unsupported operator {operator!r:.40} in a set predicate. Supported: isIn, isNotIn."
            )
        is_in = np.isin(np.arange(n_cells), [fields.cell(value, field, known) for value in values])
        return (is_in == (operator == "isIn")).astype(np.float64)
    if operator not in _COMPARED or isinstance(known, tuple) and operator not in ("equal", "notEqual"):
        raise TreeFormatError(
            f"Unsupported operator {operator!r:.40} on field {field!r:.60}. Supported: {joined(_COMPARED)} for "
            "numbers, equal and notEqual for categories."
        )
    return _COMPARED[operator](np.arange(n_cells), fields.cell(element.get("value"), field, known)).astype(np.float64)
