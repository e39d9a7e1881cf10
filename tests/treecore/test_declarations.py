"""Test reading and checking declarations, and that no declaration contradicts itself."""

from dataclasses import replace

import pytest

from treecore.declarations import Choice, DeclarationError, Declared, Number, Special, Switch, Whole, check_declarations
from treecore.errors import ParameterError

COLOUR = Declared("colour", "red", Choice({"red": "Red", "blue": "Blue"}))
SIZE = Declared("size", 3, Whole(1, 9), applies={"colour": ("blue",)}, follows={9: {"colour": "red"}})
GOOD = {"colour": COLOUR, "size": SIZE}


@pytest.mark.parametrize(
    ("kind", "texts"),
    [
        (Whole(1, 12), {"1": 1, "12": 12, "0": None, "13": None, "1.0": None, "-1": None, "٣": None, "1" * 9: None}),
        (Number(0.0, 2.0), {"0": 0.0, "1e-3": 0.001, "2.1": None, "nan": None, "x": None, "0" * 30: None}),
        (Choice({"a": "A"}), {"a": "a", "b": None, "": None}),
        (Switch(), {"1": True, "0": False, "yes": None}),
        (Special(reader=str.upper), {"a": "A"}),
    ],
)
def test_texts_are_read_within_the_range(kind, texts):
    assert {text: kind.read(text) for text in texts} == texts
    assert kind.read(None) is None


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (Whole(1, 12), (1, 12), (0, 13, True, 2.0, "3", None)),
        (Number(0.0, 2.0), (0, 2.0), (-0.1, 2.1, float("nan"), True, None)),
        (Choice({"a": "A"}), ("a",), ("b", None, ["a"])),
    ],
)
def test_values_are_checked_within_the_range(kind, good, bad):
    for value in good:
        kind.check(value, "it")
    for value in bad:
        with pytest.raises(ParameterError, match="it="):
            kind.check(value, "it")


def test_an_effect_and_what_follows():
    check_declarations(GOOD, {"colour": "colour", "size": "s"})
    now = type("Now", (), {"colour": "red", "size": 3})
    assert COLOUR.is_effective(now)
    assert not SIZE.is_effective(now)
    assert SIZE.following(9) == {"colour": "red"}
    assert SIZE.following(8) == {}
    assert replace(SIZE, follows={...: {"colour": "red"}}).following(8) == {"colour": "red"}


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (replace(SIZE, default=10), "default of size"),
        (replace(SIZE, default=None), "default of size"),
        (replace(SIZE, applies={"colour": ("green",)}), "size.applies of colour"),
        (replace(SIZE, applies={"shape": ("round",)}), "size.applies names 'shape'"),
        (replace(SIZE, follows={9: {"colour": "green"}}), "size.follows of colour"),
        (replace(SIZE, follows={9: {"shape": "round"}}), "size.follows names 'shape'"),
        (replace(SIZE, follows={10: {"colour": "red"}}), "size.follows of size"),
    ],
)
def test_a_declaration_that_contradicts_itself_fails_in_words(size, words):
    with pytest.raises(DeclarationError, match=words):
        check_declarations({"colour": COLOUR, "size": size})


def test_two_of_one_name_in_a_link_fail():
    with pytest.raises(DeclarationError, match="colour and size .*: c\\."):
        check_declarations(GOOD, {"colour": "c", "size": "c"})
