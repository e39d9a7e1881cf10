"""Test units with decimal commas, headers of numbers, footnotes, and the order of classes."""

import numpy as np
import pandas
import pytest

from sample_data.user_data import make_data_set, propose, read, summarise
from viz.command_line.inspect import inspected

CELLS = {
    "thousands": (["57.399,16 kr", "24.426,85 kr", "1.200,50 kr", "9.000,00 kr"], [57399.16, 24426.85, 1200.5, 9000]),
    "some without": (["2.200,50 kr", "100 kr", "12,25 kr", "-3.000 kr"], [2200.5, 100, 12.25, -3000]),
    "euros": (["1.234.567,8 €", "12,5 €", "1 €", "7.000 €"], [1234567.8, 12.5, 1, 7000]),
    "kilograms": (["1.250,75 kg", "90,5 kg", "3 kg", "8.000,00 kg"], [1250.75, 90.5, 3, 8000]),
}


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("kind", CELLS)
def test_units_behind_german_numbers(kind, delimiter):
    cells, numbers = CELLS[kind]
    lines = [delimiter.join((f'"{cell}"', str(k), "ab"[k % 2])) for k in range(10) for cell in cells]
    table = read("\n".join([delimiter.join(("price", "x", "kind")), *lines]).encode(), "t.csv")
    assert np.allclose(table.frame.iloc[:4, 0].astype(float), numbers)
    columns = make_data_set(table, propose(table, summarise(table), "kind")).columns
    new = read(f'price,x\n"{cells[0]}",1\n'.encode(), "new.csv").frame
    assert columns.encode(new).X[0, 0] == pytest.approx(numbers[0], rel=1e-6)


def test_english_numbers_with_units_stay_english():
    cells = ["1,200.50 kr", "57,399.16 kr", "3,100.25 kr"] * 10
    table = read(("price;kind\n" + "\n".join(f"{cell};{k % 2}" for k, cell in enumerate(cells))).encode(), "t.csv")
    assert table.frame.iloc[0, 0] == pytest.approx(1200.5)


@pytest.mark.parametrize("step", [1, 2, 10, 50])
@pytest.mark.parametrize("start", [400, 1000])
def test_even_numbers_far_from_those_below_are_names(start, step):
    rng = np.random.default_rng(0)
    names = [str(start + step * k) for k in range(5)]
    rows = "\n".join(",".join(f"{value:.3f}" for value in rng.uniform(size=5)) for _ in range(30))
    assert read(f"{','.join(names)}\n{rows}".encode(), "t.csv").frame.columns.tolist() == names


def test_even_numbers_among_such_numbers_are_a_row():
    rows = "\n".join(f"{k},{k + 1},{k + 2}" for k in range(3, 40))
    assert read(f"1,2,3\n{rows}".encode(), "t.csv").n_rows == 38


LEVELS = [["None", "1 to 3", "4 to 9", "10 or more"], ["low", "medium", "high"], ["never", "sometimes", "always"],
          ["disagree", "neutral", "agree"]]  # fmt: skip


@pytest.mark.parametrize("levels", LEVELS)
def test_classes_keep_their_order(levels):
    rng = np.random.default_rng(0)
    codes = rng.integers(0, len(levels), 200)
    frame = pandas.DataFrame({"x": codes + rng.normal(size=200), "y": [levels[code] for code in codes]})
    table = read(frame.to_csv(index=False).encode(), "t.csv")
    assert make_data_set(table, propose(table, summarise(table), "y")).class_names == tuple(levels)
    frame.loc[:9, "y"] = "don't know"
    table = read(frame.to_csv(index=False).encode(), "t.csv")
    assert make_data_set(table, propose(table, summarise(table), "y")).class_names == (*levels, "don't know")


def test_classes_of_a_file_with_an_order_keep_it():
    values = pandas.Categorical(["b", "c", "a", "d"] * 20, ["d", "b", "a", "c"], ordered=True)
    content = pandas.DataFrame({"x": np.arange(80) % 7, "y": values}).to_parquet()
    table = read(content, "t.parquet")
    assert make_data_set(table, propose(table, summarise(table), "y")).class_names == ("d", "b", "a", "c")


def test_the_command_shows_open_questions():
    found = inspected(read(b"f,g,h\na,b,c\nb,c,f\nc,b,a\n" * 10, "t.csv"))
    assert all("--read header=" in question for question in found["questions"])
    content = "都市,数\n" + "東京,1\n大阪,2\n京都,3\n" * 20
    found = inspected(read(content.encode("shift_jis"), "t.csv"))
    assert any("--read encoding=shift_jis" in question for question in found["questions"])
