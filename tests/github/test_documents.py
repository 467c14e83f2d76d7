"""The documents: each is what GitHub's published schema allows, and none is sent that was not looked at here."""

import pkgutil
import re
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from graphql import NoDeprecatedCustomRule, OperationDefinitionNode, parse, specified_rules, validate

import bot.edges
from bot.edges.github import documents
from bot.edges.github.documents import Document
from tests.double import changes
from tests.double.asking import needs_schema
from tests.double.graphql import price
from tests.double.schema import SaysHowMany, schema
from tests.github.windowed import START, Windowed, day_world, upstream, windowed

OIDS = ["a" * 40, "0123456789" * 4]


def constants() -> list[Document]:
    """Every document that a module of the edges holds."""
    modules = [import_module(each.name) for each in pkgutil.walk_packages(bot.edges.__path__, "bot.edges.")]
    held = [each for module in modules for each in vars(module).values() if isinstance(each, Document)]
    return list({each.name: each for each in held}.values())


MADE = [
    documents.by_number([1, 170_001]),
    documents.details({1: False, 170_001: True}),
    documents.details({1: False}),
    documents.details({170_001: True}),
    documents.fates([1, 2**31 - 1]),
    documents.commits(OIDS),
    documents.paths([1, 170_001]),
]
EVERY = [*constants(), *MADE]


@needs_schema
@pytest.mark.parametrize("document", EVERY, ids=lambda each: each.name)
def test_documents_are_valid(document: Document) -> None:
    """Each follows the published schema and GitHub's rule of page sizes, and asks for nothing that is deprecated."""
    rules = [*specified_rules, NoDeprecatedCustomRule, SaysHowMany]
    assert validate(schema(), parse(document.text), rules) == []


@pytest.mark.parametrize("document", EVERY, ids=lambda each: each.name)
def test_documents_are_named_queries(document: Document) -> None:
    """Each is one query under the name that logs and stored pages know, and learns what is left of the budget."""
    operations = [each for each in parse(document.text).definitions if isinstance(each, OperationDefinitionNode)]
    assert [(each.operation.value, each.name and each.name.value) for each in operations] == [("query", document.name)]
    assert "rateLimit { cost remaining resetAt }" in document.text


def test_every_query_in_the_code_is_a_document() -> None:
    """No query is written anywhere but in a document that these tests know."""
    texts = (path.read_text("utf-8") for path in Path(bot.edges.__path__[0]).parent.rglob("*.py"))
    written = {name for text in texts for name in re.findall(r"\bquery (\w+)\s*[({]", text)}
    assert written <= {each.name for each in EVERY}
    assert {each.name for each in constants()} <= written


LARGEST: dict[str, Any] = {
    **dict.fromkeys(("owner", "name", "targetOwner", "targetName", "query"), "x"),
    **dict.fromkeys(("issues", "pulls", "commits", "discussions"), True),
    "first": 100,
    "number": 1,
    "head": OIDS[0],
    "since": "2026-11-28T00:00:00Z",
    "until": "2026-11-29T00:00:00Z",
}


@needs_schema
@pytest.mark.parametrize(
    ("document", "points"),
    [
        (documents.HEADS, 1),
        (documents.WINDOW, 3),
        (documents.SEARCH, 2),
        (documents.COMMENTS, 1),
        (documents.UPDATED, 2),
        (documents.by_number(range(1, 101)), 2),
        (documents.details(dict.fromkeys(range(1, 26), True)), 1),
        (documents.fates(range(1, 51)), 1),
        (documents.commits([f"{number:040x}" for number in range(50)]), 1),
    ],
    ids=lambda each: each.name if isinstance(each, Document) else "",
)
def test_what_the_largest_page_costs(document: Document, points: int) -> None:
    """The largest page that is ever asked for costs no more points than this, by GitHub's formula."""
    assert price(parse(document.text), document.name, LARGEST).points <= points


@needs_schema
def test_what_is_sent_was_looked_at(tmp_path: Path) -> None:
    """A window with details, a sweep and a search send only operations that are tested above."""
    world, day = day_world(12)
    with windowed(world, tmp_path) as here:
        here.read()
        list(here.source().details(list(here.store.listed(here.readings.all()[0].window))))
        list(here.sweep(day.start).items())
        read_after_many_more(here)
        sent = {each.operation for each in here.double.log if each.operation}
    assert sent <= {each.name for each in EVERY}
    assert {"Heads", "Window", "Details", "Updated", "Search"} <= sent


def read_after_many_more(here: Windowed) -> None:
    """Read an hour that lies so far back that it is searched for."""
    for place in range(600):
        changes.create_issue(upstream(here.world), "later", at=START + timedelta(days=2, seconds=place * 10))
    window = here.readings.all()[0].window
    here.read(window.model_copy(update={"end": window.start + timedelta(hours=1)}))
