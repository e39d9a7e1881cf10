"""Test worksheets: they contain every question, and only the key contains answers."""

import re
import zlib
from dataclasses import replace
from html import escape, unescape

import pytest

from pages.ui.learn import lessons
from pages.ui.learn.lesson_notes import truth_text
from pages.ui.learn.lessons import build
from pages.ui.learn.worksheets import worksheet_html as html_file
from pages.ui.learn.worksheets.worksheet import BLANK, worksheet
from pages.ui.learn.worksheets.worksheet_files import worksheet_file, write_worksheets
from pages.ui.learn.worksheets.worksheet_html import worksheet_html
from pages.ui.learn.worksheets.worksheet_pdf import worksheet_pdf
from pages.ui.shell import markdown_text
from tests.budget import budget

PDF = budget(("split-choice", "mnist"), ("split-choice", "care-points", "breast-cancer", "mnist"))


def plain(text):
    return "".join(words for _, words in markdown_text.spans(text))


def sheets(slug):
    return [worksheet(lessons.ALL[slug], build(slug), has_key) for has_key in (False, True)]


@pytest.fixture
def no_picture(monkeypatch):
    monkeypatch.setattr(html_file, "worksheet_png", lambda sheet: b"")


@pytest.mark.parametrize("slug", lessons.ALL)
def test_sheets_contain_every_question_and_only_the_key_contains_the_answers(slug, no_picture):
    students, key = (unescape(worksheet_html(sheet)) for sheet in sheets(slug))
    moments = build(slug).moments
    for moment in moments[:-1]:
        parts = re.split(r"\d[\d,.]*", plain(moment.ask))
        assert all(part in students for part in parts)
        assert plain(moment.ask) in key
        assert plain(moment.answer) in key
        assert not moment.answer or plain(moment.answer) not in students
    guesses = [moment for moment in moments if moment.guess is not None]
    for moment in guesses:
        assert truth_text(moment) in key
        for choice in moment.guess.choices:
            assert f"☐ {choice}" in students
    assert plain(lessons.ALL[slug].task) in students
    assert plain(lessons.ALL[slug].keep) in key
    assert plain(lessons.ALL[slug].keep) not in students
    assert students.count("Your guess, ") == sum(not moment.guess.choices for moment in guesses)
    assert "☒" not in students
    assert key.count("☒") == sum(bool(moment.guess.choices) for moment in guesses)


@pytest.mark.parametrize("slug", lessons.ALL)
def test_no_question_on_the_sheet_of_students_repeats_an_earlier_answer(slug):
    students, _ = sheets(slug)
    moments = build(slug).moments
    assert students.tree is None
    for k, question in enumerate(students.questions):
        earlier = [one for one in moments[: question.screen - 1] if one.guess is not None and not one.guess.choices]
        numbers = {number for one in earlier for number in re.findall(r"\d[\d,]*(?:\.\d+)?", truth_text(one))}
        assert not numbers & set(re.findall(r"\d[\d,]*(?:\.\d+)?", question.ask)), k


def test_a_scale_has_plain_ends_and_its_unit_last():
    heights, _ = sheets("bias-and-variance")
    assert heights.questions[0].scale == "0 to 30 m"
    points, _ = sheets("what-a-tree-is")
    assert points.questions[0].scale == "0 to 600 points"


def test_a_task_without_a_guess_names_its_screen():
    students, _ = sheets("greedy-fails-on-xor")
    places = {question.ask[:9]: question.place for question in students.questions}
    assert places["Step back"] == "try it on screen 4"
    assert places["You may d"] == "screen 1"


@pytest.mark.parametrize(
    ("slug", "pages"), [("what-a-tree-is", 2), ("bias-and-variance", 3), ("unstable", 2), ("greedy-fails-on-xor", 2)]
)
def test_no_statement_is_alone_on_a_page(slug, pages):
    students, _ = sheets(slug)
    assert f"/Count {pages}".encode() in worksheet_pdf(students)


