"""Generate the lists and tables of README.md and docs/ from declarations.

``python -m docs.site.lists`` writes them between ``<!-- list: NAME -->`` and ``<!-- /list -->``. The command also links
terms to the glossary. With ``--check``, it only prints the pages that are out of date.
"""

import re
import sys
from collections.abc import Iterable
from pathlib import Path
from statistics import fmean

from benchmarks import as_many_leaves, equal_size, measured
from docs.site import reference_lists
from docs.site.glossary import with_links
from docs.site.reference_lists import table
from sample_data.user_data.readers.formats import formats_in_words
from treecore.artifact import DIAGRAM, forms
from treecore.comparison.method_titles import METHOD_TITLES
from treecore.export import FORMATS
from treecore.model.model_files import MODEL_FILES
from treecore.rules.rule_formats import RULE_FORMATS
from treecore.training.combinations import OPTIONS, refused_with
from viz.artifacts import PATH_FILES, TREE_FILES

ROOT = Path(__file__).resolve().parents[2]
_PLACE = re.compile(r"(<!-- list: (\S+) -->)(.*?)(<!-- /list -->)", re.DOTALL)
CONSTRAINTS = ("feature_costs", "monotonic_cst", "interaction_cst", "min_samples_leaf", "max_leaf_nodes")
_COMMANDS = {
    "export {model} --to {name}": FORMATS,
    "rules {model} --format {name}": RULE_FORMATS,
    "figure {model} --format {name}": TREE_FILES,
    "path {data} --save {name}={file}": PATH_FILES,
    "fit {data} --out {file}": {"model": MODEL_FILES["model"]},
    "": {"project": MODEL_FILES["project"]},
}


def _code():
    code = [one for one in FORMATS.values() if one.kind != DIAGRAM]
    diagrams = [one for one in FORMATS.values() if one.kind == DIAGRAM]
    return f"{forms(code)} with identical predictions" + (f"; diagrams in {forms(diagrams)}" if diagrams else "")


def _export_formats():
    rows = []
    for name, one in FORMATS.items():
        parameters = ", ".join(["tree", *(f"{name}=" for name in one.takes)])
        package = f" (`pip install {one.package}`)" if one.package else ""
        rows.append([one.form, f"`export.{name}({parameters})`", f"`.{one.suffix}`", one.about + package])
    return table(["format", "function", "file", "content"], rows)


def _saved_files():
    rows = []
    for command, declared in _COMMANDS.items():
        for name, one in declared.items():
            file = f"x.{one.suffix}"
            shown = command.format(model="model.json", data="data.csv", name=name, file=file)
            rows.append([one.label, f"`.{one.suffix}`", f"`{shown}`" if shown else "the app", one.about])
    return table(["artifact", "file", "command", "content"], rows)


def _combinations(names: Iterable[str]) -> str:
    """Return the table of options, the split types that each needs, and the options that it cannot be combined with."""
    rows = []
    for name in names:
        one, others = OPTIONS[name], _written(refused_with(name))
        needs = "all" if not one.needs else ", ".join(one.needs)
        if (others or one.needs) and not one.written.startswith("split="):
            rows.append([f"`{one.written}`", needs, others or "none"])
    return table(["option", "split types", "cannot be combined with"], rows)


def _written(names):
    return ", ".join(f"`{OPTIONS[name].written}`" for name in names)


def _equal_size(sets):
    rows = []
    for title, names in equal_size.groups(sets).items():
        rows += [[title if not at else "", *row] for at, row in enumerate(equal_size.relative_rows(sets, names))]
    splits = equal_size.splits_of([one for own in sets.values() for one in own.values()])
    return _noted(f"Random divisions per set: {splits}.", ["sets", "tree", *equal_size.HEADER[1:]], rows)


def _noted(lead, header, rows):
    """Return a table below a sentence, with the note about old results if a row has its mark."""
    is_old = any(measured.MARK.strip() in cell for row in rows for cell in row)
    return lead + table(header, rows) + (f"{measured.NOTE}\n\n" if is_old else "")


def _equal_size_claim(sets, size=8, example="digits", larger=16):
    at, place = (equal_size.SIZES.index(one) for one in (size, larger))
    names = [name for name in sets if name in equal_size.CLASSES]
    means = (fmean(equal_size.relative(sets[name][kind])[at] for name in names) for kind in equal_size.SPLITS)
    shown = [f"{mean:.2f} ({kind})" for mean, kind in zip(means, equal_size.SPLITS, strict=True)]
    oblique = sets[example]["oblique"]
    ours, cart = (100 * oblique[part][place] for part in ("errors", "base"))
    first = (
        f"An oblique tree with at most {larger} leaves misclassifies {ours:.1f} % of the test {example}, and CART "
        f"misclassifies {cart:.0f} % (mean of {oblique['splits']} splits)."
    )
    if any(sets[name][kind]["is_old"] for name in names for kind in equal_size.SPLITS):
        return first  # the other claim has to be measured again
    return (
        f"{first} On {len(names)} public data sets, trees with {size} leaves have {shown[0]}, {shown[1]} and "
        f"{shown[2]} times the test error of CART with {size} leaves."
    )


