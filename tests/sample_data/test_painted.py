"""Test painted points: conversion to text and back, and texts without points."""

import base64
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sample_data.painted import MOST_POINTS, decode, encode, painted_set
from tests.each import each
from tests.refusals import refused
from treecore import TAOClassifier
from treecore.errors import DataError
from treecore.training.recording import record

POINTS = st.lists(st.tuples(st.integers(0, 1023), st.integers(0, 1023), st.integers(0, 7)), max_size=40)


@given(POINTS)
def test_points_come_back_from_their_text(points):
    places, y = np.array([p[:2] for p in points]).reshape(-1, 2), np.array([p[2] for p in points], np.int64)
    text = encode(places / 1023, y)
    assert len(text) == 4 * len(points)
    X, codes = decode(text)
    np.testing.assert_array_equal(X, places / 1023)
    np.testing.assert_array_equal(codes, y)
    # as the browser does, point by point
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    expected = ""
    for a, b, code in points:
        bits = a << 14 | b << 4 | code
        expected += "".join(digits[bits >> shift & 63] for shift in (18, 12, 6, 0))
    assert text == expected


def test_places_outside_move_to_the_border():
    np.testing.assert_array_equal(decode(encode([[-3, 0.5], [2, 1]], [0, 1]))[0], [[0, 512 / 1023], [1, 1]])


@given(st.one_of(st.text(max_size=40), st.binary(max_size=30).map(lambda b: base64.urlsafe_b64encode(b).decode())))
def test_any_text_is_points_or_a_clear_error(text):
    try:
        X, y = decode(text)
    except DataError:
        return
    assert ((X >= 0) & (X <= 1)).all()
    assert ((y >= 0) & (y <= 7)).all()
    assert encode(X, y) == text


@pytest.mark.parametrize(
    "text", ["AAA", "AAAAA", "AA==", "A===", "AAA=", "AA+A", "AA/A", "äöüß", "AA\nA", "AAAP", "<b>x", None, 7, b"AAAA"]
)
def test_garbage_is_refused(text):
    with pytest.raises(DataError, match="painted"):
        decode(text)


def test_no_point_is_a_clear_error():
    assert decode("")[1].size == 0
    with refused(DataError, "No points are painted yet"):
        painted_set("")


def test_too_many_points_are_refused():
    with refused(DataError, "points are painted (maximum 5000)"):
        decode("AAAA" * (MOST_POINTS + 1))
    with refused(DataError, "points are painted (maximum 5000)"):
        encode(np.zeros((MOST_POINTS + 1, 2)), np.zeros(MOST_POINTS + 1, int))


@pytest.mark.parametrize(
    ("X", "y"),
    [([[0, 0]], [8]), ([[0, 0]], [-1]), ([[0, 0]], [0.5]), ([[0, 0]], [0, 1]), ([0, 0], [0]), ([[0, np.nan]], [0])],
)
def test_only_points_with_classes_are_encoded(X, y):
    with pytest.raises(DataError):
        encode(X, y)


def test_a_class_without_points_keeps_its_name():
    data = painted_set(encode([[0.2, 0.3], [0.5, 0.1]], [1, 4]))
    assert data.class_names == ("class 1", "class 2", "class 3", "class 4", "class 5")
    assert data.y.tolist() == [1, 4]


@each("split", ["univariate", "bivariate", "oblique"])
@each("init", ["cart", "random"])
@each(
    "points",
    [
        ([[0.5, 0.5]], [0]),
        ([[0.1, 0.1], [0.9, 0.2], [0.4, 0.6]], [2, 2, 2]),
        ([[0.5, 0.5], [0.5, 0.5]], [0, 1]),
        ([[0.5, 0.5], [0.5, 0.5], [0.5, 0.9]], [0, 1, 1]),
    ],
)
def test_any_painting_can_be_trained_on(points, split, init):
    data = painted_set(encode(*points))
    recording = record(TAOClassifier(split=split, init=init, max_depth=4, lam=0.5, random_state=0), data.X, data.y)
    assert recording.steps[-1].loss <= min(1, len(set(points[1])) - 1)


def test_a_frenzy_of_points_is_read_quickly():
    rng = np.random.default_rng(0)
    text = encode(rng.random((MOST_POINTS, 2)), rng.integers(0, 8, MOST_POINTS))
    began = time.process_time()
    assert painted_set(text).n_rows == MOST_POINTS
    assert time.process_time() - began < 2
