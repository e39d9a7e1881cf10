"""Test the saved pages of the site."""

import sample_data
from docs.site import demo
from treecore.node_solvers import SPLITS


def test_every_demo_has_a_link_a_command_and_a_page_with_cart():
    page = demo.demo_page()
    known = {entry.name for entry in sample_data.catalogue()}
    for one in demo.DEMOS:
        assert one.data_set in known
        assert one.split in SPLITS
        assert f'href="demo/{one.data_set}.html"' in page
        assert " ".join(demo.arguments(one)) in page
    pages = demo.demo_pages([one for one in demo.DEMOS if one.data_set == "iris"])
    assert set(pages) == {"demo/iris.html", "demo/run.html"}
    assert b'"method": "CART"' in pages["demo/iris.html"]
    assert all(text.startswith(b"<!doctype html>") for text in pages.values())
