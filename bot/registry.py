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

from bot.errors import InputError

HEAVIEST = 100.0
"""Beyond it, either way, a weight is no logit but damage."""
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

    Raises TypeError for a module without `rule` or docstring: a programming error, found by the tests; InputError for
    a file of weights that is damaged.
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
    return weighed(found, _learned(weights_file(kind)))


def weights_file(kind: str) -> Path:
    """Where the learned weights of a kind of rule are, if it is weighed."""
    return Path(str(files("bot.rules"))) / f"{kind}.weights.json"


def _learned(path: Path) -> dict[str, Weights]:
    """The weights of a file; none where there is no file. Raises InputError that says what to do."""
    found: dict[str, Weights] = {}
    if not path.exists():
        return found
    try:
        found = json.loads(path.read_text("utf-8"))
        damage = "" if _are_weights(found) else "it holds no weights"
    except (OSError, ValueError, RecursionError) as error:
        damage = str(error)
    if damage:
        cure = "install alignbot again, or remove it: the rules then speak with their own weights"
        raise InputError(f"{path} is damaged ({damage}): {cure}")
    return found


def _are_weights(found: Any) -> bool:
    """Rule -> what it says -> class or defect kind -> a finite number?"""
    return _holds(found, lambda said: _holds(said, lambda weights: _holds(weights, _is_weight)))


def _holds(found: Any, each: Callable[[Any], bool]) -> bool:
    return isinstance(found, dict) and all(map(each, found.values()))


def _is_weight(number: Any) -> bool:
    return isinstance(number, int | float) and abs(number) <= HEAVIEST


def weighed(found: Sequence[Rule], weights: Mapping[str, Weights]) -> tuple[Rule, ...]:
    """The same rules with other weights: rule -> its weights; a rule that is not named stays as it was written."""
    return tuple(replace(rule, weights=weights.get(rule.name, {})) for rule in found)
