"""Sums and elementary functions with the same result on every processor.

BLAS, NumPy and the C library select their instructions at run time, and these round in different ways. Training
therefore uses the functions of this module for every number that can change a tree.
"""

import math
from typing import Any

import numpy as np

from treecore._jit import kernel
from treecore._jit_lanes import add_lanes, full, load, store, width

_WIDE = np.empty(0)
_LOG2_E = 1.4426950408889634
# ln 2 as a sum of two numbers; products of the first with numbers up to 126 are exact, even in float32
_LN2_HIGH, _LN2_LOW = 0.693359375, -2.121944400546905827679e-4
# pi / 2 as a sum of two numbers; products of the first with numbers up to 63 are exact
_QUARTER_HIGH, _QUARTER_LOW = 1.5707963267948912, 5.390302858158119e-15
_MOST = 87.0  # exp(-x) is a normal float32 up to here


@kernel
def total(a):
    """Return the sum of a contiguous array of floats, in float64."""
    out = np.float64(0)
    whole = a.size - a.size % width(_WIDE)
    lanes = full(0.0, _WIDE)
    for i in range(0, whole, width(_WIDE)):
        lanes = lanes + load(a, i, _WIDE)
    for i in range(whole, a.size):
        out += a[i]
    return out + add_lanes(lanes)


@kernel
def dot(a, b):
    """Return the sum of the products of two contiguous arrays of floats, in float64."""
    out = np.float64(0)
    whole = a.size - a.size % width(_WIDE)
    lanes = full(0.0, _WIDE)
    for i in range(0, whole, width(_WIDE)):
        lanes = lanes + load(a, i, _WIDE) * load(b, i, _WIDE)
    for i in range(whole, a.size):
        out += np.float64(a[i]) * np.float64(b[i])
    return out + add_lanes(lanes)


@kernel
def _weighted_columns(columns, weights, out):
    """Write sums of the columns (float64[d, n]) times their weights (float64[d, q]) into `out` (float64[q, n])."""
    n = columns.shape[1]
    whole = n - n % width(_WIDE)
    for c in range(weights.shape[1]):
        used = np.flatnonzero(weights[:, c])
        for i in range(0, whole, width(_WIDE)):
            lanes = full(0.0, _WIDE)
            for j in used:
                lanes = lanes + load(columns[j], i, _WIDE) * full(weights[j, c], _WIDE)
            store(out[c], i, lanes)
        for i in range(whole, n):
            out[c, i] = 0.0
            for j in used:
                out[c, i] += columns[j, i] * weights[j, c]


@kernel
def _dots(columns, others, out):
    """Write the dot product of each column (float64[d, n]) with each of `others` (float64[q, n]) into `out` [d, q]."""
    for j in range(columns.shape[0]):
        for c in range(others.shape[0]):
            out[j, c] = dot(columns[j], others[c])


def exactly_added(values: np.ndarray) -> np.ndarray:
    """Round numbers to multiples of a power of two, so that all their sums are exact in float64.

    Sums of the same numbers are then equal in every order, and sums that tie still tie after a change of unit. A number
    changes by at most 2**-53 of the sum of all absolute values, and never becomes 0.

    values : [n]; the result is float64[n].
    """
    values = np.asarray(values, np.float64)
    unit = np.ldexp(1.0, np.frexp(np.abs(values).sum())[1] - 52)
    if unit == 0.0:
        return values
    rounded = np.rint(values / unit) * unit
    return np.where(rounded == 0.0, values, rounded)


def times(X: Any, W: np.ndarray) -> np.ndarray:
    """Return ``X @ W``, in a fixed order of the sums. X : float64[n, d], array or CSR; W : float64[d, q]."""
    if hasattr(X, "multiply"):
        return X @ W
    out = np.empty((W.shape[1], X.shape[0]))
    _weighted_columns(np.ascontiguousarray(X.T), np.ascontiguousarray(W), out)
    return out.T


