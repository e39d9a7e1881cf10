"""Test files of Stata: versions, value labels, missing values and damage."""

import contextlib
import io

import numpy as np
import pandas
import pytest

from sample_data.user_data import make_data_set, propose, read, summarise
from tests.refusals import refused
from tests.sample_data.user_data.user_data_files import flowers, stata_bytes
from treecore.errors import DataError

N_ROWS = 60


def survey(**values):
    rng = np.random.default_rng(0)
    return pandas.DataFrame({"age": rng.integers(18, 80, N_ROWS), "answer": rng.integers(1, 4, N_ROWS)} | values)


def written(frame, labels, **choices):
    out = io.BytesIO()
    frame.to_stata(out, write_index=False, value_labels=labels, **choices)
    return read(out.getvalue(), "t.dta")


@pytest.mark.parametrize("version", [114, 117, 118, 119])
def test_every_version_gives_the_same_table(version):
    table = read(stata_bytes(version=version), "flowers.data")
    assert table.format == "Stata"
    assert table.frame["species"].tolist() == flowers()["species"].tolist()
    assert table.frame["seen"].tolist() == flowers()["seen"].tolist()
    assert table.frame.isna().sum().to_dict() == flowers().isna().sum().to_dict()


def test_labels_are_categories():
    table = written(survey(), {"answer": {1: "no", 2: "unsure", 3: "yes"}})
    assert table.frame["answer"].value_counts().to_dict() == {
        {1: "no", 2: "unsure", 3: "yes"}[code]: n for code, n in survey()["answer"].value_counts().items()
    }
    recipe = propose(table, summarise(table), "answer")
    assert set(make_data_set(table, recipe).class_names) == {"no", "unsure", "yes"}


def test_a_number_without_a_label_stays_a_number():
    table = written(survey(), {"age": {99: "refused"}, "answer": {1: "no", 3: "yes"}})
    assert table.frame["age"].dtype.kind in "iuf"
    assert set(table.frame["answer"]) == {"no", "2", "yes"}


def test_equal_labels_stay_apart():
    table = written(survey(), {"answer": {1: "other", 2: "other", 3: "yes"}})
    assert set(table.frame["answer"]) == {"other (1)", "other (2)", "yes"}


def test_missing_values_with_and_without_labels():
    frame = survey(answer=np.where(np.arange(N_ROWS) < 40, np.arange(N_ROWS) % 2, np.nan), late=[1] * 59 + [np.nan])
    table = written(frame, {"answer": {0: "no", 1: "yes"}})
    assert table.frame.isna().sum().to_dict() == {"age": 0, "answer": 20, "late": 1}
    assert table.frame["answer"].dropna().unique().tolist() == ["no", "yes"]


def test_long_texts_are_read():
    table = written(
        survey(text=[f"{'long ' * 500}{k % 3}" for k in range(N_ROWS)]), {}, version=118, convert_strl=["text"]
    )
    assert table.frame["text"].nunique() == 3


def test_damaged_files_are_refused():
    content, rng = stata_bytes(version=118), np.random.default_rng(0)
    with refused(DataError, "is damaged or is not a supported Stata file"):
        read(content[:200], "t.dta")
    for _ in range(60):
        spoiled = bytearray(content)
        for place in rng.integers(20, len(content), 5):
            spoiled[place] = rng.integers(256)
        with contextlib.suppress(DataError):
            read(bytes(spoiled[: rng.integers(100, len(content) + 1)]), "t.dta")
