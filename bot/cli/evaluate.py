"""`evaluate`: how good the classifier is, and learning its weights anew."""

import json as codec
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli.stages import Json

if TYPE_CHECKING:
    from bot.model import Item
    from bot.stages.evaluate import Labelled
    from bot.stages.train import Learned

FEWEST = 20
"""Labelled items below which folds and figures say nothing."""
QUOTED, TITLE = 60, 200
"""Characters of a wrong label and of a title that are shown."""
TARGET = "xpu"
"""Whose kernels a candidate is about."""
ROWS = (
    ("recall of candidates", "recall"),
    ("recall after ownership", "recall_owned"),
    ("others passed on", "passed"),
    ("precision", "precision"),
    ("class of what is rejected", "class_of_rejected"),
    ("class of all others", "class_of_all_others"),
    ("defect kind of candidates", "kind_of_candidates"),
)


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(evaluate)


def evaluate(
    file: Annotated[
        Path, typer.Argument(help="Labelled items: .jsonl, .jsonl.gz or .jsonl.zst; - reads standard input.")
    ],
    json: Json = False,
    train: Annotated[bool, typer.Option("--train", help="Learn weights from all items and write them.")] = False,
    weights: Annotated[Path | None, typer.Option(help="Where --train writes; the package's own by default.")] = None,
    folds: Annotated[int, typer.Option(help="Parts that the items are dealt into.", min=2, max=50)] = 5,
    rules_only: Annotated[bool, typer.Option("--rules-only", help="Only the rules' own weights.")] = False,
) -> int:
    """Measure the classifier on labelled items: rules alone, cross-validated with what is learned, and as shipped."""
    from bot import wire
    from bot.cli.printing import emit
    from bot.errors import InputError
    from bot.registry import rules
    from bot.stages.evaluate import as_shipped, by_folds, by_rules, figures, trained
    from bot.stages.owner import owner

    if weights and not train:
        raise InputError("--weights says where --train writes: give both or neither")
    labelled = labelled_items(file)
    found, own = rules("classify"), owner(wire.target(TARGET))
    facts: dict[str, Any] = {"rules": figures(by_rules(labelled, found), own)}
    if not rules_only:
        facts["model"] = figures(by_folds(labelled, found, folds), own)
        facts["shipped"] = figures(as_shipped(labelled, found), own)
    if train:
        _write(weights, trained(labelled, found))
    if json:
        emit({"file": str(file), "items": len(labelled), "folds": folds, **facts})
    else:
        _print(facts, folds)
    return 0


def labelled_items(file: Path) -> "list[Labelled]":
    """The items that have a label which can be right or wrong. Raises InputError that names file and line."""
    from bot.cli.reading import name_of, read_lines
    from bot.edges.lines import item_of
    from bot.errors import InputError

    name, found = name_of(file), []
    seen: dict[str, int] = {}
    for number, line in read_lines(file):
        if not line.strip():
            continue
        item = item_of(line, Path(name), number)
        one = _labelled(item, codec.loads(line), f"{name}, line {number}")
        if one is None:
            continue
        if item.key in seen:
            raise InputError(f"{name}, line {number}: {item.key} is labelled already in line {seen[item.key]}")
        seen[item.key] = number
        found.append(one)
    if len(found) < FEWEST:
        raise InputError(f"{name} has {len(found)} labelled items; figures need at least {FEWEST}")
    return found


def _labelled(item: "Item", row: dict[str, Any], place: str) -> "Labelled | None":
    """The item with its label; None where it isn't scored. Raises InputError."""
    from bot.errors import InputError
    from bot.model import DefectKind, ItemClass
    from bot.stages.evaluate import Labelled

    expected, kind, exact = row.get("expected_class"), row.get("defect_kind"), row.get("title_exact")
    if expected in (None, "unsure"):
        return None
    kind = "none" if kind is None else kind
    for field, told, words in (("expected_class", expected, ItemClass), ("defect_kind", kind, DefectKind)):
        if told not in list(words):
            raise InputError(f"{place}: {field} {repr(told)[:QUOTED]} is none of {', '.join(words)}")
    if not isinstance(exact, bool | None):
        raise InputError(f"{place}: title_exact {repr(exact)[:QUOTED]} is neither true nor false")
    return Labelled(item, ItemClass(expected), DefectKind(kind), exact is not False)


def _write(weights: Path | None, learned: "Learned") -> None:
    """Write weights, sorted, a line each. Raises InputError."""
    from bot.edges.whole import write_whole
    from bot.registry import weights_file

    path = weights or weights_file("classify")
    write_whole(path, codec.dumps(learned, indent=1, sort_keys=True, ensure_ascii=False) + "\n", "--weights")
    count = sum(len(one) for rule in learned.values() for one in rule.values())
    print(f"{count} weights written to {path}; `shipped` above was measured before", file=sys.stderr)  # noqa: T201


def _print(facts: dict[str, Any], folds: int) -> None:
    """The ways to rule side by side, then what the best judged of them got wrong."""
    from bot.cli.printing import print_table

    named = {"rules": "rules alone", "model": f"model, {folds} folds", "shipped": "shipped (has seen)"}
    ways = [name for name in named if name in facts]
    print_table(
        ["", *(named[way] for way in ways)],
        [[told, *(_share(facts[way][field]) for way in ways)] for told, field in ROWS],
    )
    best = facts.get("model", facts["rules"])
    for title, group in (("defect kind", best["by_kind"]), ("year", best["by_year"])):
        columns = list(next(iter(group.values()), {}))
        print()  # noqa: T201
        print_table(
            [title, *columns], [[name, *(_share(one[column]) for column in columns)] for name, one in group.items()]
        )
    print()  # noqa: T201
    _confusion(best["confusion"])
    print()  # noqa: T201
    for miss in best["misses"]:
        _miss(miss)


def _share(one: dict[str, Any]) -> str:
    if one["share"] is None:
        return "-"
    return f"{one['share']:.3f} [{one['low']:.2f} {one['high']:.2f}] {one['right']}/{one['of']}"


def _confusion(confusion: dict[str, dict[str, int]]) -> None:
    """Labelled class, then the classes that it was taken for, the most frequent first."""
    from bot.cli.printing import print_table

    rows = [
        [name, str(row.get(name, 0)), ", ".join(f"{count} {other}" for other, count in _others(name, row))]
        for name, row in confusion.items()
    ]
    print_table(["labelled", "right", "taken for"], rows)


def _others(name: str, row: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(((other, count) for other, count in row.items() if other != name), key=lambda one: (-one[1], one[0]))


def _miss(miss: dict[str, Any]) -> None:
    from bot.stages.markup import on_one_line, visible

    head = f"{miss['wrong']}: {miss['item']} {on_one_line(miss['title'], TITLE)}"
    told = f"labelled {', '.join(miss['expected'])}; ruled {', '.join(miss['got'])} ({miss['score']:.2f})"
    print(visible(f"{head}\n  {told}\n  " + "; ".join(miss["rules"])))  # noqa: T201
