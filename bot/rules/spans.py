"""Finding the text that makes a rule speak: one compiled pattern over one field of an item."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from bot.model import Item, Span

FORM = re.compile(
    r"^#{1,6}[ \t]*(?:[^\w\s#]{1,4}[ \t]+)?(?:Describe the bug|Error messages? and logs?|Minimal example)[ \t]*$"
    r"|^#{1,6}[ \t]*Versions[ \t]*$.*\Z",
    re.M | re.S | re.I,
)
"""The issue form's own headings, and the environment that it asks for at the end: nobody's words on the fault."""
BODY_READ = 20_000
"""Characters of a body that a rule reads: what a thread is about stands at its beginning."""
TITLE_READ = 512
"""GitHub's own limit for a title is 256."""


def words(*alternatives: str) -> re.Pattern[str]:
    """A case-insensitive pattern for any of the alternatives (regular expressions) as whole words."""
    return re.compile(rf"(?<!\w)(?:{'|'.join(alternatives)})(?!\w)", re.IGNORECASE)


@lru_cache(maxsize=64)
def told(body: str) -> str:
    """The beginning of a body as its author wrote it, without the form around it."""
    return FORM.sub("", body[:BODY_READ])


def in_title(item: Item, pattern: re.Pattern[str]) -> Span | None:
    """The first match in the title."""
    match = pattern.search(item.title, 0, TITLE_READ)
    return Span(field="title", text=match.group()) if match else None


def in_body(item: Item, pattern: re.Pattern[str]) -> Span | None:
    """The first match in the beginning of the body."""
    match = pattern.search(told(item.body))
    return Span(field="body", text=match.group()) if match else None


def in_text(item: Item, pattern: re.Pattern[str]) -> Span | None:
    """The first match in the title, else in the body."""
    return in_title(item, pattern) or in_body(item, pattern)


def among_labels(item: Item, names: Iterable[str]) -> Span | None:
    """The first label (in the item's order) that is one of the names."""
    wanted = frozenset(names)
    label = next((label for label in item.labels if label in wanted), None)
    return Span(field="labels", text=label) if label else None


def in_file(path: str | None) -> Span | None:
    """A changed path as the text that speaks."""
    return Span(field="files", text=path) if path else None


def code_files(item: Item) -> Iterator[str]:
    """Changed paths that are neither tests nor documentation."""
    for file in item.files:
        if not file.path.startswith(("test/", "docs/", "benchmarks/")) and not file.path.endswith((".md", ".rst")):
            yield file.path


def all_files(item: Item, pattern: re.Pattern[str]) -> Span | None:
    """The first changed path, if there are any and the pattern matches the start of each."""
    paths = [file.path for file in item.files]
    if paths and all(pattern.match(path) for path in paths):
        return in_file(paths[0])
    return None
