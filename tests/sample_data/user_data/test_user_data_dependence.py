"""Test on random tables that time orders and repeated subjects are proposed, and nothing where rows are independent."""

from pathlib import Path

import numpy as np
import pandas
import pytest

from sample_data.user_data import make_data_set, problems, propose, read, summarise
from sample_data.user_data.proposed_split import find_dependence
from sample_data.user_data.recipe import Recipe
from sample_data.user_data.table import Table
from tests.budget import budget
from tests.refusals import is_said

FAULTS = Path(__file__).parents[1] / "faults"
OF_ROWS = FAULTS / "rows"  # files about dependent rows and about columns that contain the target
N_TABLES = 40  # of each kind
MOST_FALSE = 0.02  # largest share of tables of independent rows with a proposed order or group
MOST_MISSED = 0.05


def noise(rng, n):
    """Return columns of independent rows: measurements, counts, ratings, categories, codes and a year."""
    columns = {
        "height": rng.normal(170, 9, n).round(1),
        "weight": rng.integers(40, 120, n),
        "visits": rng.poisson(3, n),
        "rating": rng.integers(1, 6, n),
        "city": rng.choice([f"city {k}" for k in range(30)], n),
        "zip": rng.integers(1000, 1060, n),
        "model year": rng.integers(1990, 2015, n),
        "age": rng.integers(18, 80, n),
        "sex": rng.choice(["f", "m"], n),
        "born": pandas.Timestamp("1950-01-01") + pandas.to_timedelta(rng.integers(0, 20_000, n), unit="D"),
        "amount": rng.lognormal(6, 1, n).round(),
    }
    kept = rng.choice(list(columns), rng.integers(3, len(columns) + 1), replace=False)
    return pandas.DataFrame({name: columns[name] for name in kept})


def smooth(rng, n):
    return np.convolve(rng.normal(size=n + 20), np.ones(20) / 20, "valid")[:n]


def arranged(rng, frame):
    """Return the rows in their order, in the opposite order or shuffled, with the columns in any order."""
    way = rng.integers(3)
    frame = frame if way == 0 else frame.iloc[::-1] if way == 1 else frame.sample(frac=1, random_state=rng)
    return frame[rng.permutation(frame.columns)].reset_index(drop=True)


def series(rng):
    n = int(rng.integers(40, 300))
    times = {
        "date": pandas.date_range("1999-03-02", periods=n, freq=rng.choice(["D", "B", "MS", "W"])),
        "year": np.arange(2020 - n, 2020),
        "when": 1950 + np.arange(n) / 12,
        "week": np.arange(n),
        "time": np.arange(n) * 0.5,
    }
    name = str(rng.choice(list(times)))
    frame = pandas.DataFrame({name: times[name], "level": smooth(rng, n), "other": rng.normal(size=n)})
    frame["load"] = frame["level"] + 0.1 * rng.normal(size=n)
    return arranged(rng, frame), "time", name


def panel(rng):
    """Few or many units in calendar years, some rows missing, one of them twice."""
    n_units, n_years = int(rng.integers(8, 40)), int(rng.integers(8, 25))
    unit, year = np.divmod(np.arange(n_units * n_years), n_years)
    frame = pandas.DataFrame({"state": [f"state {k}" for k in unit], "year": 1980 + year})
    frame["income"] = rng.normal(size=n_units)[unit] + 0.1 * year + rng.normal(size=len(frame))
    frame["tax"] = rng.integers(0, 9, len(frame))
    frame = frame[rng.random(len(frame)) > 0.1 * rng.integers(2)]
    frame = pandas.concat([frame, frame.iloc[:1].assign(income=0.0)])
    return arranged(rng, frame), "time", "year"


