"""Finding the text that makes a rule speak: in the title, in the first words of the body, in its code, among paths.

An item is read once, however many rules ask for it.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from bot.model import Claim, DefectKind, Item, ItemClass, ItemKind, Span
from bot.rules.phrases import EMPTY, WORD, Phrases, Text

BODY_READ = 6_000
"""Characters of a body that are looked at: what a thread is about stands at its beginning."""
LEAD_READ = 450
"""Of them, characters of prose: later ones digress, and the more there are the more words fall."""
CODE_READ = 1_000
"""Of them, characters of code and logs."""
LINES_READ = 120
NO_CODE = ("test/", "docs/", "benchmarks/")
TITLE_READ = 256
"""GitHub's own limit for a title."""
TAGS = re.compile(r"\s*(?:\[[^\[\]]{1,80}\]\s*){1,6}|\s*[A-Za-z_]{2,20}:(?=\s)")
DUMPS = {
    "ersion": ("\n### Versions", "\n## Versions", "\nPyTorch version:"),
    "nvironment": ("\n### Environment", "\n## Environment", "Collecting environment information"),
}
"""How the environment begins that the issue form asks for at the end, nobody's words on the fault; by what must be there
for any of them, to search less."""
TAIL_READ = 3 + CODE_READ + 40
"""Characters from the last fence on that can matter: the fence, code or prose behind it, the beginning of a dump."""
SKIPPED = (
    "stack from", "* #", "* __->__", "* ->", "cc @", "differential revision", "test plan:", "pull request resolved", "approved by",
    "reviewed by", "ghstack-source-id", "- [x]", "- [ ]", "![", "<!--", "<img", "---",
)  # fmt: skip
"""How lines begin that a tool or a habit has put there."""
BEGINNINGS = frozenset("".join(one[0] + one[0].upper() for one in SKIPPED))
HEADING = re.compile(
    r"(?:\W{1,4}\s*)?(?:describe the bug|bug|summary|description|motivation|issue|minimal example|error messages? and logs?"
    r"|the feature, motivation and pitch|alternatives|additional context|steps to reproduce|to reproduce)\W{0,9}", re.I
)  # fmt: skip
"""Headings of the form."""


class Reading:
    """An item as rules see it."""

    __slots__ = ("code", "code_files", "item", "labels", "lead", "tags", "title", "verb", "verb_as_written")

    def __init__(self, item: Item) -> None:
        self.item = item
        self.title = Text(item.title[:TITLE_READ])
        tags = TAGS.match(self.title.source)
        self.tags = Text(tags.group()) if tags else EMPTY
        """The brackets, or the word before a colon, that the title begins with."""
        self.verb_as_written = _verb(self.title.source, tags.end() if tags else 0)
        self.verb = self.verb_as_written.lower()
        prose, code = parts(item.body)
        self.lead = Text(prose)
        self.code = Text(code) if code else EMPTY
        self.labels = frozenset(map(str.lower, item.labels))
        self.code_files = tuple(_code_files(item)) if item.files else ()


def _verb(title: str, start: int) -> str:
    """The word that a title begins with, after its tags; empty where it is a call or a name of several parts."""
    match = WORD.search(title, start)
    whole = match is not None and title[match.end() : match.end() + 1].strip(":") <= " "
    return match.group() if match and whole else ""


def parts(body: str) -> tuple[str, str]:
    """Of a body the first prose and the code: the form's headings, tools' lines and the environment left out."""
    read = body[: min(BODY_READ, body.rfind("```", 0, BODY_READ) + TAIL_READ)]
    for sign, dumps in DUMPS.items():
        if sign in read:
            for dump in dumps:
                read = read.partition(dump)[0]
    pieces = read.split("```")
    code = pieces[1::2]
    prose: list[str] = []
    length = 0
    for piece in pieces[::2]:
        for line in piece[: 2 * LEAD_READ].split("\n", LINES_READ):
            if line.startswith(("    ", ">>>")):
                code.append(line)
            elif line and not line.isspace() and not _skipped(line):
                prose.append(line)
                length += len(line)
                if length >= LEAD_READ:
                    break
        if length >= LEAD_READ:
            break
    return "\n".join(prose)[:LEAD_READ], "\n".join(code)[:CODE_READ]


