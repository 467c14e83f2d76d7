"""`file`, `pause`, `resume`: what leaves for the tracker, and the switch that stops it."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from bot.cli.stages import Json

if TYPE_CHECKING:
    from bot.outgoing import Standing, Turn


def add_to(app: typer.Typer) -> None:
    """Register the commands."""
    app.command()(file)
    app.command()(pause)
    app.command()(resume)


def file(
    finding: Annotated[
        str | None, typer.Option(help="A fingerprint, or its first digits; all of them without.")
    ] = None,
    execute: Annotated[bool, typer.Option("--execute", help="Post, if the configuration allows it.")] = False,
    again: Annotated[
        bool, typer.Option("--again", help="File one anew whose outcome nobody knows: look at the tracker first.")
    ] = False,
    json: Json = False,
) -> int:
    """Print what would be posted and what is in its way; with --execute post it. Exit code 3 while something waits."""
    import sys

    from bot import config, logs, outgoing
    from bot.cli.printing import emit
    from bot.errors import InputError

    logs.configure()
    settings, _ = config.load()
    if again and not (finding and execute):
        raise InputError("--again is for one finding, and posts it: give --finding and --execute")
    turn = outgoing.execute(settings, finding, again=again) if execute else outgoing.preview(settings, finding)
    if turn is None:
        print(f"alignbot: no finding {finding}; `alignbot findings list` shows all", file=sys.stderr)  # noqa: T201
        return 1
    if json:
        emit({"mode": settings.filing.mode.value, "executed": execute, **_facts(turn)})
    else:
        _print(turn, execute)
    return 3 if execute and not turn.whole else 0


def pause(
    reason: Annotated[str, typer.Option("--reason", help="Why, for whoever reads it next.")] = "",
    length: Annotated[
        str | None, typer.Option("--for", help="For how long: 30m, 2h, 1d; until `resume` without.")
    ] = None,
    json: Json = False,
) -> int:
    """Stop all writing at once, whoever writes on this state folder."""
    from bot import config, outgoing, wire

    settings, _ = config.load()
    switch = wire.stop(settings)
    switch.halt(reason, None if length is None else outgoing.span_of(length))
    return _tell(switch.why(), json=json)


def resume(json: Json = False) -> int:
    """Let writing go on. Exit code 1 when it is stopped all the same, by the environment."""
    from bot import config, wire

    settings, _ = config.load()
    why = wire.stop(settings).resume()
    _tell(why, json=json)
    return 1 if why else 0


def _tell(why: str | None, *, json: bool) -> int:
    from bot.cli.printing import emit

    if json:
        emit({"stopped": why is not None, "why": why or ""})
    else:
        print(why or "writing goes on")  # noqa: T201
    return 0


def _facts(turn: "Turn") -> dict[str, Any]:
    """A turn as `--json` prints it."""
    return {
        "stopped": turn.stopped,
        "halted": turn.halted,
        "caps": _caps(turn),
        "outgoing": [_fact(one) for one in turn.standing],
    }


def _fact(one: "Standing") -> dict[str, Any]:
    told = one.intent.as_json()
    kept = (
        "kind",
        "fingerprint",
        "repo",
        "window",
        "number",
        "title",
        "labels",
        "defect_kind",
        "created_at",
        "sent_at",
    )
    filed = told["filed"] or {"number": None, "url": None, "comment": None}
    return {
        "state": one.state,
        "why": one.why,
        "intent": told["id"],
        **{name: told[name] for name in kept},
        "body": one.intent.text,
        "filed": filed,
    }


def _caps(turn: "Turn") -> dict[str, dict[str, int]]:
    """What is left of each span of time."""
    limits, used = turn.limits, turn.used
    spans = {"hour": (limits.per_hour, used.hour), "day": (limits.per_day, used.day)}
    spans["week"] = (limits.per_week, used.week)
    return {name: {"most": most, "used": had, "left": max(most - had, 0)} for name, (most, had) in spans.items()}


def _print(turn: "Turn", executed: bool) -> None:
    """Each in full while nothing was posted, then a line each; and what is left of the caps."""
    import sys

    from bot.cli.printing import print_table
    from bot.stages.markup import visible

    for one in turn.standing:
        if not executed and one.state in ("ready", "planned"):
            head = f"{one.intent.repo}: {one.intent.title}\nlabels: {', '.join(one.intent.labels)}"
            sys.stdout.write(visible(f"{head}\n\n{one.intent.text}\n"))
    rows = [
        [one.intent.fingerprint, one.intent.kind, one.state, one.intent.filed.url if one.intent.filed else "", one.why]
        for one in turn.standing
    ]
    if not rows:
        print("no findings: nothing to file; `alignbot scan` makes some")  # noqa: T201
    else:
        print_table(["finding", "what", "state", "where", "why"], rows)
    left = ", ".join(f"{one['left']} of {one['most']} this {name}" for name, one in _caps(turn).items())
    print(f"left: {left}, {turn.limits.per_window} a window")  # noqa: T201
    for why in dict.fromkeys(filter(None, (turn.stopped, turn.halted))):
        print(why)  # noqa: T201
