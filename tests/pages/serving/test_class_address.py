"""Test the address at which other devices reach this machine."""

import socket

import pytest

from pages.serving.class_address import ADDRESS, class_address, is_inward, outward


@pytest.mark.parametrize("page", ["http://127.0.0.1:8501/learn?step=3", "http://localhost:8501/learn?step=3"])
def test_links_name_what_others_see(monkeypatch, page):
    assert is_inward(page)
    assert outward(page) == page
    monkeypatch.setenv(ADDRESS, "http://192.168.1.7:8600")
    assert outward(page) == "http://192.168.1.7:8600/learn?step=3"
    assert outward("https://trees.example.edu/trees/learn") == "https://trees.example.edu/trees/learn"
    assert outward("") == ""


def test_the_address_is_one_of_digits_also_without_a_network(monkeypatch):
    assert class_address(8501).startswith("http://")

    def refuse(*_):
        raise OSError("Network is unreachable")

    class Way(socket.socket):
        connect = refuse

    monkeypatch.setattr(socket, "socket", Way)
    assert class_address(8600) == "http://127.0.0.1:8600"
