"""A rule is a module: its name is the file's, its why the docstring's first line, its code the function `rule`.

Nobody keeps a list of rules: a file that is put into a rule folder is found, one that is taken out is gone.
"""

import importlib
import json
import pkgutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

Weights = Mapping[str, Mapping[str, float]]
"""What a rule says -> class or defect kind -> how much more or less it speaks for that than the rule believes."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as found: `apply` is its function, whose form the stage that uses it defines."""

    name: str
    why: str
    apply: Callable[..., Any]
    weights: Weights = field(default_factory=dict)
    """What was learned of its words (`bot/rules/KIND.weights.json`), if that kind of rule is weighed."""


def names(kind: str) -> tuple[str, ...]:
    """The names of all rules of a kind, without importing them."""
    folder = Path(str(files("bot.rules"))) / kind
    found = sorted(path.stem for path in folder.glob("*.py") if not path.stem.startswith("_"))
    return tuple(name.replace("_", "-") for name in found)


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
    learned = weights_file(kind)
    return weighed(found, json.loads(learned.read_text("utf-8")) if learned.is_file() else {})


def weights_file(kind: str) -> Path:
    """Where the learned weights of a kind of rule are, if it is weighed."""
    return Path(str(files("bot.rules"))) / f"{kind}.weights.json"


def weighed(found: Sequence[Rule], weights: Mapping[str, Weights]) -> tuple[Rule, ...]:
    """The same rules with other weights: rule -> its weights; a rule that is not named stays as it was written."""
    return tuple(replace(rule, weights=weights.get(rule.name, {})) for rule in found)
