"""Test making a data set from a table and a recipe: features, classes, splits, and the store."""

import json

import numpy as np
import pandas
import pytest

from sample_data import split_rows
from sample_data.user_data import Recipe, make_data_set, propose, read, store, summarise
from tests.refusals import refused
from tests.sample_data.user_data.user_data_files import FILES, csv_bytes, flowers, image_zip_bytes
from treecore import TAOClassifier
from treecore.errors import DataError, DataSetNotFound
from treecore.messages import counted, plural

KINDS = {"length": "number", "petals": "number", "colour": "category", "seen": "date", "species": "category"}


def table(frame=None):
    return read(csv_bytes(flowers() if frame is None else frame), "flowers.csv")


def made(frame=None, target="species", **choices):
    kinds = choices.pop("kinds", KINDS)
    return make_data_set(table(frame), Recipe(target, kinds, **choices))


def test_features_classes_and_words():
    data_set, frame = made(title="Flowers"), flowers()
    assert data_set.feature_names == (
        *("length", "petals", "colour = blue", "colour = red", "colour = white, pale", "seen (days since 1970)"),
    )
    assert data_set.class_names == ("iris", "rose", "Wald-Veilchen")
    assert data_set.labels().tolist() == frame["species"].tolist()
    np.testing.assert_array_equal(data_set.X[:, 0], frame["length"])
    np.testing.assert_array_equal(data_set.X[:, 3], np.where(frame["colour"].isna(), np.nan, frame["colour"] == "red"))
    assert data_set.X[0, 5] == (frame["seen"][0] - pandas.Timestamp("1970-01-01")).days
    assert data_set.name == f"own-{data_set.name[4:]}"
    assert len(data_set.name) == 16
    assert (data_set.title, data_set.source.split()[-1]) == ("Flowers", "flowers.csv")
    assert f"{60:,} of the {60:,} rows of flowers.csv." in data_set.description


def test_classes_have_the_labels_of_the_recipe():
    plain, labelled = made(), made(labels={"rose": "Rosa", "iris": "iris", "absent": "x"})
    assert labelled.class_names == ("iris", "Rosa", "Wald-Veilchen")
    np.testing.assert_array_equal(labelled.y, plain.y)
    assert made(labels={"iris": "rose", "rose": "iris"}).class_names[:2] == ("rose", "iris")
    assert Recipe.from_dict(json.loads(json.dumps(Recipe("a", {}, labels={"0": "died"}).to_dict()))).labels == {
        "0": "died"
    }
    with refused(DataError, "Two classes have the label 'rose'"):
        made(labels={"iris": "rose"})
    for labels in ({"a": ""}, {"a": " b"}, {"a": 3}, {3: "a"}, ["a"], {"a": "b" * 201}):
        with refused(
            DataError, "labels: expected strings of 1 to … characters without spaces at the ends, such as {'0'"
        ):
            Recipe("a", {}, labels=labels)


@pytest.mark.parametrize(
    ("columns", "kind"),
    [
        ({"a": [0, 1] * 5, "b": [3, 250] * 5}, np.int16),
        ({"a": [0, 1] * 5, "b": ["u", "v"] * 5}, np.int8),
        ({"a": [0.5, 1] * 5}, np.float32),
        ({"a": [0.1, 1] * 5}, np.float64),
        ({"a": [0.5, None] * 5, "b": [2**30 + 1, 2**30] * 5}, np.float64),
    ],
)
def test_the_smallest_type_that_holds_all_values(columns, kind):
    frame = pandas.DataFrame(columns).assign(y=list("ppqqp") * 2)
    data_set = made(frame, "y", kinds={name: "category" if name == "b" and isinstance(frame[name][0], str) else "number"
                                       for name in columns})  # fmt: skip
    assert data_set.X.dtype == np.result_type(kind, np.uint8 if kind == np.int8 and "b" in columns else kind)
    np.testing.assert_array_equal(data_set.X[:, 0], frame["a"].astype(float))


def test_two_values_need_one_feature():
    frame = pandas.DataFrame({"flag": ["yes", "no", "yes", None], "y": list("abab")})
    data_set = made(frame, "y", kinds={"flag": "category"})
    assert data_set.feature_names == ("flag = yes",)
    assert data_set.X[:, 0].tolist()[:3] == [1, 0, 1]
    assert np.isnan(data_set.X[3, 0])


