"""Read exported PMML files slowly and obviously, following the specification, and check their shape."""

from xml.etree import ElementTree

from tests.treecore.foreign.naive_pmml import truth

SPACE = "{http://www.dmg.org/PMML-4_4}"
EXPRESSIONS = ("Apply", "Constant", "FieldRef", "NormDiscrete")
PREDICATES = ("True", "False", "SimplePredicate", "SimpleSetPredicate", "CompoundPredicate")
# Required attributes and the order of children of each element, from the schema of PMML 4.4. Children in one group may
# alternate.
SHAPES = {
    "PMML": (("version",), ("Header", "DataDictionary", "TreeModel")),
    "Header": ((), ("Application",)),
    "Application": (("name",), ()),
    "DataDictionary": ((), ("DataField",)),
    "DataField": (("name", "optype", "dataType"), ("Interval", "Value")),
    "Interval": (("closure",), ()),
    "Value": (("value",), ()),
    "TreeModel": (("functionName",), ("MiningSchema", "Output", "LocalTransformations", "Node")),
    "MiningSchema": ((), ("MiningField",)),
    "MiningField": (("name",), ()),
    "Output": ((), ("OutputField",)),
    "OutputField": (("name", "dataType"), ()),
    "LocalTransformations": ((), ("DerivedField",)),
    "DerivedField": (("name", "optype", "dataType"), (EXPRESSIONS,)),
    "Apply": (("function",), (EXPRESSIONS,)),
    "Constant": ((), ()),
    "FieldRef": (("field",), ()),
    "NormDiscrete": (("field", "value"), ()),
    "Node": ((), (PREDICATES, "ScoreDistribution", "Node")),
    "ScoreDistribution": (("value", "recordCount"), ()),
    "True": ((), ()),
    "False": ((), ()),
    "SimplePredicate": (("field", "operator"), ()),
    "SimpleSetPredicate": (("field", "booleanOperator"), ("Array",)),
    "CompoundPredicate": (("booleanOperator",), (PREDICATES,)),
    "Array": (("type",), ()),
}
ONE = {"Header", "Application", "DataDictionary", "TreeModel", "MiningSchema", "Output", "LocalTransformations"}


def check_shape(text):
    """Assert that the elements of a file have the attributes and the order that the schema requires."""
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SPACE}PMML"
    for element in root.iter():
        required, order = SHAPES[_tag(element)]
        assert set(required) <= element.attrib.keys(), element.attrib
        children = list(map(_tag, element))
        places = [
            next(k for k, group in enumerate(order) if tag == group or tag in group * (group != tag))
            for tag in children
        ]
        assert places == sorted(places), (_tag(element), children)
        assert not any(children.count(tag) > 1 for tag in ONE)
    nodes = [element for element in root.iter() if _tag(element) == "Node"]
    ids = [node.get("id") for node in nodes]
    assert len(set(ids)) == len(ids)
    for node in nodes:
        children = [child for child in node if _tag(child) == "Node"]
        assert len(children) in (0, 2)
        assert sum(_tag(child) in PREDICATES for child in node) == 1
        assert "defaultChild" not in node.attrib or node.get("defaultChild") in [child.get("id") for child in children]
    fields = [e.get("name") for e in root.iter() if _tag(e) in ("DataField", "DerivedField", "OutputField")]
    assert len(set(fields)) == len(fields)
    mined = [e.get("name") for e in root.iter() if _tag(e) == "MiningField"]
    assert mined == [e.get("name") for e in root.iter() if _tag(e) == "DataField"]
    known = {*fields}
    assert {e.get("field") for e in root.iter()} - {None} <= known


class PmmlReader:
    """Reader of a file. Its `answer` of a row is a text, or None for a row without a prediction."""

    def __init__(self, text):
        root = ElementTree.fromstring(text)
        for element in root.iter():
            element.tag = _tag(element)
        self.model = root.find("TreeModel")
        self.fields = {field.get("name"): field for field in root.iter("DataField")}
        self.schema = [one for one in root.iter("MiningField") if one.get("usageType") != "target"]
        self.derived = list(root.iter("DerivedField"))
        self.numbers = {n for n, field in self.fields.items() if field.get("optype") == "continuous"}
        self.numbers |= {field.get("name") for field in self.derived}

    def leaf(self, row):
        """Return the leaf of a row {field: number, text or None}, or None if the row has no prediction."""
        known = {}
        for field in self.schema:
            if (value := self._treated(field, row.get(field.get("name")))) is INVALID:
                return None
            known[field.get("name")] = value
        for field in self.derived:
            known[field.get("name")] = _value(field[0], known)
        node = self.model.find("Node")
        while children := node.findall("Node"):
            for child in children:
                predicate = next(part for part in child if part.tag in PREDICATES)
                found = truth(predicate, known, lambda name: float if name in self.numbers else str)
                if found is None:
                    if self.model.get("missingValueStrategy") == "nullPrediction":
                        return None
                    child = next(one for one in children if one.get("id") == node.get("defaultChild"))
                if found is not False:
                    node = child
                    break
            else:
                return None
        return node

    def _treated(self, mining, value):
        field = self.fields[mining.get("name")]
        listed = field.findall("Value")
        is_number = field.get("optype") == "continuous"
        missing = [one.get("value") for one in listed if one.get("property") == "missing"]
        if value in (map(float, missing) if is_number else missing):
            value = None
        if value is None:
            return mining.get("missingValueReplacement")
        valid = [one.get("value") for one in listed if one.get("property", "valid") == "valid"]
        limits = field.find("Interval")
        if is_number:
            value = float(value)
            is_valid = float(limits.get("leftMargin")) <= value <= float(limits.get("rightMargin"))
        else:
            is_valid = not valid or value in valid
        if is_valid or mining.get("invalidValueTreatment") == "asIs":
            return value
        return None if mining.get("invalidValueTreatment") == "asMissing" else INVALID


INVALID = object()


def _value(expression, known):
    if expression.tag == "Constant":
        return float(expression.text)
    if expression.tag == "FieldRef":
        return known[expression.get("field")]
    if expression.tag == "NormDiscrete":
        value = known[expression.get("field")]
        return None if value is None else float(value == expression.get("value"))
    first, second = (_value(part, known) for part in expression)
    if first is None or second is None:
        return None
    return {"+": first + second, "-": first - second, "*": first * second}[expression.get("function")]


def _tag(element):
    return element.tag.rpartition("}")[2]
