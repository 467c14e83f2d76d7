"""What `analyze` does and prints. It knows no command line, so that what is remembered is told without loading one."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bot.analysing import Analysis

SHOWN = 100
"""Characters of a line of source in the table."""


def answer(  # noqa: PLR0913
    target: Path | None = None,
    upstream: Path | None = None,
    ops: Sequence[str] | None = None,
    rules: Sequence[str] | None = None,
    *,
    commit: str | None = None,
    json: bool = False,
    sarif: Path | None = None,
    everything: bool = False,
    device: str = "xpu",
) -> int:
    """The exit code; findings on standard output, what was read on standard error. Raises InputError."""
    from bot.analysing import analyse, check_rule, chosen, operator_named
    from bot.errors import InputError

    ops, rules = ops or (), rules or ()
    if ops and everything:
        raise InputError("--all is the whole tree and --op a part of it: give one of them")
    for name in rules:
        check_rule(name)
    if "missing-check" in rules and upstream is None:
        raise InputError("missing-check compares with pytorch/pytorch: give --upstream-source too")
    for name in ops:
        operator_named(name, device)
    if (target is None) == (commit is None):
        raise InputError("say what to read: --target-source FOLDER, or --target-commit SHA")
    analysis = analyse(target, upstream, device) if target is not None else _at_commit(str(commit), upstream, device)
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
    print(_on_one_line(text))  # noqa: T201


def _tell(text: str) -> None:
    print(_on_one_line(text), file=sys.stderr)  # noqa: T201


def _on_one_line(text: str) -> str:
    """A path may hold any character, line breaks too: no file may write lines of this table."""
    from bot.stages.markup import visible

    return visible(text).replace("\n", "\\n").replace("\t", "\\t")
