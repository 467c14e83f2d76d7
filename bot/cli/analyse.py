"""`analyze`: what the source of a kernel tree shows by itself."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli.stages import Json

if TYPE_CHECKING:
    from bot.analysing import Analysis

SHOWN = 100
"""Characters of a line of source in the table."""


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command()(analyze)


def analyze(  # noqa: PLR0913, PLR0917 -- an option is an argument
    target_source: Annotated[
        Path | None, typer.Option(help="Checkout of the target's kernels, e.g. intel/torch-xpu-ops.")
    ] = None,
    target_commit: Annotated[str | None, typer.Option(help="Read this commit by git instead: 40 digits.")] = None,
    upstream_source: Annotated[Path | None, typer.Option(help="Checkout of pytorch/pytorch, to compare with.")] = None,
    op: Annotated[list[str] | None, typer.Option(help="Only what this operator comes to; may be repeated.")] = None,
    kernel_rule: Annotated[list[str] | None, typer.Option(help="Only this rule; may be repeated.")] = None,
    json: Json = False,
    sarif: Annotated[Path | None, typer.Option(help="Write SARIF 2.1.0 there too.")] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="The whole tree, and what could not be read of it.")
    ] = False,
    device: Annotated[str, typer.Option(help="The target device.")] = "xpu",
) -> int:
    """Read kernels for causes of faults: sums kept too narrow, indices in 32 bits, checks that the CUDA side has."""
    from bot.analysing import analyse, check_rule, chosen, operator_named
    from bot.errors import InputError

    ops, rules = op or [], kernel_rule or []
    if ops and everything:
        raise InputError("--all is the whole tree and --op a part of it: give one of them")
    for name in rules:
        check_rule(name)
    if "missing-check" in rules and upstream_source is None:
        raise InputError("missing-check compares with pytorch/pytorch: give --upstream-source too")
    for name in ops:
        operator_named(name, device)
    if (target_source is None) == (target_commit is None):
        raise InputError("say what to read: --target-source FOLDER, or --target-commit SHA")
    analysis = (
        analyse(target_source, upstream_source, device)
        if target_source is not None
        else _at_commit(str(target_commit), upstream_source, device)
    )
    found = chosen(analysis, ops, rules, device)
    if sarif is not None:
        _write_sarif(sarif, found, analysis.unread)
    if json:
        import json as encoder

        print(encoder.dumps(found, indent=2, ensure_ascii=False))  # noqa: T201
    else:
        _print_table(found)
    _print_read(analysis, len(found), everything=everything)
    return 0


def _at_commit(sha: str, upstream: Path | None, device: str) -> "Analysis":
    """The same of a commit, fetched by git."""
    from bot.config import load
    from bot.sourcing import analysis_at

    return analysis_at(load()[0], sha, upstream, device)


def _write_sarif(path: Path, found: Sequence[dict[str, Any]], unread: Sequence[Sequence[Any]]) -> None:
    """All of it or nothing. Raises InputError."""
    from bot import __version__
    from bot.edges.outputs import write_file
    from bot.registry import rules
    from bot.stages.sarif import sarif

    import json as encoder  # isort: skip

    whys = {rule.name: rule.why for rule in rules("kernel")}
    write_file(path, encoder.dumps(sarif(found, unread, whys, __version__), indent=1, ensure_ascii=False) + "\n")


def _print_table(found: Sequence[dict[str, Any]]) -> None:
    """For people: a line for the place, one for the source, one for why, one for what stands beside it."""
    for one in found:
        op = f"  {one['op']}" if one["op"] else ""
        _say(f"{one['path']}:{one['line']}  {one['rule']}  {one['symbol']}{op}")
        _say(f"    {' '.join(one['excerpt'].split())[:SHOWN]}")
        _say(f"    {one['why']}")
        for title, places in (("likewise", one["siblings"]), ("right", one["right"])):
            if places:
                _say(f"    {title}: " + ", ".join(f"{place['symbol']} ({place['line']})" for place in places))
        if one["permalink"]:
            _say(f"    {one['permalink']}")
    _say(f"{len(found)} found" if found else "nothing found")


def _print_read(analysis: "Analysis", found: int, *, everything: bool) -> None:
    """What was read and what was not, on standard error: nobody shall take silence for a clean bill."""
    unread = analysis.unread
    for path, line, end_line, why in unread if everything else ():
        _tell(f"not read: {path}:{line}{f'-{end_line}' if end_line > line else ''}: {why}")
    regions = f", {len(unread)} regions of them not{'' if everything else ' (--all lists them)'}" if unread else ""
    _tell(f"{analysis.files} files read{regions}; {found} findings")


def _say(text: str) -> None:
    from bot.stages.markup import visible

    print(visible(text))  # noqa: T201


def _tell(text: str) -> None:
    print(text, file=sys.stderr)  # noqa: T201
