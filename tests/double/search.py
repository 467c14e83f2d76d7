"""Issue search: the qualifiers that a query may hold, and what they find.

Dates are inclusive at both ends with a grain of one second; a query reaches a thousand results however many there are.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from tests.double.ask import visible
from tests.double.nouns import Kind, Thread, moment
from tests.double.tokens import Token
from tests.double.world import Repository, World

REACH = 1000
TERM = re.compile(r'(-?)(?:([a-z-]+):)?(?:"([^"]*)"|(\S+))')
DATES = {"created": "created_at", "updated": "updated_at", "closed": "closed_at", "merged": "merged_at"}

PLACES = {"title", "body", "comments"}

Test = Callable[[Thread], bool]


class QueryError(ValueError):
    """A query that the search does not take."""


@dataclass(frozen=True)
class Found:
    """The threads in order, as far as a client can get, and how many there are."""

    reachable: list[Thread]
    total: int


@dataclass
class Query:
    """A query, read: where to look, what to keep, in which order."""

    repositories: list[str]
    tests: list[Test]
    order: str = "created"
    descending: bool = True


def found(world: World, token: Token | None, text: str, indexed_until: datetime | None = None) -> Found:
    """What a query finds; nothing that the index has not seen by then. Raises QueryError."""
    query = read(text)
    places = [_place(world, token, name) for name in query.repositories] or [
        each for each in world.repositories.values() if visible(token, each)
    ]
    hits = [
        thread
        for place in places
        if place is not None
        for thread in place.listed(None, "created_at")
        if _indexed(thread, indexed_until) and all(test(thread) for test in query.tests)
    ]
    key = {"updated": lambda each: each.updated_at, "comments": lambda each: len(each.comments)}
    hits.sort(key=key.get(query.order, lambda each: each.created_at), reverse=query.descending)
    return Found(hits[:REACH], len(hits))


def missing(world: World, token: Token | None, text: str) -> list[str]:
    """The repositories that a query names and that who asks cannot see (REST answers 422 for them)."""
    return [name for name in read(text).repositories if _place(world, token, name) is None]


def _place(world: World, token: Token | None, name: str) -> Repository | None:
    known = world.repository(name)
    return known if known is not None and visible(token, known) else None


def _indexed(thread: Thread, until: datetime | None) -> bool:
    return until is None or thread.created_at <= until


def read(text: str) -> Query:
    """Read a query. Raises QueryError for a qualifier that the double does not know or a date that is none."""
    query = Query(repositories=[], tests=[])
    places = {
        value for _, name, quoted, bare in TERM.findall(text) if name == "in" for value in (quoted or bare).split(",")
    }
    for minus, name, quoted, bare in TERM.findall(text):
        value = quoted or bare
        if name == "repo":
            query.repositories.append(value)
        elif name == "sort":
            query.order, _, direction = value.partition("-")
            query.descending = direction != "asc"
        elif name != "in":
            test = _test(name, value) if name else _word(value.lower(), places or PLACES)
            query.tests.append(_opposite(test) if minus else test)
    return query


def _opposite(test: Test) -> Test:
    return lambda thread: not test(thread)


def _test(name: str, value: str) -> Test:
    """What one term asks of a thread."""
    if name in DATES:
        return _dated(DATES[name], value)
    if name in {"is", "type", "state"}:
        return _is(value)
    tests: dict[str, Test] = {
        "author": lambda thread: thread.author is not None and thread.author.login.lower() == value.lower(),
        "label": _labelled({each.strip('"').lower() for each in value.split(",")}),
        "base": lambda thread: thread.base_ref == value,
        "head": lambda thread: thread.head_ref == value,
    }
    if name not in tests:
        raise QueryError(f"the double's search does not know the qualifier {name}:")
    return tests[name]


def _labelled(wanted: set[str]) -> Test:
    return lambda thread: not wanted.isdisjoint(each.lower() for each in thread.labels)


def _word(word: str, places: set[str]) -> Test:
    """A word or a phrase, in the places that `in:` names. (GitHub's own index knows word stems; this one doesn't.)"""

    def holds(thread: Thread) -> bool:
        texts = [thread.title] * ("title" in places) + [thread.body] * ("body" in places)
        texts += [each.body for each in thread.comments if "comments" in places]
        return any(word in text.lower() for text in texts)

    return holds


def _is(value: str) -> Test:
    tests: dict[str, Test] = {
        "issue": lambda thread: thread.kind is Kind.ISSUE,
        "pr": lambda thread: thread.kind is Kind.PULL,
        "pull-request": lambda thread: thread.kind is Kind.PULL,
        "open": lambda thread: thread.open,
        "closed": lambda thread: not thread.open,
        "merged": lambda thread: thread.merged_at is not None,
        "unmerged": lambda thread: thread.kind is Kind.PULL and thread.merged_at is None,
        "draft": lambda thread: thread.draft,
        "public": lambda _: True,
    }
    if value not in tests:
        raise QueryError(f"the double's search does not know is:{value}")
    return tests[value]


def _dated(field_name: str, value: str) -> Test:
    low, high = span(value)

    def within(thread: Thread) -> bool:
        at: datetime | None = getattr(thread, field_name)
        return at is not None and (low is None or at >= low) and (high is None or at <= high)

    return within


def span(value: str) -> tuple[datetime | None, datetime | None]:
    """First and last second of `A..B`, `>=A`, `>A`, `<=B`, `<B` or `A`. A bare date is its whole day."""
    if ".." in value:
        low, _, high = value.partition("..")
        return (None if low == "*" else _ends(low)[0]), (None if high == "*" else _ends(high)[1])
    for sign in (">=", "<=", ">", "<"):
        if value.startswith(sign):
            first, last = _ends(value.removeprefix(sign))
            second = timedelta(seconds=1)
            return {">=": (first, None), "<=": (None, last), ">": (last + second, None), "<": (None, first - second)}[
                sign
            ]
    return _ends(value)


def _ends(text: str) -> tuple[datetime, datetime]:
    """The first and the last second that a date or a time stands for."""
    try:
        first = moment(text)
    except ValueError as error:
        raise QueryError(f"{text!r} is not a date") from error
    whole_day = len(text) == len("2026-11-11")
    return first, first + timedelta(days=1, seconds=-1) if whole_day else first
