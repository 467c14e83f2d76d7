"""`evaluate`: how good the classifier is, and learning its weights anew."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli.stages import Json

if TYPE_CHECKING:
    from bot.stages.evaluate import Labelled

FEWEST = 20
"""Labelled items below which folds and figures say nothing."""
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
    file: Annotated[Path, typer.Argument(help="Labelled items: .jsonl, .jsonl.gz or .jsonl.zst.")],
    json: Json = False,
    train: Annotated[bool, typer.Option("--train", help="Learn weights from all items and write them.")] = False,
    weights: Annotated[Path | None, typer.Option(help="Where --train writes; the package's own by default.")] = None,
    folds: Annotated[int, typer.Option(help="Parts that the items are dealt into.", min=2, max=50)] = 5,
    rules_only: Annotated[bool, typer.Option("--rules-only", help="Only the rules' own weights.")] = False,
) -> int:
    """Measure the classifier on labelled items: rules alone, cross-validated with what is learned, and as shipped."""
    from bot import wire
    from bot.cli.printing import emit
    from bot.registry import rules
    from bot.stages.evaluate import as_shipped, by_folds, by_rules, figures, trained
    from bot.stages.owner import owner

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
    from bot.cli.reading import name_of
    from bot.edges.lines import item_of, read_lines
    from bot.errors import InputError

    found = []
    for number, line in read_lines(file, file):
        if line.strip():
            label = _label(line, f"{file}, line {number}")
            if label is not None:
                found.append(_labelled(item_of(line, file, number), *label))
    keys = [one.item.key for one in found]
    twice = sorted({key for key in keys if keys.count(key) > 1})
    if twice:
        raise InputError(f"{name_of(file)} labels {twice[0]} twice")
    if len(found) < FEWEST:
        raise InputError(f"{name_of(file)} has {len(found)} labelled items; figures need at least {FEWEST}")
    return found


def _label(line: bytes, place: str) -> tuple[str, str, bool] | None:
    """Class, defect kind, and whether the title is the item's own; None for an item that isn't scored."""
    import json as decoder

    from bot.errors import InputError
    from bot.model import DefectKind, ItemClass

    try:
        row = decoder.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{place}: no JSON: {error}") from error
    if not isinstance(row, dict):
        raise InputError(f"{place}: an item is a JSON object, this is {type(row).__name__}")
    expected, kind = row.get("expected_class"), row.get("defect_kind") or "none"
    if expected in (None, "unsure"):
        return None
    if expected not in list(ItemClass):
        raise InputError(f"{place}: expected_class {expected!r} is none of {', '.join(ItemClass)}")
    if kind not in list(DefectKind):
        raise InputError(f"{place}: defect_kind {kind!r} is none of {', '.join(DefectKind)}")
    return expected, kind, row.get("title_exact") is not False


def _labelled(item: Any, expected: str, kind: str, title_exact: bool) -> "Labelled":
    from bot.model import DefectKind, ItemClass
    from bot.stages.evaluate import Labelled

    return Labelled(item, ItemClass(expected), DefectKind(kind), title_exact)


def _write(weights: Path | None, learned: Any) -> None:
    """Write weights, sorted, a line each. Raises InputError."""
    import json
    import sys

    from bot.errors import InputError
    from bot.registry import weights_file

    path = weights or weights_file("classify")
    try:
        path.write_text(json.dumps(learned, indent=1, sort_keys=True, ensure_ascii=False) + "\n", "utf-8")
    except OSError as error:
        raise InputError(f"{path} can't be written: {error.strerror}") from error
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
    from bot.stages.markup import visible

    head = f"{miss['wrong']}: {miss['item']} {miss['title']}"
    told = f"labelled {', '.join(miss['expected'])}; ruled {', '.join(miss['got'])} ({miss['score']:.2f})"
    print(visible(f"{head}\n  {told}\n  " + "; ".join(miss["rules"])))  # noqa: T201
