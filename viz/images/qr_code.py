"""QR codes (ISO/IEC 18004) with error correction M in byte mode, so that a phone can open an address."""

import base64
from functools import lru_cache

import numpy as np

from treecore.errors import ParameterError
from viz.messages import MESSAGES

# by version 1, 2, ...: number of blocks, and bytes of error correction in each
_BLOCKS = (1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16)
_CORRECTION = (10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26)
_QUIET = 4  # modules of quiet margin
_MASKS = (
    lambda i, j: (i + j) % 2,
    lambda i, j: i % 2,
    lambda i, j: j % 3,
    lambda i, j: (i + j) % 3,
    lambda i, j: (i // 2 + j // 3) % 2,
    lambda i, j: i * j % 2 + i * j % 3,
    lambda i, j: (i * j % 2 + i * j % 3) % 2,
    lambda i, j: ((i + j) % 2 + i * j % 3) % 2,
)
_LIKE_FINDERS = (np.array([1, 0, 1, 1, 1, 0, 1, 0, 0, 0, 0]), np.array([0, 0, 0, 0, 1, 0, 1, 1, 1, 0, 1]))


@lru_cache(maxsize=64)
def qr_image(text: str) -> str:
    """Return the data: URL of an SVG of the code, dark on white on every page."""
    code = qr_modules(text)
    size = len(code) + 2 * _QUIET
    path = "".join(f"M{x + _QUIET} {y + _QUIET}h1v1h-1z" for y, x in np.argwhere(code).tolist())
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M0 0h{size}v{size}H0z"/><path d="{path}"/></svg>'
    )
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"


def qr_modules(text: str) -> np.ndarray:
    """Return bool[n, n] of the smallest code for a text, True for dark modules, without the quiet margin.

    Raises ParameterError for more than 666 bytes (version 20: phones fail to read larger codes reliably).
    """
    data = text.encode()
    version = next((v for v in range(1, len(_BLOCKS) + 1) if len(data) <= _room(v)), None)
    if version is None:
        raise ParameterError(MESSAGES("qr_code", most=_room(len(_BLOCKS)), n=len(data)))
    code, free = _patterns(version)
    bits = np.unpackbits(np.array(_interleave(_fill(data, version), version), np.uint8))
    places = _way(free)
    code[tuple(places[: len(bits)].T)] = bits
    masked = [_mask(code, free, mask) for mask in range(len(_MASKS))]
    return min(masked, key=_penalty).astype(bool)


def _room(version):
    """Return the number of bytes that a text may have."""
    return _n_data(version) - (2 if version < 10 else 3)


def _n_data(version):
    return _n_bytes(version) - _BLOCKS[version - 1] * _CORRECTION[version - 1]


def _n_bytes(version):
    """Return the number of bytes of all blocks: the modules without fixed patterns."""
    return int(_patterns(version)[1].sum()) // 8


def _fill(data, version):
    """Return the bytes of the message: its mode, its length, the text, and padding."""
    bits = "0100" + format(len(data), "08b" if version < 10 else "016b") + "".join(format(byte, "08b") for byte in data)
    bits += "0" * min(4, 8 * _n_data(version) - len(bits))
    bits += "0" * (-len(bits) % 8)
    message = [int(bits[k : k + 8], 2) for k in range(0, len(bits), 8)]
    return message + [(0xEC, 0x11)[k % 2] for k in range(_n_data(version) - len(message))]


