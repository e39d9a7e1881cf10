"""Guesses of a class as bars for any background, with the correct answer once the teacher reveals it."""

from collections.abc import Sequence
from html import escape

import numpy as np

from treecore.tree.number_text import count
from viz.palette import CSS_ACCENT

MOST_BARS = 16
_LIT, _FAINT = CSS_ACCENT, "light-dark(#a9bde6, #47608f)"


def guess_text(guess, value: float) -> str:
    """Return a value of a `Guess` in a lesson with its unit, or the text of the choice."""
    if guess.choices:
        return guess.choices[int(value)]
    words = _number(guess, value)
    return f"{words}\u00a0{guess.unit}" if guess.unit else words


def scale_text(guess) -> str:
    """Return the range of a `Guess` on a scale, with its unit."""
    return f"{_number(guess, guess.low)} to {guess_text(guess, guess.high)}"


def guesses_html(guess, values: Sequence[float], is_shown: bool, own: float | None = None) -> str:
    """Return guesses as bars.

    A numeric scale is divided into at most MOST_BARS + 1 equal parts of whole steps.

    is_shown : whether the correct answer is highlighted
    own : guess of the reader
    """
    return _of_choices(guess, values, is_shown, own) if guess.choices else _of_scale(guess, values, is_shown, own)


def _number(guess, value):
    return f"{value:.{guess.digits}f}" if guess.digits else count(round(value))


def _of_choices(guess, values, is_shown, own):
    counts = np.bincount(np.asarray(values, np.int64), minlength=len(guess.choices))
    rows = []
    for k, (words, number) in enumerate(zip(guess.choices, counts.tolist(), strict=True)):
        right = is_shown and k == guess.truth
        label = escape(words) + " (you)" * (own == k) + " ✓" * right
        color = _LIT if right or not is_shown else _FAINT
        width = 100 * number / max(1, counts.max())
        rows.append(
            '<div style="margin-bottom:.4em"><div style="display:flex;justify-content:space-between;gap:1em;'
            f'font-weight:{650 if right else 400}"><span>{label}</span><span>{number}</span></div>'
            f'<div style="height:.75em;min-width:2px;border-radius:2px;width:{width:.1f}%;background:{color}"></div>'
            "</div>"
        )
    return f'<div class="guesses">{"".join(rows)}</div>'


def _of_scale(guess, values, is_shown, own):
    steps = round((guess.high - guess.low) / guess.step)
    size = -(-(steps + 1) // (MOST_BARS + 1))
    n_bars = steps // size + 1
    counts = np.bincount([_bar(guess, value, size) for value in values] or [0], minlength=n_bars)
    counts = counts if len(values) else counts * 0
    right = _bar(guess, guess.truth, size) if is_shown else -1
    bars = "".join(
        f'<div style="flex:1;display:flex;flex-direction:column;justify-content:flex-end;align-items:stretch">'
        f'<span style="text-align:center">{number or ""}</span><div style="height:'
        f"{78 * number / max(1, counts.max()):.1f}%;min-height:2px;border-radius:2px 2px 0 0;background:"
        f'{_LIT if k == right or not is_shown else _FAINT}"></div></div>'
        for k, number in enumerate(counts.tolist())
    )
    marks = [(guess_text(guess, guess.truth), guess.truth, 650)] if is_shown else []
    marks += [("you", own, 400)] if own is not None else []
    below = "".join(_mark(words, 100 * (_bar(guess, at, size) + 0.5) / n_bars, weight) for words, at, weight in marks)
    ends = f"<span>{_number(guess, guess.low)}</span><span>{guess_text(guess, guess.high)}</span>"
    return (
        f'<div class="guesses"><div style="display:flex;gap:2px;height:8em">{bars}</div>'
        f'<div style="border-top:1px solid currentColor;display:flex;justify-content:space-between;opacity:.75">'
        f"{ends}</div>{below}</div>"
    )


def _bar(guess, value, size):
    return int(round((value - guess.low) / guess.step)) // size


def _mark(words, place, weight):
    """Return a triangle below a bar, and words below it that stay within the chart."""
    shift = "white-space:nowrap;margin-left:{0:.1f}%;transform:translateX(-{1:.1f}%)"
    return (
        f'<div style="font-weight:{weight};line-height:1.15"><div style="display:flex" aria-hidden="true">'
        f'<span style="{shift.format(place, 50)}">▲</span></div>'
        f'<div style="display:flex"><span style="{shift.format(place, place)}">{escape(words)}</span></div></div>'
    )
