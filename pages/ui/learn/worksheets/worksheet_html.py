"""Write a worksheet as one HTML file for the printer."""

import base64
from html import escape

from pages.ui.learn.worksheets.worksheet import KEEP, TASK, Question, Worksheet
from pages.ui.learn.worksheets.worksheet_picture import picture_words, worksheet_png

_STYLE = """
:root{color-scheme:light}
body{font:11pt/1.4 "DejaVu Sans",Verdana,Arial,sans-serif;color:#111;background:#fff;max-width:46rem;margin:1.5rem auto;
padding:0 1rem;overflow-wrap:anywhere}
h1{font-size:18pt;line-height:1.2;margin:.2rem 0}
h2{font-size:13pt;margin:1.6rem 0 .4rem}
header p,.data{margin:.3rem 0;color:#444}
.who{display:flex;gap:2rem;margin:1rem 0;color:#111}
.who span{flex:1;border-bottom:1px solid #555;padding-bottom:.2rem}
img{width:100%;height:auto;margin:.6rem 0}
ol{padding-left:1.6rem}
li{break-inside:avoid;margin:0 0 1.2rem}
li>p{margin:0 0 .4rem}
.screen{color:#555;font-size:9pt}
.choices{list-style:none;padding:0;margin:.3rem 0}
.choices li{margin:0 0 .2rem}
.line{display:block;border-bottom:1px solid #777;height:1.7rem}
.short{display:inline-block;width:7rem;border-bottom:1px solid #777;height:1.2rem}
.answer{border-left:3px solid #345;padding-left:.7rem}
@page{size:A4;margin:16mm}
@media print{body{margin:0;max-width:none;padding:0}h2{break-after:avoid}}
"""
LINES = '<span class="line"></span>' * 2


def worksheet_html(sheet: Worksheet) -> str:
    """Return a worksheet as standalone HTML text, which needs no network and contains no script."""
    kind = "Key" if sheet.has_key else "Worksheet"
    source = base64.b64encode(worksheet_png(sheet)).decode()
    who = "" if sheet.has_key else '<div class="who"><span>Name</span><span>Date</span></div>'
    beliefs = "".join(_belief(*pair) for pair in sheet.beliefs)
    beliefs = beliefs and f"<h2>Correct these statements</h2><ol>{beliefs}</ol>"
    task = f"<p>{escape(sheet.task)}</p>{'' if sheet.has_key else LINES}"
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'\">"
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(sheet.title)} – {kind}</title><style>{_STYLE}</style></head><body>"
        f"<header><p>{escape(sheet.kicker)} · {kind}</p><h1>{escape(sheet.title)}</h1><p>{escape(sheet.about)}</p>{who}"
        f"<p>{escape(sheet.words)}</p></header>"
        f'<img alt="{escape(picture_words(sheet))}" src="data:image/png;base64,{source}">'
        f'<p class="data">{escape(sheet.data_words)}</p>'
        f"<h2>Questions</h2><ol>{''.join(map(_question, sheet.questions))}</ol>{beliefs}"
        f"<h2>{KEEP}</h2>{_answer(sheet.keep)}<h2>{TASK}</h2>{task}</body></html>\n"
    )


def _question(one: Question) -> str:
    ask = f'<p>{escape(one.ask)} <span class="screen">({escape(one.place)})</span></p>'
    return f"<li>{ask}{_guess(one)}{_answer(one.answer)}</li>"


def _guess(one: Question) -> str:
    if one.guess is None:
        return ""
    if one.guess.choices:
        marks = [
            f"<li>☒ <b>{escape(words)}</b></li>" if one.is_right(k) else f"<li>☐ {escape(words)}</li>"
            for k, words in enumerate(one.guess.choices)
        ]
        return f'<ul class="choices">{"".join(marks)}</ul>'
    if one.truth:
        return f"<p><b>{escape(one.truth)}</b></p>"
    return f'<p>Your guess, {escape(one.scale)}: <span class="short"></span></p>'


def _answer(words: str) -> str:
    """Return an answer, or two lines to write on."""
    return f'<p class="answer">{escape(words)}</p>' if words else LINES


def _belief(belief: str, reply: str) -> str:
    return f"<li><p>{escape(belief)}</p>{_answer(reply)}</li>"
