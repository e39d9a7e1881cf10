"""Test one long field in an untrusted file: the reading time grows in proportion to its length, not to the square."""

import contextlib
import time

import pytest

from pages.ui.shell.markdown_text import plain
from sample_data.user_data import make_data_set, problems, propose, read, summarise
from sample_data.user_data.natural_key import natural_key
from sample_data.user_data.values import is_number
from tests.budget import budget
from treecore.errors import DataError
from treecore.tables.text_tables import harmless
from treecore.tree.condition_text import visible

LONGEST = 131_072  # maximum number of characters that Python's CSV reader accepts in a field
PIECES = ("1", "0", "+-", "-9", ".", "1.", "1,", ",234", ".234", "e", "1e", "1 ", " ", ",", ";", "\t", "\n", '""', "'",
          "#", "_", "/", "1/", "2020-01-01 ", "0:", "T", "inf", "nan", "\\", "{", "@relation ", "$", "1%", "a1", "http://",
          "٣", "\u0301", "\u202e")  # fmt: skip
PIECES = budget(PIECES[::3], PIECES)
ENDS = (("", ""), ("1", "x"), ("a", "b"), ("2020-01-01", "."))


def field(piece, begin, end, length):
    room = length - len(begin) - len(end)
    return begin + (piece * (room // len(piece) + 1))[:room] + end


def seconds(function, text):
    begin = time.process_time()
    function(text)
    return time.process_time() - begin


def everything(text):
    """Process a file as the Data page does, with the field in a column and in the target."""
    quoted = '"' + text.replace('"', '""') + '"'
    content = f"a,b,class\n1,{quoted},{quoted}\n2,5,y\n3,6,{quoted}\n4,7,y\n5,8,y\n"
    with contextlib.suppress(DataError):
        table = read(content.encode(), "long.csv")
        summaries = summarise(table)
        recipe = propose(table, summaries)
        problems(table, summaries, recipe)
        make_data_set(table, recipe)


def grows(function, piece, begin, end):
    """Assert that 16 times the length takes about 16 times as long, not 256 times."""
    short, long = (field(piece, begin, end, length) for length in (LONGEST // 16, LONGEST))
    slow = seconds(function, long)
    if slow < 0.1:  # too short to measure
        return
    quick = min(seconds(function, short) for _ in range(3))
    if slow >= 48 * quick + 0.05:
        slow = min(slow, seconds(function, long))
    assert slow < 64 * quick + 0.05, (piece, begin, end, quick, slow)


@pytest.mark.nightly
@pytest.mark.parametrize("piece", PIECES)
def test_a_long_field_is_read_in_time_of_its_length(piece):
    for begin, end in ENDS[:2]:
        grows(everything, piece, begin, end)


@pytest.mark.nightly
@pytest.mark.parametrize("function", [is_number, natural_key, harmless, plain, visible])
def test_functions_of_a_text_take_time_linear_in_its_length(function):
    for piece in PIECES:
        for begin, end in ENDS:
            grows(function, piece, begin, end)


@pytest.mark.parametrize("end", ["", " {a, b}", " numeric", "'"])
def test_a_long_line_of_an_arff_header_is_read_in_time_of_its_length(end):
    def header(name):
        with contextlib.suppress(DataError):
            read(f"@relation r\n@attribute {name}{end}\n@attribute c {{x,y}}\n@data\n1,x\n2,y\n".encode(), "long.arff")

    for piece in ("a", " ", "{", "'", '"', "\\'", "a ", "a{", "\\"):
        grows(header, piece, "", "")
