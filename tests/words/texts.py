"""Find every text of the project that a person reads, with its place."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SOURCES = ("app.py", "setup.py", "pages", "treecore", "viz", "sample_data", "benchmarks", "docs", "tests")
# Generated files, or files written by others.
GENERATED = (
    "docs/reference/settings.md", "docs/reference/errors.md", "docs/reference/command_line.md",
    "docs/reference/python_api.md", "pages/jobs/ready_path.json", "viz/payload/payload.d.ts",
)  # fmt: skip
_DIRECTIVE = re.compile(r"(noqa|type:|ty:|pragma|fmt:|!/|@ts-|eslint|prettier|global )")
_CODE = re.compile(r"</?[a-z][\w-]*[ >/]|=>|[{};]\s*$|\bfunction\b|\d+px|^\s*(select|import|const|let|return) ", re.M)
# A JavaScript string, template or comment; a slash that begins a regular expression follows an operator.
_JS = re.compile(
    r"(?P<block>/\*.*?\*/)|(?P<line>//[^\n]*)|(?P<regex>(?<=[=(,:!&|?\[])\s*/(?![*/])(?:\\.|\[[^\]\n]*\]|[^/\n\\])+/)"
    r"|(?P<text>\"(?:\\.|[^\"\n\\])*\"|'(?:\\.|[^'\n\\])*'|`(?:\\.|[^`\\])*`)",
    re.S,
)


@dataclass(frozen=True)
class Text:
    """One text: its kind (docs, interface, docstring, comment), file, line, and words in one line."""

    kind: str
    path: str
    line: int
    words: str


def texts(root: Path) -> Iterator[Text]:
    """Yield every text below `root`, except strings in tests, which are input."""
    for path in files(root):
        name = path.relative_to(root).as_posix()
        read = {".py": _python, ".js": _javascript, ".ts": _javascript, ".css": _javascript, ".md": _markdown}
        for kind, line, words in read[path.suffix](path.read_text()):
            if kind == "interface" and name.startswith(("tests/", "benchmarks/")):
                continue
            yield Text(kind, name, line, words)


def files(root: Path) -> Iterator[Path]:
    """Yield the files with texts."""
    found = [path for path in root.glob("*.md")]
    for base in SOURCES:
        found += [root / base] if base.endswith(".py") else (root / base).rglob("*")
    for path in sorted(found):
        name = path.relative_to(root).as_posix()
        if path.suffix in (".py", ".js", ".ts", ".css", ".md") and path.is_file() and name not in GENERATED:
            yield path


def sentences(words: str) -> list[str]:
    """Split a text into sentences."""
    return re.split(r"(?<=[.!?…])[\"”)*_`]*\s+(?=[A-ZÄÖÜ“\"*`(\[])", words.strip())


def is_prose(words: str) -> bool:
    """Test whether a string is prose rather than code, a name or a format."""
    plain = re.sub(r"\{[^}]*\}", " ", words)
    return len(re.findall(r"[A-Za-zÀ-ÿ]{2,}", plain)) >= 2 and " " in words.strip() and not _CODE.search(words)


def _one_line(words: str) -> str:
    return " ".join(words.split())


def _python(source: str) -> Iterator[tuple[str, int, str]]:
    for node, is_docstring in _strings(ast.parse(source), False):
        words = _string(node)
        if is_docstring:
            yield from _docstring(words, node.lineno)
        elif is_prose(words):
            yield "interface", node.lineno, _one_line(words)
    comment: tuple[int, int, str] | None = None  # first line, last line, words
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type != tokenize.COMMENT:
            continue
        words, line = token.string.lstrip("#: ").strip(), token.start[0]
        if _DIRECTIVE.match(words):
            continue
        whole = not token.line[: token.start[1]].strip()
        if comment and whole and comment[1] == line - 1:
            comment = comment[0], line, f"{comment[2]} {words}"
            continue
        if comment:
            yield "comment", comment[0], comment[2]
        comment = line, line, words
    if comment:
        yield "comment", comment[0], comment[2]


def _strings(node: ast.AST, is_docstring: bool) -> Iterator[tuple[ast.AST, bool]]:
    """Yield the outermost string expressions, and whether each is a docstring."""
    if isinstance(node, ast.Constant | ast.JoinedStr | ast.BinOp) and _string(node) is not None:
        yield node, is_docstring
        return
    documented = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module) and node.body
    first = node.body[0] if documented and isinstance(node.body[0], ast.Expr) else None
    for child in ast.iter_child_nodes(node):
        if child is first:
            yield from _strings(child.value, True)
        else:
            yield from _strings(child, False)


def _string(node: ast.AST) -> str | None:
    """Return the text of a string expression, each inserted value as ``{x}``; None for anything else."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "{x}" for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _string(node.left), _string(node.right)
        return None if left is None and right is None else f"{left or '{x}'}{right or '{x}'}"
    return None