def _skipped(line: str) -> bool:
    if line.startswith("#"):
        return HEADING.fullmatch(line.strip("# \t")[:80]) is not None
    return line[0] in BEGINNINGS and line[:24].lower().startswith(SKIPPED)


_read: Reading = Reading(Item(repo="none/none", number=1, kind=ItemKind.ISSUE, title=""))


def reading(item: Item) -> Reading:
    """The item as rules see it; that of the last item is kept, for the next rule asks of the same."""
    global _read  # noqa: PLW0603
    last = _read
    if last.item is not item:
        last = _read = Reading(item)
    return last


@lru_cache(maxsize=1 << 13)
def span(field: str, text: str) -> Span:
    """A span; the same words come again and again."""
    return Span(field=field, text=text)


@lru_cache(maxsize=1 << 14)
def _claim(
    why: str, item_class: ItemClass, weight: float, field: str, text: str, kind: DefectKind | None, veto: bool
) -> Claim:
    return Claim(why=why, item_class=item_class, weight=weight, span=span(field, text), defect_kind=kind, veto=veto)


def claim(
    why: str, item_class: ItemClass, weight: float, place: Span, *, kind: DefectKind | None = None, veto: bool = False
) -> Claim:
    """A claim for a class by the text that made it."""
    return _claim(why, item_class, weight, place.field, place.text, kind, veto)


def in_title(item: Item, phrases: Phrases) -> Span | None:
    """The first phrase of the group in the title."""
    text = (_read if _read.item is item else reading(item)).title
    if phrases not in text.hits:
        return None
    found = text.found(phrases)
    return span("title", found) if found else None


def in_lead(item: Item, phrases: Phrases) -> Span | None:
    """The same in the first prose of the body."""
    text = (_read if _read.item is item else reading(item)).lead
    if phrases not in text.hits:
        return None
    found = text.found(phrases)
    return span("body", found) if found else None


def in_code(item: Item, phrases: Phrases) -> Span | None:
    """The same in the body's code, tracebacks and logs."""
    text = (_read if _read.item is item else reading(item)).code
    if phrases not in text.hits:
        return None
    found = text.found(phrases)
    return span("body", found) if found else None


def in_text(item: Item, phrases: Phrases) -> Span | None:
    """The same in the title, else in the first prose."""
    return in_title(item, phrases) or in_lead(item, phrases)


def among_labels(item: Item, names: frozenset[str]) -> Span | None:
    """The first label, by name, that is one of the names, whatever its case."""
    labels = (_read if _read.item is item else reading(item)).labels
    if labels.isdisjoint(names):
        return None
    return span("labels", min(label for label in item.labels if label.lower() in names))


def in_file(path: str | None) -> Span | None:
    """A changed path as the text that speaks."""
    return span("files", path) if path else None


def _code_files(item: Item) -> Iterator[str]:
    for file in item.files:
        if not file.path.startswith(NO_CODE) and not file.path.endswith((".md", ".rst", "_docs.py")):
            yield file.path


def code_files(item: Item) -> tuple[str, ...]:
    """Changed paths that are neither tests nor documentation."""
    return reading(item).code_files


def all_files(item: Item, pattern: re.Pattern[str]) -> Span | None:
    """The first changed path, if there are any and the pattern matches the start of each."""
    if not item.files:
        return None
    paths = [file.path for file in item.files]
    return in_file(paths[0]) if all(pattern.match(path) for path in paths) else None


def all_code(item: Item, beginnings: tuple[str, ...]) -> str | None:
    """The first changed path of code, if there are any and each begins with one of these."""
    paths = code_files(item)
    return paths[0] if paths and all(path.startswith(beginnings) for path in paths) else None
