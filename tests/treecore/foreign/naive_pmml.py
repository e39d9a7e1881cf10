"""Read PMML trees slowly and obviously: row by row, child by child, with three truth values."""

import math
import re
import struct
from xml.etree import ElementTree

REFUSED = "refused"
WORD = re.compile(r'"([^"]*)"|(\S+)')


def _children(element, *tags):
    return [child for child in element if child.tag.rpartition("}")[2] in tags]


PREDICATES = ("True", "False", "SimplePredicate", "SimpleSetPredicate", "CompoundPredicate")


def single(value):
    """Return a number in single precision."""
    return struct.unpack("f", struct.pack("f", float(value)))[0]


def truth(predicate, row, types):
    """Return the truth of a predicate: True, False or None (unknown).

    row : {field: number, text or None}; types : function of a field that reads a value of the file.
    """
    kind = predicate.tag.rpartition("}")[2]
    if kind in ("True", "False"):
        return kind == "True"
    if kind == "CompoundPredicate":
        found = [truth(part, row, types) for part in _children(predicate, *PREDICATES)]
        operator = predicate.get("booleanOperator")
        if operator == "surrogate":
            return next((one for one in found if one is not None), None)
        if operator == "and":
            return False if False in found else None if None in found else True
        if operator == "or":
            return True if True in found else None if None in found else False
        return None if None in found else sum(found) % 2 == 1
    value, name = row[predicate.get("field")], predicate.get("field")
    read = types(name)
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


def prepared(root, row, types):
    """Return a row with its invalid and missing values treated, or REFUSED if the file does not allow such a row."""
    used = {one.get("name"): one for one in root.iter() if one.tag.rpartition("}")[2] == "MiningField"}
    compared = {one.get("field") for one in root.iter() if one.tag.rpartition("}")[2].startswith("Simple")}
    found = {}
    for field in root.iter():
        if field.tag.rpartition("}")[2] != "DataField" or field.get("name") not in row:
            continue
        name, treated, listed = field.get("name"), used[field.get("name")], _children(field, "Value")
        read, value = types[name], row[name]
        valid = [read(one.get("value")) for one in listed if one.get("property", "valid") == "valid"]
        if any(value == read(one.get("value")) for one in listed if one.get("property") == "missing"):
            value = None
        if value is not None:
            value = read(value)
            limits = _children(field, "Interval")
            inside = all(float(one.get("leftMargin")) <= value <= float(one.get("rightMargin")) for one in limits)
            if name in compared and ((valid and value not in valid) or not inside):
                treatment = treated.get("invalidValueTreatment", "returnInvalid")
                if treatment == "returnInvalid":
                    return REFUSED
                replacement = treated.get("invalidValueReplacement")
                value = {"asIs": value, "asMissing": None, "asValue": replacement and read(replacement)}[treatment]
        if value is None and treated.get("missingValueReplacement") is not None:
            value = read(treated.get("missingValueReplacement"))
        if value is None and name in compared and treated.get("missingValueTreatment") == "returnInvalid":
            return REFUSED
        found[name] = value
    return found


def score(text, row):
    """Return the prediction of the first TreeModel in a file for a row, as text, or None if it has none.

    Returns REFUSED if the row is invalid, or if the file lacks an attribute that the row needs.
    """
    root = ElementTree.fromstring(text)
    model = next(one for one in root.iter() if one.tag.rpartition("}")[2] == "TreeModel")
    kinds = {"double": float, "float": single}
    types = {
        field.get("name"): kinds.get(field.get("dataType"), str)
        for field in root.iter()
        if field.tag.rpartition("}")[2] == "DataField"
    }
    row = prepared(root, row, types)
    if row == REFUSED:
        return REFUSED
    node, strategy = _children(model, "Node")[0], model.get("missingValueStrategy", "none")
    returns_last = model.get("noTrueChildStrategy") == "returnLastPrediction"

    def predicted(node):
        return (
            node.get("score") if model.get("functionName") == "classification" else of_target(model, node.get("score"))
        )

    while children := _children(node, "Node"):
        chosen = None
        for child in children:
            found = truth(_children(child, *PREDICATES)[0], row, types.__getitem__)
            if found is None and strategy == "lastPrediction":
                return predicted(node)
            if found is None and strategy == "nullPrediction":
                return None
            if found is None and strategy == "defaultChild":
                chosen = next((one for one in children if one.get("id") == node.get("defaultChild")), REFUSED)
            elif found is None and strategy != "none":
                return REFUSED
            elif found:
                chosen = child
            if chosen is not None:
                break
        if isinstance(chosen, str):
            return REFUSED
        if chosen is None:
            return predicted(node) if returns_last else None
        node = chosen
    return predicted(node)


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
