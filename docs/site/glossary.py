"""Link pages of the documentation to the terms in the glossary."""

import os
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GLOSSARY = ROOT / "docs" / "reference" / "glossary.md"
# Pages with generated words, developer terms, or another meaning of a term.
OTHER_MEANING = {
    "use_your_own_data.md": {"leaf", "split"},
    "handle_a_rare_class.md": {"threshold"},
    "how_tao_works.md": {"task"},
}
UNLINKED = ("README.md", "errors.md", "settings.md", "how_it_is_built.md", "where_to_change.md")
_TERM = re.compile(r'^\| <a id="([\w-]+)"></a>([^|]+?) \|', re.MULTILINE)
# Generated lists, code, headings, tables, links, emphasis (labels of the app) and HTML stay unchanged.
_FIXED = re.compile(
    r"<!-- list: .*?<!-- /list -->|^```.*?^```$|^#.*?$|^\|.*?$|<!--.*?-->|"
    r"<[^>]+>|!?\[[^\]]*\]\([^)]*\)|`[^`\n]*`|\*+[^*]+\*+",
    re.MULTILINE | re.DOTALL,
)


@cache
def terms() -> dict[str, str]:
    """Return {written form of a term: its anchor}. The first cell in a row lists the forms, separated by commas."""
    rows = _TERM.findall(GLOSSARY.read_text(encoding="utf-8"))
    return {form.strip(): anchor for anchor, forms in rows for form in forms.split(",")}


def with_links(page: Path, text: str) -> str:
    """Return the text of a page, with the first use of each term linked to the glossary."""
    if page == GLOSSARY or page.name in UNLINKED:
        return text
    address = os.path.relpath(GLOSSARY, page.parent).replace(os.sep, "/")
    linked = set(re.findall(rf"{re.escape(address)}#([\w-]+)", text)) | OTHER_MEANING.get(page.name, set())
    parts, end = [], 0
    for fixed in [*_FIXED.finditer(text), None]:
        prose = text[end : fixed.start() if fixed else len(text)]
        parts += [_linked(prose, address, linked), fixed[0] if fixed else ""]
        end = fixed.end() if fixed else end
    return "".join(parts)


def _linked(prose, address, linked):
    forms = sorted(terms(), key=len, reverse=True)
    pattern = "|".join(re.escape(form).replace(r"\ ", r"\s+") for form in forms)

    def link(found):
        form = " ".join(found[1].split())
        anchor = terms().get(form) or terms().get(form.lower())
        if anchor is None or anchor in linked:
            return found[0]
        linked.add(anchor)
        return f"[{found[0]}]({address}#{anchor})"

    return re.sub(rf"\b({pattern})s?\b", link, prose, flags=re.IGNORECASE)
