"""Read PMML trees slowly and obviously: row by row, child by child, with three truth values."""

import math
import re
from xml.etree import ElementTree

STOPPED = "stopped"
WORD = re.compile(r'"([^"]*)"|(\S+)')


def _children(element, *tags):
    return [child for child in element if child.tag.rpartition("}")[2] in tags]


PREDICATES = ("True", "False", "SimplePredicate", "SimpleSetPredicate", "CompoundPredicate")


def truth(predicate, row, is_number):
    """Return the truth of a predicate: True, False or None (unknown).

    row : {field: number, text or None}.
    """
    kind = predicate.tag.rpartition("}")[2]
    if kind in ("True", "False"):
        return kind == "True"
    if kind == "CompoundPredicate":
        found = [truth(part, row, is_number) for part in _children(predicate, *PREDICATES)]
        operator = predicate.get("booleanOperator")
        if operator == "surrogate":
            return next((one for one in found if one is not None), None)
        if operator == "and":
            return False if False in found else None if None in found else True
        if operator == "or":
            return True if True in found else None if None in found else False
        return None if None in found else sum(found) % 2 == 1
    value, name = row[predicate.get("field")], predicate.get("field")
    read = float if is_number(name) else str
    if kind == "SimpleSetPredicate":
        if value is None:
            return None
        members = [read(quoted or bare) for quoted, bare in WORD.findall(_children(predicate, "Array")[0].text)]
        return (value in members) == (predicate.get("booleanOperator") == "isIn")
    operator = predicate.get("operator")
    if operator == "isMissing":
        return value is None
    if operator == "isNotMissing":
        return value is not None
    if value is None:
        return None
    other = read(predicate.get("value"))
    return {
        "equal": lambda: value == other, "notEqual": lambda: value != other, "lessThan": lambda: value < other,
        "lessOrEqual": lambda: value <= other, "greaterThan": lambda: value > other,
        "greaterOrEqual": lambda: value >= other,
    }[operator]()  # fmt: skip


def score(text, row):
    """Return the prediction of the first TreeModel in a file for a row, as text, or None if it has none.

    Returns STOPPED if a branch is unknown and the file has no child for this case.
    """
    root = ElementTree.fromstring(text)
    model = next(one for one in root.iter() if one.tag.rpartition("}")[2] == "TreeModel")
    numbers = {
        field.get("name")
        for field in root.iter()
        if field.tag.rpartition("}")[2] == "DataField" and field.get("optype") == "continuous"
    }
    node, strategy = _children(model, "Node")[0], model.get("missingValueStrategy", "none")
    while children := _children(node, "Node"):
        chosen = None
        for child in children:
            found = truth(_children(child, *PREDICATES)[0], row, numbers.__contains__)
            if found is None and strategy == "defaultChild":
                chosen = next(one for one in children if one.get("id") == node.get("defaultChild"))
            elif found is None and strategy != "none":
                return STOPPED
            elif found:
                chosen = child
            if chosen is not None:
                break
        if chosen is None:
            return node.get("score") if model.get("noTrueChildStrategy") == "returnLastPrediction" else None
        node = chosen
    return node.get("score") if model.get("functionName") == "classification" else of_target(model, node.get("score"))


def of_target(model, said):
    """Return the number of a leaf, transformed by the first Target of its model."""
    targets, value = _children(model, "Targets"), float(said)
    if not targets:
        return said
    target = _children(targets[0], "Target")[0].attrib
    if "min" in target and value < float(target["min"]):
        value = float(target["min"])
    if "max" in target and value > float(target["max"]):
        value = float(target["max"])
    value = value * float(target.get("rescaleFactor", "1")) + float(target.get("rescaleConstant", "0"))
    cast = {"round": lambda x: math.floor(x + 0.5), "ceiling": math.ceil, "floor": math.floor}
    return str(cast[target["castInteger"]](value) if "castInteger" in target else value)
