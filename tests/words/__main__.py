"""Print the texts that break a rule of the style sheet; exit with 1 if there are any.

Options: ``--all`` prints every fault instead of the first 60. The name of a folder limits the check to it. ``--count``
prints only numbers.
"""

import collections
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.words.rules import LONGEST, RULES
from tests.words.texts import Text, sentences, texts

ROOT = Path(__file__).resolve().parents[2]
FIRST_COMMIT = "42139387"  # the check of subjects starts after this commit
EXCEPTIONS = Path(__file__).with_name("exceptions.txt")


def faults(text: Text) -> list[tuple[str, str, str]]:
    """Return (rule, sentence, advice) of each rule that a text breaks."""
    found = []
    for sentence in sentences(text.words):
        for rule in RULES:
            if text.kind in rule.kinds and rule.regex.search(sentence):
                found.append((rule.name, sentence, rule.instead))
        # Docstrings and comments list parameters and errors, separated by semicolons: "rows : ...; limit : ...".
        parts = sentence.split(";") if text.kind in ("docstring", "comment") else [sentence]
        n = max(len(re.findall(r"[\w'’`-]+", part)) for part in parts)
        if n > LONGEST[text.kind] and sentence.count("`code`") < 6:
            found.append(("long sentence", sentence, f"{n} words: split it (at most 25)"))
    return found


def exceptions() -> list[tuple[str, str]]:
    """Return (start of a path, rule) for each exception. In the file, the reason follows."""
    lines = EXCEPTIONS.read_text().splitlines()
    return [tuple(part.strip() for part in line.split("|")[:2]) for line in lines if line and not line.startswith("#")]


def commit_faults() -> list[str]:
    """Return the commit subjects that are too long, have no area or are not imperative."""
    command = ["git", "log", "--no-merges", "--format=%h %s", f"{FIRST_COMMIT}..HEAD"]
    if shutil.which("git") is None:  # a copy without its history
        return []
    log = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False
    )  # a shallow clone does not contain this commit
    found = []
    for line in log.stdout.splitlines():
        name, _, subject = line.partition(" ")
        first = re.match(r"[a-z][\w ,/.-]*: ([a-z]+)", subject)
        if (
            len(subject) > 72
            or not first
            or re.search(r"(?<!e)(ed|ing)$|(?<!s)s$", first[1])
            and first[1] not in ("process", "focus")
        ):
            found.append(f'{name}: commit subject "{subject}": at most 72 characters, "area: imperative"')
    return found


def main(arguments: list[str]) -> int:
    folders = [each for each in arguments if not each.startswith("-")]
    allowed = exceptions()
    lines, count = [], collections.Counter()
    for text in texts(ROOT):
        if folders and not text.path.startswith(tuple(folders)):
            continue
        for rule, sentence, advice in faults(text):
            if any(text.path.startswith(path) and rule == name for path, name in allowed):
                continue
            count[(text.path.split("/")[0], text.kind)] += 1
            lines.append(f'{text.path}:{text.line}: {rule}: "{sentence[:160]}" Use: {advice}.')
    if not folders:
        lines += commit_faults()
    out = sys.stdout.write
    if "--count" in arguments:
        for (folder, kind), n in count.most_common():
            out(f"{n:5} {folder} {kind}\n")
    else:
        out("\n".join(lines if "--all" in arguments else lines[:60]) + "\n")
    out(f"{len(lines)} faults of style\n")
    return int(bool(lines))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
