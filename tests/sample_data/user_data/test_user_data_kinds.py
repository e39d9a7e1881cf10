"""Test the proposed kinds of columns whose numbers or texts could mean several things."""

import numpy as np
import pandas
import pytest

from sample_data.user_data import propose, read, summarise
from sample_data.user_data.proposal import is_id_like, propose_kind
from sample_data.user_data.summary import summarise_column
from tests.sample_data.user_data.user_data_files import csv_bytes

N_ROWS = 240
RNG = np.random.default_rng(5)
UNEVEN = (0.04, 0.16, 0.5, 0.26, 0.04)


def few(n, low=1):
    """Return shuffled numbers from low, each in as many rows."""
    return RNG.permutation(np.arange(N_ROWS) % n + low)


def kind_of(name, values):
    return propose_kind(summarise_column(name, pandas.Series(values)))


def kinds_of(names, values):
    return {name: kind_of(name, values) for name in names}


def test_small_whole_numbers_are_categories_if_their_name_means_a_kind():
    names = ("film", "cell", "status", "marital.status", "Orientation", "estado_civil", "Wochentag", "couleur", "job",
             "altersgruppe_typ", "region number", "Store No", "treatment2", "origin", "Jahreszeit", "tipo_vivienda",
             "profissão", "weather", "diagnosis", "Kundengruppe", "codigo_postal", "área")  # fmt: skip
    assert kinds_of(names, few(4)) == dict.fromkeys(names, "category")


def test_small_whole_numbers_are_numbers_if_their_name_means_a_count_or_a_size():
    names = ("rooms", "cylinders", "visits", "kids", "gears", "rating", "stories", "grade", "n_site", "cells", "films",
             "group_size", "store_sales", "school days", "country_population", "MPG.city", "city_mpg", "age_group",
             "Anzahl Filme", "product_rating", "job_satisfaction", "jobs", "number of sites", "regions")  # fmt: skip
    assert kinds_of(names, few(5)) == dict.fromkeys(names, "number")


def test_many_or_large_numbers_are_measured_unless_the_name_means_a_code():
    large = RNG.integers(1000, 100_000, N_ROWS)
    names = ("area", "field", "class", "position", "city_mpg", "store_sales", "state_income", "hospital beds")
    assert kinds_of(names, large) == dict.fromkeys(names, "number")
    codes = ("zip code", "fips", "isic", "school number")
    assert kinds_of(codes, large) == dict.fromkeys(codes, "ignore")
    assert kinds_of(codes, 20_101 + 100 * few(9)) == dict.fromkeys(codes, "category")


@pytest.mark.parametrize(
    ("name", "values", "kind"),
    [
        ("condition", few(4), "category"),
        ("condition", RNG.choice(5, N_ROWS, p=UNEVEN) + 1, "number"),
        ("school", RNG.choice(5, N_ROWS, p=UNEVEN) + 8, "number"),
        ("school", few(12), "category"),
        ("school", few(12) + 1300, "category"),
        ("season", few(4), "category"),
        ("season", few(9), "number"),
        ("cell", few(4) * 0.5, "number"),
        ("cell", few(30), "number"),
    ],
)
def test_the_values_decide_if_a_name_has_two_meanings(name, values, kind):
    assert kind_of(name, values) == kind


def test_ids_with_or_without_a_separator_are_left_out():
    names = ("familyid", "studyid", "userID", "patient_id", "id_producto", "movieid", "sample.id", "Patient Number")
    assert kinds_of(names, few(40)) == dict.fromkeys(names, "ignore")
    others = ("acid", "humid", "lipid", "grid", "paid")
    assert kinds_of(others, few(40)) == dict.fromkeys(others, "number")


def test_a_few_words_are_categories_even_if_the_column_is_called_id():
    words = np.array(["correct", "foil", "reject"])[few(3, 0)]
    assert kind_of("id", words) == "category"
    assert kind_of("id", np.array(["A17", "B23", "C09"])[few(3, 0)]) == "ignore"


def test_ranks_are_numbers_and_row_numbers_are_ids():
    ranks = RNG.permutation(N_ROWS) + 1
    assert kinds_of(("Wealth", "rank"), ranks) == {"Wealth": "number", "rank": "number"}
    ids = ("column 1", "obs", "patient id", "Unnamed: 0")
    assert kinds_of(ids, ranks) == dict.fromkeys(ids, "ignore")
    assert kind_of("Wealth", np.arange(N_ROWS)) == "ignore"
    times = ("day", "dayofyear", "Tage", "jour", "weeks")
    assert kinds_of(times, np.arange(N_ROWS)) == dict.fromkeys(times, "number")