def test_the_most_frequent_values_become_features():
    frame = pandas.DataFrame({"town": ["b"] * 5 + ["a"] * 3 + ["c", "d"], "y": list("pq") * 5})
    data_set = made(frame, "y", kinds={"town": "category"}, most_categories=2)
    assert data_set.feature_names == ("town = a", "town = b")
    assert data_set.X[-1].tolist() == [0, 0]
    assert "2 most frequent of 4 values" in data_set.description


def test_classes_are_in_the_order_people_expect():
    frame = pandas.DataFrame({"v": range(8), "y": [10, 9, 2, 1] * 2})
    assert made(frame, "y", kinds={"v": "number"}).class_names == ("1", "2", "9", "10")
    frame["y"] = ["day 10", "day 9", "Day 2", "a"] * 2
    assert made(frame, "y", kinds={"v": "number"}).class_names == ("a", "Day 2", "day 9", "day 10")


def test_a_target_of_numbers_is_cut_into_equal_groups():
    frame = pandas.DataFrame({"v": np.arange(90) % 7, "price": np.arange(90) / 10})
    data_set = made(frame, "price", kinds={"v": "number", "price": "number"}, bins=3)
    assert data_set.class_names == ("below 3", "3 to below 6", "6 or more")
    assert np.bincount(data_set.y).tolist() == [30, 30, 30]


def test_a_target_of_numbers_stays_numbers(tmp_path):
    frame = pandas.DataFrame({"v": np.arange(90) % 7, "price": np.arange(90) / 10}).astype({"price": object})
    frame.loc[[3, 5], "price"] = ["unknown", None]
    data_set = made(frame, "price", kinds={"v": "number", "price": "number"}, numbers=True)
    assert data_set.class_names == ()
    assert data_set.y.tolist() == [k / 10 for k in range(90) if k not in (3, 5)]
    assert data_set.target.name == "price"
    assert f"{counted(2, 'row')} without a number in {'price'!r} excluded" in data_set.description
    assert data_set.row_numbers.tolist()[:5] == [2, 3, 4, 6, 8]
    store.save(data_set, tmp_path)
    again = store.load(data_set.name, tmp_path)
    assert again.fingerprint == data_set.fingerprint
    assert again.target == data_set.target


def test_rows_without_a_target_are_left_out_and_counted():
    frame = flowers()
    frame.loc[:4, "species"] = None
    data_set = made(frame)
    assert data_set.n_rows == 55
    assert f"{counted(5, 'row')} without {'species'!r} excluded" in data_set.description


@pytest.mark.parametrize(
    ("rare", "names", "n_rows"),
    [(None, ("a", "b", "c", "d"), 24), ("drop", ("a", "b"), 20), ("merge", ("a", "b", "others"), 24)],
)
def test_rare_classes(rare, names, n_rows):
    frame = pandas.DataFrame({"v": range(24), "y": list("ab") * 10 + list("ccdd")})
    data_set = made(frame, "y", kinds={"v": "number"}, rare=rare, rare_below=5)
    assert data_set.class_names == names
    assert data_set.n_rows == n_rows


