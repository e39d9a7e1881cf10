"""Test Streamlit's frontend in one file. tests/browser/test_serving.py opens it in a browser."""

import gzip
import re
from types import SimpleNamespace

import pytest

from pages.serving import frontend


def _asked(name, **headers):
    return frontend.route().endpoint(SimpleNamespace(path_params={"name": name}, headers=headers))


def test_the_document_names_the_one_file_and_no_module():
    text = frontend.document()
    assert text.count(frontend.frontend().name) == 1
    assert "static/js/" in frontend.streamlit_document()
    assert "static/js/" not in text


def test_a_streamlit_without_a_known_entry_is_served_as_it_is(monkeypatch, caplog):
    monkeypatch.setattr(frontend, "streamlit_document", lambda: "<html></html>")
    frontend.frontend.cache_clear()
    assert frontend.document() == "<html></html>"
    assert _asked("0.js").status_code == 404
    assert "no known entry" in caplog.text
    frontend.frontend.cache_clear()


def test_a_streamlit_without_known_lazy_elements_is_logged(monkeypatch, caplog):
    monkeypatch.setattr(frontend, "_LAZY", re.compile("(?!)"))
    frontend.frontend.cache_clear()
    assert frontend.frontend() is not None
    assert "no lazy element" in caplog.text
    frontend.frontend.cache_clear()


def test_every_element_of_the_opening_page_is_in_it():
    names = [path.name.partition(".")[0] for path in frontend.MODULES.glob("*.js")]
    assert [names.count(element) for element in frontend.ELEMENTS] == [1] * len(frontend.ELEMENTS)


def test_the_elements_of_the_opening_page_are_drawn_without_a_placeholder():
    text = gzip.decompress(frontend.frontend().packed).decode()
    opened = re.findall(r'window\.lazyElement\(\\"([\w-]+)\.', text)
    assert sorted(opened) == sorted(frontend.ELEMENTS)


def test_it_comes_packed_to_browsers_that_unpack_it():
    name = frontend.frontend().name
    packed, plain = _asked(name, **{"accept-encoding": "gzip, br"}), _asked(name)
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert gzip.decompress(packed.body) == plain.body
    assert b"openFrontend({" in plain.body
    for answer in (packed, plain):
        assert answer.media_type == "text/javascript"
        assert "immutable" in answer.headers["cache-control"]


@pytest.mark.parametrize("name", ["0.js", "../app.py", ""])
def test_another_name_is_not_there(name):
    assert _asked(name).status_code == 404
