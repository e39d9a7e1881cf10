"""Vectors of fixed length for kernels, so that a sum has the same order on every processor.

The compiler may reorder a sum to use vector instructions, but the order then depends on the length of the vectors of
the processor. Kernels that add many numbers use these functions instead. `Lanes` are `PARTS` vectors of `BYTES` bytes,
as many accumulators as hide the latency of an addition. Processors with shorter vectors split them, which changes no
result. No operation is contracted to a fused multiplication and addition.

The functions are defined in Python, for processes without compilation. `overload` attaches the compiled versions.
"""

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, models, overload, register_model

PARTS, BYTES = 2, 64
_INDEX = ir.IntType(32)


def width(array: np.ndarray) -> int:
    """Return the number of lanes for an array of floats."""
    return PARTS * BYTES // array.itemsize


def full(value: float, like: np.ndarray) -> np.ndarray:
    """Return lanes of the dtype of `like` that all contain `value`."""
    return np.full(width(like), value, like.dtype)


def load(array: np.ndarray, start: int, like: np.ndarray) -> np.ndarray:
    """Return elements of a contiguous array from `start` on, converted to the dtype of `like`.

    Numbers behind the end of the array are whatever is there in memory. In Python, they are 0.
    """
    lanes = np.zeros(width(like), like.dtype)
    part = array[start : start + lanes.size]
    lanes[: part.size] = part
    return lanes


def store(array: np.ndarray, start: int, lanes: np.ndarray) -> None:
    """Write lanes into a contiguous array from `start` on, which must have room for them."""
    array[start : start + lanes.size] = lanes


