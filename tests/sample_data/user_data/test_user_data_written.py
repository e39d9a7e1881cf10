"""Test the readers of units, months, weeks, title lines and notes in various notations, and the proposed recipes."""

import io
import time

import numpy as np
import openpyxl

from sample_data.user_data import propose, read, summarise
from treecore.messages import counted
from treecore.tables.marked_numbers import marked_number, renamed_columns


def test_decimal_commas_before_a_unit_are_numbers():
    frame = read("Stadt;Fläche\nUlm;93,4 m²\nBonn;78,2 m²\nUlm;1127,82 m²\nBonn;60 m²\n".encode(), "t.csv").frame
    assert frame["Fläche (m²)"].round(2).tolist() == [93.4, 78.2, 1127.82, 60.0]


def test_french_months_with_points_are_dates():
    frame = read("mois;ventes\njanv. 2012;833\nfévr. 2012;394\nmars 2012;249\navr. 2012;7\n".encode(), "t.csv").frame
    assert frame["mois"].dt.strftime("%Y-%m").tolist() == ["2012-01", "2012-02", "2012-03", "2012-04"]


def test_a_second_title_line_may_hold_the_delimiter():
    text = "Table 4. Energy\nSource: office, 2019\nhome,rooms,persons,kWh\n" + "A,3,1,7108\nB,3,2,3639\n" * 3
    table = read(text.encode(), "t.csv")
    assert list(table.frame.columns) == ["home", "rooms", "persons", "kWh"]
    assert table.n_rows == 6
    assert f"{counted(2, 'line')} above the header skipped" in table.notes


def test_a_title_and_a_source_may_hold_the_delimiter():
    text = (
        "Parishes, 1931\n\nParish,Population,Sheep\n"
        + 'Ayr,"4,690",20\nBute,936,12\n' * 9
        + "\nSource: Office, IV\nNote: June\n"
    )
    table = read(text.encode(), "t.csv")
    assert list(table.frame.columns) == ["Parish", "Population", "Sheep"]
    assert table.frame["Population"].tolist() == [4690, 936] * 9
    assert f"{counted(2, 'line')} above the header skipped" in table.notes


def test_weeks_are_their_monday():
    frame = read(b"week,n\n2018-W01,54\n2018-W02,70\n2020-W53,86\n2019W05,71\n", "t.csv").frame
    assert frame["week"].dt.strftime("%Y-%m-%d").tolist() == ["2018-01-01", "2018-01-08", "2020-12-28", "2019-01-28"]


def test_thousands_without_a_currency_are_numbers():
    frame = read(b"club,subsidy\na,53k\nb,52k\nc,38.5k\n", "t.csv").frame
    assert frame["subsidy (k)"].tolist() == [53, 52, 38.5]


def test_whole_numbers_that_rise_from_row_to_row_with_gaps_name_rows():
    bibs = np.arange(101, 161) + np.arange(60) // 7
    text = "Bib,Training,Finish\n" + "".join(f"{bib},{bib * 7 % 50},{bib * 13 % 97}\n" for bib in bibs)
    table = read(text.encode(), "t.csv")
    assert propose(table, summarise(table)).kinds["Bib"] == "ignore"


def test_a_remark_that_is_mostly_empty_leaves_the_last_place_to_the_column_before():
    rows = "".join(
        f"{k * 7 % 50},{k * 31 % 700},{'no' if k % 4 else 'yes'},{'moved' if k == 3 else ''}\n" for k in range(60)
    )
    table = read(("amount,income,repaid,remark\n" + rows).encode(), "t.csv")
    assert propose(table, summarise(table)).target == "repaid"


def test_values_below_what_can_be_measured_are_numbers():
    values = ["<0.02", *(f"0.{k}" for k in range(11, 30))]
    table = read(("id,cadmium\n" + "".join(f"a{k},{value}\n" for k, value in enumerate(values))).encode(), "t.csv")
    assert table.frame["cadmium (<)"].round(3).tolist()[:2] == [0.02, 0.11]


def test_groups_with_an_open_end_stay_words():
    rows = "".join(f"{age},{k}\n" for k, age in enumerate(["<18", "18", "40", ">65"] * 5))
    assert list(read(("age,n\n" + rows).encode(), "t.csv").frame.columns) == ["age", "n"]


def test_rows_of_words_above_the_table_of_a_sheet_are_titles():
    book = openpyxl.Workbook()
    for row in (["Resorts"], ["as of 2022"], [], ["Country", "Top (m)", "Lifts"], ["A", 2849, 3], ["B", 1641, 5]):
        book.active.append(row)
    content = io.BytesIO()
    book.save(content)
    table = read(content.getvalue(), "t.xlsx")
    assert list(table.frame.columns) == ["Country", "Top (m)", "Lifts"]
    assert table.n_rows == 2


def test_counts_with_gaps_are_numbers_to_predict():
    counts = np.repeat([0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 13, 15, 20], [13, 24, 12, 10, 7, 6, 7, 6, 1, 1, 2, 1, 1, 1])
    rows = "".join(f"{k * 37 % 91},{count}\n" for k, count in enumerate(counts))
    table = read(("length,holes\n" + rows).encode(), "t.csv")
    recipe = propose(table, summarise(table))
    assert (recipe.target, recipe.numbers) == ("holes", True)


def test_a_class_in_the_middle_of_a_question_is_no_target():
    question = "Hours on your phone outside of class on a weekday"
    rows = "".join(f"{k * 7 % 5},{'low' if k % 3 else 'high'}\n" for k in range(60))
    table = read((f"{question},Stress\n" + rows).encode(), "t.csv")
    assert propose(table, summarise(table)).target == "Stress"


def test_lines_below_are_skipped_in_utf_16_too():
    text = "a,b\n1,2\n3,4\n5,6\ntotal\n"
    assert read(text.encode("utf-16"), "t.csv", skip_below=1).frame["b"].tolist() == [2, 4, 6]


def test_rows_of_numbers_above_a_wide_row_of_a_sheet_stay():
    book = openpyxl.Workbook()
    for row in (["values"], [1], [2], [3], [4, "check"], [5, "ok?"], [6]):
        book.active.append(row)
    content = io.BytesIO()
    book.save(content)
    assert read(content.getvalue(), "t.xlsx").n_rows == 6


def test_many_blanks_in_a_cell_cost_no_time():
    start = time.process_time()
    assert marked_number("(" + " " * 20_000 + "x", "") is None
    assert marked_number("5" + " " * 20_000 + "!", "") is None
    assert time.process_time() - start < 1


def test_columns_that_differ_by_a_unit_are_found_and_others_left():
    assert renamed_columns(["h (cm)"], ["h"]) == {"h": "h (cm)"}
    assert renamed_columns(["h"], ["h (US$)", "w"]) == {"h (US$)": "h"}
    assert renamed_columns(["h (cm)", "h (in)"], ["h"]) == {}
    assert renamed_columns(["size"], ["size (last year)"]) == {}