def test_duplicates_are_dropped_where_all_used_columns_repeat():
    frame = pandas.DataFrame({"v": [1, 1, 1, 2], "unused": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    data_set = made(frame, "y", kinds={"v": "number"}, drop_duplicates=True)
    assert data_set.X[:, 0].tolist() == [1, 1, 2]
    assert f"{counted(1, 'duplicate row')} excluded" in data_set.description


def test_a_random_split_has_the_shares_and_comes_again():
    first, again = (made(split="random", seed=3, shares=(0.5, 0.3, 0.2)) for _ in range(2))
    assert np.bincount(first.split).tolist() == [30, 12, 18]
    assert first.split.tolist() == again.split.tolist()
    assert first.split.tolist() != made(split="random", seed=4, shares=(0.5, 0.3, 0.2)).split.tolist()
    assert [len(rows) for rows in split_rows(first, 0)] == [30, 18, 12]


def test_a_split_by_a_column():
    frame = flowers()
    frame["part"] = np.array(["tr", "va", "te", "odd"])[np.arange(60) % 4]
    values = {"tr": "train", "va": "validation", "te": "test"}
    data_set = made(frame, split="column", split_column="part", split_values=values)
    assert np.bincount(data_set.split).tolist() == [15, 15, 15]
    assert (
        f"{counted(15, 'row')} excluded, because {'part'!r} assigns {plural(15, 'it', 'them')} to no set"
        in data_set.description
    )


def test_a_split_by_time_trains_on_the_past():
    frame = flowers()
    data_set = made(frame, split="time", split_column="seen", shares=(0.5, 0.25, 0.25))
    seen = frame["seen"].to_numpy()
    train, validation, test = (seen[data_set.split == code] for code in (0, 2, 1))
    assert train.max() < validation.min()
    assert validation.max() < test.min()
    assert 28 <= len(train) <= 34


def test_rows_of_one_time_stay_together():
    frame = pandas.DataFrame({"v": range(10), "year": [1, 1, 2, 2, 2, 2, 3, 3, 4, 4], "y": list("ab") * 5})
    data_set = made(frame, "y", kinds={"v": "number"}, split="time", split_column="year", shares=(0.4, 0.3, 0.3))
    assert data_set.split.tolist() == [0] * 6 + [2] * 2 + [1] * 2


@pytest.mark.parametrize(
    "choices",
    [
        {"split": "time", "split_column": "seen", "shares": (0.7, 0.0, 0.3)},
        {"split": "random", "shares": (0.7, 0.0, 0.3)},
        {"split": "column", "split_column": "colour",
         "split_values": {"red": "train", "blue": "test", "white, pale": "train"}},
    ],
)  # fmt: skip
def test_without_validation_rows_the_reported_parts_are_training_rows(choices):
    data_set, again = made(**choices), made(**choices)
    parts = [len(rows) for rows in split_rows(data_set, 5)]
    assert parts[1] == pytest.approx(0.25 * parts[0], abs=1.5)
    told = f"{parts[0]} training, {parts[1]} validation and {parts[2]} test rows"
    assert told in data_set.description
    assert "training rows used for validation" in data_set.description
    assert data_set.split.tolist() == again.split.tolist()
    if choices["split"] == "time":
        seen = flowers()["seen"].to_numpy()
        assert seen[data_set.split == 0].max() < seen[data_set.split == 2].min()


def test_rows_of_one_time_cannot_be_parted_but_some_validate():
    frame = pandas.DataFrame({"v": range(20), "year": [1] * 16 + [2] * 4, "y": list("ab") * 10})
    choices = {"kinds": {"v": "number"}, "split": "time", "split_column": "year", "shares": (0.8, 0.0, 0.2)}
    data_set = made(frame, "y", **choices)
    assert np.bincount(data_set.split).tolist() == [13, 4, 3]
    assert [np.sum(data_set.y[data_set.split == 2] == k) for k in (0, 1)] in ([1, 2], [2, 1])


def test_a_stratified_split_is_left_to_the_seed():
    assert made().split is None


@pytest.mark.parametrize("name", [name for name in FILES if name.startswith("flowers") and not name.endswith("npz")])
def test_from_a_file_to_a_tree_and_back(name):
    read_table = read(FILES[name](), name)
    data_set = make_data_set(read_table, propose(read_table, summarise(read_table), "species"))
    train, _, test = split_rows(data_set, 0)
    tree = TAOClassifier("univariate", missing="learn", max_depth=2, lam=0.1, random_state=0)
    tree.fit(data_set.X[train], data_set.y[train])
    encoded = data_set.columns.encode(read_table.frame)
    np.testing.assert_array_equal(encoded.X, data_set.X)
    np.testing.assert_array_equal(tree.predict(encoded.X[test]), tree.predict(data_set.X[test]))
    assert (tree.predict(data_set.X[train]) == data_set.y[train]).mean() > 0.5
    fresh = flowers().drop(columns="petals")
    assert data_set.columns.encode(fresh).notes


def test_the_fingerprint_tells_data_sets_apart():
    assert made().name == made().name
    assert made().name != made(kinds={**KINDS, "petals": "ignore"}).name
    changed = flowers()
    changed.loc[0, "length"] += 1
    assert made().name != made(changed).name


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"kinds": {"x": "numbers"}}, "The kind of each column must be one of"),
        ({"bins": 1}, "bins: expected 2 to 20 groups, or null"),
        ({"bins": True}, "bins: expected 2 to 20 groups, or null"),
        ({"numbers": 1}, "numbers: expected true or false"),
        (
            {"numbers": True, "bins": 3},
            ("numbers and bins cannot be combined, because a target divided into groups is not predicted as a number"),
        ),
        ({"split": "time"}, "A split by … needs a column"),
        ({"split": "by hand"}, "The split must be one of"),
        (
            {"shares": [0.5, 0.5, 0.5]},
            ("The shares of training, validation and test rows must be 0 to 1 and sum to 1, with training above 0"),
        ),
        (
            {"shares": [0, 0.5, 0.5]},
            ("The shares of training, validation and test rows must be 0 to 1 and sum to 1, with training above 0"),
        ),
        ({"seed": -1}, "seed: expected a whole number from 0 to 4294967295"),
        ({"rare": "burn"}, "rare: expected 'drop', 'merge' or null"),
        ({"split_values": {"a": "holiday"}}, "Each value of the split column must belong to one of"),
        ({"title": "x" * 300}, "title: expected at most 200 characters"),
        ({"target": ""}, "The target must be the name of a column"),
        ({"extra": 1}, "Unknown recipe fields"),
    ],
)
def test_recipes_are_checked(change, name):
    with refused(DataError, name):
        Recipe.from_dict({**Recipe("y", {"x": "number"}).to_dict(), **change})


