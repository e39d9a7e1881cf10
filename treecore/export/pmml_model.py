"""Export as a PMML TreeModel."""

from collections.abc import Iterable
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import numpy as np

from treecore.artifact import artifact
from treecore.errors import ParameterError
from treecore.export.checks import check_columns, class_labels, columns_of, node_labels, plain_number
from treecore.export.pmml_inputs import PmmlInputs, apply, constant, element, supported
from treecore.export.thresholds import threshold
from treecore.foreign.fitted_tree import as_tree
from treecore.tables.table_columns import TableColumns
from treecore.tree.tree import Tree
from treecore.version import VERSION

MOST_DEPTH = 400  # deeper elements exceed the stack of XML programs
_TERMS = 50  # terms of a sum in one expression, which limits the nesting
_TYPES = {str: "string", bool: "boolean", int: "integer", float: "double"}
_LARGEST = 2**63 - 1
_OPERATORS = {">=": "greaterOrEqual", "<=": "lessOrEqual", "<": "lessThan", ">": "greaterThan"}


@artifact(
    "Model", "PMML", "pmml", "application/xml", takes=("columns", "target_name"),
    about="a PMML 4.4 TreeModel with class probabilities; dates are days since 1970-01-01",
)  # fmt: skip
def pmml(tree: Tree, columns: TableColumns | None = None, target_name: str = "") -> str:
    """Return a PMML 4.4 file (TreeModel) with the predictions of the tree.

    The file contains the features that the tree uses. Its outputs are ``prediction`` and, for each class,
    ``probability(class)``. A missing value goes to the default child. If the tree was trained without missing values,
    a row has no prediction if it reaches a split with a missing value.

    Parameters
    ----------
    tree : Tree or fitted model
        Tree, or a fitted estimator or pipeline.
    columns : TableColumns or None, default=None
        Columns of the user's table. None uses the columns of a fitted estimator that encoded text columns, if any. With
        columns, categories are text, and splits on them are sets of values. A date is a field of days since
        1970-01-01.
    target_name : str, default=''
        Name of the predicted column, which names the target field. The default name is ``target``.

    Returns
    -------
    str
        The file, to save in UTF-8.

    Raises
    ------
    ParameterError
        If `tree` is not a tree, has linear leaves or more than 400 levels, or if `columns` does not match it. If two
        features have the same name. If a name, category or label is empty or contains a character that XML does not
        support. If a label is infinite, a whole number above 2**63 - 1, or of another type.

    See Also
    --------
    treecore.from_pmml : Reads trees from PMML files.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import CARTClassifier, export, from_pmml
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> tree = CARTClassifier(random_state=0).fit(X, y).tree_
    >>> from_pmml(export.pmml(tree)).n_nodes == tree.n_nodes
    True
    """
    columns = columns_of(tree) if columns is None else columns
    tree = as_tree(tree)
    columns = check_columns(tree, columns)
    tree.leaf_model.require("pmml", ParameterError)
    if tree.depth > MOST_DEPTH:
        raise ParameterError(
            f"PMML export supports at most {MOST_DEPTH} levels; the tree has {tree.depth}. Choose another format."
        )
    inputs, labels = PmmlInputs(tree, columns), class_labels(tree, _LARGEST)
    texts = [_label_text(label) for label in labels]
    target = _free(supported(target_name or "target", "target name"), inputs.names)
    root = element("PMML", version="4.4", xmlns="http://www.dmg.org/PMML-4_4")
    root.append(element("Header", element("Application", name="treecore", version=VERSION)))
    optype, kind = ("categorical", _TYPES[type(labels[0])]) if labels else ("continuous", "double")
    values = (element("Value", value=text) for text in texts)
    fields = [*inputs.data_fields(), element("DataField", *values, name=target, optype=optype, dataType=kind)]
    root.append(element("DataDictionary", *fields, numberOfFields=str(len(fields))))
    model = SubElement(
        root,
        "TreeModel",
        functionName="classification" if labels else "regression",
        missingValueStrategy="nullPrediction" if tree.missing_right is None else "defaultChild",
        splitCharacteristic="binarySplit",
    )
    goal = element("MiningField", name=target, usageType="target")
    model.append(element("MiningSchema", *inputs.mining_fields(), goal))
    model.append(element("Output", *_outputs(texts, optype, kind, [*inputs.names, target])))
    derived: list[Element] = []
    nodes = _nodes(tree, texts, inputs, derived)
    if derived:
        model.append(element("LocalTransformations", *derived))
    model.append(nodes)
    indent(root, " ")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, "unicode")}\n'


def _label_text(label):
    return str(label).lower() if isinstance(label, bool) else supported(str(label), "class label")


def _free(name: str, taken: Iterable[str]) -> str:
    """Return `name`, with underscores if it is already taken."""
    while name in taken:
        name += "_"
    return name