def waves(rng):
    """Many persons in a few waves."""
    n_units, n_waves = int(rng.integers(60, 200)), int(rng.integers(2, 5))
    unit, wave = np.divmod(np.arange(n_units * n_waves), n_waves)
    name = str(rng.choice(["pid", "person", "nr", "case number", "u"]))
    frame = pandas.DataFrame({name: 1000 + 7 * unit, str(rng.choice(["wave", "year"])): 2001 + wave})
    frame["sex"] = rng.choice(["f", "m"], n_units)[unit]
    frame["pay"] = rng.normal(size=len(frame)).round(2)
    frame["kids"] = rng.integers(0, 4, len(frame))
    return arranged(rng, frame), "group", name


def subjects(rng):
    """Subjects with own numbers of rows, whose sex, birth and treatment are constant; no name shows the subject."""
    counts = rng.integers(1, 10, int(rng.integers(30, 150)))
    unit = np.repeat(np.arange(len(counts)), counts)
    frame = pandas.DataFrame({"k": rng.permutation(9000)[: len(counts)][unit], "dose": rng.normal(size=len(unit))})
    frame["sex"] = rng.choice(["f", "m"], len(counts))[unit]
    frame["born"] = rng.integers(1920, 2000, len(counts))[unit]
    frame["arm"] = rng.choice(["a", "b", "c"], len(counts))[unit]
    frame["y"] = rng.normal(size=len(unit)).round(1)
    return arranged(rng, frame), "group", "k"


