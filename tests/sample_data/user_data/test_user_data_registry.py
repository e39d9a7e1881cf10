"""Test that a format needs only a reader and an entry, because all other parts list the registered formats."""

import io
import zipfile

import pandas
import pytest

from sample_data.user_data import Table, estimate, read
from sample_data.user_data.readers.file_format import FileFormat
from sample_data.user_data.readers.formats import FORMATS, format_of, formats_in_words
from tests.refusals import refused
from treecore.errors import DataError


def read_made_up(source, name, header=None):
    content = source if isinstance(source, bytes) else source.read_bytes()
    return Table(pandas.DataFrame({"a": list(content[4:]), "header": header}), name, "Made up", (), len(content))


@pytest.fixture
def made_up():
    one = FileFormat("Made up", "Made up (.mad)", ("mad",), read_made_up, ("header",), seconds=100.0, begins=b"MADE")
    FORMATS.append(one)
    yield one
    FORMATS.remove(one)


def test_a_new_format_is_read_wherever_files_are(made_up):
    table = read(b"MADEabc", "x.mad", header=True)
    assert (table.format, table.frame["a"].tolist()) == ("Made up", [97, 98, 99])
    assert table.frame["header"].all()
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("inside.mad", b"MADEabc")
    assert read(archive.getvalue(), "x.zip").frame.equals(read(b"MADEabc", "x.mad").frame)
    with refused(DataError, "is damaged or is not a .mad file"):
        read(b"\0\1\2", "x.mad")
    assert formats_in_words().endswith("or Made up (.mad)")
    assert format_of("Made up") is format_of(".mad") is made_up
    assert estimate(10**6, ".mad").seconds > 100


@pytest.mark.parametrize("one", FORMATS, ids=lambda one: one.name)
def test_every_format_is_found_by_name_and_ending(one):
    assert format_of(one.name) is one
    assert all(format_of(f".{ending}") is one for ending in one.endings)
    assert one.words in formats_in_words()
