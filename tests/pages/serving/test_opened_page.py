"""Test the document of a link to a page. tests/browser/test_serving.py opens it in a browser."""

import base64
import hashlib
import re
from types import SimpleNamespace

import pytest
from streamlit import config

from pages.serving import opened_page


def _request(query=""):
    return SimpleNamespace(url=SimpleNamespace(query=query))


@pytest.mark.parametrize(("base", "path"), [("", "/compare"), ("/trees", "/trees/compare"), ("a/b/", "/a/b/compare")])
def test_each_page_has_its_document_below_the_base_path(base, path):
    before = config.get_option("server.baseUrlPath")
    config.set_option("server.baseUrlPath", base)
    try:
        routes = {route.path: route for route in opened_page.routes()}
    finally:
        config.set_option("server.baseUrlPath", before)
    assert all(name.startswith(path.removesuffix("compare")) for name in routes)
    answer = routes[path].endpoint(_request())
    assert answer.headers["cache-control"] == "no-cache"
    text = answer.body.decode()
    assert text.index("BACKEND_BASE_URL") < text.index('<script type="module"')


def test_only_the_home_page_has_further_links_which_depend_on_its_parameters():
    home, *others = opened_page.routes(links=lambda has_query: f"<link data-{has_query}>")
    assert home.path == "/"
    assert b"<link data-False>" in home.endpoint(_request()).body
    assert b"<link data-True>" in home.endpoint(_request("data_set=iris")).body
    assert not any(b"<link data-" in other.endpoint(_request()).body for other in others)


def test_the_policy_has_the_digest_of_each_script_in_the_document():
    scripts = re.findall(r"<script>(.*?)</script>", opened_page.document(), re.S)
    assert len(scripts) >= 2
    digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in scripts]
    assert opened_page.inline_scripts() == [f"'sha256-{digest}'" for digest in digests]


def test_a_document_without_scripts_shows_why_the_page_cannot_start():
    text = opened_page.document()
    body = text[text.index("<body>") :]
    assert text.count("<body>") == text.count('id="root"') == 1
    assert body.index('class="skip-link"') < body.index('id="root"') < body.index("needs JavaScript modules")
    assert "agent" not in body
