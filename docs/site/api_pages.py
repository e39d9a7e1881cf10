"""Make a page for each public name from its docstring.

MkDocs calls this module while it builds the site (mkdocs.yml).
"""

import html
import inspect
import posixpath
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from docs.site.demo import demo_page, demo_pages  # noqa: E402
from docs.site.gallery import gallery  # noqa: E402
from docs.site.notebooks import NOTEBOOKS, notebook_page  # noqa: E402
from docs.site.parameters import PACKAGES, parameters, public_names, sections  # noqa: E402

# {repository file outside docs/: its page}
PLACES = {"README.md": "index.md"} | {
    name: name
    for name in ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md", "CITATION.cff",
                 "benchmarks/README.md")
}  # fmt: skip
NOTEBOOK_PAGES = {
    NOTEBOOKS["notebook"].relative_to(ROOT).as_posix(): "tutorials/notebook.md",
    NOTEBOOKS["beside_cart"].relative_to(ROOT).as_posix(): "explanation/beside_cart.md",
}
PAGES = PLACES | NOTEBOOK_PAGES
GALLERY = "reference/gallery.md"
# {folder: weight in the search}
BOOSTS = {"tutorials": 3, "how_to": 4, "explanation": 3, "reference": 2, "api": 0.5}
OTHER_WORDS = "reference/other_words.md"
NAMES_PAGE = "reference/python_api.md"
_LINK = re.compile(r"\]\((?!\w+:|#|pictures/\w+_\d)([^)#\s]+)")
STYLE = Path(__file__).with_name("site.css")
WIDE = 80  # maximum length of a signature on one line
WORDS = {"treecore": "The engine", "viz": "Pictures", "sample_data": "Data"}


def page_of(name, thing):
    """Return the Markdown page of a public name."""
    parts = [f"# {name}", "```python\n" + _signature(name, thing) + "\n```"]
    found = sections(thing)
    parts.append(_text(found.pop("")))
    if rows := [f"| `{parameter}` | {_cell(text)} |" for parameter, text in parameters(thing).items()]:
        found.pop("Parameters", None)
        parts += ["## Parameters", "\n".join(["| parameter | what it is |", "|---|---|", *rows])]
    parts += [f"## {heading}\n\n{_section(heading, text)}" for heading, text in found.items()]
    for member, value in members(thing) if inspect.isclass(thing) else []:
        shown = _signature(member, value) if callable(value) else member
        found = sections(value)
        parts += [f"## {member}", f"```python\n{shown}\n```", _text(found.pop(""))]
        parts += [f"**{heading}**\n\n{_section(heading, text)}" for heading, text in found.items()]
    return "\n\n".join(part for part in parts if part) + "\n"


def _signature(name, thing):
    try:
        untyped = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in
                 inspect.signature(thing).parameters.values() if parameter.name != "self"]  # fmt: skip
    except (TypeError, ValueError):
        return name
    text = f"{name}{inspect.Signature(untyped)}"
    return text if len(text) <= WIDE else f"{name}(\n" + "".join(f"    {one},\n" for one in untyped) + ")"


def _text(text):
    return html.escape(text.replace("``", "`"), quote=False)


def _section(heading, text):
    """Return a section as Markdown. Examples become code, and entries become a list. References stay unchanged."""
    if heading == "Examples":
        return f"```pycon\n{text}\n```"
    if heading in ("References", "Notes"):
        return _text(text.replace(".. [", "\\["))
    if heading == "See Also":
        return linked_names(re.sub(r"^(\w+) :", r"- `\1`:", _text(text), flags=re.MULTILINE), "")
    lines = []
    for line in text.splitlines():
        if line[:1].strip():
            lines.append(f"- `{line}`")
        else:
            lines[-1] += f" {_text(line.strip())}"
    return "\n".join(lines)