def _interleave(message, version):
    """Interleave the blocks and their error correction bytes; shorter blocks come first."""
    n_blocks, n_correction = _BLOCKS[version - 1], _CORRECTION[version - 1]
    short, longer = divmod(len(message), n_blocks)
    ends = np.cumsum([short + (k >= n_blocks - longer) for k in range(n_blocks)]).tolist()
    blocks = [message[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]
    correction = [_remainder(block, n_correction) for block in blocks]
    columns = [block[k] for k in range(short + 1) for block in blocks if k < len(block)]
    return columns + [part[k] for k in range(n_correction) for part in correction]


def _times(a, b):
    """Multiply in GF(2^8) modulo x^8 + x^4 + x^3 + x^2 + 1."""
    product = 0
    for bit in range(7, -1, -1):
        product = product << 1 ^ (product >> 7) * 0x11D ^ (b >> bit & 1) * a
    return product


def _remainder(block, degree):
    """Return the Reed-Solomon bytes: the remainder of a block modulo (x - 1)(x - 2)(x - 4)... with `degree` factors."""
    divisor, root = [0] * (degree - 1) + [1], 1
    for _ in range(degree):
        divisor = [_times(one, root) ^ after for one, after in zip(divisor, [*divisor[1:], 0], strict=True)]
        root = _times(root, 2)
    rest = [0] * degree
    for byte in block:
        factor = byte ^ rest[0]
        rest = [one ^ _times(part, factor) for one, part in zip([*rest[1:], 0], divisor, strict=True)]
    return rest


def _patterns(version):
    """Return (int8[n, n] with the fixed patterns of a version, bool[n, n] of the modules of the message)."""
    size = 4 * version + 17
    code, free = np.zeros((size, size), np.int8), np.ones((size, size), bool)
    code[6, ::2] = code[::2, 6] = 1
    free[6] = free[:, 6] = False
    centres = _centres(version)
    for i in centres:
        for j in centres:
            if (i, j) not in ((6, 6), (6, centres[-1]), (centres[-1], 6)):
                _square(code, free, i, j, 2)
    for i, j in ((3, 3), (3, size - 4), (size - 4, 3)):
        _square(code, free, i, j, 4)
    free[8, :9] = free[:9, 8] = free[8, -8:] = free[-8:, 8] = False
    if version >= 7:
        bits = _with_check_bits(version, 0x1F25, 12)
        for k in range(18):
            place = size - 11 + k % 3, k // 3
            code[place] = code[place[::-1]] = bits >> k & 1
            free[place] = free[place[::-1]] = False
    return code, free


def _centres(version):
    """Return the rows and columns of the alignment patterns."""
    if version == 1:
        return []
    count, last = version // 7 + 2, 4 * version + 10
    step = (8 * version + 3 * count + 5) // (4 * count - 4) * 2
    return [6, *(last - k * step for k in range(count - 2, -1, -1))]


def _square(code, free, i, j, reach):
    """Draw rings around a module: dark, light, dark ..., the outermost ring of large ones light."""
    for y in range(max(0, i - reach), min(len(code), i + reach + 1)):
        for x in range(max(0, j - reach), min(len(code), j + reach + 1)):
            ring = max(abs(y - i), abs(x - j))
            code[y, x], free[y, x] = ring not in ((2, 4) if reach == 4 else (1,)), False


def _with_check_bits(value, divisor, degree):
    """Append to a number the remainder of its polynomial over GF(2) (BCH code)."""
    rest = value
    for _ in range(degree):
        rest = rest << 1 ^ (rest >> degree - 1) * divisor
    return value << degree | rest


def _way(free):
    """Return int[m, 2]: the modules of the message in order, up and down in pairs of columns from the right."""
    size, places = len(free), []
    columns = [*range(size - 1, 6, -2), *range(5, 0, -2)]
    for turn, right in enumerate(columns):
        for y in range(size) if turn % 2 else range(size - 1, -1, -1):
            places += [(y, x) for x in (right, right - 1) if free[y, x]]
    return np.array(places)


def _mask(code, free, mask):
    """Return the code with one of the eight masks, and the identifier of the mask."""
    i, j = np.indices(code.shape)
    out = np.where(free, code ^ (_MASKS[mask](i, j) == 0), code).astype(np.int8)
    bits = _with_check_bits(mask, 0x537, 10) ^ 0x5412  # error correction M is 00
    one = [bits >> k & 1 for k in range(15)]
    out[[*range(6), 7, 8], 8], out[8, [7, *range(5, -1, -1)]] = one[:8], one[8:]
    out[8, -1:-9:-1], out[-7:, 8], out[-8, 8] = one[:8], one[8:], 1
    return out


def _penalty(code):
    """Return how hard a code is to read: long runs, squares, finder-like patterns, unbalanced colours."""
    return sum(_line_penalty(lines) for lines in (code, code.T)) + _area_penalty(code)


def _line_penalty(lines):
    total = 0
    for line in lines:
        ends = np.flatnonzero(np.diff(line, append=2))
        runs = np.diff(ends, prepend=-1)
        total += int((runs[runs >= 5] - 2).sum())
        windows = np.lib.stride_tricks.sliding_window_view(line, 11)
        total += 40 * sum(int((windows == pattern).all(axis=1).sum()) for pattern in _LIKE_FINDERS)
    return total


def _area_penalty(code):
    same = (code[1:] == code[:-1])[:, 1:] & (code[1:] == code[:-1])[:, :-1] & (code[:, 1:] == code[:, :-1])[1:]
    return 3 * int(same.sum()) + 10 * int(abs(20 * int(code.sum()) - 10 * code.size) / code.size)