def hierarchy(rng):
    """Categories with broader categories, a rating and its groups, and rows that occur twice."""
    n = int(rng.integers(100, 600))
    product = rng.integers(0, 40, n)
    age = rng.integers(18, 90, n)
    frame = pandas.DataFrame({"product": [f"product {k}" for k in product], "brand": [f"b{k % 9}" for k in product]})
    frame["country"] = [f"c{k % 9 % 4}" for k in product]
    frame = frame.assign(age=age, decade=age // 10, stars=rng.integers(1, 6, n), price=rng.normal(size=n).round(2))
    return pandas.concat([frame, frame.iloc[: n // 5]]), "", None


def factorial(rng):
    """Return an experiment with all combinations, several times."""
    levels = [np.arange(rng.integers(2, 6)) for _ in range(3)]
    frame = pandas.DataFrame(np.stack(np.meshgrid(*levels), -1).reshape(-1, 3), columns=["opening", "mask", "pad"])
    frame = pandas.concat([frame] * int(rng.integers(2, 5)))
    return frame.assign(skips=rng.poisson(4, len(frame))), "", None


def by_class(rng):
    """Return independent rows, sorted by their class or by a measurement, with row numbers."""
    frame = noise(rng, int(rng.integers(60, 500))).assign(row=0)
    frame["kind"] = rng.choice(["a", "b", "c"], len(frame))
    frame = frame.sort_values(rng.choice([name for name in frame if name != "born"]))
    return frame.assign(row=np.arange(len(frame)) + 1), "", None


def independent(rng):
    return noise(rng, int(rng.integers(40, 2000))), "", None


def found_in(frame):
    frame = frame.reset_index(drop=True)
    found = find_dependence(frame, summarise(Table(frame, "t", "CSV")), "y")
    column = {"time": found.order, "group": found.subjects}.get(found.by)
    return found.by, column and column.column


@pytest.mark.parametrize("make", [series, panel, waves, subjects])
def test_orders_and_subjects_are_found(make):
    rng = np.random.default_rng(sum(map(ord, make.__name__)))
    missed = []
    for _ in range(N_TABLES):
        frame, *expected = make(rng)
        if list(found := found_in(frame)) != expected:
            missed.append((found, expected))
    assert len(missed) <= MOST_MISSED * N_TABLES, missed


@pytest.mark.nightly
@pytest.mark.parametrize("make", [independent, hierarchy, factorial, by_class])
def test_independent_rows_have_no_order_and_no_groups(make):
    rng = np.random.default_rng(sum(map(ord, make.__name__)))
    n_tables = budget(2, 4) * N_TABLES
    wrong = [found for _ in range(n_tables) if (found := found_in(make(rng)[0])) != ("", None)]
    assert len(wrong) <= MOST_FALSE * n_tables, wrong


def proposed(name):
    folder = OF_ROWS if (OF_ROWS / f"{name}.csv").exists() else FAULTS
    table = read(folder / f"{name}.csv", f"{name}.csv")
    summaries = summarise(table)
    recipe = propose(table, summaries)
    return table, recipe, problems(table, summaries, recipe)


@pytest.mark.parametrize(
    ("name", "split", "column"),
    [
        ("household_is_a_rating", "stratified", None),
        ("sample_number_is_no_subject", "stratified", None),
        ("series_random_split", "time", "date"),
        ("series_month", "time", "month"),
        ("series_year", "time", "year"),
        ("panel_firm", "time", "year"),
        ("id_nested_in_center", "group", "id"),
        ("repeated_subjects", "group", "subject"),
        ("mpg_first_origin_last", "stratified", None),
        ("last_column_is_t", "time", "t"),
        ("last_column_is_sex", "stratified", None),
        ("last_column_is_lon", "stratified", None),
        ("outcome_first_yes_no", "stratified", None),
    ],
)
def test_each_fault_has_its_split(name, split, column):
    table, recipe, found = proposed(name)
    assert (recipe.split, recipe.split_column) == (split, column)
    if split == "stratified":
        return
    note = next(one for one in found if one.kind in ("order", "subjects"))
    assert note.severity == "info"
    assert f"'{column}'" in note.text
    label, back = note.fix
    assert label == "Split at random"
    assert (back.split, back.split_column) == ("stratified", None)
    assert make_data_set(table, recipe).kept_apart_by.endswith(column)
    offered = next(one for one in problems(table, summarise(table), back) if one.kind == note.kind)
    assert (offered.severity, offered.fix[1].split_column) == ("warns", column)


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("household_is_a_rating", "vote"), ("id_nested_in_center", "outcome"), ("last_column_is_t", "CO2"),
        ("last_column_is_lon", "Average Covered Charges"), ("last_column_is_sex", "time"), ("panel_firm", "output"),
        ("leak_onehot_target", "class_c"), ("marker_is_train", "outcome"), ("mpg_first_origin_last", "mpg"),
        ("outcome_first_yes_no", "deny"), ("series_random_split", "demand"), ("survival_time_and_status", "status"),
        ("year_last_in_panel", "lnhr"),
    ],
)  # fmt: skip
def test_each_fault_has_its_target(name, target):
    assert proposed(name)[1].target == target


def test_a_share_and_one_of_its_numbers_give_the_other_one():
    _, recipe, found = proposed("leak_ratio")
    assert {name for one in found if one.kind == "leak" for name in one.columns} == {*recipe.features()}


@pytest.mark.parametrize("name", ["sample number", "record no", "Probenummer", "obs"])
def test_numbers_of_rows_within_groups_are_no_features_and_no_groups(name):
    rng = np.random.default_rng(0)
    counts = rng.integers(12, 25, 6)
    frame = pandas.DataFrame({"study": np.repeat([f"s{k}" for k in range(6)], counts),
                              name: np.concatenate([np.arange(1, n + 1) for n in counts])})  # fmt: skip
    frame["x"], frame["y"] = rng.normal(size=(2, len(frame)))
    table = Table(frame, "t", "CSV")
    recipe = propose(table, summarise(table), "y")
    assert (recipe.kinds[name], recipe.split_column in (name, None)) == ("ignore", recipe.split_column is None)
    assert name not in [one.name for one in recipe.candidates]
    note = next(one for one in problems(table, summarise(table), recipe) if one.kind == "counter")
    assert f"'{name}' numbers the rows within groups. It is not used" in note.text
    assert note.fix[1].kinds[name] == "number"
    for other in ("week", "age"):
        renamed = Table(frame.rename(columns={name: other}), "t", "CSV")
        assert propose(renamed, summarise(renamed), "y").kinds[other] == "number"


@pytest.mark.parametrize("n_values", [300, 3000, 12_000])
@pytest.mark.parametrize("n_columns", [1, 6])
def test_many_values_alone_are_no_groups(n_values, n_columns):
    rng, n = np.random.default_rng(0), 20_000
    for names in (["code", "serial", "ref no", "key", "id2", "nr"], ["v1", "v2", "v3", "v4", "v5", "v6"]):
        columns = {name: rng.integers(10, n_values, n) for name in names[:n_columns]}
        frame = pandas.DataFrame({"x": rng.normal(size=n), **columns, "y": rng.choice(["a", "b"], n)})
        for one in (frame, frame.sort_values("x")):
            assert found_in(one) == ("", None)


def of_few_units(name, rng):
    """Return six units with five rows each, which only differ in their level."""
    unit = np.repeat(np.arange(1, 7), 5)
    level = (rng.normal(size=6)[unit - 1] + rng.normal(size=30)).round(2)
    return pandas.DataFrame({name: unit, "purity": rng.normal(size=30).round(3), "yield": level})


@pytest.mark.parametrize("name", ["Batch", "litter", "store_id", "plate", "familyid", "Schule"])
def test_few_units_with_a_telling_name_are_likely_groups(name):
    table = Table(of_few_units(name, np.random.default_rng(0)), "t", "CSV")
    recipe = propose(table, summarise(table), "yield")
    assert (recipe.split, recipe.split_column) == ("group", name)
    note = next(one for one in problems(table, summarise(table), recipe) if one.kind == "subjects")
    assert f"'{name}' has 6 values with 5 rows each" in note.text
    assert note.fix[1].split == "stratified"


@pytest.mark.parametrize("name", ["age", "score", "species", "rooms", "dose"])
def test_few_values_of_an_amount_or_a_kind_are_no_groups(name):
    table = Table(of_few_units(name, np.random.default_rng(0)), "t", "CSV")
    assert propose(table, summarise(table), "yield").split == "stratified"


def test_uneven_times_are_a_likely_order_and_a_year_of_birth_is_not():
    rng = np.random.default_rng(0)
    steps = np.cumsum(rng.integers(1, 9, 60))
    frame = pandas.DataFrame({"Days": steps, "weight": 180 - 0.2 * steps + rng.normal(size=60)})
    table = Table(frame, "t", "CSV")
    recipe = propose(table, summarise(table), "weight")
    assert (recipe.split, recipe.split_column) == ("time", "Days")
    note = next(one for one in problems(table, summarise(table), recipe) if one.kind == "order")
    assert "'Days'" in note.text
    assert note.fix[1].split == "stratified"
    born = frame.rename(columns={"Days": "year of birth"})
    assert propose(Table(born, "t", "CSV"), summarise(Table(born, "t", "CSV")), "weight").split == "stratified"


def test_numbers_of_units_are_categories_but_ages_are_numbers():
    assert proposed("panel_firm")[1].kinds["firm"] == "category"
    rng = np.random.default_rng(0)
    age, year = (part.ravel() for part in np.meshgrid(np.arange(20, 60), np.arange(1990, 2010)))
    frame = pandas.DataFrame({"age": age, "year": year, "rate": 0.01 * age**2 + rng.normal(size=800)})
    frame["other"] = frame["rate"] * 0.3 + rng.normal(size=800)
    recipe = propose(Table(frame, "t", "CSV"), summarise(Table(frame, "t", "CSV")))
    assert (recipe.split, recipe.split_column, recipe.kinds["age"]) == ("time", "year", "number")


def test_numbers_that_start_again_in_each_centre_are_one_group_with_the_centre():
    table, recipe, found = proposed("id_nested_in_center")
    assert (recipe.split_within, recipe.group_columns()) == ("center", ["id", "center"])
    assert "id" not in recipe.features()
    assert "center" in recipe.features()
    assert Recipe.from_dict(recipe.to_dict()) == recipe
    data = make_data_set(table, recipe)
    assert data.kept_apart_by == "center and id"
    assert np.unique(data.groups).size == 14
    assert "together have 14 values with 4 rows each" in next(one.text for one in found if one.kind == "subjects")


def test_a_series_of_classes_that_change_is_split_at_random():
    frame = pandas.DataFrame({"date": pandas.date_range("2001-01-01", periods=60), "x": np.arange(60) % 7 * 1.5})
    frame["kind"] = np.where(np.arange(60) < 45, "old", "new")
    frame.loc[:3, "kind"] = "oldest"
    recipe = propose(Table(frame, "t", "CSV"), summarise(Table(frame, "t", "CSV")))
    assert (recipe.target, recipe.split) == ("kind", "stratified")


def test_a_target_cannot_split_the_rows():
    table, recipe, _ = proposed("series_year")
    moved = Recipe("year", recipe.kinds, numbers=True, split="time", split_column="year")
    found = next(one for one in problems(table, summarise(table), moved) if one.kind == "split")
    assert is_said(found.text, "The rows are split by the target 'year', which is unknown for new rows")
    assert found.fix[1].split == "stratified"


@pytest.mark.parametrize("values", [("1", "0"), ("True", "False"), ("Train", "Test"), ("training", "holdout")])
def test_a_marker_of_training_rows_is_found_by_its_values(values):
    rng = np.random.default_rng(0)
    name = "is_train" if values[0] in ("1", "True") else "Case"
    marker = np.array(values)[(rng.random(80) > 0.7).astype(int)]
    text = "x,kind,half\n" + "".join(
        f"{x:.2f},{rng.choice(['a', 'b'])},{m}\n" for x, m in zip(rng.normal(size=80), marker, strict=True)
    )
    table = read(text.replace("half", name).encode(), "t.csv")
    recipe = propose(table, summarise(table), "kind")
    assert (recipe.split, recipe.split_column) == ("column", name)
    assert set(recipe.split_values.values()) == {"train", "test"}
    assert recipe.features() == ["x"]
    found = next(one for one in problems(table, summarise(table), recipe) if one.kind == "marker")
    assert found.fix[1].split == "stratified"


@pytest.mark.parametrize("name", ["train", "test", "training", "treated"])
def test_a_treatment_is_no_marker(name):
    frame = pandas.DataFrame(
        {name: np.arange(60) % 2, "x": np.random.default_rng(0).normal(size=60), "kind": ["a", "b", "b"] * 20}
    )
    table = Table(frame, "t", "CSV")
    assert propose(table, summarise(table)).split == "stratified"


def repeated(frame):
    table = Table(frame, "t", "CSV")
    summaries = summarise(table)
    return next(one for one in problems(table, summaries, propose(table, summaries)) if one.kind == "duplicates")


def test_equal_rows_are_removed_by_one_click_only_if_chance_does_not_explain_them():
    rng = np.random.default_rng(0)
    n = 600
    cabin = rng.integers(1, 4, n)
    fare = np.choose(
        cabin - 1, [rng.choice([7.25, 7.75, 7.9, 8.05], n), rng.integers(10, 30, n), rng.integers(30, 160, n)]
    )
    people = pandas.DataFrame(
        {"cabin": cabin, "fare": fare, "age": np.where(rng.random(n) < 0.5, np.nan, rng.integers(1, 80, n))}
    )
    people["survived"] = rng.choice(["no", "yes"], n)
    assert repeated(people).fix is None
    measured = pandas.DataFrame(rng.normal(size=(n, 3)).round(3), columns=list("abc")).assign(kind=people["survived"])
    found = repeated(pandas.concat([measured, measured.iloc[:60]], ignore_index=True))
    assert found.severity == "warns"
    assert found.fix[1].drop_duplicates