def linked_names(text: str, folder: str) -> str:
    """Return Markdown in which the public names at the beginning of the lines of a list are links to their pages.

    folder : path from the page to the pages of the API, such as "../api/"
    """
    pages = {name.rpartition(".")[2]: f"{folder}{name}.md" for name in public_names()}

    def linked(line):
        return re.sub(r"`(\w+)`", lambda one: f"[{one[0]}]({pages[one[1]]})" if one[1] in pages else one[0], line[0])

    return re.sub(r"^- `[^:\n]*", linked, text, flags=re.MULTILINE)


def _cell(text):
    return _text(text).replace("|", "\\|")


def members(thing):
    """Return (name, value) of the public methods and properties of a class that have a docstring."""
    found = {}
    for base in reversed(inspect.getmro(thing)):
        if base.__module__.split(".")[0] in {package.__name__ for package in PACKAGES}:
            found |= {name: value for name, value in vars(base).items() if not name.startswith("_")}
    # "check" and "fn" belong to a method that only some instances have (scikit-learn's `available_if`)
    found = {name: value for name, value in found.items() if not hasattr(value, "check") or value.check(thing)}
    found = {name: getattr(value, "__func__", getattr(value, "fn", value)) for name, value in found.items()}
    kinds = (property, type(page_of))
    return [(name, value) for name, value in found.items() if isinstance(value, kinds) and inspect.getdoc(value)]


def on_config(config):
    """Add the API pages to the navigation, by package."""
    names = public_names()
    api = []
    for package in PACKAGES:
        ours = [name for name in names if name.startswith(package.__name__ + ".")]
        api.append({WORDS[package.__name__]: [{name.rpartition(".")[2]: f"api/{name}.md"} for name in ours]})
    config["nav"].append({"API": api})
    return config


def on_files(files, config):
    """Add the generated pages: the first page, the API, the notebooks, and the figures of the gallery."""
    from mkdocs.structure.files import File  # not needed in tests

    def add(path, content):
        files.append(File.generated(config, path, content=content))

    for path, place in PLACES.items():
        add(place, (ROOT / path).read_text(encoding="utf-8"))
    for name, thing in public_names().items():
        add(f"api/{name}.md", page_of(name, thing))
    add("demo.md", demo_page())
    drawn = demo_pages()
    page, pictures = gallery((ROOT / "docs" / GALLERY).read_text(encoding="utf-8"))
    files.remove(files.get_file_from_path(GALLERY))
    add(GALLERY, page)
    drawn |= {f"reference/pictures/{name}": content for name, content in pictures.items()}
    for path, place in NOTEBOOK_PAGES.items():
        text, pictures = notebook_page(ROOT / path)
        add(place, text)
        drawn |= {f"{Path(place).parent.as_posix()}/pictures/{name}": content for name, content in pictures.items()}
    add(STYLE.name, STYLE.read_text(encoding="utf-8"))
    for name, content in drawn.items():
        add(name, content)
    return files


def on_page_markdown(markdown, page, **_):
    """Replace links between repository files with links between their pages on the site.

    In the search, pages that answer a question come before the API.
    """
    place = page.file.src_uri
    page.meta["search"] = {"boost": 12 if place == OTHER_WORDS else BOOSTS.get(place.partition("/")[0], 1)}
    if page.file.src_uri == NAMES_PAGE:
        markdown = linked_names(markdown, "../api/")
    own = next((path for path, place in PAGES.items() if place == page.file.src_uri), f"docs/{page.file.src_uri}")
    return _LINK.sub(lambda found: f"]({site_link(found[1], own, page.file.src_uri)}", markdown)


def site_link(link: str, own: str, place: str) -> str:
    """Convert a relative link in the repository file `own` to a link on the page at `place`."""
    target = posixpath.normpath(posixpath.join(posixpath.dirname(own), link))
    target = PAGES.get(target, target.removeprefix("docs/"))
    return posixpath.relpath(target, posixpath.dirname(place) or ".")
