"""Write the licences of the packages in requirements.lock into docs/reference/licences.md.

``python -m docs.site.licences`` reads them from the packages of this environment. A package that is installed on other
systems only keeps the licence that the page already states, and must be added by hand at first.
"""

import re
from importlib.metadata import PackageMetadata, PackageNotFoundError, metadata
from pathlib import Path

from docs.site.reference_lists import table

ROOT = Path(__file__).resolve().parents[2]
LOCK, PAGE = ROOT / "requirements.lock", ROOT / "docs" / "reference" / "licences.md"
_TABLE = re.compile(r"(?<=<!-- licences -->\n\n).*?(?=\n+<!-- /licences -->)", re.DOTALL)
# Metadata of older packages contain free text.
_NAMES = (
    (r"BSD", "BSD"), (r"^MIT\b(?!-)", "MIT"), (r"Apache", "Apache-2.0"), (r"Mozilla|MPL", "MPL-2.0"),
    (r"PSF|Python Software", "PSF-2.0"),
)  # fmt: skip


def locked() -> dict[str, str]:
    """Return the version of each package in the lock file."""
    return dict(re.findall(r"^([\w.-]+)==([\w.]+)", LOCK.read_text(encoding="utf-8"), re.MULTILINE))


def listed() -> dict[str, str]:
    """Return the licence of each package on the page."""
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return {
        name: licence
        for licence, names in rows
        if not names.startswith(("packages", "---"))
        for name in names.split(", ")
    }


def licence(found: PackageMetadata) -> str:
    """Return the licence of a package, as an SPDX expression if possible."""
    if expression := found["License-Expression"]:
        return expression
    classifiers = [text.rpartition(" :: ")[2] for text in found.get_all("Classifier") or () if "License ::" in text]
    text = classifiers[-1] if classifiers else (found["License"] or "").partition("\n")[0]
    return next((name for pattern, name in _NAMES if re.search(pattern, text)), text or "unknown")


def page() -> str:
    """Return the text of the page with its table generated again."""
    known, by_licence = listed(), {}
    for name in locked():
        try:
            its = licence(metadata(name))
        except PackageNotFoundError:
            its = known.get(name, "unknown")
        by_licence.setdefault(its, []).append(name)
    rows = [[its, ", ".join(sorted(names))] for its, names in sorted(by_licence.items())]
    return _TABLE.sub(lambda _: table(["licence", "packages"], rows).strip("\n"), PAGE.read_text(encoding="utf-8"))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
