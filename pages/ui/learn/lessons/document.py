"""A lesson as the browser gets it: plain values, numbers and texts filled in."""

from dataclasses import asdict

from pages.ui.learn.lessons import LESSONS, STORIES
from pages.ui.learn.lessons.lesson import KINDS
from pages.ui.shell import markup


def document(lesson, told, beside=()):
    """Dict for JSON; the scenes' bytes (`Scene.content`) follow it in their order.

    beside : -1 where Back leads from the first screen to the lesson before, 1 where Next leads on from the last.
    """
    return {
        "beside": list(beside),
        "slug": lesson.slug,
        "title": lesson.title,
        "kicker": kicker(lesson),
        "scenes": [{"title": scene.title, "length": len(scene.content), "grows": scene.grows} for scene in told.scenes],
        "knobs": [{"name": knob.name, "values": list(knob.values)} for knob in told.knobs],
        "moments": [_moment(moment) for moment in told.moments],
    }


def kicker(lesson):
    """Which one it is, in words."""
    series = LESSONS if lesson.kind == "lesson" else STORIES
    return f"{KINDS[lesson.kind]} {series.index(lesson) + 1} of {len(series)}"


def _moment(moment):
    return {
        "scene": moment.scene,
        "tree": moment.step,
        "node": moment.node,
        "row": moment.row,
        "set": moment.set,
        "near": moment.near,
        "bare": moment.bare,
        "text": [markup.spans(paragraph) for paragraph in moment.text],
        "ask": markup.spans(moment.ask),
        "answer": markup.spans(moment.answer),
        "guess": None if moment.guess is None else _guess(moment.guess),
        "drag": moment.drag,
        "knobs": list(moment.knobs),
        "vote": moment.vote,
        "runs": list(moment.runs),
        "formula": None if moment.formula is None else moment.formula.to_dict(),
        "source": moment.source,
    }


def _guess(guess):
    return asdict(guess) | {"truth": float(guess.truth), "choices": list(guess.choices)}
