"""Test that the command line writes files in one step, follows links, and never overwrites an unrelated file."""

import stat
from argparse import ArgumentParser
from pathlib import Path

import pytest

from sample_data import user_data
from treecore import DataError, ParameterError
from viz.command_line import files, main, training_data
from viz.command_line.rows import table_or_set


def test_a_file_is_replaced_as_a_whole_and_keeps_its_rights(tmp_path):
    target = tmp_path / "out.csv"
    target.write_text("before")
    target.chmod(0o640)
    files.write(str(target), "after")
    assert target.read_text() == "after"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [target]


def test_a_link_stays_a_link(tmp_path):
    link, target = tmp_path / "link", tmp_path / "there.csv"
    link.symlink_to(target)
    for text in ("new", "newer"):
        files.write(str(link), text)
        assert link.is_symlink()
        assert target.read_text() == text


def test_a_device_is_written_to_and_not_replaced():
    files.write("/dev/null", b"gone")
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize(
    ("name", "match"),
    [
        (".", "is a folder"),
        ("a" * 5000, "cannot be written"),
        ("no/such/folder.csv", "cannot be written"),
        ("a\0", "cannot be written"),
    ],
)
def test_unwritable_files_are_reported_and_leave_nothing(tmp_path, monkeypatch, name, match):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DataError, match=match) as errors:
        files.write(name, "text")
    assert len(str(errors.value)) < 400
    assert list(tmp_path.iterdir()) == []


def test_a_failure_leaves_no_part_behind(tmp_path, monkeypatch):
    def refuse(self, target):
        raise OSError("no")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(DataError):
        files.write(str(tmp_path / "out.csv"), "text")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a" * 5000, "a" * 5000 + ".csv", "a/b\0"])
def test_names_that_can_be_no_file_are_not_there(name):
    assert not files.is_there(name)


def test_the_kind_of_a_column_is_behind_the_last_sign(tmp_path):
    (tmp_path / "t.csv").write_text("a=b,y\n" + "".join(f"{i % 3},{'pq'[i % 2]}\n" for i in range(30)))
    parser = ArgumentParser()
    training_data.add_arguments(parser)
    table = user_data.read(tmp_path / "t.csv", "t.csv")

    def recipe(kind):
        options = parser.parse_args([str(tmp_path / "t.csv"), "--target", "y", "--type", kind])
        return training_data.recipe_of(table, user_data.summarise(table), options)

    assert recipe("a=b=category").kinds["a=b"] == "category"
    with pytest.raises(ParameterError, match="no column 'y2'"):
        recipe("y2")


def test_a_column_that_is_given_a_type_names_no_rows(tmp_path):
    rows = "".join(f"person {i},{i % 7 * 1.5},{'pq'[i % 2]}\n" for i in range(30))
    (tmp_path / "t.csv").write_text("name,x,y\n" + rows)
    parser = ArgumentParser()
    training_data.add_arguments(parser)
    table = user_data.read(tmp_path / "t.csv", "t.csv")
    options = parser.parse_args([str(tmp_path / "t.csv"), "--target", "y", "--type", "name=category"])
    recipe = training_data.recipe_of(table, user_data.summarise(table), options)
    assert recipe.row_names is None
    assert recipe.features() == ["name", "x"]


@pytest.mark.parametrize(("mark", "n_columns"), [("-999", 2), ("refused", 1)])
def test_a_text_that_means_a_missing_value_is_declared_for_all_columns(tmp_path, mark, n_columns):
    rows = "".join(
        f"{mark if k % 5 == 0 else k % 17},{-999 if k % 4 == 0 else k / 4},{'pq'[k % 2]}\n" for k in range(60)
    )
    (tmp_path / "t.csv").write_text("a,b,y\n" + rows)
    parser = ArgumentParser()
    training_data.add_arguments(parser)
    table = user_data.read(tmp_path / "t.csv", "t.csv")
    options = parser.parse_args([str(tmp_path / "t.csv"), "--missing-text", mark])
    recipe = training_data.recipe_of(table, user_data.summarise(table), options)
    assert recipe.missing == dict.fromkeys("ab"[:n_columns], (mark,))
    assert recipe.kinds["a"] == "number"
    assert user_data.make_data_set(table, recipe).n_rows == 60


def test_a_file_is_read_as_the_options_say(tmp_path):
    file = tmp_path / "words.csv"
    file.write_text("A title, of two\nf,g,h\n" + "f,t,x\nt,f,y\nf,f,x\n" * 20 + "the end\n")
    table = table_or_set(str(file), reading=["header_line=2", "skip_below=1", "header=false"])
    assert (list(table.frame), table.n_rows) == (["column 1", "column 2", "column 3"], 61)
    for wrong in ("lines=3", "header"):
        with pytest.raises(ParameterError, match="expected NAME=VALUE with delimiter"):
            table_or_set(str(file), reading=[wrong])


def test_a_doubtful_header_is_a_warning(tmp_path, capsys):
    file = tmp_path / "words.csv"
    file.write_text("f,g,h\n" + "f,t,x\nt,f,y\nf,f,x\n" * 20)
    parser = ArgumentParser()
    training_data.add_arguments(parser)
    training_data.load(parser.parse_args([str(file)]))
    told = capsys.readouterr().err
    assert f"Line {1:,} (f, g, h) is read as column names. It could also be a row of data." in told
    assert "To choose, pass --read header=true or --read header=false." in told
    training_data.load(parser.parse_args([str(file), "--read", "header=false"]))
    assert "Line 1" not in capsys.readouterr().err


def test_a_column_whose_unit_went_into_its_name_is_known_by_both_names(tmp_path, capsys):
    rows = "".join(f"{i % 7},{i % 5},{10 + i % 30} kg\n" for i in range(60))
    (tmp_path / "t.csv").write_text(f"x,z,w\n{rows}")
    given = [str(tmp_path / "t.csv"), "--type", "x=category", "--regression"]
    parser = ArgumentParser()
    training_data.add_arguments(parser)
    both = [training_data.load(parser.parse_args([*given, "--target", name])) for name in ("w", "w (kg)")]
    assert [one.target for one in both] == ["w (kg)"] * 2
    assert both[0].data.fingerprint == both[1].data.fingerprint
    left_out = training_data.load(parser.parse_args([*given[:1], "--target", "z", "--ignore", "w"]))
    assert left_out.data.feature_names == ("x",)
    model = tmp_path / "m.json"
    main(["fit", *given, "--target", "w", "--out", str(model)])
    capsys.readouterr()
    main(["predict", str(model), given[0], "--compare", "w", "--out", str(tmp_path / "out.csv")])
    assert "60 rows" in capsys.readouterr().err


def test_a_feature_is_not_compared_for_the_target_whose_name_it_nearly_has(tmp_path, capsys):
    known, new = tmp_path / "known.csv", tmp_path / "new.csv"
    known.write_text("a,price ($),price\n" + "".join(f"{i % 7},{i % 5},{10 + i % 30}\n" for i in range(60)))
    new.write_text("a,price ($)\n" + "".join(f"{i % 7},{i % 5}\n" for i in range(60)))
    model = tmp_path / "m.json"
    main(["fit", str(known), "--target", "price", "--regression", "--out", str(model)])
    capsys.readouterr()
    main(["predict", str(model), str(new), "--out", str(tmp_path / "out.csv")])
    assert "error" not in capsys.readouterr().err
