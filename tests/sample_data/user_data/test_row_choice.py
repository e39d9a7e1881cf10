"""The model that proposes likely groups and times: weights that can be read, and the program that fits them."""

import json

import numpy as np
import pandas

from benchmarks.fit_row_choice import judged, tables_of
from benchmarks.fit_target_choice import fit
from sample_data.user_data import summarise
from sample_data.user_data.proposed_split import MODEL, NONE, features, likely_choice
from sample_data.user_data.table import Table
from sample_data.user_data.time_order import RowEvidence


def table(rng, name, n_units=8, each=5):
    """Return units in blocks of rows with a measured level, and a column named `name` that identifies them."""
    unit = np.repeat(np.arange(n_units), each)
    columns = {name: unit, "day": np.tile(np.arange(each), n_units), "level": rng.normal(size=len(unit))}
    return pandas.DataFrame(columns | {"yield": rng.normal(size=n_units)[unit]})


def evidence(frame):
    return RowEvidence(frame, summarise(Table(frame, "t", "CSV")))


def test_each_feature_has_a_weight_and_each_weight_a_feature():
    rows = features(evidence(table(np.random.default_rng(0), "litter")), "yield")
    weights = json.loads(MODEL.read_text(encoding="utf-8"))["weights"]
    assert {key for row in rows.values() for key in row} == set(weights)
    assert all(np.isfinite(weight) and abs(weight) < 5 for weight in weights.values())
    assert weights["group: word unit"] > 0 > weights["time: row numbers"]


def test_tables_without_a_choice_have_none():
    rng = np.random.default_rng(0)
    for n in (1, 2, 30):
        frame = pandas.DataFrame({"a": rng.normal(size=n), "yield": rng.normal(size=n)})
        assert likely_choice(evidence(frame), "yield") is None
        assert likely_choice(evidence(frame[["yield"]]), "yield") is None


def test_missing_values_do_not_matter():
    frame = table(np.random.default_rng(0), "litter").astype(object)
    frame.iloc[::7, 0] = None
    frame.iloc[::5, 2] = None
    found = features(evidence(frame.convert_dtypes()), "yield")
    assert all(np.isfinite(value) for row in found.values() for value in row.values())


def test_the_fit_finds_what_decides(tmp_path):
    rng = np.random.default_rng(0)
    lines = []
    for k in range(40):
        name, groups = (("plate", ["plate"]), ("rooms left", None))[k % 2]
        table(rng, name, int(rng.integers(6, 12))).to_csv(tmp_path / f"{k}.csv", index=False)
        lines.append(json.dumps({"file": f"{k}.csv", "targets": ["yield"], "groups": groups, "time": None}))
    (tmp_path / "labels.jsonl").write_text("\n".join(lines))
    tables = tables_of(tmp_path / "labels.jsonl")
    weights = fit(tables[:30], 0.1)
    assert all(one["right"] for one in tables)
    assert [judged(one, weights) for one in tables[30:]] == ["right", ""] * 5
    assert NONE in features(evidence(table(rng, "plate")), "yield")
