"""A rule is a module: its name is the file's, its why the docstring's first line, its code the function `rule`.

Nobody keeps a list of rules: a file that is put into a rule folder is found, one that is taken out is gone.
"""

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as found: `apply` is its function, whose form the stage that uses it defines."""

    name: str
    why: str
    apply: Callable[..., Any]


@cache
def rules(kind: str) -> tuple[Rule, ...]:
    """All rules of a kind (`classify`, `extract`, `port`, …), by name.

    Raises TypeError for a module without `rule` or docstring: a programming error, found by the tests.
    """
    package = importlib.import_module(f"bot.rules.{kind}")
    found = []
    for entry in sorted(pkgutil.iter_modules(package.__path__), key=lambda entry: entry.name):
        if entry.name.startswith("_"):
            continue
        module = importlib.import_module(f"{package.__name__}.{entry.name}")
        apply = getattr(module, "rule", None)
        if not callable(apply) or not module.__doc__:
            raise TypeError(f"{module.__name__} is no rule: it needs a docstring and a function named rule")
        found.append(Rule(entry.name.replace("_", "-"), module.__doc__.strip().splitlines()[0], apply))
    return tuple(found)