def transposed_times(X: Any, others: np.ndarray) -> np.ndarray:
    """Return ``X.T @ others`` in the form of `times`. others : float64[n, q] or float64[n]."""
    if hasattr(X, "multiply"):
        return X.T @ others
    rows = np.ascontiguousarray(np.atleast_2d(others.T))
    out = np.empty((X.shape[1], len(rows)))
    _dots(np.ascontiguousarray(X.T), rows, out)
    return out.reshape(X.shape[1], *others.shape[1:])


@kernel
def exp_minus(x, real):
    """Return exp(-x) in the float type `real`, for x from 0 to 87. For larger x and NaN, return exp(-87)."""
    x = x if x < real(_MOST) else real(_MOST)
    power = np.int32(x * real(_LOG2_E) + real(0.5))
    rest = (real(power) * real(_LN2_HIGH) - x) + real(power) * real(_LN2_LOW)  # at most ln 2 / 2
    e = real(1 / 6227020800)
    e = e * rest + real(1 / 479001600)
    e = e * rest + real(1 / 39916800)
    e = e * rest + real(1 / 3628800)
    e = e * rest + real(1 / 362880)
    e = e * rest + real(1 / 40320)
    e = e * rest + real(1 / 5040)
    e = e * rest + real(1 / 720)
    e = e * rest + real(1 / 120)
    e = e * rest + real(1 / 24)
    e = e * rest + real(1 / 6)
    e = e * rest + real(1 / 2)
    e = e * rest + real(1)
    e = e * rest + real(1)
    return e * real(np.int32((127 - power) << 23).view(np.float32))  # the bits of 2**-power


@kernel
def log1p_share(x, real):
    """Return log(1 + x) in the float type `real`, for x from 0 to 1."""
    share = x / (real(2) + x)  # log(1 + x) = 2 atanh(share)
    square = share * share
    sums = real(2 / 31)
    sums = sums * square + real(2 / 29)
    sums = sums * square + real(2 / 27)
    sums = sums * square + real(2 / 25)
    sums = sums * square + real(2 / 23)
    sums = sums * square + real(2 / 21)
    sums = sums * square + real(2 / 19)
    sums = sums * square + real(2 / 17)
    sums = sums * square + real(2 / 15)
    sums = sums * square + real(2 / 13)
    sums = sums * square + real(2 / 11)
    sums = sums * square + real(2 / 9)
    sums = sums * square + real(2 / 7)
    sums = sums * square + real(2 / 5)
    sums = sums * square + real(2 / 3)
    sums = sums * square + real(2)
    return sums * share


@kernel
def log(x):
    """Return the logarithm of x > 0 in float64."""
    share, power = math.frexp(x)  # x = share * 2**power, with a share from 0.5 to 1
    return power * _LN2_HIGH + (power * _LN2_LOW - log1p_share((1.0 - share) / share, np.float64))


@kernel
def cosine_and_sine(angle):
    """Return the cosine and the sine of a float64 between -100 and 100."""
    turns = np.floor(angle / _QUARTER_HIGH + 0.5)
    rest = (angle - turns * _QUARTER_HIGH) - turns * _QUARTER_LOW  # at most pi / 4
    square = rest * rest
    out = -1 / 6402373705728000
    out = out * square + 1 / 20922789888000
    out = out * square - 1 / 87178291200
    out = out * square + 1 / 479001600
    out = out * square - 1 / 3628800
    out = out * square + 1 / 40320
    out = out * square - 1 / 720
    out = out * square + 1 / 24
    out = out * square - 1 / 2
    out = out * square + 1.0
    cosine = out
    out = 1 / 355687428096000
    out = out * square - 1 / 1307674368000
    out = out * square + 1 / 6227020800
    out = out * square - 1 / 39916800
    out = out * square + 1 / 362880
    out = out * square - 1 / 5040
    out = out * square + 1 / 120
    out = out * square - 1 / 6
    out = out * square + 1.0
    sine = out * rest
    quarter = int(turns) % 4
    if quarter == 0:
        return cosine, sine
    if quarter == 1:
        return -sine, cosine
    if quarter == 2:
        return -cosine, -sine
    return sine, -cosine
