"""Convert a lesson to plain values for the browser."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from pages.ui.learn.lessons import CLAIMS, LESSONS, STORIES
from pages.ui.learn.lessons.lesson import KINDS, BuiltLesson, Guess, Lesson, Moment
from pages.ui.shell import markdown_text


def document(lesson: Lesson, built: BuiltLesson, beside: Sequence[int] = (), then: str = "") -> dict[str, Any]:
    """Return the lesson as a JSON-compatible dict.

    beside : contains -1 if Back leads from the first screen to the previous lesson, and 1 if Next leads from the last
    screen to the next lesson; then : last words of the last screen, which lead on. The bytes of the scenes
    (`Scene.content`) are sent separately, in the same order.
    """
    return {
        "beside": list(beside),
        "then": markdown_text.spans(then),
        "slug": lesson.slug,
        "title": lesson.title,
        "kicker": kicker(lesson),
        "scenes": [
            {"title": scene.title, "length": len(scene.content), "grows": scene.grows} for scene in built.scenes
        ],
        "knobs": [{"name": knob.name, "values": list(knob.values)} for knob in built.knobs],
        "moments": [_moment(moment) for moment in built.moments],
    }


def kicker(lesson: Lesson) -> str:
    """Return the kind and number of a lesson, in words."""
    series = LESSONS if lesson.kind == "lesson" else STORIES
    return f"{KINDS[lesson.kind]} {series.index(lesson) + 1} of {len(series)}"


def _moment(moment: Moment) -> dict[str, Any]:
    return {
        "scene": moment.scene,
        "tree": moment.step,
        "node": moment.node,
        "row": moment.row,
        "set": moment.set,
        "bare": moment.bare,
        "chart": moment.chart,
        "text": [markdown_text.spans(paragraph) for paragraph in moment.text],
        "ask": markdown_text.spans(moment.ask),
        "guess": None if moment.guess is None else _guess(moment.guess),
        "drag": moment.drag,
        "knobs": list(moment.knobs),
        "vote": moment.vote,
        "runs": list(moment.runs),
        "formula": None if moment.formula is None else moment.formula.to_dict(),
        "figure": None if moment.figure is None else moment.figure.to_dict(),
        "source": moment.source,
        "late": _late(moment),
    }


def _late(moment: Moment) -> dict[str, Any]:
    """Return the parts that belong to the answer. The browser hides them while a guess is open."""
    return {
        "answer": markdown_text.spans(moment.answer),
        "truth": None if moment.guess is None else float(moment.guess.truth),
        "series": [] if moment.figure is None else moment.figure.late_series(),
        "draws": [list(one) for one in moment.draws],
        "claim": None if not moment.claim else _claim(moment.claim),
    }


def _claim(name: str) -> dict[str, Any]:
    """Return the statement that fresh draws test, and the statistic of the draw of the lesson."""
    _, claim = CLAIMS[name]
    own = {part: getattr(claim, part) for part in ("name", "statement", "source", "statistic", "above")}
    values = [*claim.stored.statistic.tolist(), claim.shown]
    return own | {"own": claim.shown, "ends": [min(values), max(values)]}


def _guess(guess: Guess) -> dict[str, Any]:
    values = {name: value for name, value in asdict(guess).items() if name not in ("ordered", "truth")}
    return values | {"choices": list(guess.choices)}
