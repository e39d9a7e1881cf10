"""A page for each public name, from its docstring: what MkDocs asks for while it builds the site (see mkdocs.yml)."""

import html
import inspect
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from docs.site.gallery import gallery  # noqa: E402
from docs.site.notebooks import NOTEBOOKS, notebook_page  # noqa: E402
from docs.site.parameters import PACKAGES, parameters, public_names, sections  # noqa: E402

STYLE = Path(__file__).with_name("site.css")
WIDE = 80  # characters of a signature in one line
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
        given = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in
                 inspect.signature(thing).parameters.values() if parameter.name != "self"]  # fmt: skip
    except (TypeError, ValueError):
        return name
    text = f"{name}{inspect.Signature(given)}"
    return text if len(text) <= WIDE else f"{name}(\n" + "".join(f"    {one},\n" for one in given) + ")"


def _text(text):
    return html.escape(text.replace("``", "`"), quote=False)


def _section(heading, text):
    """Return the Markdown of a section: examples as code, references as they are, entries as a list."""
    if heading == "Examples":
        return f"```pycon\n{text}\n```"
    if heading in ("References", "Notes"):
        return _text(text.replace(".. [", "\\["))
    lines = []
    for line in text.splitlines():
        if line[:1].strip():
            lines.append(f"- `{line}`")
        else:
            lines[-1] += f" {_text(line.strip())}"
    return "\n".join(lines)


def _cell(text):
    return _text(text).replace("|", "\\|")


def members(thing):
    """Return (name, value) of the public methods and properties of a class that have a docstring."""
    found = {}
    for base in reversed(inspect.getmro(thing)):
        if base.__module__.split(".")[0] in {package.__name__ for package in PACKAGES}:
            found |= {name: value for name, value in vars(base).items() if not name.startswith("_")}
    # "check", "fn": of a method that only some classes have (`available_if` of scikit-learn)
    found = {name: value for name, value in found.items() if not hasattr(value, "check") or value.check(thing)}
    found = {name: getattr(value, "__func__", getattr(value, "fn", value)) for name, value in found.items()}
    kinds = (property, type(page_of))
    return [(name, value) for name, value in found.items() if isinstance(value, kinds) and inspect.getdoc(value)]


def on_config(config):
    """The pages of the API stand in the navigation, by package."""
    names = public_names()
    api = []
    for package in PACKAGES:
        ours = [name for name in names if name.startswith(package.__name__ + ".")]
        api.append({WORDS[package.__name__]: [{name.rpartition(".")[2]: f"api/{name}.md"} for name in ours]})
    config["nav"].append({"API": api})
    return config


def on_files(files, config):
    """Add what is made: the first page, the API, the notebooks, and the figures of the gallery."""
    from mkdocs.structure.files import File  # which tests can do without

    first = (ROOT / "README.md").read_text(encoding="utf-8").replace("](docs/", "](")
    files.append(File.generated(config, "index.md", content=first))
    for name in ("CHANGELOG.md", "CONTRIBUTING.md", "CITATION.cff"):
        text = (ROOT / name).read_text(encoding="utf-8").replace("](docs/", "](")
        files.append(File.generated(config, name, content=text))
    for name, thing in public_names().items():
        files.append(File.generated(config, f"api/{name}.md", content=page_of(name, thing)))
    page, pictures = gallery((ROOT / "docs" / "gallery.md").read_text(encoding="utf-8"))
    files.remove(files.get_file_from_path("gallery.md"))
    files.append(File.generated(config, "gallery.md", content=page))
    for name, path in NOTEBOOKS.items():
        text, drawn = notebook_page(path)
        pictures |= drawn
        files.append(File.generated(config, f"{name}.md", content=text.replace("](../docs/", "](")))
    files.append(File.generated(config, STYLE.name, content=STYLE.read_text(encoding="utf-8")))
    for name, content in pictures.items():
        files.append(File.generated(config, f"pictures/{name}", content=content))
    return files


def on_page_markdown(markdown, **_):
    """Links to notebooks lead to their pages."""
    return re.sub(rf"\]\([./\w]*\b({'|'.join(NOTEBOOKS)})\.ipynb\)", r"](\1.md)", markdown)
