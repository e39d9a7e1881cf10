"""QR codes against a reader that knows nothing of how they are made; all twenty sizes were read by OpenCV's as well."""

import hashlib

import numpy as np
import pytest

from tests.refusals import refused
from treecore.errors import ParameterError
from viz.images.qr_code import qr_image, qr_modules

BLOCKS = {1: (1, 10), 2: (1, 16), 3: (1, 26), 4: (2, 18), 5: (2, 24), 6: (4, 16), 7: (4, 18), 10: (5, 26), 20: (16, 26)}
SQUARES = {1: [], 2: [6, 18], 3: [6, 22], 4: [6, 26], 5: [6, 30], 6: [6, 34], 7: [6, 22, 38], 10: [6, 28, 50],
           20: [6, 34, 62, 90]}  # fmt: skip
MASKS = ("(y+x)%2", "y%2", "x%3", "(y+x)%3", "(y//2+x//3)%2", "y*x%2+y*x%3", "(y*x%2+y*x%3)%2", "((y+x)%2+y*x%3)%2")
TEXT = "http://192.168.1.7:8501/room?room=KX7QP&lesson=λ-prunes&"


def powers():
    """[2^k in the field of the code]."""
    found = [1]
    for _ in range(254):
        found.append(found[-1] << 1 ^ (0x11D if found[-1] & 0x80 else 0))
    return found


def is_whole(block, n_correction):
    """Whether all syndromes of a block are 0: nothing in it was misread."""
    power = powers()
    log = {value: k for k, value in enumerate(power)}
    for root in range(n_correction):
        value = 0
        for byte in block:
            value = (power[(log[value] + root) % 255] if value else 0) ^ byte
        if value:
            return False
    return True


def reserved(version):
    """{places that hold none of the message}."""
    size = 4 * version + 17
    corners = [(0, 9, 0, 9), (0, 9, size - 8, size), (size - 8, size, 0, 9)]
    if version >= 7:
        corners += [(0, 6, size - 11, size - 8), (size - 11, size - 8, 0, 6)]
    places = {(6, k) for k in range(size)} | {(k, 6) for k in range(size)}
    for top, bottom, left, right in corners:
        places |= {(y, x) for y in range(top, bottom) for x in range(left, right)}
    for y in SQUARES[version]:
        for x in SQUARES[version]:
            if (y, x) not in ((6, 6), (6, size - 7), (size - 7, 6)):
                places |= {(y + i, x + j) for i in range(-2, 3) for j in range(-2, 3)}
    return places


def read(code):
    """Text of a code, read bit by bit."""
    size, version = len(code), (len(code) - 17) // 4
    form = int("".join(str(int(code[8, x])) for x in (0, 1, 2, 3, 4)), 2) ^ 0b10101
    assert form >> 3 == 0  # error correction M
    mask, taken, bits = MASKS[form & 7], reserved(version), []
    rising, x = True, size - 1
    while x > 0:
        x -= x == 6
        for y in range(size - 1, -1, -1) if rising else range(size):
            for column in (x, x - 1):
                if (y, column) not in taken:
                    bits.append(int(code[y, column]) ^ (eval(mask, {"y": y, "x": column}) == 0))
        rising, x = not rising, x - 2
    message = [int("".join(map(str, map(int, bits[k : k + 8]))), 2) for k in range(0, len(bits) - 7, 8)]
    n_blocks, n_correction = BLOCKS[version]
    n_data = len(message) - n_blocks * n_correction
    lengths = [n_data // n_blocks + (k >= n_blocks - n_data % n_blocks) for k in range(n_blocks)]
    blocks, at = [[] for _ in lengths], 0
    for place in range(max(lengths)):
        for block, length in zip(blocks, lengths, strict=True):
            if place < length:
                block.append(message[at])
                at += 1
    assert all(is_whole(b + message[n_data + k :: n_blocks][:n_correction], n_correction) for k, b in enumerate(blocks))
    stream = "".join(format(byte, "08b") for block in blocks for byte in block)
    wide = 8 if version < 10 else 16
    assert stream[:4] == "0100"
    begin, length = 4 + wide, int(stream[4 : 4 + wide], 2)
    return bytes(int(stream[begin + 8 * k : begin + 8 * k + 8], 2) for k in range(length)).decode()


@pytest.mark.parametrize("length", [0, 1, 14, 15, 26, 27, 42, 43, 62, 63, 84, 85, 106, 107, 200, 666])
def test_a_text_is_read_as_it_was_written(length):
    text = (TEXT * 12)[: length // 2] + "x" * length
    text = text.encode()[:length].decode(errors="ignore")
    assert read(qr_modules(text)) == text


def test_the_smallest_size_is_taken_and_what_fits_none_is_told():
    assert [len(qr_modules("x" * n)) for n in (14, 15, 106, 107)] == [21, 25, 41, 45]
    with refused(ParameterError, "viz.qr_code", most=666, n=667):
        qr_modules("x" * 667)


def test_the_corners_are_where_phones_look_for_them():
    code = qr_modules(TEXT)
    finder = np.array([[max(abs(y - 3), abs(x - 3)) != 2 for x in range(7)] for y in range(7)])
    assert all((corner == finder).all() for corner in (code[:7, :7], code[:7, -7:], code[-7:, :7]))
    assert qr_image(TEXT).startswith("data:image/svg+xml;base64,")


def test_codes_are_those_that_another_reader_has_read():
    digest = hashlib.sha256(b"".join(qr_modules("room" * n).tobytes() for n in (3, 20, 40, 160))).hexdigest()
    assert digest[:16] == "9a4c34467a3762f0"
