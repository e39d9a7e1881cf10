"""Read and write class plans: lessons in order, each with its minutes, as one parameter of an address."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pages.ui.learn import lessons
from pages.ui.learn.notes import minutes_of
from pages.ui.shell.markdown_text import plain

CONTEST = "contest"  # replaces the name of a lesson
CONTEST_TITLE = "Contest: beat TAO"
CONTEST_MINUTES = 7
MOST_PARTS, MOST_MINUTES = 30, 90
MOST_SIGNS = 2000  # maximum length of the text that is read
MOST_FAULTS = 5  # faults of a text that are listed
_SEPARATOR = re.compile(r"(?<![0-9])\.|\.(?![0-9]+(?:\.|$))")  # the point in 7.5 minutes separates nothing
_PART = re.compile(r"(?P<slug>[^_]*)(?:_(?P<minutes>.*))?", re.DOTALL)


@dataclass(frozen=True)
class Part:
    """A lesson of a class plan, and its planned minutes."""

    slug: str
    minutes: int

    @property
    def title(self) -> str:
        """Return the title of the lesson."""
        return titles()[self.slug]


@dataclass(frozen=True)
class ClassPlan:
    """Lessons in order.

    Parameters
    ----------
    parts : tuple of Part
        Each lesson occurs at most once, so its name determines its place.
    faults : tuple of str
        Sentences about the text that the plan was read from.
    gone : mapping of str to int
        For each name without a lesson, the place of the next lesson.
    """

    parts: tuple[Part, ...]
    faults: tuple[str, ...] = ()
    gone: Mapping[str, int] | None = None

    @property
    def fault_words(self) -> str:
        """Return the faults as one sentence or as a Markdown list, "" without faults."""
        words = list(self.faults)
        if len(words) > MOST_FAULTS + 1:
            words = [*words[:MOST_FAULTS], f"{len(words) - MOST_FAULTS} more entries were skipped or changed."]
        return "\n".join(f"- {one}" for one in words) if len(words) > 1 else "".join(words)

    def to_text(self) -> str:
        """Return the text for an address."""
        return ".".join(f"{part.slug}_{part.minutes}" for part in self.parts)

    def minutes(self, until: int | None = None) -> int:
        """Return the planned minutes of all parts, or of the parts before a place."""
        return sum(part.minutes for part in self.parts[:until])

    def place(self, slug: str) -> int | None:
        """Return the place of a lesson, or None."""
        return next((k for k, part in enumerate(self.parts) if part.slug == slug), None)

    def beside(self, slug: str) -> tuple[str | None, str | None]:
        """Return the names of the previous and the next lesson, each of which may be None."""
        k = self.place(slug)
        if k is None:
            return None, None
        names = [None, *(part.slug for part in self.parts), None]
        return names[k], names[k + 2]

    def with_part(self, slug: str) -> "ClassPlan":
        """Return the plan with one more lesson at its end."""
        return ClassPlan((*self.parts, Part(slug, _usual_minutes(slug))))

    def without(self, place: int) -> "ClassPlan":
        """Return the plan without the lesson at a place."""
        return ClassPlan(self.parts[:place] + self.parts[place + 1 :])

    def moved(self, place: int, by: int) -> "ClassPlan":
        """Return the plan with a lesson moved up (-1) or down (1)."""
        parts = list(self.parts)
        parts.insert(max(0, place + by), parts.pop(place))
        return ClassPlan(tuple(parts))

    def timed(self, place: int, minutes: int) -> "ClassPlan":
        """Return the plan with other minutes at a place."""
        part = Part(self.parts[place].slug, minutes)
        return ClassPlan((*self.parts[:place], part, *self.parts[place + 1 :]))


def titles() -> dict[str, str]:
    """Return {name: title} of everything that a plan can contain."""
    return {slug: lesson.title for slug, lesson in lessons.ALL.items()} | {CONTEST: CONTEST_TITLE}


def read(text: str) -> ClassPlan:
    """Return the plan in a text.

    The plan skips names without a lesson and lessons that it already contains, and `ClassPlan.faults` reports them.
    Lessons without readable minutes get those of their notes.
    """
    known, parts, faults, gone = titles(), [], [], {}
    entries = [entry for entry in _SEPARATOR.split(text[:MOST_SIGNS]) if entry]
    for entry in entries[:MOST_PARTS]:
        slug, minutes = _PART.fullmatch(entry).groups()  # type: ignore[union-attr]
        if slug not in known:
            gone[slug] = len(parts)
            faults.append(
                f"This class plan contains the lesson '{plain(slug[:40])}', which does not exist. The plan skips it."
            )
        elif slug in {part.slug for part in parts}:
            faults.append(f"This class plan contains '{known[slug]}' more than once. The plan keeps the first one.")
        else:
            number = int(minutes) if re.fullmatch("[0-9]{1,3}", minutes or "") else 0
            if not 1 <= number <= MOST_MINUTES:
                number = _usual_minutes(slug)
                if minutes is not None:
                    faults.append(
                        f"The minutes '{plain(minutes[:20])}' of '{known[slug]}' are not a number from 1 to 90. "
                        f"The plan uses {number}."
                    )
            parts.append(Part(slug, number))
    if len(text) > MOST_SIGNS or len(entries) > MOST_PARTS:
        faults.append(f"This class plan is too long. The plan keeps its first {MOST_PARTS} lessons.")
    if not parts:
        faults.append("This class plan contains no lesson. Choose lessons below.")
    return ClassPlan(tuple(parts), tuple(dict.fromkeys(faults)), gone)


def of_lessons(entries: Iterable[tuple[str, int]]) -> ClassPlan:
    """Return the plan of (name, minutes) pairs."""
    return ClassPlan(tuple(Part(slug, minutes) for slug, minutes in entries))


def _usual_minutes(slug: str) -> int:
    return CONTEST_MINUTES if slug == CONTEST else minutes_of(slug)


BUNDLED = of_lessons(
    (
        ("what-a-tree-is", 8), ("split-choice", 7), ("greedy-fails-on-xor", 8), ("care-points", 7),
        ("overfitting", 8), (CONTEST, 7),
    )
)  # fmt: skip