def _outputs(texts, optype, kind, taken):
    name = _free("prediction", taken)
    yield element("OutputField", name=name, optype=optype, dataType=kind, feature="predictedValue")
    for text in texts:
        more = {"optype": "continuous", "dataType": "double", "feature": "probability", "value": text}
        yield element("OutputField", name=_free(f"probability({text})", [*taken, name]), **more)


def _nodes(tree, texts, inputs, derived):
    """Return the root Node, and add the DerivedFields of its splits to `derived`."""
    predictions, shares = node_labels(tree, _LARGEST), tree.target.shares(tree)
    found = [element("Node", id=str(node), recordCount=str(n)) for node, n in enumerate(tree.n_samples.tolist())]
    found[0].append(Element("True"))
    for node, at in enumerate(found):
        if tree.is_leaf(node):
            at.set("score", repr(plain_number(predictions[node])) if shares is None else _label_text(predictions[node]))
            if shares is not None:
                at.extend(_distribution(texts, tree.values[node].tolist(), shares[node].tolist()))
            continue
        children = int(tree.left[node]), int(tree.right[node])
        if tree.missing_right is not None:
            at.set("defaultChild", str(children[int(tree.missing_right[node])]))
        for child, predicate in zip(children, _predicates(tree, node, inputs, derived), strict=True):
            found[child].append(predicate)
            at.append(found[child])
    return found[0]


def _distribution(texts, counts, shares):
    for text, count, share in zip(texts, counts, shares, strict=True):
        known = {"recordCount": repr(int(count) if count.is_integer() else count), "probability": repr(share)}
        yield element("ScoreDistribution", value=text, **known)


def _predicates(tree, node, inputs, derived):
    """Return the predicates of the left and the right child."""
    features, weights, bias = tree.split(node)
    column = inputs.text_column(features)
    if column is not None:
        margins = np.full(len(inputs.coded(column, features)), bias)
        for weight, values in zip(weights.tolist(), inputs.coded(column, features).T, strict=True):
            margins += weight * values
        goes_right = margins >= 0
        if goes_right.all() or not goes_right.any():
            return _constant(tree, node, inputs.name(column), goes_right[0])
        others_right = column.kind == "category" and goes_right[-1]
        listed = [value for value, right in zip(column.values, goes_right, strict=False) if right != others_right]
        sides = (_members(inputs.name(column), listed, is_in) for is_in in (others_right, not others_right))
        return tuple(sides)
    single = threshold(tree, node)
    if single is not None:
        name = inputs.name(inputs.column(single.feature))
        return tuple(_compared(name, _OPERATORS[single.operator(right)], single.value) for right in (False, True))
    if features.size <= 1:
        name = inputs.name(inputs.column(int(features[0]))) if features.size else None
        return _constant(tree, node, name, bias >= 0)
    name = _sum(tree, node, inputs, derived)
    return _compared(name, "lessThan", 0.0), _compared(name, "greaterOrEqual", 0.0)


def _compared(field, operator, value):
    return element("SimplePredicate", field=field, operator=operator, value=repr(value))


def _constant(tree, node, name, goes_right):
    """Return the predicates of a split that sends all values of a field (None: all rows) to one side."""
    if name is None or tree.missing_right is None or tree.missing_right[node] == goes_right:
        return (Element("False"), Element("True")) if goes_right else (Element("True"), Element("False"))
    operators = ("isMissing", "isNotMissing") if goes_right else ("isNotMissing", "isMissing")
    return tuple(element("SimplePredicate", field=name, operator=operator) for operator in operators)


def _members(field, values, is_in):
    """Return the predicate that a field has, or does not have, one of some texts.

    Programs differ in how they read quotes and backslashes in an array, so such texts are compared one by one.
    """
    values = [supported(value, "category") for value in values]
    operator = "equal" if is_in else "notEqual"
    one_by_one = [element("SimplePredicate", field=field, operator=operator, value=value) for value in values]
    if len(values) == 1:
        return one_by_one[0]
    if any(character in value for value in values for character in '"\\'):
        return element("CompoundPredicate", *one_by_one, booleanOperator="or" if is_in else "and")
    array = element("Array", n=str(len(values)), type="string")
    array.text = " ".join(f'"{value}"' for value in values)
    return element("SimpleSetPredicate", array, field=field, booleanOperator="isIn" if is_in else "isNotIn")


def _sum(tree, node, inputs, derived):
    """Add DerivedFields for the margin, summed in the order of `Tree.predict`, and return the name of the last one."""
    features, weights, bias = tree.split(node)
    total = constant(plain_number(bias))
    names = {*inputs.names, *(field.get("name") for field in derived)}
    for start in range(0, features.size, _TERMS):
        part = slice(start, start + _TERMS)
        for feature, weight in zip(features[part].tolist(), weights[part].tolist(), strict=True):
            total = apply("+", total, apply("*", constant(weight), inputs.expression(feature)))
        name = _free(f"split {node}" if start == 0 else f"split {node}, {start // _TERMS + 1}", names)
        names.add(name)
        derived.append(element("DerivedField", total, name=name, optype="continuous", dataType="double"))
        total = element("FieldRef", field=name)
    return name
