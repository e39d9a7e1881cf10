"""Declare the fields of a payload once, for packing, for the reader in the browser, and for the types in the browser.

`viz.payload.compressed` writes the fields in the dtypes and the order of the table. The order affects the compression.
``python -m viz.payload.browser_side`` writes the same table for the browser (``viz/stage/model/payload_tables.js``) and
its types (``viz/stage/payload.d.ts``).
"""

from typing import NamedTuple

HOMES = {  # objects in the browser, and their TypeScript interfaces
    "path": "Path",
    "sample": "Sample",
    "places": "Frame",
    "tree": "TreeArrays",
    "linear": "LinearArrays",
    "recorded": "Recorded",
}
# Items of a tree. A payload concatenates the nodes of all trees. The contents of nodes, which several trees may share,
# and the weights, leaves and terms of these contents are stored once.
PARTS = ("node", "content", "weight", "leaf", "term")
JSON, UNSIGNED, EXACT = "json", "unsigned", "exact"
_TYPES = {"f8": "Float64Array", "u4": "Uint32Array"}


class PayloadField(NamedTuple):
    """Field of the payload.

    name : name in the payload
    home : object in the browser that has the field, one of `HOMES`
    browser : name in this object
    dtype : numpy dtype, "json" for a value in the header, or "unsigned" or "exact" for the smallest dtype that keeps
        all numbers
    per : one of `PARTS`, for a field that is split by tree
    times : "group" or "score", if an item has a number for each of them
    by_set : whether there is one value for each set
    form : function in ``viz/stage/model/payload.js`` that the browser applies
    type : TypeScript type, by default that of the dtype
    optional : whether a payload may lack the field; the browser then has null
    other : name of the field that the browser uses instead
    note : comment on the type
    """

    name: str
    home: str
    browser: str
    dtype: str = JSON
    type: str = ""
    note: str = ""
    per: str = ""
    times: str = ""
    by_set: bool = False
    form: str = ""
    optional: bool = False
    other: str = ""

    @property
    def typescript(self) -> str:
        """Return the TypeScript type."""
        return self.type or _TYPES.get(self.dtype, "Numbers")


def checked(fields: tuple[PayloadField, ...]) -> dict[str, PayloadField]:
    """Return the fields by name. Raise ValueError if two names collide, or a field has an unknown reference."""
    by_name = {field.name: field for field in fields}
    if len(by_name) < len(fields):
        raise ValueError("Two fields of the payload have one name.")
    if len({(field.home, field.browser) for field in fields}) < len(fields):
        raise ValueError("Two fields of the payload have one place in the browser.")
    for field in fields:
        if field.home not in HOMES or field.per not in ("", *PARTS) or field.times not in ("", "group", "score"):
            raise ValueError(f"Field {field.name!r} of the payload has an unknown home, part or multiple.")
        if field.other and not field.optional:
            raise ValueError(f"Field {field.name!r} of the payload is never replaced by {field.other!r}.")
        if field.other and (field.other not in by_name or by_name[field.other].per != field.per):
            raise ValueError(f"Field {field.name!r} of the payload cannot be replaced by {field.other!r}.")
    return by_name


