"""Draw cards with images for all lessons and stories.

All cards are a single component, because 80 separate elements took half the time of a page run.
"""

import json
from functools import cache
from hashlib import sha256
from typing import Any

from pages.ui.components.component import component
from pages.ui.learn import lesson_pictures, lessons

KEY = "lesson-cards"
SERIES = (
    (
        "Lessons",
        (
            "Each lesson takes five minutes and shows one idea per screen. Use Page Up and Page Down to move between "
            "screens."
        ),
        lessons.LESSONS,
    ),
    ("Stories", "Tours of single trees on real data, based on the case studies of the papers.", lessons.STORIES),
)


def lesson_cards(theme: str) -> str | None:
    """Draw the cards in a theme ("light" or "dark"). Return the name of the lesson just chosen, or None."""
    return component("lesson_cards")(key=KEY, data=_data(theme), on_chosen_change=lambda: None).chosen


@cache
def _data(theme: str) -> dict[str, Any]:
    series = [
        {
            "title": title,
            "words": words,
            "lessons": [
                {
                    "slug": lesson.slug,
                    "title": f"{number}. {lesson.title}" if lesson.kind == "lesson" else lesson.title,
                    "icon": lesson.icon.removeprefix(":material/").removesuffix(":"),
                    "about": lesson.about,
                    "picture": lesson_pictures.picture(lesson.slug, theme),
                }
                for number, lesson in enumerate(listed, 1)
            ],
        }
        for title, words, listed in SERIES
    ]
    text = json.dumps(series)  # once, because it is long
    return {"series": text, "name": sha256(text.encode()).hexdigest()[:16]}
