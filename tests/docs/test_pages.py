"""Test that each documentation page has a kind, is short, has headings, and is two clicks away from README.md."""

import re
from pathlib import Path

import pytest

from docs.site.api_pages import site_link
from tests.docs.test_blocks import LINK
from tests.each import each

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
KINDS = ("tutorials", "how_to", "reference", "explanation")
MAP = DOCS / "how_it_is_built.md"  # this explanation keeps its old address
PAGES = sorted(DOCS.rglob("*.md"))
MOST_WORDS, MOST_BETWEEN_HEADINGS = 900, 150
LARGEST_PICTURE = 1_500_000  # maximum size in bytes
VERBS = {
    "choose",
    "compare",
    "constrain",
    "deploy",
    "edit",
    "explain",
    "export",
    "handle",
    "import",
    "operate",
    "run",
    "save",
    "scale",
    "set",
    "steer",
    "teach",
    "train",
    "use",
}
# {question of a newcomer: (page, words in it)}
QUESTIONS = {
    "How does TAO work?": ("explanation/how_tao_works.md", "reduced problem"),
    "How do I train a tree from my own CSV?": ("tutorials/first_tree.md", "CSV"),
    "Which λ do I choose?": ("how_to/choose_the_tree_size.md", "Simplest good tree"),
    "What is C?": ("explanation/what_the_penalty_does.md", "The bivariate cost C"),
    "What do I do about a rare class?": ("how_to/handle_a_rare_class.md", "balanced"),
    "What happens to missing values?": ("how_to/handle_missing_values.md", "learn"),
    "How do I deploy the app?": ("how_to/deploy.md", "make serve"),
    "How do I use it with scikit-learn?": ("how_to/use_with_scikit_learn.md", "GridSearchCV"),
    "How do I export a tree to SQL?": ("how_to/export_code.md", "--to sql"),
    "How do I cite it?": ("../CITATION.cff", "authors"),
}


def prose(path):
    """Return the text of a page without code and generated lists, and on reference pages and the map without tables."""
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    text = re.sub(r"<!-- list: .*?<!-- /list -->", "", text, flags=re.S)
    text = re.sub(r"\]\([^)]*\)", "]", text)
    return re.sub(r"^\|.*$", "", text, flags=re.M) if path.parent.name == "reference" else text


def n_words(text):
    """Return the number of words, not counting numbers and symbols."""
    return len(re.findall(r"[^\W\d_][\w'’-]*", text))


def links(path):
    """Return the files that a page links to."""
    targets = {target for target, _ in LINK.findall(path.read_text(encoding="utf-8"))}
    return {(path.parent / target).resolve() for target in targets if target and not target.startswith("http")}


def ids(path):
    """Return the path of a page below docs/."""
    return path.relative_to(DOCS).as_posix()


@each("page", PAGES, ids=ids)
def test_a_page_has_a_kind_is_short_and_has_headings(page):
    assert page == MAP or page.relative_to(DOCS).parts[0] in KINDS
    if page.name == "settings.md":
        return  # the page is generated
    text = prose(page)
    assert n_words(text) <= MOST_WORDS
    parts = re.split(r"^#+ .*$", re.sub(r"^\|.*$", "", text, flags=re.M), flags=re.M)
    assert max(map(n_words, parts)) <= MOST_BETWEEN_HEADINGS


@each("page", sorted((DOCS / "how_to").glob("*.md")), ids=ids)
def test_the_title_of_a_how_to_starts_with_a_verb(page):
    title = re.match(r"# (\w+)", page.read_text(encoding="utf-8"))[1]
    assert title.lower() in VERBS


def test_every_page_is_two_clicks_from_the_readme_and_in_the_navigation():
    first = links(ROOT / "README.md")
    near = first.union(*(links(path) for path in first if path.suffix == ".md"))
    notebook = DOCS / "tutorials" / "notebook.ipynb"
    assert [path for path in [*PAGES, notebook] if path not in near] == []
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert [ids(path) for path in PAGES if f" {ids(path)}\n" not in navigation] == []


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_leads_to_its_page_in_two_clicks(question):
    name, words = QUESTIONS[question]
    page = (DOCS / name).resolve()
    first = links(ROOT / "README.md")
    assert page in first.union(*(links(path) for path in first if path.suffix == ".md"))
    assert words in page.read_text(encoding="utf-8")


def test_links_of_the_repository_become_links_of_the_site():
    assert site_link("docs/how_to/deploy.md", "README.md", "index.md") == "how_to/deploy.md"
    assert site_link("../../README.md", "docs/how_to/deploy.md", "how_to/deploy.md") == "../index.md"
    assert site_link("notebook.ipynb", "docs/tutorials/digits.md", "tutorials/digits.md") == "notebook.md"


def test_every_picture_is_used_small_and_made_by_a_command():
    from tests.browser.pictures import ANIMATIONS, PICTURES

    kept = {path.name: path for path in (DOCS / "pictures").iterdir()}
    pages = [ROOT / "README.md", *PAGES]
    used = {path.name for page in pages for path in links(page) if path.parent.name == "pictures"}
    assert set(kept) == used == {*PICTURES, *ANIMATIONS}
    assert max(path.stat().st_size for path in kept.values()) < LARGEST_PICTURE