def _docstring(words: str, line: int) -> Iterator[tuple[str, int, str]]:
    """Yield the paragraphs of a docstring, without examples, commands, headings and parameter names."""
    for paragraph in re.split(r"\n\s*\n", words):
        lines = [each for each in paragraph.splitlines() if not re.match(r"\s*(>>>|\.\.\.|-{3,}$|python -m )", each)]
        lines = [each for each in lines if not re.match(r"\s*[\w*, ]+ : ", each)]
        if is_prose(" ".join(lines)) and ">>>" not in paragraph:
            yield "docstring", line, _one_line(" ".join(lines))


def _javascript(source: str) -> Iterator[tuple[str, int, str]]:
    pending: tuple[int, int, str] | None = None
    for match in _JS.finditer(source):
        line = source.count("\n", 0, match.start()) + 1
        words = match.group()
        if match["line"] is not None:
            words = words.lstrip("/ ")
            if _DIRECTIVE.match(words):
                continue
            whole = not source[source.rfind("\n", 0, match.start()) + 1 : match.start()].strip()
            if pending and whole and pending[1] == line - 1:
                pending = pending[0], line, f"{pending[2]} {words}"
                continue
            if pending:
                yield "comment", pending[0], pending[2]
            pending = line, line, words
        elif match["block"] is not None:
            words = re.sub(
                r"\{(?:[^{}]|\{[^{}]*\})*\}|\[[\w.=]+\]", " ", re.sub(r"^\s*\*", "", words[2:-2].strip("*"), flags=re.M)
            )
            for part in re.split(r"@\w+", words):
                if is_prose(part):
                    yield "comment", line, _one_line(part)
        elif match["text"] is not None:
            words = re.sub(r"\$\{[^}]*\}", "{x}", words[1:-1])
            if is_prose(words):
                yield "interface", line, _one_line(words)
    if pending:
        yield "comment", pending[0], pending[2]


def _markdown(source: str) -> Iterator[tuple[str, int, str]]:
    source = re.sub(r"^(```|~~~).*?^\1[^\n]*$", lambda code: "\n" * code.group().count("\n"), source, flags=re.M | re.S)
    line = 1
    for block in re.split(r"(\n\s*\n|\n(?=\s*(?:[-*] |\d+\. |#|\|)))", source):
        if block.strip().startswith("|"):
            for cell in re.split(r"(?<!\\)\|", block):
                if is_prose(cell):
                    yield "docs", line, _plain(cell)
        elif is_prose(_plain(block)):
            yield "docs", line + len(block) - len(block.lstrip("\n")), _plain(block)
        line += block.count("\n")


def _plain(words: str) -> str:
    """Return Markdown as plain words: links by their text, code as one word, lists and headings without marks."""
    words = re.sub(r"<[^>]+>|^\s*(?:[-*] |\d+\. |#+ |> )", " ", words, flags=re.M)
    words = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", words)
    return _one_line(re.sub(r"`[^`]*`", "`code`", words))
