"""Test that the fixes of a table reach the page and have a way back there."""

import json

import numpy as np
import pandas
import pytest

from pages.jobs.reading_task import TABLE, look, propose_for, read_file, summarise_changed
from pages.jobs.readings import recipe_with
from sample_data.user_data import make_data_set
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.table_file import load_table


def silent(*_):
    """Report nothing."""


@pytest.mark.parametrize(
    ("kind", "back", "added"), [("labels", "label columns", 3), ("spellings of values", "combined spellings", 0)]
)
def test_a_fix_and_its_way_back_give_the_first_recipe(tmp_path, kind, back, added):
    rng, labels = np.random.default_rng(0), ["red", "green", "blue"]
    frame = pandas.DataFrame({"result": rng.choice(["Pos", "pos", "neg"], 90), "y": rng.integers(0, 2, 90)})
    frame["tags"] = [";".join(rng.choice(labels, rng.integers(1, 3), replace=False)) for _ in range(90)]
    frame.to_csv(tmp_path / "t.csv", index=False)
    read_file(silent, str(tmp_path / "t.csv"), "t.csv", {}, str(tmp_path))
    recipe = Recipe.from_dict(propose_for(silent, str(tmp_path), "y"))

    def fixed(recipe, kind):
        found = json.loads(json.dumps(look(silent, str(tmp_path), recipe.to_dict())))
        return recipe_with(recipe, next(one["fix"][1] for one in found["problems"] if one["kind"] == kind))

    changed = fixed(recipe, kind)
    names = {one["name"] for one in summarise_changed(silent, str(tmp_path), changed.to_dict())["summaries"]}
    assert names == {*changed.label_columns, *changed.variants}
    assert len(changed.label_columns) == added
    assert make_data_set(load_table(tmp_path / TABLE), changed).n_rows == 90
    again = fixed(changed, back)
    assert (again.kinds, again.label_columns, again.variants) == (recipe.kinds, {}, {})
