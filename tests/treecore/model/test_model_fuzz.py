"""Fuzz the loader of models with hypothesis: every file gives a model or the one typed error."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.treecore.model.model_examples import content, signed, small_model
from treecore import TreeFormatError
from treecore.model.model import Model

CONTENT = content(small_model())
TEXT = small_model().to_json()
HUGE = st.sampled_from([10**30, -(2**63), 2**31, 1e308, -1e-320, float("nan"), float("inf"), -0.0])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | HUGE,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
NESTED = st.integers(1, 3000).map(lambda depth: json.loads("[" * min(depth, 900) + "]" * min(depth, 900)))


def places(value, path=()):
    """Yield every position in a JSON value, as the keys that lead to it."""
    found = [path] if path else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        found += places(item, (*path, key))
    return found


PLACES = places(CONTENT)


def loaded_or_refused(text):
    """Assert that a text is refused with a typed error, or that its model survives another round trip."""
    try:
        model = Model.from_json(text)
    except TreeFormatError:
        return
    assert Model.from_json(model.to_json()).to_json() == model.to_json()


@given(st.data())
def test_changed_values_with_a_checksum_that_fits(data):
    changed = copy.deepcopy(CONTENT)
    for _ in range(data.draw(st.integers(1, 3))):
        *way, last = data.draw(st.sampled_from(PLACES))
        change = data.draw(st.sampled_from(["drop", "replace", "rename", "nest", "double"]))
        inside = changed
        try:
            for key in way:
                inside = inside[key]
            old = inside[last]
            if change == "drop":
                del inside[last]
            elif change == "rename" and isinstance(inside, dict):
                inside[data.draw(st.text(max_size=12))] = inside.pop(last)
            elif change == "nest":
                inside[last] = data.draw(NESTED)
            elif change == "double" and isinstance(old, list):
                inside[last] = old * 2
            else:
                inside[last] = data.draw(JSON)
        except (KeyError, IndexError, TypeError):  # an earlier change has removed this position
            continue
    try:
        text = signed(changed)
    except TreeFormatError:  # the value was NaN, or half a surrogate pair
        text = json.dumps(json.loads(TEXT) | {"content": changed})
    loaded_or_refused(text)


@given(st.data())
def test_flipped_bytes_and_cut_files(data):
    raw = bytearray(TEXT.encode())
    for _ in range(data.draw(st.integers(1, 3))):
        position = data.draw(st.integers(0, len(raw) - 1))
        raw[position : position + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    loaded_or_refused(bytes(raw[: data.draw(st.sampled_from([len(raw), len(raw) // 2]))]))


@given(st.dictionaries(st.sampled_from(["format", "version", "checksum", "content"]) | st.text(max_size=5), JSON))
def test_any_object(record):
    loaded_or_refused(json.dumps({"format": "treecore-model", "version": 1} | record))


@pytest.mark.parametrize("depth", [2_000, 100_000, 3_000_000])
def test_deep_nesting(depth):
    bomb = "[" * depth + "]" * depth
    for text in (bomb, TEXT.replace('"parameters": {', f'"parameters": {{"bomb": {bomb}, ')):
        with pytest.raises(TreeFormatError):
            Model.from_json(text)
