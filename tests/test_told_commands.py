"""Whatever people are told to type exists: every `alignbot …` of texts, templates and documents."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from bot.cli.commands import app

ROOT = Path(__file__).parent.parent
PLACES = ("bot/**/*.py", "bot/**/*.toml", "templates/**/*", "docs/**/*", "deploy/**/*", "reproducers/**/*", "*.md")
FILES = sorted(
    path
    for pattern in (*PLACES, "Makefile", ".ci/run")
    for path in ROOT.glob(pattern)
    if path.is_file() and "__pycache__" not in path.parts
)
TOLD = re.compile(
    r"(?:`|<code>|bin/|BIN\)/|-m |^ {4})(?:alignbot|bot) +(?P<words>[^`<\n]+)"
    r"|`(?P<group>(?:findings|config|db) [^`\n]+)`",
    re.M,
)
"""Between backticks, in an element of code, by its path, or as a line of an indented block; prose is none of these."""


COMMANDS = get_command(app)


def told() -> Iterator[tuple[str, list[str]]]:
    """Where something is told, and its words."""
    for path in FILES:
        text = path.read_text("utf-8", errors="replace")
        for found in TOLD.finditer(text):
            words = (found["words"] or found["group"]).split(" #")[0]
            place = f"{path.relative_to(ROOT)}:{text.count(chr(10), 0, found.start()) + 1}"
            yield place, re.sub(r"\{\{.*?\}\}|[\[\]\",|\\]", " ", words).split()


def unknown(words: list[str]) -> str | None:
    """The first word that names no command or option of ours, or None."""
    command: Any = COMMANDS
    for word in words:
        commands = getattr(command, "commands", {})
        if word.startswith("-") and word != "-":
            options = {option for parameter in command.params for option in parameter.opts} | {"--help"}
            if word.partition("=")[0].rstrip(";.)") not in options:
                return word
        elif commands:
            if word not in commands:
                return word
            command = commands[word]
    return None


@pytest.mark.parametrize(("place", "words"), [pytest.param(*one, id=one[0]) for one in told()])
def test_it_exists(place: str, words: list[str]) -> None:
    """What is told to be typed is a command of this version with options that it has."""
    assert unknown(words) is None, f"{place}: alignbot {' '.join(words)}"


def test_the_search_sees() -> None:
    """The search finds the commands that are told in each kind of place, and would see one that is missing."""
    places = {place.split("/", maxsplit=1)[0].split(":")[0] for place, _ in told()}
    assert {"bot", "templates", "deploy", "README.md", "Makefile"} <= places
    assert unknown(["imitate"]) == "imitate"
    assert unknown(["scan", "--sample", "--simulate"]) is None
    assert unknown(["scan", "--sample", "--imitate"]) == "--imitate"
    assert unknown(["db", "imitate"]) == "imitate"
    assert unknown(["findings", "show", "ff", "--json"]) is None