FIELDS = checked(
    (
        PayloadField("title", "path", "title", type="string"),
        PayloadField("name", "path", "name", type="string"),
        PayloadField("target", "path", "target", type="Target", form="target"),
        PayloadField(
            "features", "path", "features", type="string[]", note="feature names; for dates, the names of their columns"
        ),
        PayloadField("dates", "path", "dates", type="Set<number>", form="members"),
        PayloadField(
            "levels",
            "path",
            "levels",
            type="Record<number, string[] | undefined>",
            note="levels of ordered categories, by feature",
        ),
        PayloadField("n_features", "path", "nFeatures", type="number"),
        PayloadField(
            "ends",
            "path",
            "ends",
            type="(Pair | null)[] | null",
            optional=True,
            note="ends of the axis of each feature, only for data without rows",
        ),
        PayloadField("groups", "path", "groups", type="CategoryGroup[]"),
        PayloadField(
            "categories",
            "path",
            "categories",
            type="Record<number, [column: string, category: string, ofAll: number] | undefined>",
            note="column and category of categorical features",
        ),
        PayloadField("image_shape", "path", "imageShape", type="Pair | null", optional=True),
        PayloadField(
            "sets",
            "path",
            "sets",
            type="{ name: string; n: number; spread?: number | null }[]",
            note="spread: in regression, sum of squared deviations of the target from its mean",
        ),
        PayloadField("recommended", "path", "recommended", type="{ one_se?: number; min?: number }"),
        PayloadField(
            "weighted",
            "path",
            "weighted",
            "f8",
            by_set=True,
            form="complete",
            optional=True,
            type="Float64Array[] | null",
            note="weighted errors of the trees on each set, only with class weights",
        ),
        PayloadField(
            "opens", "path", "opens", type="number | null", optional=True, note="index of the tree to show first"
        ),
        PayloadField("notes", "path", "notes", type="Notes"),
        PayloadField(
            "statistics", "path", "statistics", type="NodeStatistic[]", note="statistics of nodes on the stage"
        ),
        PayloadField("choice", "path", "choice", type="Choice | null", optional=True),
        PayloadField(
            "by_size",
            "path",
            "bySize",
            type="boolean | null",
            optional=True,
            note="true if the trees were trained for numbers of leaves instead of values of lambda",
        ),
        PayloadField(
            "grid",
            "path",
            "grid",
            type="Grid | null",
            optional=True,
            note="grid of lambda and C; the trees are in order of its rows",
        ),
        PayloadField("edit", "path", "edit", type="EditFacts | null", optional=True),
        PayloadField("palette", "path", "palette", type="Palette"),
        PayloadField("looks", "path", "looks", type="Looks"),
        PayloadField(
            "is_oblique", "path", "isOblique", type="boolean", note="whether a split uses more than two features"
        ),
        PayloadField("largest_weight", "path", "largestWeight", type="number"),
        PayloadField("largest_value", "path", "largestValue", type="number"),
        PayloadField("lam", "path", "lams", "f8"),
        PayloadField("columns", "path", "columns", "u4", note="indices of the shipped features in the data"),
        PayloadField("sample_rows", "sample", "rows", "u4"),
        PayloadField(
            "row_numbers",
            "sample",
            "numbers",
            "u4",
            optional=True,
            other="sample_rows",
            note="row numbers, as in the file",
        ),
        PayloadField("row_names", "sample", "names", type="string[] | null", optional=True),
        PayloadField("sample_set", "sample", "set", "u1"),
        PayloadField("sample_y", "sample", "y", UNSIGNED, note="groups of the target"),
        PayloadField("sample_value", "sample", "value", "f8", type="Numbers", optional=True, other="sample_y"),
        PayloadField("sample_X", "sample", "X", EXACT, note="values, column by column"),
        PayloadField("deviation", "path", "deviation", "f8"),
        PayloadField("low", "path", "low", "f8"),
        PayloadField("high", "path", "high", "f8"),
        PayloadField("whole", "path", "whole", "u1"),
        PayloadField("step", "path", "step", "f8", note="steps of features with few values, else 0"),
        PayloadField("missed", "path", "missed", "u1"),
        PayloadField(
            "monotone",
            "path",
            "monotone",
            "i1",
            type="Numbers | null",
            optional=True,
            note="1 or -1 for features along which predictions never fall or never rise, else 0",
        ),
        PayloadField("place_origin", "places", "origin", UNSIGNED),
        PayloadField("place_x", "places", "x", "f4"),
        PayloadField("place_depth", "places", "depth", UNSIGNED),
        PayloadField("place_parent", "places", "parent", "i4"),
        PayloadField("n_slots", "places", "nSlots", type="number"),
        PayloadField(
            "node_start", "path", "nodeStart", "u4", note="start of the nodes of each tree, and end of the last tree"
        ),
        PayloadField("left", "tree", "left", UNSIGNED, per="node", form="children", type="Int32Array"),
        PayloadField("right", "tree", "right", UNSIGNED, per="node", form="children", type="Int32Array"),
        PayloadField(
            "content",
            "path",
            "content",
            UNSIGNED,
            type="Numbers | null",
            optional=True,
            note="content of each node; null if all nodes have their own, in this order",
        ),
        PayloadField("origin", "tree", "origin", UNSIGNED, per="content"),
        PayloadField("label", "tree", "label", UNSIGNED, per="content", note="groups of the target"),
        PayloadField("value", "tree", "value", "f8", per="content", type="Numbers", optional=True, other="label"),
        PayloadField("bias", "tree", "bias", "f8", per="content"),
        PayloadField(
            "missing_right", "tree", "missingRight", "u1", per="content", type="Numbers | null", optional=True
        ),
        PayloadField(
            "kind",
            "tree",
            "kind",
            "u1",
            per="content",
            type="Numbers | null",
            note="indices in KINDS; null for edited trees",
        ),
        PayloadField("n_weights", "tree", "start", UNSIGNED, per="content", form="starts", type="Uint32Array"),
        PayloadField("feature", "tree", "feature", UNSIGNED, per="weight", type="Uint32Array"),
        PayloadField(
            "digits",
            "tree",
            "digits",
            "u1",
            per="content",
            type="Numbers | null",
            optional=True,
            note="digits in the text of each condition; null for edited trees",
        ),
        PayloadField("weight", "tree", "weight", "f8", per="weight"),
        PayloadField(
            "counts", "tree", "leafCounts", UNSIGNED, per="leaf", times="group", by_set=True, type="Numbers[] | null"
        ),
        PayloadField(
            "loss", "tree", "leafLosses", "f8", per="leaf", by_set=True, optional=True, type="(Numbers | null)[] | null"
        ),
        PayloadField(
            "leaf_kind", "path", "leafKind", type="string | null", optional=True, note="null for constant leaves"
        ),
        PayloadField(
            "linear_n", "linear", "start", UNSIGNED, per="content", form="starts", type="Uint32Array", optional=True
        ),
        PayloadField("linear_feature", "linear", "feature", UNSIGNED, per="term", type="Uint32Array", optional=True),
        PayloadField("linear_weight", "linear", "weight", "f8", per="term", times="score", optional=True),
        PayloadField("linear_bias", "linear", "bias", "f8", per="content", times="score", optional=True),
        PayloadField("recording", "recorded", "run", type="any", optional=True),
        PayloadField("optimised", "recorded", "origins", UNSIGNED, optional=True, note="ids of the nodes of all steps"),
        PayloadField("optimised_n", "recorded", "n", UNSIGNED, optional=True, note="points that reach each of them"),
        PayloadField("optimised_before", "recorded", "before", "f8", optional=True, note="their errors"),
        PayloadField("optimised_after", "recorded", "after", "f8", optional=True),
        PayloadField("care_start", "recorded", "start", "u4", optional=True, note="their first care points"),
        PayloadField("care_stop", "recorded", "stop", "u4", optional=True, note="ends of their care points"),
        PayloadField("care_row", "recorded", "rows", "u2", type="Uint16Array", optional=True),
        PayloadField("care_side", "recorded", "sides", "i1", type="Int8Array", optional=True),
        PayloadField("care_weight", "recorded", "weights", "f8", optional=True),
    )
)