def test_a_recipe_survives_json():
    recipe = Recipe(
        "y", {"x": "number"}, 4, True, "merge", 3, 9, "column", "s", {"1": "train"}, (0.7, 0.1, 0.2), 5, "T",
        {"x": ("k.A.", "-999")}, {"z": 12}, "name",
    )  # fmt: skip
    assert Recipe.from_dict(json.loads(json.dumps(recipe.to_dict()))) == recipe


def test_saved_sets_come_back_whole(tmp_path):
    recipe = Recipe("species", KINDS)
    for data_set in (make_data_set(table(), recipe), read(image_zip_bytes(), "pets.zip"), made(split="random")):
        store.save(data_set, tmp_path, recipe)
        again = store.load(data_set.name, tmp_path)
        assert again.fingerprint == data_set.fingerprint
        assert again.columns == data_set.columns
        assert (again.title, again.description, again.source) == (data_set.title, data_set.description, data_set.source)
        assert store.load_recipe(data_set.name, tmp_path) == recipe
        assert store.names(tmp_path)[0] == data_set.name
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


def test_the_oldest_sets_go(tmp_path):
    names = []
    for seed in range(4):
        data_set = made(split="random", seed=seed)
        names.append(data_set.name)
        store.save(data_set, tmp_path, keep=3)
    assert store.names(tmp_path) == names[:0:-1]
    with pytest.raises(DataSetNotFound):
        store.load(names[0], tmp_path)
    store.remove(names[1], tmp_path)
    assert store.names(tmp_path) == names[:1:-1]


@pytest.mark.parametrize("name", ["../x", "", "a/b", ".hidden", "x.y", "\0", 7])
def test_names_that_lead_elsewhere(tmp_path, name):
    with refused(DataError, "is not a valid data set name"):
        store.load(name, tmp_path)


@pytest.mark.parametrize(
    "damage", ["npz", "cut json", "other json", "no columns", "other rows", "wrong names", "other words"]
)
def test_damaged_sets_are_refused_in_words(tmp_path, damage):
    data_set = made()
    path = store.save(data_set, tmp_path)
    words = path.with_suffix(".json")
    facts = json.loads(words.read_text())
    checksum = facts.pop("checksum")  # the contents are checked too, as files of previous versions have no checksum
    if damage == "npz":
        path.write_bytes(path.read_bytes()[:100])
    elif damage == "cut json":
        words.write_text(words.read_text()[:50])
    elif damage == "other json":
        words.write_text("[1, 2]")
    elif damage == "no columns":
        words.write_text(json.dumps({**facts, "columns": {"columns": 3}}))
    elif damage == "other rows":
        np.savez(path, X=data_set.X[::-1], y=data_set.y)
    elif damage == "other words":  # the fingerprint does not include them
        words.write_text(json.dumps({**facts, "description": "changed", "checksum": checksum}))
    else:
        words.write_text(json.dumps({**facts, "class_names": [1, 2, 3]}))
    with pytest.raises(DataError, match="again"):
        store.load(data_set.name, tmp_path)
