"""Test that the browser's copy of the table of payload fields is equal, and that contradictions are errors."""

import pytest

import sample_data
from benchmarks.grown_trees import grown_tree
from viz.payload.browser_side import FILES
from viz.payload.compressed import compressed
from viz.payload.payload_fields import FIELDS, PayloadField, checked
from viz.payload.stage_payload import stage_values

ROWS = PayloadField("rows", "sample", "rows", "u4")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_the_browser_has_the_same_table(path):
    text = FILES[path]()
    assert path.read_text(encoding="utf-8") == text, "Run python -m viz.payload.browser_side."


@pytest.mark.parametrize(
    "fields",
    [
        (ROWS, ROWS._replace(browser="numbers")),
        (ROWS, ROWS._replace(name="numbers")),
        (ROWS._replace(home="attic"),),
        (ROWS._replace(per="branch"),),
        (ROWS._replace(times="class"),),
        (ROWS._replace(other="numbers", optional=True),),
        (ROWS, ROWS._replace(name="numbers", browser="numbers", other="rows")),
        (ROWS, PayloadField("bias", "tree", "bias", "f8", per="node", other="rows", optional=True)),
    ],
)
def test_a_table_that_contradicts_itself_is_refused(fields):
    with pytest.raises(ValueError, match="payload"):
        checked(fields)


def test_undeclared_and_missing_fields_are_refused():
    data = sample_data.load("iris")
    values = stage_values(grown_tree(data, 3, 2), data)
    assert {name for name, field in FIELDS.items() if not field.optional} <= values.keys()
    compressed(values)
    for wrong in (values | {"colour": 1}, {name: value for name, value in values.items() if name != "bias"}):
        with pytest.raises(ValueError, match=r"colour|bias"):
            compressed(wrong)
