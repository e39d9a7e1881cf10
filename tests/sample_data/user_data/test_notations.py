"""Test units with decimal commas, headers of numbers, footnotes, and the order of classes."""

import io

import numpy as np
import pandas
import pytest

from sample_data.user_data import make_data_set, propose, read, summarise
from viz.command_line.inspect import inspected

CELLS = {
    "thousands": (["57.399,16 kr", "24.426,85 kr", "1.200,50 kr", "9.000,00 kr"], [57399.16, 24426.85, 1200.5, 9000]),
    "some without": (["2.200,50 kr", "100 kr", "12,25 kr", "-3.000 kr"], [2200.5, 100, 12.25, -3000]),
    "euros": (["1.234.567,8 €", "12,5 €", "1 €", "7.000 €"], [1234567.8, 12.5, 1, 7000]),
    "Swiss francs": (["CHF 1'200.50", "CHF 950.00", "CHF 5.–", "CHF 12’000.05"], [1200.5, 950, 5, 12000.05]),
    "francs behind": (["1'200.50 CHF", "950 CHF", "5.25 CHF", "12'000.05 CHF"], [1200.5, 950, 5.25, 12000.05]),
    "kroner with blanks": (["1 200,50 kr", "950,00 kr", "5,25 kr", "12 000,05 kr"], [1200.5, 950, 5.25, 12000.05]),
    "rupees": (["₹1,200", "₹950", "₹5", "₹12,000"], [1200, 950, 5, 12000]),
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


@pytest.mark.parametrize("start", [0, 1])
@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_a_line_that_counts_the_columns_above_whole_numbers_is_asked_about(start, ending):
    rng = np.random.default_rng(0)
    for values, n_rows in ((rng.integers(20, 90, (30, 4)), 30), (rng.integers(0, 5, (300, 4)), 301)):
        frame = pandas.DataFrame(values, columns=range(start, start + 4))
        frame.to_csv(out := io.BytesIO(), index=False) if ending == "csv" else frame.to_excel(
            out := io.BytesIO(), index=False
        )
        table = read(out.getvalue(), f"t.{ending}")
        (question,) = table.questions
        assert table.n_rows == n_rows
        assert {read(out.getvalue(), f"t.{ending}", header=value).n_rows for *_, value in question.readings} == {
            len(values), len(values) + 1
        }  # fmt: skip


@pytest.mark.parametrize("codes", [["A12", "A7", "A30"], ["CAD1", "CAD2", "CAD3"], ["Rs1", "Rs22", "Rs3"]])
def test_codes_are_no_money(codes):
    table = read(("code,x\n" + "\n".join(f"{code},{k}" for k, code in enumerate(codes * 9))).encode(), "t.csv")
    assert isinstance(table.frame["code"].dtype, pandas.CategoricalDtype)


def with_totals(word, n_blocks=3, each=5, spoiled=False):
    """Return lines of blocks of rows, each with its total, and a total of all."""
    rng, lines, whole = np.random.default_rng(0), ["region,shop,n,pay"], np.zeros(2)
    for block in range(n_blocks):
        values = np.column_stack([rng.integers(1, 90, each), rng.integers(100, 9000, each) / 100])
        lines += [f"r{block},s{k % 3},{n:.0f},{pay:.2f}" for k, (n, pay) in enumerate(values)]
        n, pay = values.sum(axis=0) * (1.3 if spoiled else 1)
        lines.append(f"r{block},{word},{n:.0f},{pay:.2f}")
        whole += values.sum(axis=0)
    return [*lines, f"Total,,{whole[0]:.0f},{whole[1]:.2f}"]


@pytest.mark.parametrize("word", ["Subtotal", "Total r", "Zwischen Summe", "Sum", "total"])
def test_totals_within_the_table_are_left_out(word):
    lines = with_totals(word)
    table = read("\n".join(lines).encode(), "t.csv")
    assert table.n_rows == 15
    assert any(f"3 rows of totals left out, such as '{word}'" in note for note in table.notes)
    assert table.row_numbers.tolist() == [k for k in range(2, 19) if k not in (7, 13)]
    assert read("\n".join(lines).encode(), "t.csv", skip_below=0).n_rows == 19
    pandas.DataFrame([line.split(",") for line in lines[1:]], columns=lines[0].split(",")).to_excel(
        out := io.BytesIO(), index=False
    )
    book = read(out.getvalue(), "t.xlsx")
    assert (book.n_rows, book.row_numbers.tolist()) == (15, table.row_numbers.tolist())


def test_rows_called_totals_that_are_no_sums_stay():
    assert read("\n".join(with_totals("Total r", spoiled=True)).encode(), "t.csv").n_rows == 18


def test_a_column_of_years_with_totals_is_a_number_again():
    lines = ["year,a"] + [line for k in range(4) for line in (f"{2000 + 2 * k},{k + 3}", f"{2001 + 2 * k},9",
                                                              f"Total,{k + 12}")]  # fmt: skip
    table = read("\n".join(lines).encode(), "t.csv")
    assert (table.n_rows, table.frame["year"].dtype.kind) == (8, "i")


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


WORDS = {
    "Italian for medium": ("size", ["piccola", "media", "grande"]),
    "a sector": ("sector", ["Media", "Energy"]),
    "a method": ("method", ["ensemble", "tree", "linear"]),
    "a claim": ("claim", ["Total", "Partial", "Glass"]),
    "a statistic": ("agg", ["mean", "max", "min"]),
}


@pytest.mark.parametrize("numbers", ["steady", "years", "counts", "shares"])
@pytest.mark.parametrize("name", WORDS)
def test_a_category_with_a_word_for_totals_keeps_its_rows(name, numbers):
    rng = np.random.default_rng(len(name))
    column, words = WORDS[name]
    values = {
        "steady": 20 + 0.1 * rng.normal(size=300), "years": np.sort(rng.integers(2000, 2020, 300)),
        "counts": rng.integers(0, 4, 300), "shares": rng.normal(0.93, 0.01, 300),
    }[numbers]  # fmt: skip
    frame = pandas.DataFrame(
        {column: rng.choice(words, 300), "value": np.round(values, 2), "ok": rng.choice([*"ab"], 300)}
    )
    assert read(frame.to_csv(index=False).encode(), "t.csv").n_rows == 300
