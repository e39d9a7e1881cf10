"""The part of an exported script that encodes rows of a table."""

from collections.abc import Callable

from treecore.export.flat import listing
from treecore.tables.table_columns import TableColumns

_CODE = r"""
// Returns the features x of a row, an object with values by column name. null, undefined and "" are missing.
// Numbers have no sign or unit: 36.5, not "$36.50".
function encode(row) {
    const x = [];
    const refuse = (name, value, what) => {
        throw new RangeError(`column ${JSON.stringify(name)}: ${String(value).slice(0, 60)} is not a ${what}`);
    };
    const days = (name, value) => {
        if (value instanceof Date) {
            return value.getTime() / 86400000;
        }
        const isCompact = Number.isInteger(value) && value >= 19000101 && value <= 21001231;
        const text = String(value).trim().replace(/^(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3");
        const found = encode.date.exec(text);
        if ((typeof value !== "string" && !isCompact) || !found) {
            return refuse(name, value, "date such as 2020-01-31");
        }
        const [year, month, day, hour, minute, second] = found.slice(1, 7).map((part) => Number(part || 0));
        const start = new Date(0);
        start.setUTCFullYear(year, month - 1, day);
        const isDay = start.getUTCMonth() === month - 1 && start.getUTCDate() === day;
        if (!isDay || hour > 23 || minute > 59 || second > 59) {
            return refuse(name, value, "date such as 2020-01-31");
        }
        const east = (found[8] === "-" ? -1 : 1) * (Number(found[9] || 0) * 60 + Number(found[10] || 0));
        const seconds = start.getTime() / 1000 + hour * 3600 + (minute - east) * 60 + second;
        return (seconds * 1000000 + Number((found[7] || "").padEnd(6, "0").slice(0, 6))) / 86400000000;
    };
    const number = (name, value) => {
        const read = typeof value === "string" && value.trim() === "" ? NaN : Number(value);
        if (typeof value === "object" || Number.isNaN(read)) {
            return refuse(name, value, "number");
        }
        return Number.isFinite(read) ? read : NaN;
    };
    const isAbsent = (given, missing) =>
        given === null || given === undefined || given === "" || Number.isNaN(given) ||
        (missing.length > 0 && missing.includes(String(given).trim()));
    for (const [name, kind, categories, missing, grouped, blank] of encode.columns) {
        const given = Object.prototype.hasOwnProperty.call(row, name) ? row[name] : null;
        const isMissing = isAbsent(given, missing);
        const value = isMissing && blank !== "" ? blank : given;
        if (isMissing && blank === "") {
            x.push(...(kind === "category" ? categories.map(() => NaN) : [NaN]));
        } else if (kind === "number") {
            x.push(number(name, value));
        } else if (kind === "date") {
            x.push(days(name, value));
        } else if (kind === "ordered") {
            const place = categories.indexOf(String(value));
            x.push(place < 0 ? NaN : place);
        } else {
            const text = String(value);
            const same = (category) => text === (typeof value === "boolean" ? category.toLowerCase() : category);
            const found = grouped ? categories.slice(0, -1).findIndex(same) : categories.findIndex(same);
            const place = grouped && found < 0 ? categories.length - 1 : found;
            x.push(...categories.map((_, at) => (at === place ? 1 : 0)));
        }
    }
    return x;
}

// Returns the prediction for a row, an object with values by column name.
function predict_row(row) {
    return predict(encode(row));
}

encode.date =
    /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?\s*(?:[Zz]|([+-])(\d\d):?(\d\d)?)?)?$/;
"""


_DIFFERENCES = """    const has = (name) => Object.prototype.hasOwnProperty.call(row, name);
    for (const [name, ...parts] of encode.differences) {
        if (parts.every(([part]) => has(part))) {
            const [first, second] = parts.map(([part, kind, missing]) => {
                const read = kind === "date" ? days : number;
                return isAbsent(row[part], missing) ? NaN : read(part, row[part]);
            });
            row = { ...row, [name]: first - second };
        }
    }
"""


_SPELLINGS = """    for (const [name, texts, values] of encode.spellings) {
        const place = Object.prototype.hasOwnProperty.call(row, name) ? texts.indexOf(String(row[name])) : -1;
        row = place < 0 ? row : { ...row, [name]: values[place] };
    }
"""
_LABELS = """    for (const [name, part, separator, label, missing] of encode.labels) {
        if (Object.prototype.hasOwnProperty.call(row, part)) {
            const labels = String(row[part]).split(separator).map((text) => text.trim());
            const answer = labels.includes(label) ? "yes" : "no";
            row = { ...row, [name]: isAbsent(row[part], missing) ? null : answer };
        }
    }
"""


def javascript_encoder(columns: TableColumns, literal: Callable) -> list:
    """Return the lines of the functions ``encode(row)`` and ``predict_row(row)``.

    columns : TableColumns; literal : function that returns the literal of a text or a list of texts. The lines use the
    function ``predict``.
    """
    rows = (literal([c.name, c.kind, list(c.categories), list(c.missing), c.grouped, c.blank]) for c in columns.columns)
    lines = listing(rows, "encode.columns = [", "];", per_line=1)
    code, differences = _CODE.strip("\n"), [column for column in columns.columns if column.of]
    loop = "    for (const [name, kind, categories"
    if spelled := [column for column in columns.columns if column.spellings]:
        code = code.replace(loop, _SPELLINGS + loop, 1)
        parts = (literal([c.name, *map(list, zip(*c.spellings, strict=True))]) for c in spelled)
        lines += listing(parts, "encode.spellings = [", "];", per_line=1)
    if labelled := [column for column in columns.columns if column.label]:
        code = code.replace(loop, _LABELS + loop, 1)
        parts = (literal([c.name, *(c.label or ()), list(c.missing)]) for c in labelled)
        lines += listing(parts, "encode.labels = [", "];", per_line=1)
    if differences:  # compute their values before the columns are read
        code = code.replace(loop, _DIFFERENCES + loop, 1)
        parts = (literal([c.name, *([p.name, p.kind, list(p.missing)] for p in c.of)]) for c in differences)
        lines += listing(parts, "encode.differences = [", "];", per_line=1)
    return [*code.splitlines(), *lines, ""]
