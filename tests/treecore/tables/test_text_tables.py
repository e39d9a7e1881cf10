"""Test the guard against formulas in CSV files, with one table of cases for Python and the browser."""

import csv
import io
import unicodedata

import pandas

from tests.each import each
from tests.in_node import in_node
from treecore.tables.text_tables import frame_to_csv, harmless, to_csv

FORMULAS = (
    "=1+1", "+1+1", "-1+1", "@SUM(1)", " =1+1", "\t=1+1", "\r=1+1", "\n=1+1", "\x00=1", "\x0b=1", "\x1f=1", "\x85=1",
    "\u00a0=1", "\u2003=1", "\u3000=1", "\u2028=1", "\ufeff=1+1", "\u200b=1+1", "\u200d=1", "\u2060=1", "\u00ad=1",
    "\u202e=1", "\u2068=1", "\u200f-1+1", "\u0301=1", "\ufe0f=1", "\u20dd=1", "\u115f=1", "\u3164=1", "\u2800=1",
    "\U000e0001=1", "\ue000=1", "＝1+1", "＋1+1", "－1+1", "＠SUM(1)", " ＝1", "\u200b＝1",
    "\ufe66=1", "\ufe62=1", "\ufe63=1",
    "\ufe6b=1", "\u207a=1", '"=1+1"', '""=1', '" =1', "\tabc", "\rabc", "\nabc", "-", "=", "+", "@", "--1",
    "-1,5", "+-1", "-1-1", "-inf", "-nan", "-1e", "-.", "-1\n", "-1\x00", "=cmd|' /C calc'!A0", '=HYPERLINK("http://a","b")',
    "-１２", "+٣", "=𝟏", "\U0001d165=1",
)  # fmt: skip
TEXTS = (
    "", "abc", "a=1", "a-b", "1-2", "'=1+1", "1+1", "(=1)", "−1", "·=1", "colour = red", " a", "a\n=1", "ß", "🙂=1",
    "12", "-12", "+3", "-1.5", "-.5", "-5.", "1e-5", "-1E+5", "+1.5e3", " -1.5 ", "\t-1", "１", "0", "\u200babc", '"a"',
    "“=1”", "#=1", "|=1", ";=1", "x" * 300,
)  # fmt: skip


@each("text", FORMULAS)
def test_a_formula_gets_an_apostrophe(text):
    assert harmless(text) == f"'{text}"
    assert harmless(harmless(text)) == harmless(text)


@each("text", TEXTS)
def test_other_texts_and_numbers_stay(text):
    assert harmless(text) == text


def cell_of(text):
    """Return one CSV field after reading it."""
    ((found,),) = csv.reader(io.StringIO(text, newline="")) if text else (("",),)
    return found


def test_the_browser_has_the_same_rule():
    """Compare the cases and every character in common Unicode planes, before a formula and before a word."""
    signs = [chr(code) for code in range(0x11000) if not 0xD800 <= code < 0xE000]
    signs = [sign for sign in signs if unicodedata.category(sign) != "Cn"]
    texts = [*FORMULAS, *TEXTS, *(f"{sign}=1" for sign in signs), *(f"{sign}a" for sign in signs)]
    found = in_node("const { csvCell } = await load('elements/csv.js'); return value.map(csvCell);", texts)
    assert [cell_of(text) for text in found] == [harmless(text) for text in texts]


def test_cells_of_the_browser_are_csv():
    cells = in_node(
        "const { csvCell } = await load('elements/csv.js');"
        "return [null, undefined, NaN, -1.5, 0.1 + 0.2, true, ...value].map(csvCell);",
        [1e300, "a,b", 'say "x"', "two\nlines", "=a,b", " padded"],
    )
    assert cells[:6] == ["", "", "", "-1.5", "0.30000000000000004", "true"]
    assert cells[6:] == ["1e+300", '"a,b"', '"say ""x"""', '"two\nlines"', '"\'=a,b"', '" padded"']


def test_tables_are_harmless():
    frame = pandas.DataFrame({"=a": ["\ufeff=1", "b"], "n": [-1.5, 2.0]})
    assert frame_to_csv(frame) == "'=a,n\n'\ufeff=1,-1.5\nb,2.0\n"
    assert to_csv(("=a", "b"), [("＝1", "-2")]) == "'=a,b\n'＝1,-2\n"
