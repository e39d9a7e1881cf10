"""Rules of the style sheet that a program can check: a pattern, and the words to use instead."""

import re
from dataclasses import dataclass, field

EVERYWHERE = ("docs", "interface", "docstring", "comment")


@dataclass(frozen=True)
class Rule:
    """A pattern that must not occur in texts of some kinds, and advice."""

    name: str
    pattern: str
    instead: str
    kinds: tuple[str, ...] = EVERYWHERE
    flags: int = re.I
    regex: re.Pattern[str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "regex", re.compile(self.pattern, self.flags))


# The style sheet allows at most 25 words per sentence. Technical docstrings and quoted formulas need a few more.
LONGEST = {"docs": 30, "interface": 30, "docstring": 40, "comment": 40}

RULES = [
    Rule("mend", r"\bmend(s|ed|ing)?\b", "correct, fix, repair"),
    Rule("anew", r"\banew\b", "again"),
    Rule("in place of", r"\bin place of\b", "instead of"),
    Rule("beside", r"\bbeside\b", "next to, with"),
    Rule(
        "telling verb",
        r"\b(is|are|was|were|be|been) (told|said)\b|\btold of\b|\btells? of\b|\bsays? so\b",
        "shows, reports, contains",
    ),
    Rule("nobody", r"\b(nobody|whoever|strangers?)\b", "name the noun"),
    Rule(
        "is no",
        r"(?<!there )\b(is|are|was|be) no (?!longer\b|more\b|need\b|way\b|such\b|other\b|better\b|worse\b)[a-z]+",
        "is not a ..., has no ...",
        flags=0,
    ),
    Rule("metaphor", r"\b(twins?|rivals?|gutter|cupboards?)\b|\bthe house\b", "the plain noun"),
    Rule("former", r"\bformer\b", "previous, earlier"),
    Rule(
        "bare what",
        r"(?<=[a-z,;:] )what (is|are|was|were|has|have|had|it|they|he|no|nobody|somebody|one|a|the|comes|becomes"
        r"|stands|differs|ours|others|else|rows|leaves|people)\b",
        "name the noun: the rows that ..., the value that ...",
        flags=0,
    ),
    Rule("starts with what", r"^(What|Whoever|Whatever|Who)\b(?! if\b)(?!.*\?)", "name the noun", flags=0),
    Rule("where for if", r"\bwhere (there (is|are)|that|it is|they are|none|no |nobody|one is|more|few)\b", "if, when"),
    Rule(
        "fragment",
        r"^(Of|By|With) (?!.*\b(is|are|was|were|has|have|can|must|does|may|will|stays?|uses|trains?|waits|search)\b)"
        r"[a-z][^?!]*\.$",
        "a full clause",
        flags=0,
    ),
    Rule(
        "stand",
        r"\b(stands?|stood) (beside|below|above|in|on|at|with|by|for itself|alone|aside|side|apart|here|there|between"
        r"|behind|first|last)\b",
        "is, appears",
    ),
    Rule("way", r"\b(its|the|their) ways?\b(?! (around|to|in which|that|of writing))", "decision path, method"),
    Rule("miss values", r"\bmiss(es)? (a )?values?\b", "has missing values"),
    Rule("errs", r"\berrs\b", "misclassifies, is wrong"),
    Rule("commonest", r"\bcommonest\b", "majority (class), most frequent"),
    Rule("price", r"\b(price of a question|price C|cost of a question)\b", "penalty, bivariate cost C"),
    Rule("has not", r"\b(has|have|had) not (a|an|any|the)\b", "does not have"),
    Rule("train rows", r"\b(rows that (train|judge|choose)|train rows)\b", "training / validation / test rows"),
    Rule("takes away", r"\b(take|takes|taken|took) away\b", "remove, export"),
    Rule("whole way", r"\bby heart\b|\bas deep as it gets\b|\bthe like\b|\bno business\b", "plain words"),
]