def _equal_size_of_sets(sets, size=8):
    at = equal_size.SIZES.index(size)
    rows = []
    for names in equal_size.groups(sets).values():
        for name in names:
            scale = 1 if name in equal_size.NUMBERS else 100
            own = [sets[name][kind] for kind in equal_size.SPLITS]
            cells = [f"{scale * one['errors'][at]:.3g}" + (measured.MARK if one["is_old"] else "") for one in own]
            rows.append([name, f"{scale * sets[name][equal_size.BASE]['errors'][at]:.3g}", *cells])
    return _noted("", ["set", "CART", *equal_size.SPLITS], rows)


def _as_many_leaves():
    found, _ = as_many_leaves.stored()
    splits = max(one["splits"] for one in found.values())
    return _noted(f"Random divisions per set: {splits}.", as_many_leaves.HEADER, as_many_leaves.rows_of(found))


def _as_many_leaves_of_sets():
    """Return one sentence for each kind of split: the means over the sets."""
    found, _ = as_many_leaves.stored()
    lines = []
    for kind in as_many_leaves.KINDS:
        one = as_many_leaves.over_sets(found, kind)
        low, high = one["interval"]
        lines.append(
            f"- {kind}: {one['ratio']:.2f} times the error of the better CART tree (95 % interval {low:.2f} to "
            f"{high:.2f}, *p* = {one['p']:.2g}). The mean error is smaller on {one['wins']} sets and larger on "
            f"{one['losses']}."
        )
    return "\n\n" + "\n".join(lines) + "\n\n"


def _as_many_leaves_claim(example="breast cancer", kind="bivariate"):
    found, _ = as_many_leaves.stored()
    one = found[example, kind]
    ours, first, pruned = (f"{100 * one[part]:.1f} %" for part in ("error", "best-first", "pruned"))
    return (
        f"Over {one['splits']} random splits of the {example} data, the default {kind} tree has {one['leaves']:.1f} "
        f"leaves and a test error of {ours}. CART with as many leaves has {first} (best-first) or {pruned} (pruned)."
    )


def _as_many_leaves_ratios():
    """Return a clause with the mean errors relative to CART for each kind of split."""
    found, _ = as_many_leaves.stored()
    means = {kind: as_many_leaves.over_sets(found, kind) for kind in as_many_leaves.KINDS}
    shown = [f"{one['ratio']:.2f} ({kind})" for kind, one in means.items()]
    sets = max(one["sets"] for one in means.values())
    return (
        f"On {sets} data sets, default TAO trees have {shown[0]}, {shown[1]} and {shown[2]} times the test error of "
        "CART with as many leaves."
    )


LISTS = {
    "as-many-leaves": _as_many_leaves,
    "as-many-leaves-claim": _as_many_leaves_claim,
    "as-many-leaves-ratios": _as_many_leaves_ratios,
    "as-many-leaves-of-sets": _as_many_leaves_of_sets,
    "code": _code,
    "combinations": lambda: _combinations(OPTIONS),
    "combinations-of-constraints": lambda: _combinations(CONSTRAINTS),
    "combinations-of-parts": lambda: _written(refused_with("parts")),
    "commands": reference_lists.commands,
    "errors": reference_lists.errors,
    "export-formats": lambda: forms(FORMATS.values()),
    "export-names": lambda: ", ".join(f"`{name}`" for name in FORMATS),
    "export-of-tables": lambda: forms(FORMATS.values(), takes="columns"),
    "export-table": _export_formats,
    "equal-size": lambda: _equal_size(equal_size.stored()),
    "equal-size-claim": lambda: _equal_size_claim(equal_size.stored()),
    "equal-size-of-sets": lambda: _equal_size_of_sets(equal_size.stored()),
    "file-formats": formats_in_words,
    "number-of-methods": lambda: str(len(METHOD_TITLES)),
    "options": reference_lists.options,
    "public-names": reference_lists.names,
    "saved-files": _saved_files,
}


def with_lists(text: str) -> str:
    """Return the text of a page, with its lists generated again. Raises KeyError for an unknown list."""
    return _PLACE.sub(lambda found: found[1] + LISTS[found[2]]() + found[4], text)


def stale_pages() -> dict[Path, str]:
    """Return {page: new text} for the pages that are out of date."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    texts = {page: page.read_text(encoding="utf-8") for page in pages}
    current = {page: with_links(page, with_lists(text)) for page, text in texts.items()}
    return {page: text for page, text in current.items() if text != texts[page]}


def main(arguments: list[str]) -> int:
    """Write the pages, or print those that are out of date. Return the exit code."""
    found = stale_pages()
    for page, text in found.items():
        sys.stdout.write(f"{page.relative_to(ROOT)}\n")
        if "--check" not in arguments:
            page.write_text(text, encoding="utf-8")
    return int("--check" in arguments and bool(found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
