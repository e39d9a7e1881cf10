"""Test the QR codes of links."""

import base64
import re

import numpy as np
import segno

from pages.ui.save.save_menu import qr_image

LINK = "http://192.168.1.7:8501/room?room=KX7QP&lesson=λ-prunes&"


def modules(address):
    """Return the modules in the SVG of a code, bool[n, n], including its margin."""
    svg = base64.b64decode(address.partition(",")[2]).decode()
    size = int(re.search(r'viewBox="0 0 (\d+)', svg)[1])
    found = np.zeros((size, size), bool)
    for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", svg):
        found[int(y), int(x)] = True
    return found


def test_the_picture_shows_every_module_of_the_code_in_a_light_margin():
    found = modules(qr_image(LINK))
    assert not found[:4].any()
    assert not found[:, :4].any()
    assert not found[-4:].any()
    assert not found[:, -4:].any()
    code = segno.make_qr(LINK, error="m", boost_error=False, encoding="utf-8")
    assert (found[4:-4, 4:-4] == np.array([list(row) for row in code.matrix], bool)).all()


def test_the_corners_are_where_phones_look_for_them():
    code = modules(qr_image(LINK))[4:-4, 4:-4]
    finder = np.array([[max(abs(y - 3), abs(x - 3)) != 2 for x in range(7)] for y in range(7)])
    assert all((corner == finder).all() for corner in (code[:7, :7], code[:7, -7:], code[-7:, :7]))