def test_a_rank_is_a_feature_but_no_target():
    ranks, size = RNG.permutation(N_ROWS) + 1, RNG.normal(size=N_ROWS)
    table = read(csv_bytes(pandas.DataFrame({"size": size, "Lottery": ranks, "Wealth": ranks[::-1]})), "t.csv")
    summaries = summarise(table)
    recipe = propose(table, summaries)
    assert recipe.target == "size"
    assert recipe.features() == ["Lottery", "Wealth"]
    assert not any(map(is_id_like, summaries))


def test_names_that_differ_in_most_rows_are_left_out():
    names = [f"Company {k * 7 % 19} Ltd" for k in range(21)]
    assert kind_of("Startup_Name", names) == "ignore"
    assert kind_of("Startup_Name", names[:3] * 7) == "category"


def test_long_texts_that_repeat_are_categories():
    groups = [f"{k:03d} - infection of the organ number {k} with a complication" for k in range(100)]
    assert kind_of("group", groups * 2 + groups[:20]) == "category"
    assert kind_of("remark", [f"{text} {k}" for k, text in enumerate(groups * 2)]) == "ignore"


def test_a_numbered_column_among_flags_codes_categories_and_a_scale_does_not():
    flags = {f"z{k}": few(2, 0) for k in range(1, 6)}
    table = read(csv_bytes(pandas.DataFrame(flags | {"z6": few(4), "size": RNG.normal(size=N_ROWS)})), "t.csv")
    assert propose(table, summarise(table), "size").kinds["z6"] == "category"
    scale = {f"z{k}": few(4) for k in (6, 7)}
    table = read(csv_bytes(pandas.DataFrame(flags | scale | {"size": RNG.normal(size=N_ROWS)})), "t.csv")
    kinds = propose(table, summarise(table), "size").kinds
    assert (kinds["z6"], kinds["z7"]) == ("number", "number")


def test_a_column_of_many_subjects_is_no_target():
    columns = {"subject": few(44), "month": few(5, 0), "dose": RNG.normal(size=N_ROWS)}
    table = read(csv_bytes(pandas.DataFrame(columns)), "t.csv")
    assert "subject" not in [candidate.name for candidate in propose(table, summarise(table)).candidates]


def test_row_names_written_by_r_are_left_out_and_a_file_without_header_keeps_its_first_column():
    names, sizes = [f"{k // 4}.{k % 4 + 1}" for k in range(80)], RNG.normal(size=(80, 2)).round(3)
    rows = "".join(f"{name},{a},{b}\n" for name, (a, b) in zip(names, sizes, strict=True))
    table = read((",a,b\n" + rows).encode(), "t.csv")
    assert propose(table, summarise(table), "b").kinds["column 1"] == "ignore"
    table = read(rows.encode(), "t.csv")
    assert propose(table, summarise(table), "column 3").kinds["column 1"] == "number"


def proposed(frame):
    table = read(csv_bytes(frame), "t.csv")
    return propose(table, summarise(table))


def test_numbers_that_stand_for_one_text_each_are_codes():
    place = few(5, 3)
    texts = np.array(list("abcdefgh"))[place]
    order = np.array(["very low", "low", "medium", "high", "very high"])[place - 3]
    frame = pandas.DataFrame({"fipst": place, "where": texts, "size": few(5), "outcome": RNG.normal(size=N_ROWS)})
    assert proposed(frame).kinds["fipst"] == "category"
    assert proposed(frame).kinds["size"] == "number"
    assert proposed(frame.assign(where=order)).kinds["fipst"] == "number"


def test_numbered_mothers_and_row_names_are_ids_but_counts_of_people_are_not():
    mother = np.sort(RNG.choice(400, N_ROWS // 2, replace=False)).repeat(2)
    assert kind_of("mom", mother) == kind_of("Haushalt", mother) == "ignore"
    assert kind_of("child", few(4)) == "number"
    assert kind_of("student", RNG.integers(0, 40_000, N_ROWS)) == "number"
    assert kind_of("rownames", np.arange(N_ROWS) / 10 + 1) == "ignore"
    assert kind_of("villnum", RNG.integers(1, 40, N_ROWS)) == "category"


def test_names_with_many_rows_each_are_categories():
    names = [f"clinic {chr(97 + k % 26)}{k}" for k in range(60)]
    assert kind_of("clinic_name", np.array(names)[np.arange(1800) % 60]) == "category"
    assert kind_of("clinic_name", np.array(names)[np.arange(240) % 60]) == "ignore"


def test_a_header_may_occur_among_values_that_all_differ():
    lines = [f"{one}{two},{'xyz'[(ord(one) + ord(two)) % 3]}" for one in "ABCDEFGHI" for two in "ABCDE"]
    table = read("\n".join(["ID,Group", *lines]).encode(), "t.csv")
    assert list(table.frame.columns) == ["ID", "Group"]