def test_an_earlier_answer_becomes_a_blank():
    students, key = sheets("greedy-fails-on-xor")
    assert f"can correct {BLANK} errors" in students.questions[1].ask
    assert "can correct 107 errors" in key.questions[1].ask


def text_of(pdf):
    """Return the text of a PDF of this project, without spaces: two bytes a character."""
    found = []
    for stream in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL):
        try:
            drawn = zlib.decompress(stream)
        except zlib.error:
            continue
        for line in re.findall(rb"\[(.*?)\]\s*TJ", drawn, re.DOTALL):
            signs = b"".join(re.findall(rb"\(((?:\\.|[^\\)])*)\)", line, re.DOTALL))
            signs = re.sub(
                rb"\\(.)", lambda one: {b"n": b"\n", b"r": b"\r"}.get(one[1], one[1]), signs, flags=re.DOTALL
            )
            found.append(signs.decode("utf-16-be", "replace"))
    return re.sub(r"\s", "", "".join(found))


def is_in(words, text):
    """Test whether the text of a PDF contains words. Ligatures and signs beyond Latin-1 have codes of their own."""
    parts = [re.sub(r"\s", "", part) for part in re.split("ffi|ffl|fi|fl|ff|[^\x20-\xff\n]", words)]
    return bool(re.search(".".join(map(re.escape, parts)), text, re.DOTALL))


@pytest.mark.nightly
@pytest.mark.parametrize("slug", PDF)
def test_the_pdf_opens_and_contains_the_same_text(slug):
    for sheet in sheets(slug):
        pdf = worksheet_pdf(sheet)
        assert pdf.startswith(b"%PDF-1.")
        assert pdf.rstrip().endswith(b"%%EOF")
        n_pages = int(re.search(rb"/Count (\d+)", pdf)[1])
        assert 1 < n_pages < 5
        text = text_of(pdf)
        assert f"Page{n_pages}of{n_pages}" in text
        for question in sheet.questions:
            assert is_in(question.ask, text)
            assert is_in(question.answer, text)
        for moment in build(slug).moments:
            assert not moment.answer or is_in(plain(moment.answer), text) == sheet.has_key


def test_hostile_and_endless_words_stay_text_and_on_the_page(monkeypatch, no_picture):
    students, _ = sheets("split-choice")
    hostile = "<script>alert(1)</script> & \"'$x^2$ \x00 \u202e" + "w" * 900
    one = replace(students.questions[2], ask=hostile, guess=replace(students.questions[2].guess, unit=hostile))
    sheet = replace(students, title=hostile, about=hostile, questions=(one,) * 3, beliefs=((hostile, hostile),))
    html = worksheet_html(sheet)
    assert "<script" not in html
    assert escape("<script>alert(1)") in html
    pdf = worksheet_pdf(sheet)
    assert int(re.search(rb"/Count (\d+)", pdf)[1]) > 2
    assert "w" * 900 in text_of(pdf).replace("\ufffd", "")


def test_the_sheet_works_without_a_network_and_has_no_script():
    html = worksheet_file("care-points", "worksheet", "html").decode()
    assert not re.search(r"<script|<link|@import|url\(|src=\"http", html)
    assert "default-src 'none'" in html
    assert "color-scheme:light" in html
    assert re.search(r'<img alt="[^"]+" src="data:image/png;base64,[A-Za-z0-9+/=]{1000,}"', html)


def test_the_function_of_the_command_writes_four_files_for_a_lesson(tmp_path):
    paths = write_worksheets(tmp_path / "new", ["care-points"])
    assert sorted(path.name for path in paths) == [
        "care-points-key.html", "care-points-key.pdf", "care-points-worksheet.html", "care-points-worksheet.pdf",
    ]  # fmt: skip
    assert all(path.stat().st_size > 10_000 for path in paths)
