"""The model that ranks targets: weights that can be read, and the program that fits them."""

import json
from collections import Counter

import numpy as np
import pandas

from benchmarks.fit_target_choice import fit, judged, tables_of
from sample_data.user_data import read, summarise
from sample_data.user_data.proposal import able_and_row_ids
from sample_data.user_data.target_choice import MODEL, NONE, features, parts_of

_TWICE = {"label", "outcome", "response", "case", "note", "nombre", "first", "column"}  # words with two meanings


def test_each_feature_has_a_weight_and_each_weight_a_feature():
    rng = np.random.default_rng(0)
    frame = pandas.DataFrame({"id": range(60), "age": rng.normal(size=60), "died": rng.choice(["no", "yes"], 60)})
    table = read(frame.to_csv(index=False).encode(), "t.csv")
    summaries = summarise(table)
    rows = features(table, summaries, able_and_row_ids(table, summaries)[1])
    weights = json.loads(MODEL.read_text(encoding="utf-8"))["weights"]
    assert {*rows["age"], *rows[NONE]} == set(weights)
    assert all(np.isfinite(weight) and abs(weight) < 5 for weight in weights.values())
    assert weights["word event"] > 0 > weights["last word person"]


def test_words_of_a_name():
    assert parts_of("Kunde_gekündigt") == ["kunde", "gekuendigt"]
    assert parts_of("isChurn") == ["is", "churn"]
    assert parts_of("infantMortality_2") == ["infant", "mortality"]


def test_few_words_are_in_two_groups():
    groups = json.loads(MODEL.read_text(encoding="utf-8"))["words"].values()
    words = Counter(word for group in groups for word in group.split())
    assert {word for word, n in words.items() if n > 1} <= _TWICE


def test_the_fit_finds_what_decides(tmp_path):
    rng = np.random.default_rng(0)
    lines = []
    for k in range(30):
        names = [f"{word}{k}" for word in ("alpha", "beta", "gamma")]
        frame = pandas.DataFrame(
            {name: rng.normal(size=40) for name in names} | {"outcome": rng.choice(["u", "v"], 40)}
        )
        frame = frame[rng.permutation(frame.columns)]
        frame.to_csv(tmp_path / f"{k}.csv", index=False)
        lines.append(json.dumps({"file": f"{k}.csv", "targets": ["outcome"]}))
    (tmp_path / "labels.jsonl").write_text("\n".join(lines))
    tables = tables_of(tmp_path / "labels.jsonl")
    assert len(tables) == 30
    assert judged(tables[20:], fit(tables[:20], 1.0))[:, 0].mean() == 1
