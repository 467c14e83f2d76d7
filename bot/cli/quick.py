"""`analyze` without typer, where the command line leaves no doubt.

An answer from memory takes a tenth of a second, loading typer and what it parses with takes two. Whatever is not
understood here at once, help and mistakes too, is typer's: this knows its options and none of its messages.
"""

from pathlib import Path
from typing import Any

COMMAND = "analyze"
FLAGS = {"--json": "json", "--all": "everything"}
TEXTS = {"--device": "device", "--target-commit": "commit"}
LISTS = {"--op": "ops", "--kernel-rule": "rules"}
PATHS = {"--target-source": "target", "--upstream-source": "upstream", "--sarif": "sarif"}


def asked(arguments: list[str]) -> dict[str, Any] | None:
    """The arguments of `bot.cli.analysis.answer`; None for any other command line."""
    if arguments[:1] != [COMMAND]:
        return None
    found: dict[str, Any] = {}
    rest = iter(arguments[1:])
    for option in rest:
        if (flag := FLAGS.get(option)) is not None:
            found[flag] = True
            continue
        value = next(rest, "")
        if not value or value.startswith("-"):
            return None
        if (text := TEXTS.get(option)) is not None:
            found[text] = value
        elif (path := PATHS.get(option)) is not None:
            found[path] = Path(value)
        elif (listed := LISTS.get(option)) is not None:
            found.setdefault(listed, []).append(value)
        else:
            return None
    return found if "target" in found or "commit" in found else None