def add_lanes(lanes: np.ndarray) -> float:
    """Return the sum of the lanes. The second half is added to the first until one number is left."""
    while lanes.size > 1:
        lanes = lanes[: lanes.size // 2] + lanes[lanes.size // 2 :]
    return lanes[0]


def larger(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the larger number of each lane."""
    return np.where(a > b, a, b)


def smaller(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the smaller number of each lane."""
    return np.where(a < b, a, b)


class _Lanes(types.Type):
    def __init__(self, scalar):
        self.scalar, self.count = scalar, 8 * BYTES // scalar.bitwidth  # numbers per vector
        super().__init__(name=f"Lanes({scalar})")


@register_model(_Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager, kind):
        vector = ir.VectorType(manager.lookup(kind.scalar).get_value_type(), kind.count)
        super().__init__(manager, kind, ir.ArrayType(vector, PARTS))


def _join(builder, kind, vectors):
    lanes = ir.Constant(kind, ir.Undefined)
    for k, vector in enumerate(vectors):
        lanes = builder.insert_value(lanes, vector, k)
    return lanes


def _divide(builder, lanes):
    return [builder.extract_value(lanes, k) for k in range(PARTS)]


def _pick(builder, vector, places):
    """Return the elements of a vector at some places, as a vector."""
    mask = ir.Constant(ir.VectorType(_INDEX, len(places)), places)
    return builder.shuffle_vector(vector, ir.Constant(vector.type, ir.Undefined), mask)


def _addresses(context, builder, kind, array, start, count):
    data = context.make_array(kind)(context, builder, array).data
    vector = ir.VectorType(context.get_data_type(kind.dtype), count).as_pointer()
    places = [builder.add(start, ir.Constant(start.type, k * count)) for k in range(PARTS)]
    return [builder.bitcast(builder.gep(data, [place]), vector) for place in places]


def _compiled(function: Callable) -> Any:  # type checkers count the first argument, which numba adds
    return intrinsic(function)


def _is_contiguous(kind):
    return isinstance(kind, types.Array) and kind.ndim == 1 and kind.layout == "C"


@_compiled
def _full(typing, value, like):
    lanes = _Lanes(like.dtype)

    def generate(context, builder, signature, arguments):
        kind = context.get_value_type(lanes)
        number = context.cast(builder, arguments[0], value, like.dtype)
        first = builder.insert_element(ir.Constant(kind.element, ir.Undefined), number, _INDEX(0))
        return _join(builder, kind, [_pick(builder, first, [0] * lanes.count)] * PARTS)

    return lanes(value, like), generate


@_compiled
def _load(typing, array, start, like):
    lanes = _Lanes(like.dtype)

    def generate(context, builder, signature, arguments):
        kind = context.get_value_type(lanes)
        size = array.dtype.bitwidth // 8
        addresses = _addresses(context, builder, array, arguments[0], arguments[1], lanes.count)
        vectors = [builder.load(address, align=size) for address in addresses]
        if isinstance(array.dtype, types.Integer):
            vectors = [builder.uitofp(vector, kind.element) for vector in vectors]
        elif array.dtype.bitwidth < like.dtype.bitwidth:
            vectors = [builder.fpext(vector, kind.element) for vector in vectors]
        elif array.dtype.bitwidth > like.dtype.bitwidth:
            vectors = [builder.fptrunc(vector, kind.element) for vector in vectors]
        return _join(builder, kind, vectors)

    return lanes(array, types.intp, like), generate


@_compiled
def _store(typing, array, start, lanes):
    def generate(context, builder, signature, arguments):
        size = array.dtype.bitwidth // 8
        addresses = _addresses(context, builder, array, arguments[0], arguments[1], lanes.count)
        for address, vector in zip(addresses, _divide(builder, arguments[2]), strict=True):
            builder.store(vector, address, align=size)
        return context.get_dummy_value()

    return types.void(array, types.intp, lanes), generate


@_compiled
def _add_lanes(typing, lanes):
    def generate(context, builder, signature, arguments):
        vectors = _divide(builder, arguments[0])
        while len(vectors) > 1:
            half = len(vectors) // 2
            vectors = [builder.fadd(vectors[k], vectors[k + half]) for k in range(half)]
        total, count = vectors[0], lanes.count
        while count > 2:
            count //= 2
            places = list(range(count))
            total = builder.fadd(_pick(builder, total, places), _pick(builder, total, [k + count for k in places]))
        return builder.fadd(builder.extract_element(total, _INDEX(0)), builder.extract_element(total, _INDEX(1)))

    return lanes.scalar(lanes), generate


@overload(width)
def _width_of(array):
    size = PARTS * BYTES * 8 // array.dtype.bitwidth
    return lambda array: size


@overload(full)
def _full_of(value, like):
    return lambda value, like: _full(value, like)


@overload(load)
def _load_of(array, start, like):
    if _is_contiguous(array):
        return lambda array, start, like: _load(array, start, like)
    return None


@overload(store)
def _store_of(array, start, lanes):
    if _is_contiguous(array):
        return lambda array, start, lanes: _store(array, start, lanes)
    return None


@overload(add_lanes)
def _add_lanes_of(lanes):
    return lambda lanes: _add_lanes(lanes)


def _overload_operator(function, make):
    """Overload a function of two lanes. make : function (builder, vector, vector) that returns a vector."""

    @_compiled
    def operate(typing, a, b):
        def generate(context, builder, signature, arguments):
            pairs = zip(*(_divide(builder, lanes) for lanes in arguments), strict=True)
            return _join(builder, context.get_value_type(a), [make(builder, *pair) for pair in pairs])

        return a(a, b), generate

    @overload(function)
    def operator_of(a, b):
        if isinstance(a, _Lanes) and a == b:
            return lambda a, b: operate(a, b)
        return None


def _select(comparison):
    def make(builder, a, b):
        return builder.select(builder.fcmp_ordered(comparison, a, b), a, b)

    return make


_overload_operator(operator.add, ir.IRBuilder.fadd)
_overload_operator(operator.sub, ir.IRBuilder.fsub)
_overload_operator(operator.mul, ir.IRBuilder.fmul)
_overload_operator(larger, _select(">"))
_overload_operator(smaller, _select("<"))
