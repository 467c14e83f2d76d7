"""`watch`: what became of what was filed, and what follows. It posts nothing: `file --execute` does."""

from typing import TYPE_CHECKING

import typer

from bot.cli.scan import Device, Unsandboxed
from bot.cli.simulating import Simulate, Simulating
from bot.cli.stages import Json

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bot.seen import Seen
    from bot.waiting import Waited


def add_to(app: typer.Typer) -> None:
    """Register the command."""
    app.command(cls=Simulating)(watch)


def watch(
    device: Device = "xpu", simulate: Simulate = None, json: Json = False, unsandboxed: Unsandboxed = False
) -> int:
    """Look at our issues, read commands on them, run their reproducers on this build, and plan what follows.

    Exit code 3 when something could not be looked at.
    """
    from bot import config, logs, watching
    from bot.cli.printing import emit
    from bot.cli.simulating import plan_of
    from bot.waiting import Look

    logs.configure()
    settings, _ = config.load()
    look = Look(device=device, simulate=plan_of(simulate), unsandboxed=unsandboxed)
    looked = watching.watch(settings, look)
    if json:
        emit(looked.as_json())
    else:
        _print_filed(looked.filed)
        _print_waiting(looked.waiting)
        if looked.status:
            print(f"the status in #{looked.status.number} has changed: `alignbot file --execute` writes it")  # noqa: T201
    return 0 if looked.whole else 3


def _print_filed(seen: "Sequence[Seen]") -> None:
    """A line for each issue of ours, then what is to be known about it."""
    from bot.cli.printing import print_table

    if not seen:
        print("nothing was filed yet")  # noqa: T201
        return
    rows = [
        [
            f"#{one.filed.number}",
            one.finding.fingerprint,
            one.finding.op,
            one.tracker.state.value if one.tracker else "not read",
            _shows(one),
            ", ".join(f"{each.kind.value} ({each.state.value})" for each in one.follows),
            "; ".join([*one.held, *(each.why for each in one.notes)]),
        ]
        for one in seen
    ]
    print_table(["issue", "finding", "operator", "tracker", "build", "follows", "why"], rows)


def _print_waiting(waited: "Waited") -> None:
    """A line for each watched case whose day had come."""
    from bot.cli.printing import print_table

    rows = [[one["leader"], str(one["kind"]), str(one["look_again_at"] or ""), one["reason"]] for one in _cases(waited)]
    if rows:
        print_table(["watched", "outcome", "again at", "why"], rows)
    for why in waited.held:
        print(why)  # noqa: T201


def _cases(waited: "Waited") -> "list[dict[str, Any]]":
    told: list[dict[str, Any]] = waited.as_json()["watched"]
    return told


def _shows(one: "Seen") -> str:
    if one.observation is None:
        return "not run"
    said = {True: "shows it", False: "passes", None: "tells nothing"}
    return f"{said[one.observation.shows]}: {one.observation.build.key}"
